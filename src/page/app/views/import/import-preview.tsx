import { useState } from "preact/hooks";
import { useResponse } from "../../lib/base/response.ts";
import { post, postOnce, readRecords, withQuery } from "../../lib/base/api.ts";
import { saveCsv } from "../../lib/base/download.ts";
import { dateOf, type Instant } from "../../lib/base/dates.ts";
import type { Issue } from "../../lib/base/failure.ts";
import { countText, dateText, timeText } from "../../lib/base/format.ts";
import { groupedMistakes, rowsText } from "../../lib/import/import-mistakes.ts";
import {
  type KnownCaregiver,
  nameOfRow,
  type Prepared,
  prepare,
  type Sheet,
  undoOf,
} from "../../lib/import/import-sheet.ts";
import type { OptionsOf } from "../../lib/import/import-words.ts";
import { choiceText, labelOf } from "../../lib/base/labels.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { tableText } from "../../lib/import/table.ts";
import type { ImportResult } from "../../lib/base/wire.ts";
import { useWork } from "../../parts/base/work.tsx";
import { noteAct } from "../../lib/base/acts.ts";
import { writeLines } from "../../lib/base/write.ts";
import { Button } from "../../parts/base/button.tsx";
import { FailureNotice, Loading } from "../../parts/base/notices.tsx";
import { ListTable } from "../../parts/base/list-table.tsx";
import type { ImportOutcome } from "./import-outcome.tsx";

/** What the import of a sheet would change, or what is wrong with it. */

/** How many records an import may have to be undone: each is read before. */
const MAX_UNDONE = 2_000;

