import { useState } from "preact/hooks";
import { Failure } from "../lib/failure.ts";
import { practiceZone } from "../lib/me.ts";
import { useNames } from "../lib/people.ts";
import { ChangedMeanwhile } from "../lib/session-changes.ts";
import { differences } from "../lib/differences.ts";
import { type Change, write } from "../lib/write.ts";

/** Writes a change, and shows the error if it fails. */
export function useWriting(onDone?: () => void) {
  const [failure, setFailure] = useState<Failure>();
  const [isWriting, setWriting] = useState(false);
  const run = async (change: Change): Promise<void> => {
    setWriting(true);
    setFailure(undefined);
    try {
      await write(change);
      onDone?.();
    } catch (error) {
      setFailure(
        error instanceof Failure ? error : new Failure("The change could not be written."),
      );
    }
    setWriting(false);
  };
  const isOutdated = failure instanceof ChangedMeanwhile;
  return { run, isWriting, isOutdated, notice: failure && <Refused failure={failure} /> };
}

function Refused({ failure }: { failure: Failure }) {
  const name = useNames([]);
  const meanwhile = failure instanceof ChangedMeanwhile ? failure : undefined;
  const { expected, current } = meanwhile ?? { expected: undefined, current: undefined };
  const changes =
    expected === undefined || current === undefined
      ? []
      : differences(expected, current, name, practiceZone());
  return (
    <div class="notice failure" role="alert">
      <p>{failure.message}</p>
      {changes.length > 0 && (
        <ul>
          {changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
