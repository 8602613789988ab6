import { type Act, acts, undoAct } from "../../lib/base/acts.ts";
import { addressOf, addressOfRecord } from "../../lib/base/place.ts";
import type { ImportResult } from "../../lib/base/wire.ts";
import { useBeginning } from "../../lib/attention/ask-beginning.ts";
import { NextLine } from "../attention/first-steps.tsx";
import { Button } from "../../parts/base/button.tsx";
import { Alert } from "../../parts/base/notices.tsx";
import { useWork } from "../../parts/base/work.tsx";
import { Counts } from "./counts.tsx";

/** What an import has made, with ways to it, and what undoes it. */

export interface ImportOutcome {
  changes: ImportResult["changes"];
  /** Some of the records, with what they are called. */
  records: { type: string; publicId: string; name: string }[];
  act: Act;
}

export function Imported({ outcome }: { outcome: ImportOutcome }) {
  const { changes, records, act } = outcome;
  const { isWorking, failure, run } = useWork("The import could not be undone.");
  const beginning = useBeginning().value;
  const isUndone = !acts.value.includes(act);
  return (
    <section class="panel" aria-label="Imported">
      <p class="counts" role="status">
        {isUndone ? "Undone." : "Imported."}
      </p>
      {!isUndone && (
        <>
          <Counts changes={changes} />
          <ul class="imported" aria-label="Imported records">
            {records.map((record) => (
              <li key={record.publicId}>
                <a href={addressOfRecord(record) ?? addressOf(["practice"])}>
                  <bdi>{record.name}</bdi>
                </a>
              </li>
            ))}
          </ul>
          {beginning && <NextLine beginning={beginning} />}
          <p>
            <a href={addressOf(["attention"])}>Attention</a>: what is to be settled
          </p>
          {act.undo && (
            <div class="buttons">
              <Button disabled={isWorking} onClick={() => run(() => undoAct(act))}>
                Undo
              </Button>
            </div>
          )}
        </>
      )}
      {failure && <Alert failure={failure} />}
    </section>
  );
}
