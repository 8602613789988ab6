import { useState } from "preact/hooks";
import { Failure } from "../../lib/base/failure.ts";
import { Alert } from "./notices.tsx";

/**
 * Work that a button begins: one at a time, with the failure of the last one, and the notice of it.
 *
 * @param otherwise what is said of an error that is no refusal.
 */
export function useWork(otherwise = "This could not be done.") {
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setWorking(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(error instanceof Failure ? error : new Failure(otherwise));
    } finally {
      setWorking(false);
    }
  };
  return { isWorking, failure, run, notice: failure && <Alert failure={failure} /> };
}
