import { useState } from "preact/hooks";
import { entriesText, outbox } from "../../lib/goals/outbox.ts";
import { leave } from "../../lib/sign-in/start.ts";
import { Button } from "../../parts/base/button.tsx";

/** Signs out; who has entries that are not sent is asked first. */
export function SignOut() {
  const [unsent, setUnsent] = useState(0);
  if (unsent === 0)
    return (
      <Button
        class="quiet"
        onClick={() => {
          const { length = 0 } = outbox.value?.unsent ?? [];
          if (length === 0) void leave();
          else setUnsent(length);
        }}
      >
        Sign out
      </Button>
    );
  const entries = entriesText(unsent);
  return (
    <div role="alert">
      <p>{entries} recorded here could not be sent yet.</p>
      <Button onClick={() => setUnsent(0)}>Stay</Button>{" "}
      <Button
        onClick={() => {
          outbox.value?.forget();
          void leave();
        }}
      >
        Forget {entries}
      </Button>
    </div>
  );
}
