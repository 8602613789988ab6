import { askWho } from "../../lib/base/api.ts";
import { homeAddress } from "../../lib/base/home.ts";
import { goTo, place } from "../../lib/base/place.ts";
import { signIn } from "../../lib/sign-in/signed-in.ts";
import { useWork } from "../../parts/base/work.tsx";

/** Asks for a key, and keeps it if the API accepts it. */
export function SignInWithKey({ isFirst }: { isFirst: boolean }) {
  const { isWorking, notice, run } = useWork("The key contains invalid characters.");

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    // Read from the form, because password managers may fill it in without an event.
    const key = String(new FormData(event.currentTarget as HTMLFormElement).get("password")).trim();
    if (key === "") return;
    await run(async () => {
      signIn(key, await askWho(key));
      if (place.value.path?.length === 0) goTo(homeAddress(), "replace");
    });
  };

  return (
    <form class="box" onSubmit={submit}>
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
          autofocus={isFirst}
          required
          aria-describedby="about-key"
        />
      </label>
      <button type="submit" class="primary" disabled={isWorking}>
        {isWorking ? "Signing in…" : "Sign in"}
      </button>
      {notice}
      <p id="about-key" class="hint">
        The key that you were given. The page keeps it only in memory, and forgets it when you sign
        out, close or reload the page, or leave it untouched for fifteen minutes.
      </p>
    </form>
  );
}
