import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { backUp } from "../../db/sqlite/backup.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { connect } from "../../db/connect.ts";
import { filePath } from "../../db/sqlite/connect.ts";
import { isLocked } from "../../db/errors.ts";
import { type ConnectionSafety, isServerUrl, parseServerUrl } from "../../db/postgresql/url.ts";
import { unusedName } from "../../db/sqlite/files.ts";
import { migrate, schemaState, type SchemaState, unreleasedMessage } from "../../db/migrate.ts";
import { takeSpooledIfPossible } from "../audit/spooled.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { CommandError } from "../lib/command-error.ts";
import type { Output } from "./output.ts";

/** Opens a database, creates it if needed, and applies pending migrations. */
export async function openMigrated(
  url: string,
  clock: Clock,
  output: Output,
  safety?: ConnectionSafety,
): Promise<OpenDatabase> {
  const database = await connect(url, "create", safety);
  try {
    await bringUpToDate(database, url, clock, output);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The location of a database for messages, without a password. */
export function placeOf(url: string): string {
  return isServerUrl(url) ? parseServerUrl(url, { isInsecure: true }).name : resolve(filePath(url));
}

/**
 * Applies pending migrations. A database with data is backed up before, next to its file.
 *
 * @returns the names of the applied steps.
 */
export async function bringUpToDate(
  database: OpenDatabase,
  url: string,
  clock: Clock,
  output: Output,
): Promise<string[]> {
  const keepBackup = async (firstStep: string): Promise<void> => {
    // Backups of PostgreSQL are left to its operator.
    if (isServerUrl(url)) return;
    const path = filePath(url);
    const target = unusedName(`${path}.before-${firstStep}.backup`);
    await backUp(path, target);
    output.message(`The database as it was is kept in ${target}.`);
  };
  try {
    return await migrate(database, toInstant(clock.now()), keepBackup);
  } catch (error) {
    if (isLocked(error))
      throw new CommandError(
        "Another program is changing or migrating the database. Try again when it is done.",
      );
    throw error;
  }
}

/** Opens a database for a dry run. If it does not exist, nothing of it remains, even if the process is killed. */
export async function openToTry(
  url: string,
  clock: Clock,
  output: Output,
  safety?: ConnectionSafety,
): Promise<OpenDatabase> {
  if (isServerUrl(url) || existsSync(filePath(url))) return openExisting(url, safety);
  const { database, removeFolder } = await openInFolder(clock, output);
  database.file?.allowRemoval();
  // Windows cannot remove open files; there they are removed at the end.
  if (process.platform !== "win32") removeFolder();
  return { ...database, close: () => database.close().finally(removeFolder) };
}

/** Creates a database in a folder that only this user can access. Closing it removes both. */
export async function openTemporary(clock: Clock, output: Output): Promise<OpenDatabase> {
  const { database, removeFolder } = await openInFolder(clock, output);
  return { ...database, close: () => database.close().finally(removeFolder) };
}

async function openInFolder(clock: Clock, output: Output) {
  const folder = mkdtempSync(join(tmpdir(), "caseload-"));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  try {
    return {
      database: await openMigrated(join(folder, "caseload.db"), clock, output),
      removeFolder,
    };
  } catch (error) {
    removeFolder();
    throw error;
  }
}

/** Opens a database that must exist and be up to date. */
export async function openExisting(url: string, safety?: ConnectionSafety): Promise<OpenDatabase> {
  const database = await connect(url, "existing", safety);
  const state = await schemaState(database);
  if (state === "current") {
    await takeSpooledIfPossible(database);
    return database;
  }
  await database.close();
  throw new CommandError(schemaMessages[state]);
}

const schemaMessages: Record<Exclude<SchemaState, "current">, string> = {
  none: 'The database has no tables of Caseload yet; create them with "caseload migrate".',
  older:
    'The database is of an older version of Caseload; bring it up to date with "caseload migrate".',
  newer:
    "The database is of a newer version of Caseload; use that version, or restore a backup made before the upgrade.",
  unreleased: unreleasedMessage("The database"),
};
