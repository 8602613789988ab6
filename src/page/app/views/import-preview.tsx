import { useState } from "preact/hooks";
import { useResponse } from "../lib/response.ts";
import { postCsv, postOnce, readRecords, withQuery } from "../lib/api.ts";
import { csvOf } from "../lib/csv.ts";
import { dateOf, type Instant } from "../lib/dates.ts";
import { saveText } from "../lib/download.ts";
import type { Issue } from "../lib/failure.ts";
import { countText, dateText, timeText } from "../lib/format.ts";
import { choiceText, labelOf } from "../lib/labels.ts";
import type { Line } from "../lib/lines.ts";
import { practiceZone } from "../lib/me.ts";
import { tableText } from "../lib/table.ts";
import type { ImportResult } from "../lib/wire.ts";
import { useWork } from "../parts/work.tsx";
import { tell } from "../lib/write.ts";
import { Button } from "../parts/button.tsx";
import { FailureNotice, Loading } from "../parts/notices.tsx";
import { Table } from "../parts/table.tsx";

/** What the import of a file would change, or what is wrong with it. */

export interface ImportedFile {
  name: string;
  type: string;
  headings: string[];
  rows: string[][];
  /** The field of each heading; undefined for those that are left out. */
  fields: (string | undefined)[];
  isDone: boolean;
}

/** The table with the names of fields as its headings, without the columns that are left out. */
function bodyOf({ rows, fields }: ImportedFile): string {
  const kept = fields.flatMap((field, index) => (field === undefined ? [] : [index]));
  const head = kept.map((index) => fields[index] ?? "");
  return tableText([head, ...rows.map((row) => kept.map((index) => row[index] ?? ""))]);
}

export function Preview({ table, onDone }: { table: ImportedFile; onDone: () => void }) {
  const { type, name } = table;
  const [body] = useState(() => bodyOf(table));
  const path = (query: object): string => withQuery("practice-file", { type, ...query });
  const response = useResponse(`${name} ${type}`, (signal) =>
    postCsv<ImportResult>(path({ dryRun: "true", changes: "true" }), body, signal),
  );
  const { isWorking, failure, run } = useWork();
  const write = async (): Promise<void> => {
    // Only what was previewed: not on top of somebody else's changes since.
    await postOnce(path({ unchangedSince: response.sequence }), body, "text/csv");
    tell(`${name} was imported.`);
    onDone();
  };
  const refused = response.failure ?? failure;
  if (refused !== undefined && refused.issues.length > 0)
    return <Mistakes name={name} issues={refused.issues} />;
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
      <Changed table={table} records={response.value.records ?? []} />
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

/** How many changed records are shown with their values. */
const SHOWN = 20;

type RecordChange = NonNullable<ImportResult["records"]>[number];

function Changed({ table, records }: { table: ImportedFile; records: RecordChange[] }) {
  const changed = records.filter(({ change }) => change !== "CREATED");
  const shown = changed.slice(0, SHOWN);
  const ids = shown.map(({ publicId }) => publicId);
  const stored = useResponse(ids.length > 0 ? `${table.type} ${ids}` : undefined, (signal) =>
    readRecords(table.type, ids, signal),
  );
  if (changed.length === 0) return null;
  return (
    <>
      <Table label="What changes" headings={["Row", "Record", "Field", "Today", "Then"]}>
        {shown.map((record) => (
          <ChangedRecord
            key={record.line}
            table={table}
            record={record}
            stored={stored.value?.find(({ publicId }) => publicId === record.publicId)}
          />
        ))}
      </Table>
      {changed.length > SHOWN && <p class="hint">And {changed.length - SHOWN} more.</p>}
    </>
  );
}

function ChangedRecord(properties: {
  table: ImportedFile;
  record: RecordChange;
  stored: Line | undefined;
}) {
  const { table, record, stored } = properties;
  const { line, publicId, change, fields } = record;
  if (change === "DELETED")
    return (
      <tbody>
        <tr>
          <td>{line}</td>
          <td>{publicId}</td>
          <td colSpan={3}>Deleted</td>
        </tr>
      </tbody>
    );
  return (
    <tbody>
      {fields.map((field, index) => (
        <tr key={field}>
          <td>{index === 0 ? line : ""}</td>
          <td>{index === 0 ? publicId : ""}</td>
          <td>{labelOf(field)}</td>
          <td>{stored === undefined ? "" : textOf(field, stored[field])}</td>
          <td>{textInRow(table, line, field)}</td>
        </tr>
      ))}
    </tbody>
  );
}

/** A time as an office may keep it: by its columns of day and clock. */
const COLUMNS_OF_TIMES: Record<string, readonly string[]> = {
  startTime: ["date", "start"],
  endTime: ["date", "end"],
};

/** What a row of the table says of a field. */
function textInRow({ rows, fields }: ImportedFile, line: number | null, field: string): string {
  const columns = fields.includes(field) ? [field] : (COLUMNS_OF_TIMES[field] ?? []);
  return columns.map((column) => rows[(line ?? 0) - 2]?.[fields.indexOf(column)] ?? "").join(" ");
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

function Mistakes({ name, issues }: { name: string; issues: readonly Issue[] }) {
  const rows = issues.map(({ path: [row, column], message }) => [
    String(row ?? ""),
    String(column ?? ""),
    message.replace(/^(\w+ [\w-]+: )?([\w.[\]]+: )?/, ""),
  ]);
  const save = (): void =>
    saveText(`mistakes-in-${name}`, "text/csv", csvOf([MISTAKE_HEADINGS, ...rows]));
  return (
    <div class="notice failure" role="alert">
      <p>
        Nothing can be imported yet: {countText(issues.length, "mistake")}. Correct the file and
        choose it again, or choose other fields above.
      </p>
      <Table label="Mistakes" headings={MISTAKE_HEADINGS}>
        <tbody>
          {rows.map(([row, column, message], index) => (
            <tr key={index}>
              <td>{row}</td>
              <td>{column}</td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Button onClick={save}>Save the mistakes</Button>
    </div>
  );
}
