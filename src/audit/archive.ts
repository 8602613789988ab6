import { createReadStream } from "node:fs";
import type { Database, Db } from "../../db/database.ts";
import type { Instant } from "../lib/instant.ts";
import { CommandError } from "../lib/command-error.ts";
import {
  ARCHIVE_COMMAND,
  type AuditEntry,
  type ChainHead,
  hashOf,
  nextRow,
  printHead,
  toEntry,
} from "./chain.ts";
import { type CommandAct, recordCommandAlone } from "./trail.ts";
import {
  deleteRowsUpTo,
  findLastBefore,
  findRow,
  listRowsAfter,
  lockEnd,
  moveAnchor,
  moveHead,
  readEnds,
  readEndsOf,
} from "./repository.ts";
import type { VerifiedChain } from "./verification.ts";

/** Rows read, and removed, per transaction. Bounds how long other writes wait. */
const BATCH = 1_000;

/** The part of a chain to be moved: all rows behind `after`, up to `end`, which becomes the chain's anchor. */
export interface ArchivedPart {
  organizationId: string;
  after: ChainHead;
  end: ChainHead;
}

/** The first line of an archive. It states where each part ends, so that truncation is detected. */
interface ArchiveHeader {
  auditArchive: 1;
  before: Instant;
  parts: ArchivedPart[];
}

/** For each chain, the part up to the last row older than `before`. */
export async function partsBefore(db: Db, before: Instant): Promise<ArchivedPart[]> {
  const parts: ArchivedPart[] = [];
  for (const [organizationId, { anchor }] of await readEnds(db)) {
    const end = await findLastBefore(db, organizationId, before);
    if (end !== undefined) parts.push({ organizationId, after: anchor, end });
  }
  return parts;
}

/**
 * Yields the lines of an archive: the header, then one line per row.
 *
 * @throws CommandError at a row whose hash is wrong.
 */
export async function* archiveLines(
  database: Database,
  before: Instant,
  parts: ArchivedPart[],
): AsyncGenerator<string> {
  const header: ArchiveHeader = { auditArchive: 1, before, parts };
  yield JSON.stringify(header);
  for (const { organizationId, after, end } of parts) {
    let last = after;
    while (last.sequence < end.sequence) {
      const limit = Math.min(BATCH, end.sequence - last.sequence);
      const rows = await database.read((db) =>
        listRowsAfter(db, organizationId, last.sequence, { limit }),
      );
      for (const row of rows) {
        const entry = toEntry(row);
        const isNext = row.sequence === last.sequence + 1 && row.hash === hashOf(last.hash, row);
        if (entry === undefined || !isNext) throw notWhole(organizationId);
        last = { sequence: row.sequence, hash: row.hash };
        yield archivedRow(last, entry);
      }
      if (rows.length === 0) throw notWhole(organizationId);
    }
  }
}

function notWhole(organizationId: string): CommandError {
  return new CommandError(
    `The audit trail of ${organizationId || "-"} is not whole, so nothing was moved; "caseload audit verify" says why.`,
  );
}

function archivedRow({ sequence, hash }: ChainHead, entry: AuditEntry): string {
  return JSON.stringify({ sequence, ...entry, hash });
}

/**
 * Removes the rows of an archived part, in several transactions, and makes its end the anchor of the chain.
 *
 * @throws CommandError if another process has moved rows of the chain in the meantime.
 */
export async function removePart(
  database: Database,
  { organizationId, after, end }: ArchivedPart,
  act: Omit<CommandAct, "organizationId" | "command" | "target"> & { file: string },
): Promise<void> {
  const { file, ...rest } = act;
  const target = `${printHead(organizationId, end)} ${file}`;
  await recordCommandAlone(database, {
    ...rest,
    organizationId,
    command: ARCHIVE_COMMAND,
    target,
  });
  for (let last = after.sequence; last < end.sequence;) {
    const sequence = Math.min(last + BATCH, end.sequence);
    const move = { organizationId, from: last, to: sequence };
    await database.write((trx) => moveOn(trx, move), { organizationId, isTrailOnly: true });
    last = sequence;
  }
}

