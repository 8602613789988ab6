import { useState } from "preact/hooks";
import { askWhoseKey } from "../lib/api.ts";
import { Failure } from "../lib/failure.ts";
import { homeAddress } from "../lib/home.ts";
import { goTo, place } from "../lib/place.ts";
import { leaving, signIn } from "../lib/signed-in.ts";
import { RequestId } from "../parts/notices.tsx";

/** Asks for a key, and keeps it if the API accepts it. */
export function SignIn() {
  const [failure, setFailure] = useState<Failure>();
  const [isChecking, setChecking] = useState(false);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    // Read from the form, because password managers may fill it in without an event.
    const key = String(new FormData(event.currentTarget as HTMLFormElement).get("password")).trim();
    if (key === "") return;
    setChecking(true);
    setFailure(undefined);
    try {
      signIn(key, await askWhoseKey(key));
      if (place.value.path?.length === 0) goTo(homeAddress(), "replace");
    } catch (error) {
      setFailure(
        error instanceof Failure ? error : new Failure("The key contains invalid characters."),
      );
      setChecking(false);
    }
  };

  return (
    <main class="sign-in">
      <div class="brand">
        <img src="page/icon.svg" alt="" width="40" height="40" />
        <h1 tabIndex={-1}>Caseload</h1>
      </div>
      <WhyLeft />
      <form onSubmit={submit}>
        {/* A name is what password managers keep a key under. It is sent nowhere. */}
        <div class="field">
          <label for="name">Name</label>
          <input
            id="name"
            type="text"
            name="username"
            autocomplete="username"
            autocapitalize="off"
            spellcheck={false}
            aria-describedby="about-name"
          />
          <small id="about-name">
            Any name; your password manager stores the key under it. It is not sent.
          </small>
        </div>
        <label class="field">
          <span>API key</span>
          <input
            type="password"
            name="password"
            autocomplete="current-password"
            autofocus
            required
            aria-describedby="about-key"
          />
        </label>
        <button type="submit" class="primary" disabled={isChecking}>
          {isChecking ? "Signing in…" : "Sign in"}
        </button>
        {failure && (
          <div class="notice failure" role="alert">
            <p>{failure.message}</p>
            <RequestId failure={failure} />
          </div>
        )}
        <p id="about-key" class="hint">
          The key that you were given. The page keeps it only in memory, and forgets it when you
          sign out, close or reload the page, or leave it untouched for fifteen minutes.
        </p>
      </form>
    </main>
  );
}

/** Why the person must sign in again. */
function WhyLeft() {
  const why = leaving.value;
  if (why === undefined) return null;
  if (why === "signed-out")
    return (
      <p class="notice" role="status">
        You are signed out.
      </p>
    );
  if (why === "untouched")
    return (
      <p class="notice" role="status">
        You were signed out after fifteen minutes without activity.
      </p>
    );
  return (
    <div class="notice failure" role="alert">
      <p>The key is no longer valid: {why.message}</p>
      <RequestId failure={why} />
    </div>
  );
}
