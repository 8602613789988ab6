import { useState } from "preact/hooks";
import { Failure } from "../lib/failure.ts";
import { lastWrite, undo } from "../lib/write.ts";

/** Says what was written last, and takes it back. */
export function UndoBar() {
  const last = lastWrite.value;
  const change = last?.change;
  const [failure, setFailure] = useState<{ of: unknown; message: string }>();
  const [isUndoing, setUndoing] = useState(false);
  const takeBack = async (): Promise<void> => {
    if (change === undefined) return;
    setUndoing(true);
    try {
      await undo(change);
    } catch (error) {
      const message = error instanceof Failure ? error.message : "This page failed to undo it.";
      setFailure({ of: change, message });
    }
    setUndoing(false);
  };
  const mistake = failure !== undefined && failure.of === change ? failure.message : undefined;
  return (
    <div class="undo-bar" role="status" hidden={last === undefined}>
      {last !== undefined && (
        <>
          <p>
            {last.said}
            {mistake !== undefined && <strong> It is not undone: {mistake}</strong>}
          </p>
          {change !== undefined && (
            <button type="button" disabled={isUndoing} onClick={takeBack}>
              Undo
            </button>
          )}
          <button type="button" onClick={() => (lastWrite.value = undefined)}>
            Dismiss
          </button>
        </>
      )}
    </div>
  );
}
