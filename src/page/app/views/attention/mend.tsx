import { useState } from "preact/hooks";
import { type Reading, readRecords } from "../../lib/base/api.ts";
import type { Instant } from "../../lib/base/dates.ts";
import { Failure } from "../../lib/base/failure.ts";
import { peopleIn } from "../../lib/attention/finding-records.ts";
import type { Cause } from "../../lib/attention/findings.ts";
import {
  type Item,
  itemsOf,
  type Mend,
  mendingOf,
  mendOf,
  recordsToMend,
} from "../../lib/attention/mending.ts";
import { countText, whenText } from "../../lib/base/format.ts";
import type { Line } from "../../lib/base/lines.ts";
import { instantDayText, practiceZone } from "../../lib/base/me.ts";
import { peopleOf } from "../../lib/session/overlaps.ts";
import { useNames } from "../../lib/person/people.ts";
import { closeDialog } from "../../lib/base/place.ts";
import type { Session } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Check } from "../../parts/base/field.tsx";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import { useWriting } from "../../parts/base/writing.tsx";
import { SlotList } from "../person/slot-list.tsx";

/** All of a cause is mended in one dialog: what it is about, chosen, and one button. */

const TITLES: Record<Mend, string> = {
  Delivered: "Delivered",
  Remove: "Remove deliveries",
  Delete: "Delete sessions",
  Give: "Give to somebody else",
};

export function MendDialog({ cause }: { cause: Cause }) {
  const mend = mendOf(cause.check);
  if (mend === undefined) return null;
  const read = async (reading: Reading): Promise<Line[]> => {
    const { type, ids } = recordsToMend(cause);
    const lines = await readRecords(type, ids, reading);
    if (lines.length === 0) throw new Failure("This was deleted meanwhile.");
    return lines;
  };
  return (
    <ReadingDialog
      title={[TITLES[mend], cause.person?.name].filter(Boolean).join(": ")}
      question={`mend ${cause.key}`}
      read={read}
    >
      {(lines) =>
        mend === "Give" ? (
          <SlotList
            sessions={lines as unknown as Session[]}
            personId={cause.findings[0]?.providerId ?? ""}
          />
        ) : (
          <Chosen mend={mend} items={itemsOf(cause, lines)} />
        )
      }
    </ReadingDialog>
  );
}

function Chosen({ mend, items }: { mend: Exclude<Mend, "Give">; items: readonly Item[] }) {
  const { run, isWriting, notice } = useWriting(closeDialog);
  /** Those that are not as they were at first. */
  const [other, setOther] = useState<ReadonlySet<string>>(new Set());
  const isChosen = ({ line, isChosen: atFirst }: Item): boolean =>
    atFirst !== other.has(line.publicId);
  const choose = ({ line: { publicId } }: Item): void =>
    setOther(other.symmetricDifference(new Set([publicId])));
  const chosen = items.filter(isChosen);
  const units = countText(
    chosen.reduce((sum, item) => sum + item.units, 0),
    "unit",
  );
  const name = useNames(items.flatMap(({ line }) => peopleIn(line)));
  const textOf = ({ line, units: own, refusal }: Item): string =>
    [...whatOf(line), ...(mend === "Delete" ? [] : [countText(own, "unit")]), refusal]
      .filter(Boolean)
      .join(", ");
  const whatOf = (line: Line): string[] => {
    if (line.type === "encounter") return [instantDayText(line.startTime as Instant)];
    const session = line as unknown as Session;
    return [whenText(session, practiceZone()), ...peopleOf(session).map(name)];
  };
  return (
    <div class="record-form">
      <div>
        {items.map((item) => (
          <Check
            key={item.line.publicId}
            label={textOf(item)}
            isChecked={isChosen(item)}
            isDisabled={item.refusal !== undefined}
            onChange={() => choose(item)}
          />
        ))}
      </div>
      {notice}
      <div class="buttons">
        <Button
          class={mend === "Delivered" ? "primary" : "danger"}
          disabled={isWriting || chosen.length === 0}
          onClick={() => run(mendingOf(mend, chosen))}
        >
          {mend} {chosen.length}
          {mend !== "Delete" && `, ${units}`}
        </Button>
        <Button onClick={closeDialog}>Cancel</Button>
      </div>
    </div>
  );
}
