import { useState } from "preact/hooks";
import { Failure } from "./failure.ts";

/** Work that a button begins: one at a time, with the failure of the last one. */
export function useWork() {
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setWorking(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      setFailure(error);
    } finally {
      setWorking(false);
    }
  };
  return { isWorking, failure, run };
}
