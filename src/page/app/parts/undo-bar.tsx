import { useState } from "preact/hooks";
import { Failure } from "../lib/failure.ts";
import { lastWrite } from "../lib/write.ts";
import { Button } from "./button.tsx";

/** Shows the last write, with a button to undo it. */
export function UndoBar() {
  const last = lastWrite.value;
  const undo = last?.undo;
  const [failure, setFailure] = useState<{ of: unknown; message: string }>();
  const [isUndoing, setUndoing] = useState(false);
  const takeBack = async (): Promise<void> => {
    setUndoing(true);
    try {
      await undo?.();
      lastWrite.value = undefined;
    } catch (error) {
      const message = error instanceof Failure ? error.message : "The change could not be undone.";
      setFailure({ of: undo, message });
    }
    setUndoing(false);
  };
  const mistake = failure !== undefined && failure.of === undo ? failure.message : undefined;
  return (
    <div class="undo-bar" role="status" hidden={last === undefined}>
      {last !== undefined && (
        <>
          <div>
            <p>
              {last.said}
              {mistake !== undefined && <strong> Not undone: {mistake}</strong>}
            </p>
            {last.warnings.map((warning) => (
              <p key={warning}>⚠ {warning}</p>
            ))}
          </div>
          {undo !== undefined && (
            <Button disabled={isUndoing} onClick={takeBack}>
              Undo
            </Button>
          )}
          <Button onClick={() => (lastWrite.value = undefined)}>Dismiss</Button>
        </>
      )}
    </div>
  );
}