export function Preview(properties: {
  sheet: Sheet;
  optionsOf: OptionsOf;
  caregivers: readonly KnownCaregiver[];
  onDone: (outcome: ImportOutcome) => void;
}) {
  const { sheet, optionsOf, caregivers, onDone } = properties;
  const { type, name } = sheet;
  const [prepared] = useState(() => prepare(sheet, optionsOf, caregivers));
  const [body] = useState(() => tableText([prepared.head, ...prepared.rows]));
  const path = (query: object): string => withQuery("practice-file", { type, ...query });
  const response = useResponse(`${name} ${type}`, (signal) =>
    post<ImportResult>(path({ dryRun: "true", changes: "true" }), body, signal, "text/csv"),
  );
  const { isWorking, failure, run } = useWork();
  const write = async (): Promise<void> => {
    const ids = idsOf(prepared);
    const canUndo = ids.length <= MAX_UNDONE;
    const { signal } = new AbortController();
    const before = canUndo ? await readRecords(type, ids, signal) : [];
    // Only what was previewed: not on top of somebody else's changes since.
    const { records, sequence } = await postOnce<ImportResult>(
      path({ changes: "true", unchangedSince: response.sequence }),
      body,
      "text/csv",
    );
    const undo = undoOf(type, ids, before);
    noteAct({
      said: `${name} was imported.`,
      undo: canUndo ? () => writeLines(undo, sequence ?? undefined, { isUndo: true }) : undefined,
    });
    onDone(outcomeOf(prepared, records ?? [], response.value?.changes[type]));
  };
  const refused = response.failure ?? failure;
  if (refused !== undefined && refused.issues.length > 0)
    return (
      <>
        <Mistakes sheet={sheet} prepared={prepared} issues={refused.issues} />
        <FirstRows prepared={prepared} optionsOf={optionsOf} />
      </>
    );
  if (refused !== undefined) return <FailureNotice failure={refused} again={response.again} />;
  if (response.value === undefined) return <Loading />;
  const {
    created = 0,
    changed = 0,
    unchanged = 0,
    deleted = 0,
  } = response.value.changes[type] ?? {};
  const counts = [
    `${created} new`,
    `${changed} changed`,
    `${unchanged} unchanged`,
    ...(deleted > 0 ? [`${deleted} deleted`] : []),
  ];
  return (
    <>
      <p class="counts">{counts.join(", ")}.</p>
      {response.value.notes.length > 0 && (
        <ul class="notes" aria-label="Notes">
          {response.value.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <FirstRows prepared={prepared} optionsOf={optionsOf} />
      <Changed type={type} prepared={prepared} records={response.value.records ?? []} />
      {idsOf(prepared).length > MAX_UNDONE && (
        <p class="hint">
          An import of more than {MAX_UNDONE.toLocaleString("en-US")} records cannot be undone here.
        </p>
      )}
      <div class="buttons">
        <Button
          class="primary"
          disabled={isWorking || response.isLoading}
          onClick={() => run(write)}
        >
          Import {countText(created + changed + deleted, "record")}
        </Button>
      </div>
    </>
  );
}

function idsOf({ head, rows }: Prepared): string[] {
  const index = head.indexOf("publicId");
  return rows.map((row) => row[index]?.trim() ?? "").filter(Boolean);
}

/** How many of the imported records are named. */
const NAMED = 10;

function outcomeOf(
  { head, rows }: Prepared,
  records: readonly RecordChange[],
  counts: ImportResult["changes"][string] | undefined,
): ImportOutcome {
  const named = records
    .filter(({ change }) => change !== "DELETED")
    .slice(0, NAMED)
    .map(({ line, publicId }) => ({
      publicId,
      name: nameOfRow(head, rows[(line ?? 0) - 2] ?? []) || publicId,
    }));
  const { created = 0, changed = 0 } = counts ?? {};
  return { created, changed, records: named };
}

/** How many rows are shown as they will be. */
const FIRST_ROWS = 5;

/** The first rows as they will be, with names for ids. */
function FirstRows({ prepared, optionsOf }: { prepared: Prepared; optionsOf: OptionsOf }) {
  const { head, rows } = prepared;
  const nameOf = (id: string): string => {
    const row = rows.find((each) => each[head.indexOf("publicId")] === id);
    return row === undefined ? id : nameOfRow(head, row);
  };
  const textOfCell = (field: string, cell: string): string => {
    if (field === "caregiverId") return nameOf(cell);
    const options = optionsOf(field) ?? [];
    const textOfPart = (part: string): string =>
      options.find(({ value }) => value === part)?.name ?? part;
    return options.length === 0 ? cell : cell.split(";").map(textOfPart).join("; ");
  };
  return (
    <ListTable
      label="First rows"
      keyOf={(_, index) => index}
      rows={rows.slice(0, FIRST_ROWS)}
      columns={head
        .filter((field) => field !== "publicId")
        .map((field) => ({
          name: labelOf(field),
          cell: (row: string[]) => textOfCell(field, row[head.indexOf(field)] ?? ""),
        }))}
    />
  );
}

/** How many changed records are shown with their values. */
const SHOWN = 20;

type RecordChange = NonNullable<ImportResult["records"]>[number];

function Changed(properties: { type: string; prepared: Prepared; records: RecordChange[] }) {
  const { type, prepared, records } = properties;
  const changed = records.filter(({ change }) => change !== "CREATED");
  const shown = changed.slice(0, SHOWN);
  const ids = shown.map(({ publicId }) => publicId);
  const stored = useResponse(ids.length > 0 ? `${type} ${ids}` : undefined, (signal) =>
    readRecords(type, ids, signal),
  );
  if (changed.length === 0) return null;
  return (
    <>
      <ListTable
        label="What changes"
        keyOf={({ record, field }) => `${record.line} ${field}`}
        groups={shown.map((record) => ({
          key: String(record.line),
          heading: `Row ${prepared.sources[(record.line ?? 0) - 2]}, ${record.publicId}`,
          rows: (record.change === "DELETED" ? ["deleted"] : record.fields).map((field) => ({
            record,
            field,
          })),
        }))}
        columns={[
          { name: "Field", cell: ({ field }) => labelOf(field) },
          {
            name: "Today",
            cell: ({ record, field }) => {
              const line = stored.value?.find(({ publicId }) => publicId === record.publicId);
              return line === undefined ? "" : textOf(field, line[field]);
            },
          },
          { name: "Then", cell: ({ record, field }) => textInRow(prepared, record.line, field) },
        ]}
      />
      {changed.length > SHOWN && <p class="hint">And {changed.length - SHOWN} more.</p>}
    </>
  );
}

/** A time as an office may keep it: by its columns of day and clock. */
const COLUMNS_OF_TIMES: Record<string, readonly string[]> = {
  startTime: ["date", "start"],
  endTime: ["date", "end"],
};

/** What a row of the table says of a field. */
function textInRow({ rows, head }: Prepared, line: number | null, field: string): string {
  const columns = head.includes(field) ? [field] : (COLUMNS_OF_TIMES[field] ?? []);
  return columns.map((column) => rows[(line ?? 0) - 2]?.[head.indexOf(column)] ?? "").join(" ");
}

function textOf(field: string, value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value) && value.every((each) => typeof each === "string"))
    return value.join("; ");
  if (typeof value === "object") return JSON.stringify(value);
  if (field in COLUMNS_OF_TIMES) {
    const zone = practiceZone();
    const instant = value as Instant;
    return `${dateText(dateOf(instant, zone))}, ${timeText(instant, zone)}`;
  }
  return choiceText(String(value));
}

const MISTAKE_HEADINGS = ["Row", "Column", "Mistake"];

/** As many as the API tells. */
const MAX_MISTAKES = 100;

function Mistakes(properties: { sheet: Sheet; prepared: Prepared; issues: readonly Issue[] }) {
  const { sheet, prepared, issues } = properties;
  const headingOf = (field: string): string =>
    sheet.headings[sheet.fields.indexOf(field)] ?? labelOf(field);
  const groups = groupedMistakes(issues, headingOf, prepared.sources);
  const save = (): void => {
    const rows = groups.flatMap(({ column, message, rows: own }) =>
      own.map((row) => [row, column, message]),
    );
    saveCsv(`mistakes-in-${sheet.name}`, [MISTAKE_HEADINGS, ...rows]);
  };
  const count = countText(issues.length, "mistake");
  return (
    <div class="notice failure" role="alert">
      <p>
        Nothing can be imported yet: {issues.length < MAX_MISTAKES ? count : `${count} or more`}.
        Correct the file and choose it again, or choose other fields above.
      </p>
      <ListTable
        label="Mistakes"
        keyOf={(_, index) => index}
        rows={groups}
        columns={[
          { name: "Row", cell: rowsText },
          { name: "Column", cell: ({ column }) => column },
          { name: "Mistake", cell: ({ message }) => message },
        ]}
      />
      <Button onClick={save}>Save the mistakes</Button>
    </div>
  );
}
