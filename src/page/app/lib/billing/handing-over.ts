import { batchSheet, columnsOfBatch } from "../../../../billing/spreadsheet.ts";
import { noteAct, say } from "../base/acts.ts";
import { serverClock } from "../base/server-clock.ts";
import { get, type Reading, readRecords, withQuery } from "../base/api.ts";
import { handedOver, inFiles, inParts, leftAsBilled, takenBack } from "./billing.ts";
import type { HandOvers } from "./hand-overs.ts";
import { saveCsv } from "../base/download.ts";
import { type DateRange, type Instant, toInstant } from "../base/dates.ts";
import { countText, unitsText } from "../base/format.ts";
import { Failure } from "../base/failure.ts";
import type { Line } from "../base/lines.ts";
import { revision } from "../base/revision.ts";
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
  const reading: Reading = {};
  // By their ids: while somebody else writes, one may come on two pages.
  const lines = new Map<string, BillingLine>();
  for (const part of inParts(query, count, PAGE_SIZE))
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { data, pagination } = await get<BillingReport>(
        withQuery("billing-lines", { ...query, ...part, page, pageSize: PAGE_SIZE }),
        reading,
      );
      for (const line of data) lines.set(line.encounterId, line);
      pages = pagination.totalPages;
    }
  return { lines: [...lines.values()], since: reading.sequence };
}

/** All lines with a hand-over of a batch, of whatever days. */
export async function readBatch(batch: string): ReturnType<typeof readLines> {
  const { startDate, endDate, pagination } = await get<BillingReport>(
    withQuery("billing-lines", { batch, pageSize: 1 }),
  );
  return readLines({ batch, startDate, endDate }, pagination.totalCount);
}

/** What is said of the billing of a line, and what takes that back. */
interface Words {
  billedOf: (line: BillingLine) => HandOvers;
  undoneOf: (line: BillingLine) => HandOvers;
  /** What is said when it is undone. */
  undone?: string;
}

/** The file of a line's encounter with other words about billing. */
function marking({ encounterId }: BillingLine, billed: HandOvers): Line {
  return { type: "encounter", publicId: encounterId, billed };
}

/**
 * Writes what is said of the billing of lines, in files one after the other; those before one that is refused are
 * written, and said and undone as the whole.
 *
 * @returns the lines that were written.
 * @throws the failure of a file, if not even the first was written.
 */
async function writeBilled(
  { lines, since }: { lines: readonly BillingLine[]; since: number | undefined },
  { billedOf, undoneOf, undone }: Words,
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
      for (const part of inFiles(former.map((line) => marking(line, undoneOf(line)))))
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
    if (undone !== undefined) say(undone);
  };
  const said =
    written === lines.length
      ? `${countText(written, "line")} ${written === 1 ? "is" : "are"} ${what}.`
      : `${unitsText(written)} of ${unitsText(lines.length)} are ${what}.${reason}`;
  noteAct({ said, undo });
  return lines.slice(0, written);
}

/**
 * Hands over lines in a batch, and saves those that were written as a spreadsheet.
 *
 * @throws Failure if none is left of those that were shown.
 */
export async function handOver(
  read: Awaited<ReturnType<typeof readLines>>,
  batch: string,
): Promise<void> {
  if (read.lines.length === 0) {
    revision.value += 1;
    throw new Failure("Somebody else has handed them over meanwhile.");
  }
  const words = {
    billedOf: (line: BillingLine) => [...line.billed, { batch, line: handedOver(line) as never }],
    undoneOf: (line: BillingLine) => [...line.billed, { batch, takenBackAt: now() }],
    undone: `What was handed over in ${batch} is taken back. The saved file is still on a disk.`,
  };
  const done = await writeBilled(read, words, `handed over in ${batch}`);
  const handed = done.map((line) => ({
    encounterId: line.encounterId,
    billed: [{ batch, line: handedOver(line) }],
  }));
  saveSheet(batch, done[0], handed);
}

/** Takes back the last hand-over of lines. */
export function takeBack(read: Awaited<ReturnType<typeof readLines>>, what: string) {
  const at = now();
  const words = {
    billedOf: (line: BillingLine) => takenBack(line, at),
    undoneOf: ({ billed }: BillingLine) => billed,
  };
  return writeBilled(read, words, what);
}

/** Leaves lines that have changed as they were billed. */
export function leaveAsBilled(read: Awaited<ReturnType<typeof readLines>>) {
  const words = {
    billedOf: leftAsBilled,
    undoneOf: ({ billed }: BillingLine) => [...billed, { batch: null, takenBackAt: now() }],
  };
  return writeBilled(read, words, "left as billed");
}

const now = (): Instant => toInstant(serverClock.now());

/** Saves the file of a batch, with what was handed over in it. */
export async function saveBatch(batch: string): Promise<void> {
  const { lines } = await readBatch(batch);
  const ids = lines.map(({ encounterId }) => encounterId);
  const encounters = await readRecords<BilledEncounter>("encounter", ids);
  const handed = encounters.map(({ publicId, billed }) => ({ encounterId: publicId, billed }));
  saveSheet(batch, lines[0], handed);
}

type BilledEncounter = Line & { publicId: string; billed: BillingLine["billed"] };

function saveSheet(
  batch: string,
  first: BillingLine | undefined,
  handed: Parameters<typeof batchSheet>[2],
): void {
  if (first === undefined) return;
  const name = batch.replaceAll(/[^\p{Letter}\p{Number}]+/gu, "-");
  saveCsv(`${name}.csv`, batchSheet(columnsOfBatch(first), batch, handed));
}
