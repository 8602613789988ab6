import { type Reading, readRecords } from "../../lib/base/api.ts";
import { Failure } from "../../lib/base/failure.ts";
import type { Cause } from "../../lib/attention/findings.ts";
import {
  itemOf,
  type Mend,
  mendingOf,
  MENDS,
  mendText,
  recordsToMend,
} from "../../lib/attention/mending.ts";
import type { Line } from "../../lib/base/lines.ts";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import { ChoiceForm, Slots } from "../session/fates.tsx";

/** All of a cause is mended in one dialog: what it is about, chosen, and one button. */

const TITLES: Record<Mend, string> = {
  Delivered: "Delivered",
  Remove: "Remove deliveries",
  Delete: "Delete sessions",
  Give: "Give to somebody else",
};

export function MendDialog({ cause }: { cause: Cause }) {
  const mend = MENDS[cause.check];
  if (mend === undefined) return null;
  const read = async (reading: Reading): Promise<Line[]> => {
    const { type, ids } = recordsToMend(cause);
    const lines = await readRecords(type, ids, reading);
    if (lines.length === 0) throw new Failure("This was deleted meanwhile.");
    return lines;
  };
  const title = [TITLES[mend], cause.person?.name].filter(Boolean).join(": ");
  return (
    <ReadingDialog title={title} question={`mend ${cause.key}`} read={read}>
      {(lines) =>
        mend === "Give" ? (
          <Slots lines={lines} personId={cause.findings[0]?.providerId ?? ""} />
        ) : (
          <ChoiceForm
            label={title}
            items={lines.map((line) => itemOf(cause, line))}
            act={(chosen) => mendText(mend, chosen)}
            isDanger={mend !== "Delivered"}
            change={(chosen) => mendingOf(mend, chosen)}
          />
        )
      }
    </ReadingDialog>
  );
}
