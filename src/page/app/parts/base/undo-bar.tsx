import { useEffect } from "preact/hooks";
import { type Act, told, undoAct } from "../../lib/base/acts.ts";
import { Button } from "./button.tsx";
import { useWork } from "./work.tsx";

/** How long it stands there, in milliseconds; what was done can be undone in a view of its own afterwards. */
const SHOWN_TIME = 20_000;

/** Tells the last act, with a button to undo it. */
export function UndoBar() {
  const act = told.value;
  useEffect(() => {
    const timer = setTimeout(() => dismiss(), SHOWN_TIME);
    return () => clearTimeout(timer);
  }, [act]);
  return (
    <div class="undo-bar" role="status" hidden={act === undefined}>
      {act !== undefined && <Told key={act} act={act} />}
    </div>
  );
}

/** One act: what has become of undoing it is no matter of the next one. */
function Told({ act }: { act: Act }) {
  const { isWorking, failure, run } = useWork("The change could not be undone.", false);
  return (
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
  );
}

function dismiss(): void {
  told.value = undefined;
}
