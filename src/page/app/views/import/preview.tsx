import { noteAct } from "../../lib/base/acts.ts";
import type { TimeZone } from "../../lib/base/dates.ts";
import { countText, unitsText } from "../../lib/base/format.ts";
import { labelOf } from "../../lib/base/labels.ts";
import { type Line, nameOfLine } from "../../lib/base/lines.ts";
import type { ImportResult } from "../../lib/base/wire.ts";
import { hasChanged, writeFile } from "../../lib/base/write.ts";
import type { Built } from "../../lib/import/build.ts";
import { undoImport, undoOf } from "../../lib/import/sending.ts";
import { canUndo, MOST_READ, tooLargeText } from "../../lib/import/size.ts";
import { textOfField } from "../../lib/import/texts.ts";
import { Button } from "../../parts/base/button.tsx";
import { ListTable } from "../../parts/base/list-table.tsx";
import { Alert } from "../../parts/base/notices.tsx";
import { useWork } from "../../parts/base/work.tsx";
import { Counts } from "./counts.tsx";
import type { ImportOutcome } from "./imported.tsx";

/** What all sheets together would change, and the button that does it. */

export function Preview(properties: {
  built: Built;
  file: string;
  result: ImportResult | undefined;
  since: number | undefined;
  hasMistakes: boolean;
  isTooLarge: boolean;
  isLoading: boolean;
  zone: TimeZone;
  onDone: (outcome: ImportOutcome) => void;
}) {
  const { built, file, result, since, hasMistakes, isTooLarge, isLoading, zone, onDone } =
    properties;
  const { isWorking, failure, run } = useWork("The import could not be written.");
  const { lines } = built;
  const sum = sumOf(result);
  const isAsked = [...built.sheets.values()].some(({ constants }) =>
    constants.some((each) => each.isAsked),
  );
  const write = async (): Promise<void> => {
    const undo = await undoOf(lines);
    // Only what was previewed: not on top of somebody else's changes since.
    const { changes, sequence } = await writeFile<ImportResult>(file, since, { changes: "true" });
    const act = noteAct(
      {
        said: `${countText(sum.created + sum.changed, "record")} were imported.`,
        undo: undo && sequence !== null ? () => undoImport(undo, sequence) : undefined,
      },
      true,
    );
    onDone({ changes, records: namedRecords(built, result), act });
  };
  return (
    <section class="panel" aria-label="All sheets">
      <h2>All sheets</h2>
      {isTooLarge && (
        <p class="notice failure" role="alert">
          {tooLargeText(lines)}
        </p>
      )}
      {result !== undefined && (
        <p class="counts">
          {sum.created} new, {sum.changed} changed, {sum.unchanged} unchanged.
        </p>
      )}
      {result !== undefined && <Counts changes={result.changes} />}
      {result !== undefined && <Changed {...{ built, result, zone }} />}
      {!canUndo(lines) && (
        <p class="hint">
          An import that changes more than {unitsText(MOST_READ)} records cannot be undone here.
        </p>
      )}
      {hasMistakes && <p class="hint">First, what is wrong above must be settled.</p>}
      {isAsked && <p class="hint">First, a value for all rows must be chosen above.</p>}
      {failure && (
        <Alert
          failure={failure}
          about={hasChanged(failure) && "Somebody else has changed a record meanwhile."}
        />
      )}
      {result !== undefined && (
        <div class="buttons">
          <Button
            class="primary"
            disabled={
              isWorking || isLoading || hasMistakes || isAsked || sum.created + sum.changed === 0
            }
            onClick={() => run(write)}
          >
            Import {countText(sum.created + sum.changed, "record")}
          </Button>
        </div>
      )}
    </section>
  );
}

/** The numbers of all types but the practice's own line. */
function sumOf(result: ImportResult | undefined) {
  const sum = { created: 0, changed: 0, unchanged: 0 };
  for (const [type, counts] of Object.entries(result?.changes ?? {}))
    if (type !== "organization")
      for (const name of ["created", "changed", "unchanged"] as const) sum[name] += counts[name];
  return sum;
}

/** How many changed records are shown with their values. */
const SHOWN = 20;

/** What changes, with today's values. */
function Changed(properties: { built: Built; result: ImportResult; zone: TimeZone }) {
  const { built, result, zone } = properties;
  const { practice, lines } = built;
  const changed = (result.records ?? []).filter(({ change }) => change === "CHANGED");
  if (changed.length === 0) return null;
  const lineOf = (number: number | null) => lines[(number ?? 0) - 2];
  return (
    <>
      <ListTable
        label="What changes"
        keyOf={({ record, field }) => `${record.line} ${field}`}
        groups={changed.slice(0, SHOWN).map((record) => {
          const line = lineOf(record.line);
          const name = nameOfLine({ ...practice.find(record.type, record.publicId) } as Line);
          return {
            key: String(record.line),
            heading: `${line?.sheet.name}, row ${line?.rows[0]}: ${name || labelOf(record.type)}`,
            rows: record.fields.map((field) => ({ record, field })),
          };
        })}
        columns={[
          { name: "Field", cell: ({ field }) => labelOf(field) },
          {
            name: "Today",
            cell: ({ record, field }) =>
              textOfField(
                field,
                practice.storedOf(record.type, record.publicId)?.[field],
                practice,
                zone,
              ),
          },
          {
            name: "Then",
            cell: ({ record, field }) =>
              textOfField(field, lineOf(record.line)?.line[field], practice, zone),
          },
        ]}
      />
      {changed.length > SHOWN && <p class="hint">And {changed.length - SHOWN} more.</p>}
    </>
  );
}

/** How many of the imported records are named. */
const NAMED = 10;

function namedRecords(
  { practice }: Built,
  result: ImportResult | undefined,
): ImportOutcome["records"] {
  return (result?.records ?? [])
    .filter(({ type }) => type === "user" || type === "authorization" || type === "session")
    .slice(0, NAMED)
    .map(({ type, publicId }) => {
      const line = practice.find(type, publicId);
      return { type, publicId, name: (line && nameOfLine(line)) || publicId };
    });
}
