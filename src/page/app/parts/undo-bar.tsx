import { useState } from "preact/hooks";
import { Failure } from "../lib/failure.ts";
import { lastChange, undo } from "../lib/write.ts";

/** Says what was written last, and takes it back. */
export function UndoBar() {
  const change = lastChange.value;
  const [failure, setFailure] = useState<{ of: unknown; message: string }>();
  const takeBack = async (): Promise<void> => {
    if (change === undefined) return;
    try {
      await undo(change);
    } catch (error) {
      const message = error instanceof Failure ? error.message : "This page failed to undo it.";
      setFailure({ of: change, message });
    }
  };
  const mistake = failure !== undefined && failure.of === change ? failure.message : undefined;
  return (
    <div class="undo-bar" role="status" hidden={change === undefined}>
      {change !== undefined && (
        <>
          <p>
            {change.done}
            {mistake !== undefined && <strong> It cannot be undone: {mistake}</strong>}
          </p>
          {mistake === undefined && (
            <button type="button" onClick={takeBack}>
              Undo
            </button>
          )}
          <button type="button" onClick={() => (lastChange.value = undefined)}>
            Dismiss
          </button>
        </>
      )}
    </div>
  );
}