async function moveOn(
  trx: Db,
  { organizationId, from, to }: { organizationId: string; from: number; to: number },
): Promise<void> {
  const end = await lockEnd(trx, organizationId);
  const anchor = await findRow(trx, organizationId, to);
  const ends = await readEndsOf(trx, organizationId);
  if (anchor === undefined || ends?.anchor.sequence !== from)
    throw new CommandError(`Rows of ${organizationId || "-"} are being moved by another program.`);
  // The head may be one of the rows to be removed.
  await moveHead(trx, organizationId, end);
  await deleteRowsUpTo(trx, organizationId, to);
  await moveAnchor(trx, organizationId, anchor);
}

/**
 * Verifies an archive by recomputing all hashes; needs no database. Detects edited, removed or inserted rows and
 * truncation. An archive that was rewritten completely is detected only with heads kept elsewhere.
 *
 * @returns the parts up to and including the first invalid one.
 * @throws CommandError if the file is not an archive.
 */
export async function verifyArchive(
  path: string,
  knownHeads: ReadonlyMap<string, ChainHead> = new Map(),
): Promise<VerifiedChain[]> {
  const lines = linesOf(path);
  const header = headerOf((await lines.next()).value);
  if (header === undefined) throw new CommandError(`${path} is not an archive of an audit trail.`);
  const verified: VerifiedChain[] = [];
  for (const part of header.parts) {
    const chain = await verifyPart(part, lines, knownHeads.get(part.organizationId));
    verified.push(chain);
    if (chain.fault !== undefined) return verified;
  }
  const last = header.parts.at(-1);
  if ((await lines.next()).done !== true && last !== undefined)
    verified.push({
      organizationId: last.organizationId,
      head: last.end,
      fault: { sequence: last.end.sequence + 1, message: "lines were added after the last row" },
    });
  return verified;
}

async function verifyPart(
  { organizationId, after, end }: ArchivedPart,
  lines: AsyncIterator<string>,
  keptHead: ChainHead | undefined,
): Promise<VerifiedChain> {
  let last = after;
  while (last.sequence < end.sequence) {
    const sequence = last.sequence + 1;
    const faulty = (message: string): VerifiedChain => ({
      organizationId,
      head: end,
      fault: { sequence, message: `row ${sequence} ${message}` },
    });
    const { value: line, done } = await lines.next();
    if (done === true) return faulty("is missing");
    const hash = hashOfLine(line, last, organizationId);
    if (hash === undefined) return faulty("is not as it was written");
    if (keptHead?.sequence === sequence && keptHead.hash !== hash)
      return faulty("is not the one whose head was kept");
    last = { sequence, hash };
  }
  if (last.hash === end.hash) return { organizationId, head: end };
  const fault = { sequence: end.sequence, message: "the end of the part was changed" };
  return { organizationId, head: end, fault };
}

/** Returns the row's hash if the line is the next row of the chain, in canonical spelling; else undefined. */
function hashOfLine(line: string, last: ChainHead, organizationId: string): string | undefined {
  try {
    const { sequence: _, hash: __, ...entry } = JSON.parse(line) as AuditEntry & ChainHead;
    if (entry.organizationId !== organizationId) return undefined;
    const row = nextRow(last, entry);
    return archivedRow(row, entry) === line ? row.hash : undefined;
  } catch {
    return undefined;
  }
}

function headerOf(line: string | undefined): ArchiveHeader | undefined {
  try {
    const header = JSON.parse(line ?? "") as ArchiveHeader;
    const isHeader = header.auditArchive === 1 && header.parts.every(isPart);
    return isHeader ? header : undefined;
  } catch {
    return undefined;
  }
}

function isPart({ organizationId, after, end }: ArchivedPart): boolean {
  const isHead = ({ sequence, hash }: ChainHead) =>
    Number.isSafeInteger(sequence) && typeof hash === "string";
  return typeof organizationId === "string" && isHead(after) && isHead(end);
}

async function* linesOf(path: string): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of createReadStream(path)) {
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
  return undefined;
}
