import { useEffect } from "preact/hooks";
import { told, undoAct } from "../../lib/base/acts.ts";
import { Button } from "./button.tsx";
import { useWork } from "./work.tsx";

/** How long it stands there, in milliseconds; what was done can be undone in a view of its own afterwards. */
const SHOWN_TIME = 20_000;

/** Tells the last act, with a button to undo it. */
export function UndoBar() {
  const act = told.value;
  const { isWorking, failure, run } = useWork("The change could not be undone.");
  useEffect(() => {
    const timer = setTimeout(() => dismiss(), SHOWN_TIME);
    return () => clearTimeout(timer);
  }, [act]);
  return (
    <div class="undo-bar" role="status" hidden={act === undefined}>
      {act !== undefined && (
        <>
          <div>
            <p>
              {act.said}
              {failure && <strong> Not undone: {failure.message}</strong>}
            </p>
            {act.warnings.map((warning) => (
              <p key={warning}>⚠ {warning}</p>
            ))}
          </div>
          {act.undo !== undefined && (
            <Button disabled={isWorking} onClick={() => run(() => undoAct(act))}>
              Undo
            </Button>
          )}
          <Button onClick={dismiss}>Dismiss</Button>
        </>
      )}
    </div>
  );
}

function dismiss(): void {
  told.value = undefined;
}
