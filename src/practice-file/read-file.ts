import { remembered } from "../lib/remembered.ts";
import type { OwnedType, RecordType } from "../schema/record-types.ts";
import type { Line } from "./lines.ts";
import type { Problem } from "./kinds/problem.ts";
import type { Mistakes } from "./mistakes.ts";
import {
  type Deletion,
  parseLine,
  type RecordLine,
  type ReadLine,
  readRecord,
} from "./read-record.ts";
import { maySendAll, requireAllowed, type Sender } from "./rights.ts";

/** A practice file that was read: the lines by type and id of their records. */
export interface PracticeFile {
  organizationId: string;
  organization: RecordLine;
  records: Map<OwnedType, Map<string, RecordLine>>;
  deletions: Map<OwnedType, Map<string, Deletion>>;
  counts: Map<RecordType, number>;
  /** Mistakes that do not depend on the database. */
  mistakes: Mistakes;
  /** The lines that the sender may send only if the stored records allow it. */
  limited: ReadLine[];
}

export interface ReadOptions {
  mistakes: Mistakes;
  /** Whose rights limit the file. Default: nobody's. */
  sender?: Sender | undefined;
}

const NO_ORGANIZATION: Problem = {
  path: ["type"],
  message: "must be organization on the first line: all other records belong to it",
  reason: "does_not_fit",
};

const SECOND_ORGANIZATION: Problem = {
  path: ["type"],
  message: "is only the type of the first line",
  reason: "does_not_fit",
};

/**
 * Reads a practice file, and checks all that does not depend on the database. Undefined if the first line names no
 * organization; this is then among the mistakes. Reading stops when there are enough mistakes to report.
 *
 * @throws DomainError if the file has what is not allowed, whatever its mistakes are.
 */
export async function readPracticeFile(
  lines: AsyncIterable<Line>,
  { mistakes, sender }: ReadOptions,
): Promise<PracticeFile | undefined> {
  let file: PracticeFile | undefined;
  const limited: ReadLine[] = [];
  let read = 0;
  for await (const line of lines) {
    const parsed = parseLine(line);
    read += 1;
    const record = readRecord(parsed, !mistakes.isFull);
    if (sender !== undefined && requireAllowed(record, sender, read === 1)) limited.push(record);
    if (read === 1) file = begin(record, mistakes, limited);
    else if (file !== undefined && !mistakes.isFull) addLine(file, record);
    const isOver = file === undefined || mistakes.isFull;
    // Lines that are not allowed are refused before mistakes are reported, so all lines are read.
    if (isOver && (sender === undefined || maySendAll(sender))) return file;
  }
  if (read === 0) mistakes.add(1, {}, NO_ORGANIZATION);
  return file;
}

function begin(read: ReadLine, mistakes: Mistakes, limited: ReadLine[]): PracticeFile | undefined {
  const isUnreadable = read.problems.some(({ path }) => path.length === 0);
  const isShown = read.type === "organization" || isUnreadable;
  const problems = isShown ? read.problems : [NO_ORGANIZATION];
  for (const problem of problems) mistakes.add(read.line, read, problem);
  if (read.type !== "organization" || read.publicId === undefined || "isDeletion" in read)
    return undefined;
  return {
    organizationId: read.publicId,
    organization: read,
    records: new Map(),
    deletions: new Map(),
    counts: new Map([["organization", 1]]),
    mistakes,
    limited,
  };
}

function addLine({ counts, records, deletions, mistakes }: PracticeFile, read: ReadLine): void {
  const refuse = (problem: Problem) => mistakes.add(read.line, read, problem);
  const { type, publicId, problems } = read;
  for (const problem of problems) refuse(problem);
  if (type === undefined) return;
  counts.set(type, (counts.get(type) ?? 0) + 1);
  if (publicId === undefined) return;
  if (type === "organization") return refuse(SECOND_ORGANIZATION);
  const first = records.get(type)?.get(publicId) ?? deletions.get(type)?.get(publicId);
  if (first !== undefined)
    refuse({
      path: ["publicId"],
      message: "is in this file twice, first on",
      reason: "duplicate",
      otherLine: first.line,
      value: publicId,
    });
  else if ("isDeletion" in read) remembered(deletions, type, () => new Map()).set(publicId, read);
  else remembered(records, type, () => new Map()).set(publicId, read);
}
