import { useEffect, useRef, useState } from "preact/hooks";
import { say } from "../../lib/base/acts.ts";
import { addressWith } from "../../lib/base/place.ts";
import { Failure } from "../../lib/base/failure.ts";
import { signedIn } from "../../lib/sign-in/signed-in.ts";
import { Alert } from "./notices.tsx";

/**
 * Work that a button begins: one at a time, with the failure of the last one, and the notice of it. A failure that goes with
 * the part in which it stands, since that is no more, is told by the bar.
 *
 * @param otherwise what is said of an error that is no refusal.
 * @param isTold false for the bar itself.
 */
export function useWork(otherwise = "This could not be done.", isTold = true) {
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  /** Whether the part is gone, and the failure that it shows with the place where it came. */
  const part = useRef<{ isGone: boolean; shown?: { failure: Failure; at: string } }>({
    isGone: false,
  });
  useEffect(
    () => () => {
      const { shown } = part.current;
      part.current.isGone = true;
      // Whoever goes to another place, or closes a dialog, has seen it.
      const hasGoneByItself = shown?.at === addressWith({}) && signedIn.value !== undefined;
      if (isTold && hasGoneByItself) say(shown.failure.message);
    },
    [],
  );
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    const caller = signedIn.value;
    setWorking(true);
    setFailure(undefined);
    delete part.current.shown;
    try {
      await work();
    } catch (error) {
      const failed = error instanceof Failure ? error : new Failure(otherwise);
      setFailure(failed);
      part.current.shown = { failure: failed, at: addressWith({}) };
      if (isTold && part.current.isGone && signedIn.value === caller) say(failed.message);
    } finally {
      setWorking(false);
    }
  };
  return { isWorking, failure, run, notice: failure && <Alert failure={failure} /> };
}
