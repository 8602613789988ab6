import { Failure } from "../../lib/base/failure.ts";
import { invitation } from "../../lib/sign-in/invitation.ts";
import { hasPasskeys, keepsSignIn } from "../../lib/sign-in/passkeys.ts";
import { leaving } from "../../lib/sign-in/signed-in.ts";
import {
  addressAtLocalhost,
  begin,
  enterWithPasskey,
  isAtNumbers,
  leave,
  start,
} from "../../lib/sign-in/start.ts";
import { useWork } from "../../parts/base/work.tsx";
import { Button } from "../../parts/base/button.tsx";
import { Alert, Loading } from "../../parts/base/notices.tsx";
import { AcceptInvitation } from "./accept-invitation.tsx";
import { SignInWithKey } from "./sign-in-with-key.tsx";

/** What is shown while nobody is signed in on this page. */
export function SignIn() {
  return (
    <main class="sign-in">
      <div class="brand">
        <img src="page/icon.svg" alt="" width="40" height="40" />
        <h1 tabIndex={-1}>Caseload</h1>
      </div>
      <WhyLeft />
      <Ways />
    </main>
  );
}

function Ways() {
  const current = start.value;
  if (current.state === "asking") return <Loading />;
  if (current.state === "signing-out") return <SigningOut {...current} />;
  if (current.state === "invited") return <AcceptInvitation create={current.create} />;
  if (current.state === "locked" || leaving.value === "locked") return <Unlock />;
  if (current.state === "keys")
    return (
      <>
        <SignInWithKey isFirst />
        <AtLocalhost />
        <WithoutCookie />
      </>
    );
  return (
    <>
      {current.state === "failed" && (
        <Alert failure={current.failure}>
          <Button onClick={begin}>Try again</Button>
        </Alert>
      )}
      <PasskeyButton label="Sign in with a passkey" />
      <details>
        <summary>Sign in with a key</summary>
        <SignInWithKey isFirst={false} />
      </details>
    </>
  );
}

/** Browsers have no passkeys at addresses of numbers. */
function AtLocalhost() {
  if (!isAtNumbers()) return null;
  return (
    <p class="hint">
      {invitation.value === undefined
        ? "With a passkey, people sign in at "
        : "Your invitation can be used at "}
      <a href={addressAtLocalhost()}>localhost</a>
    </p>
  );
}

/** An invitation is not used up where its sign-in would be lost at once. */
function WithoutCookie() {
  if (isAtNumbers() || !hasPasskeys() || keepsSignIn()) return null;
  return (
    <p class="hint">
      {invitation.value === undefined ? "" : "Your invitation is not used yet. "}
      This browser does not keep anybody signed in at this address. Open the page at an address with
      https, for which the server is started with <code>--origin https://…</code>, use another
      browser, or sign in with a key.
    </p>
  );
}

function Unlock() {
  return (
    <div class="box">
      <p>This page is locked, since nobody used it for a while. You can go on where you were.</p>
      <PasskeyButton label="Unlock with your passkey" />
      <Button onClick={leave}>Sign out</Button>
    </div>
  );
}

function SigningOut({ failure, again }: { failure: Failure | undefined; again: () => void }) {
  if (failure === undefined) return <Loading />;
  return (
    <Alert failure={failure} about="The server has not heard yet that you sign out. ">
      <p>It is told again every few seconds. Until then, whoever uses this browser could be you.</p>
      <Button class="primary" onClick={again}>
        Sign out again
      </Button>
    </Alert>
  );
}

function PasskeyButton({ label }: { label: string }) {
  const { isWorking, notice, run } = useWork();
  return (
    <>
      <Button class="primary" disabled={isWorking} onClick={() => run(enterWithPasskey)}>
        {label}
      </Button>
      {notice}
    </>
  );
}

/** What the API says of a key that it does not accept. */
const INVALID_KEY = "Invalid API key";

const REASONS = {
  "signed-out": "You are signed out.",
  untouched: "You were signed out after fifteen minutes without activity.",
  "somebody-else": "Somebody else has signed in on this browser, so this page forgot your data.",
};

/** Why the person must sign in again. */
function WhyLeft() {
  const why = leaving.value;
  if (why === undefined || why === "locked" || start.value.state === "signing-out") return null;
  if (why instanceof Failure)
    return (
      <Alert
        failure={why}
        about={why.message === INVALID_KEY ? "The key is no longer valid: " : ""}
      />
    );
  return (
    <p class="notice" role="status">
      {REASONS[why]}
    </p>
  );
}
