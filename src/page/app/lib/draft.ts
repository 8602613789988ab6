import { useEffect, useState } from "preact/hooks";
import { Failure } from "./failure.ts";
import { leaving, passkeyUser, signedIn } from "./signed-in.ts";

/**
 * What was typed into forms and is not saved. It outlasts a lock, and the end of a sign-in after twelve hours, for the
 * person who comes back by their passkey. It is forgotten when the form is closed, on signing out, and when somebody else
 * signs in.
 */
const drafts = new Map<string, unknown>();

let author: string | null | undefined;

leaving.subscribe((why) => {
  const mayComeBack = why === "locked" || (why instanceof Failure && passkeyUser() !== undefined);
  if (why !== undefined && !mayComeBack) drafts.clear();
});

signedIn.subscribe((caller) => {
  if (caller === undefined) return;
  const { userId } = caller.me.key;
  if (userId !== author) drafts.clear();
  author = userId;
});

/** The state of a form, as `useState`; after a lock, what it was. */
export function useDraft<Value>(
  form: string,
  initial: Value,
): [value: Value, set: (value: Value) => void] {
  const [caller] = useState(signedIn.value);
  const [value, setValue] = useState(() => (drafts.get(form) as Value | undefined) ?? initial);
  useEffect(
    () => () => {
      if (signedIn.value !== undefined) drafts.delete(form);
    },
    [form],
  );
  const set = (changed: Value): void => {
    // What is still being read when somebody else signs in is not theirs.
    if (signedIn.value === caller) drafts.set(form, changed);
    setValue(changed);
  };
  return [value, set];
}
