import { useState } from "preact/hooks";
import { checkKey, Failure } from "../lib/api.ts";
import { leaving, signIn } from "../lib/signed-in.ts";
import { RequestId } from "../parts/notices.tsx";

/** Asks for a key, and keeps it once the API has taken it. */
export function SignIn() {
  const [key, setKey] = useState("");
  const [failure, setFailure] = useState<Failure>();
  const [isChecking, setChecking] = useState(false);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const typed = key.trim();
    if (typed === "") return;
    setChecking(true);
    setFailure(undefined);
    try {
      await checkKey(typed);
      signIn(typed);
    } catch (error) {
      setFailure(error instanceof Failure ? error : new Failure("This key cannot be sent."));
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
        <label class="field">
          <span>API key</span>
          <input
            type="text"
            class="secret"
            value={key}
            autocomplete="off"
            spellcheck={false}
            autofocus
            required
            aria-describedby="about-key"
            onInput={(event) => setKey(event.currentTarget.value)}
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
          Paste the key that you were given. It stays in this tab’s memory alone, and is forgotten
          when you sign out, close or reload the page, or leave it untouched for ten minutes.
        </p>
      </form>
    </main>
  );
}

/** Why one has to sign in again. */
function WhyLeft() {
  const why = leaving.value;
  if (why === undefined) return null;
  if (why === "signed-out")
    return (
      <p class="notice" role="status">
        You are signed out. The key is forgotten.
      </p>
    );
  if (why === "untouched")
    return (
      <p class="notice" role="status">
        Nobody touched the page for ten minutes, so the key is forgotten.
      </p>
    );
  return (
    <div class="notice failure" role="alert">
      <p>The key is no longer taken: {why.message}</p>
      <RequestId failure={why} />
    </div>
  );
}
