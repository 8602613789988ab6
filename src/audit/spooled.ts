import { type Database, type Db, NO_ORGANIZATION } from "../../db/database.ts";
import { isTemporary } from "../../db/errors.ts";
import type { SpooledFile } from "../../db/spool.ts";
import { type AuditEntry, EMPTY_CHAIN, nextRow, toEntry } from "./chain.ts";
import { recordEntries } from "./recording.ts";
import { readTaken, setTaken } from "./repository.ts";

/** How long the lock of the database may be waited for: whoever adds to the spool waits, too. */
const LOCK_PATIENCE = 0;

/**
 * Takes into the trail the rows that lie in the spool. How far they were taken is part of the same transaction, so
 * that a program that stops at any moment neither loses a row nor leaves it twice.
 *
 * @returns whether there were any.
 * @throws the database's error while it takes nothing.
 */
export async function takeSpooled(database: Database): Promise<boolean> {
  const spool = database.file?.spool;
  const takePart = async (file: SpooledFile): Promise<void> => {
    const taken = await database.write((trx) => recordPart(trx, file), {
      ...NO_ORGANIZATION,
      patience: LOCK_PATIENCE,
    });
    if (taken === file.size) file.remove();
  };
  if (spool === undefined || spool.isEmpty()) return false;
  // Part by part, so that rows can be added in between.
  while (!spool.isEmpty()) await spool.use(takePart);
  return true;
}

/** The same for a command, which goes on while the database takes nothing: a server will take them. */
export async function takeSpooledIfPossible(database: Database): Promise<void> {
  try {
    await takeSpooled(database);
  } catch (error) {
    if (!isTemporary(error)) throw error;
  }
}

async function recordPart(trx: Db, file: SpooledFile): Promise<number> {
  const { lines, end } = file.linesFrom(await readTaken(trx, file.id));
  await recordEntries(trx, lines.flatMap(entryOf));
  await setTaken(trx, file.id, end);
  return end;
}

/** Half a line, which a power cut has left, was never acknowledged; nor was what no recorder writes. */
function entryOf(line: string): AuditEntry[] {
  try {
    const entry = JSON.parse(line) as AuditEntry;
    return isEntry(entry) ? [entry] : [];
  } catch {
    return [];
  }
}

function isEntry(entry: AuditEntry): boolean {
  const { organizationId, time, requestId, method, route } = entry;
  const { keyId, userId, role, target, address, operator } = entry;
  return (
    [organizationId, time, requestId, method, route].every((text) => typeof text === "string") &&
    [keyId, userId, role, target, address, operator].every(
      (text) => text === null || typeof text === "string",
    ) &&
    Number.isInteger(entry.status) &&
    (entry.requests === null || Number.isInteger(entry.requests)) &&
    toEntry(nextRow(EMPTY_CHAIN, entry)) !== undefined
  );
}
