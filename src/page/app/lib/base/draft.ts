import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Going } from "./place.ts";
import { keptForPerson, signedIn } from "../sign-in/signed-in.ts";
import { isSame } from "./same.ts";

/**
 * What was typed into forms and is not saved. It outlasts a lock, and the end of a sign-in after twelve hours, for the
 * person who comes back by their passkey. It is forgotten when the form is closed, on signing out, and when somebody else
 * signs in.
 */
const drafts = new Map<string, { value: unknown; of: keyof Going; isWork: boolean }>();

keptForPerson(() => drafts.clear());

/** What a form goes with. */
export const DraftOf = createContext<keyof Going>("view");

/** Whether something would go that somebody has typed; if so, they are asked. */
export function mayThrowAway(going: Going): boolean {
  const isLost = [...drafts.values()].some(({ of, isWork }) => isWork && going[of]);
  return !isLost || confirm("What you have typed is not saved. Throw it away?");
}

/** Before a reload, or another page, the browser asks. */
export function watchDrafts(): void {
  addEventListener("beforeunload", (event) => {
    if ([...drafts.values()].some(({ isWork }) => isWork)) event.preventDefault();
  });
}

/**
 * The state of a form, as `useState`; after a lock, what it was.
 *
 * @param isWork whether anybody would miss a value.
 */
export function useDraft<Value>(
  form: string,
  initial: Value,
  isWork: (value: Value) => boolean = () => true,
): [value: Value, set: (value: Value) => void] {
  const [caller] = useState(signedIn.value);
  const [untouched] = useState(initial);
  const [value, setValue] = useState(
    () => (drafts.get(form)?.value as Value | undefined) ?? untouched,
  );
  const of = useContext(DraftOf);
  useEffect(
    () => () => {
      if (signedIn.value !== undefined) drafts.delete(form);
    },
    [form],
  );
  const set = (changed: Value): void => {
    // What is still being read when somebody else signs in is not theirs.
    if (signedIn.value === caller) {
      if (isSame(changed, untouched)) drafts.delete(form);
      else drafts.set(form, { value: changed, of, isWork: isWork(changed) });
    }
    setValue(changed);
  };
  return [value, set];
}
