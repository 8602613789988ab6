import type { Database, Db } from "../../db/database.ts";
import { writablePracticeFileTypes } from "../access/permissions.ts";
import type { Role } from "../access/roles.ts";
import { DomainError, InvalidInput } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { isRecordType, type RecordType, recordTypes } from "../schema/record-types.ts";
import type { Line } from "./lines.ts";
import { Mistakes } from "./mistakes.ts";
import { linesOf, type PracticeFile, readPracticeFile } from "./read-file.ts";
import { checkRecord, mergedRecord, readRecord } from "./read-record.ts";
import { organization } from "./reference-data.ts";
import { findOrganization } from "./repository.ts";
import { writePracticeFile, type Written } from "./write-file.ts";
import { InvalidFile, type Tally } from "./writing.ts";

/** The input of a request. */
export interface ImportRequest {
  organizationId: string;
  role: Role;
  file: Uint8Array;
  now: Instant;
  isDryRun: boolean;
  /** Called between parts of the work. If it throws, the work stops. */
  pause: () => void;
}

/** The result of a file without mistakes. */
export interface ImportResult {
  organizationId: string;
  dryRun: boolean;
  /** The sequence of the organization after the import; null for a dry run. */
  sequence: number | null;
  /** The number of lines by type. */
  counts: Partial<Record<RecordType, number>>;
  changes: Partial<Record<RecordType, Tally>>;
  notes: string[];
}

/** The result of a file, and its patients. */
export interface Imported {
  result: ImportResult;
  patientIds: ReadonlySet<string>;
}

/** Rolls back a dry run. */
class RolledBack extends Error {
  constructor(readonly imported: Imported) {
    super("The import was a dry run");
  }
}

/**
 * Reads and checks the practice file of a request.
 *
 * @throws InvalidInput with one issue per mistake; paths begin with the line number.
 * @throws DomainError if the file is of another organization, or has records that the role may not write.
 */
export async function readRequest(
  database: Database,
  request: ImportRequest,
): Promise<PracticeFile> {
  const { organizationId, role, file, pause } = request;
  const types = writablePracticeFileTypes[role];
  const mayWriteAll = types.length === recordTypes.length;
  if (!mayWriteAll) await requireTypes(linesOf([file]), request, database);
  const mistakes = new Mistakes(false);
  const read = await readPracticeFile(linesOf([file]), { mistakes, organizationId, pause });
  if (read === undefined || mistakes.isFull) throw new InvalidInput(mistakes.issues());
  return read;
}

/**
 * Writes a file that was read, in the request's transaction.
 *
 * @throws InvalidInput if it has mistakes.
 */
export async function writeRequest(
  trx: Db,
  file: PracticeFile,
  { organizationId, role, now, isDryRun, pause }: ImportRequest,
): Promise<Imported> {
  const mayChangeOrganization = mayWrite(role, "organization");
  const mistakes = file.mistakes.copy();
  try {
    const options = { now, mistakes, mayChangeOrganization, pause };
    const written = await writePracticeFile(trx, file, options);
    const result = resultOf(file, written, { organizationId, isDryRun });
    const imported = { result, patientIds: written.patientIds };
    if (isDryRun) throw new RolledBack(imported);
    return imported;
  } catch (error) {
    if (error instanceof InvalidFile) throw new InvalidInput(error.mistakes.issues());
    throw error;
  }
}

/** The result of a transaction with `writeRequest`, including the rollback of a dry run. */
export async function settled<Answer>(writing: Promise<Answer>): Promise<Answer | Imported> {
  try {
    return await writing;
  } catch (error) {
    if (error instanceof RolledBack) return error.imported;
    throw error;
  }
}

function resultOf(
  { counts }: PracticeFile,
  { tallies, notes, sequence }: Written,
  { organizationId, isDryRun }: { organizationId: string; isDryRun: boolean },
): ImportResult {
  const occurred = recordTypes.filter((type) => counts.has(type));
  return {
    organizationId,
    dryRun: isDryRun,
    sequence: isDryRun ? null : sequence,
    counts: Object.fromEntries(occurred.map((type) => [type, counts.get(type)])),
    changes: Object.fromEntries(occurred.map((type) => [type, tallies.get(type)])),
    notes,
  };
}

function mayWrite(role: Role, type: RecordType): boolean {
  return writablePracticeFileTypes[role].includes(type);
}

/** Checks that the role may write all types of the file. `linesOf` lets other requests run between batches of lines. */
async function requireTypes(
  lines: AsyncIterable<Line>,
  { organizationId, role, pause }: ImportRequest,
  database: Database,
): Promise<void> {
  let isFirst = true;
  for await (const line of lines) {
    pause();
    const type = typeOf(line);
    if (isFirst && type === "organization") await requireUnchanged(line, organizationId, database);
    else if (type !== undefined && type !== "organization" && !mayWrite(role, type))
      throw forbidden();
    isFirst = false;
  }
}

function typeOf(line: Line): RecordType | undefined {
  try {
    const { type } = "text" in line ? (JSON.parse(line.text) as { type?: unknown }) : {};
    return isRecordType(type) ? type : undefined;
  } catch {
    return undefined;
  }
}

/** @throws DomainError if the first line is another organization's, or would change the key's organization. */
async function requireUnchanged(
  line: Line,
  organizationId: string,
  database: Database,
): Promise<void> {
  const read = readRecord(line);
  if (read.publicId === undefined) return;
  if (read.publicId !== organizationId) throw new DomainError("notAllowed", "Access denied");
  const stored = await database.read((db) => findOrganization(db, organizationId));
  const before = stored && (organization.present(stored) as Record<string, unknown>);
  if (before === undefined || !("given" in read)) throw forbidden();
  const merged = checkRecord("organization", mergedRecord(read, before));
  if (!("record" in merged)) throw forbidden();
  const after = organization.present(organization.columns(merged.record as never) as never);
  if (!Bun.deepEquals(after, before)) throw forbidden();
}

function forbidden(): DomainError {
  return new DomainError("notAllowed", "Insufficient permissions for this action");
}
