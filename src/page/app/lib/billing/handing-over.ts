import { columnsOf, spreadsheetOf } from "../../../../billing/spreadsheet.ts";
import { noteAct } from "../base/acts.ts";
import { get, sequenceOf, withQuery } from "../base/api.ts";
import { handedOver, inFiles, inParts } from "./billing.ts";
import { saveCsv } from "../base/download.ts";
import type { DateRange } from "../base/dates.ts";
import { countText, unitsText } from "../base/format.ts";
import type { Line } from "../base/lines.ts";
import type { Query } from "../base/query.ts";
import type { BillingLine, BillingReport } from "../base/wire.ts";
import { writeLines } from "../base/write.ts";

/** Handing over lines for billing: marking their encounters, in files one after the other, with one way back. */

const PAGE_SIZE = 1000;

/** All lines of a query, about so many, and the sequence up to which they are known. */
export async function readLines(
  query: Query & DateRange,
  count: number,
): Promise<{ lines: BillingLine[]; since: number | undefined }> {
  const { signal } = new AbortController();
  // By their ids: while somebody else writes, one may come on two pages.
  const lines = new Map<string, BillingLine>();
  for (const part of inParts(query, count, PAGE_SIZE))
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { data, pagination } = await get<BillingReport>(
        withQuery("billing-lines", { ...query, ...part, page, pageSize: PAGE_SIZE }),
        signal,
      );
      for (const line of data) lines.set(line.encounterId, line);
      pages = pagination.totalPages;
    }
  return { lines: [...lines.values()], since: sequenceOf(signal) };
}

/** The file of a line's encounter with other words about billing. */
function marking({ encounterId }: BillingLine, billed: unknown): Line {
  return { type: "encounter", publicId: encounterId, billed };
}

/**
 * Writes what is said of the billing of lines, in files one after the other; those before one that is refused are
 * written, and said and undone as the whole.
 *
 * @returns the lines that were written.
 * @throws the failure of a file, if not even the first was written.
 */
export async function writeBilled(
  { lines, since }: { lines: readonly BillingLine[]; since: number | undefined },
  billedOf: (line: BillingLine) => unknown,
  what: string,
): Promise<readonly BillingLine[]> {
  let written = 0;
  let reason = "";
  // What takes each file back, unless somebody has changed one of its lines since it was written.
  const back: { lines: Line[]; since: number }[] = [];
  for (const file of inFiles(lines.map((line) => marking(line, billedOf(line)))))
    try {
      const sequence = await writeLines(file, since);
      const former = lines.slice(written, written + file.length);
      for (const part of inFiles(former.map((line) => marking(line, line.billed))))
        back.push({ lines: part, since: sequence });
      written += file.length;
    } catch (error) {
      if (written === 0) throw error;
      reason = ` ${(error as Error).message}`;
      break;
    }
  // Pressed again after a failure, it goes on with what is left.
  const undo = async (): Promise<void> => {
    for (let part = back[0]; part !== undefined; part = back[0]) {
      await writeLines(part.lines, part.since, { isUndo: true });
      back.shift();
    }
  };
  const said =
    written === lines.length
      ? `${countText(written, "line")} ${written === 1 ? "is" : "are"} ${what}.`
      : `${unitsText(written)} of ${unitsText(lines.length)} are ${what}.${reason}`;
  noteAct({ said, undo });
  return lines.slice(0, written);
}

/** Hands over lines in a batch, and saves those that were written as a spreadsheet. */
export async function handOver(
  read: Awaited<ReturnType<typeof readLines>>,
  batch: string,
): Promise<void> {
  const done = await writeBilled(
    read,
    (line) => ({ batch, line: handedOver(line) }),
    `handed over in ${batch}`,
  );
  saveLines(batch, done);
}

/** Saves a batch again, as it was handed over. */
export function saveBatch(batch: string, lines: readonly BillingLine[]): void {
  const former = lines.map((line): BillingLine => ({
    ...line,
    ...line.billed?.line,
    problems: [],
    state: "BILLED",
  }));
  saveLines(batch, former);
}

function saveLines(batch: string, lines: readonly BillingLine[]): void {
  const [first] = lines;
  if (first === undefined) return;
  const name = batch.replaceAll(/[^\p{Letter}\p{Number}]+/gu, "-");
  saveCsv(`${name}.csv`, spreadsheetOf(columnsOf(first), lines));
}
