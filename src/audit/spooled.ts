import { type Database, type Db, NO_ORGANIZATION } from "../../db/database.ts";
import { isTemporary } from "../../db/errors.ts";
import type { SpooledFile } from "../../db/spool.ts";
import { type AuditEntry, EMPTY_CHAIN, nextRow, toEntry } from "./chain.ts";
import { recordEntries } from "./trail.ts";
import { readTaken, setTaken } from "./repository.ts";

/** No waiting for the database lock: writers of the spool would wait, too. */
const LOCK_TIMEOUT = 0;

/**
 * Moves rows from the spool to the trail. The position in the spool is stored in the same transaction, so that a crash
 * neither loses nor duplicates a row.
 *
 * @returns whether there were any rows.
 * @throws the database's error while it accepts no writes.
 */
export async function takeSpooled(database: Database): Promise<boolean> {
  const spool = database.file?.spool;
  const takePart = async (file: SpooledFile): Promise<void> => {
    const taken = await database.write((trx) => recordPart(trx, file), {
      ...NO_ORGANIZATION,
      lockTimeout: LOCK_TIMEOUT,
    });
    if (taken === file.size) file.remove();
  };
  if (spool === undefined || spool.isEmpty()) return false;
  // In parts, so that other processes can append to the spool in between.
  while (!spool.isEmpty()) await spool.use(takePart);
  return true;
}

/** `takeSpooled` for commands, which continue if the database accepts no writes; a server will move the rows later. */
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

/**
 * Parses a line. Incomplete lines (after a power failure) were never acknowledged; they and invalid lines are skipped.
 */
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
