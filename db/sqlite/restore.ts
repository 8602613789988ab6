import { Database as SqliteFile, SQLiteError } from "bun:sqlite";
import { accessSync, constants, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import type { Instant } from "../../src/lib/instant.ts";
import { type FoundColumn, requireOwnColumns, SQLITE_COLUMNS } from "../columns.ts";
import { checkDatabaseFile, copyError } from "./backup.ts";
import type { Db, OpenDatabase } from "../database.ts";
import { open } from "./connect.ts";
import { CachingSqliteFile, dbOver } from "./dialect.ts";
import { decryptBackup, isEncrypted } from "./encrypted-backup.ts";
import { DatabaseError } from "../errors.ts";
import { isDamaged, isLocked } from "./errors.ts";
import {
  COMPANIONS,
  copyPrivately,
  createPrivateFile,
  giveToFolderOwner,
  removeDatabaseFile,
  syncFile,
  syncFolderOf,
  unusedName,
  withoutLink,
} from "./files.ts";
import { lockExclusively } from "./lock.ts";
import { tables } from "../tables.ts";
import { baseline } from "./tables.ts";
import { firstMissing, stateAfter, unreleasedMessage, versionOf } from "../migrate.ts";
import type { Step } from "../steps.ts";
import { foreignTo, schemaHash, schemaOf } from "./schema.ts";

export interface Backup {
  file: string;
  /** Secret keys of age, one of which decrypts the file; undefined if it is not encrypted. */
  identities: readonly string[] | undefined;
}

/**
 * Replaces a database by a copy of a backup, and keeps the old database under another name. The replacement is a single
 * rename, so a crash at any moment leaves either the old database or the new one.
 *
 * @param finish receives the opened copy before it is put in place, for writes that must be part of it.
 * @param now determines the name of the kept database.
 * @returns the path of the kept database; undefined if there was none.
 * @throws DatabaseError, with the old database unchanged: it is open in a program, the backup is incomplete or of a
 * newer version, or the folder or disk cannot take a copy.
 */
export async function restore(
  database: string,
  backup: Backup,
  now: Instant,
  finish: (copy: OpenDatabase) => Promise<unknown>,
): Promise<string | undefined> {
  const path = withoutLink(database);
  const lock = lockExclusively(path);
  const copy = `${path}.restoring`;
  try {
    requireBackup(backup, path);
    // An interrupted restore may have left a copy. The lock guarantees that it is not in use.
    removeDatabaseFile(copy);
    await copyBackup(backup, copy);
    const opened = open(copy);
    try {
      await finish(opened);
    } finally {
      await opened.close();
    }
    syncFile(copy);
    const kept = keepOld(path, now);
    renameSync(copy, path);
    syncFolderOf(path);
    return kept;
  } finally {
    removeDatabaseFile(copy);
    lock.release();
  }
}

/**
 * Reads from the database that a restore is about to replace.
 *
 * @returns undefined if there is no such database, or it is too damaged or too old for `read`.
 */
export async function readReplaced<Result>(
  path: string,
  read: (db: Db) => Promise<Result>,
): Promise<Result | undefined> {
  if (!existsSync(path)) return undefined;
  let file: CachingSqliteFile | undefined;
  try {
    file = new CachingSqliteFile(path, { readwrite: true });
    return await read(dbOver(file));
  } catch (error) {
    if (error instanceof SQLiteError) return undefined;
    throw error;
  } finally {
    file?.close();
  }
}

function requireBackup({ file: backup, identities }: Backup, path: string): void {
  const file = statSync(backup, { throwIfNoEntry: false });
  if (file === undefined) throw new DatabaseError(`There is no file ${backup}.`);
  if (!file.isFile()) throw new DatabaseError(`${backup} is not a file. Name a backup.`);
  const old = statSync(path, { throwIfNoEntry: false });
  if (old?.isFile() === false)
    throw new DatabaseError(`${path} is not a file. Name a database file with --database.`);
  if (old?.ino === file.ino && old.dev === file.dev)
    throw new DatabaseError(`${backup} is the database itself. Name a backup.`);
  if (COMPANIONS.some((suffix) => existsSync(backup + suffix)))
    throw new DatabaseError(
      `${backup} is a database in use, or one that was not closed. Name a backup of it, made with "caseload --database ${backup} backup FILE".`,
    );
  try {
    accessSync(backup, constants.R_OK);
  } catch {
    throw new DatabaseError(
      `${backup} is not readable. Make it readable for the user who restores.`,
    );
  }
  if (isEncrypted(backup) !== (identities !== undefined))
    throw new DatabaseError(
      identities === undefined
        ? `${backup} is encrypted. Name the file of an identity with --identity.`
        : `${backup} is not encrypted. Restore it without --identity.`,
    );
}

/** The backup is only read: it may be on a read-only medium and must not change. */
async function copyBackup({ file: backup, identities }: Backup, copy: string): Promise<void> {
  try {
    if (identities === undefined) copyPrivately(backup, copy);
    else {
      createPrivateFile(copy);
      await decryptBackup(backup, copy, identities);
    }
    const { applied } = checkDatabaseFile(copy, backup);
    const state = stateAfter(applied);
    if (state === "none") throw new DatabaseError(`${backup} is not a Caseload database.`);
    if (state === "unreleased") throw new DatabaseError(unreleasedMessage(backup));
    if (state === "newer")
      throw new DatabaseError(
        `${backup} is of ${versionOf(applied)}, which is newer than this one. Restore it with that version.`,
      );
    const step = firstMissing(applied);
    if (step === undefined) {
      requireOwnColumnsOf(copy, backup);
      requireOwnSchema(copy, backup);
    } else requireSchemaBefore(step, copy, backup);
    giveToFolderOwner(copy);
  } catch (error) {
    throw copyError(error, backup, copy);
  }
}

/** Tells a backup of another version from one that is damaged or forged: tables that both have have other columns. */
function requireOwnColumnsOf(copy: string, backup: string): void {
  using file = new SqliteFile(copy, { readonly: true });
  const found = file.query<FoundColumn, []>(SQLITE_COLUMNS).all();
  const present = new Set(found.map(({ table }) => table));
  const common = Object.entries(tables).filter(([table]) => present.has(table));
  requireOwnColumns(found, Object.fromEntries(common), backup);
}

/**
 * Refuses a backup whose tables, indexes, triggers and views are not those of a new database. Triggers and views would
 * run whenever the server writes and reads.
 */
function requireOwnSchema(copy: string, backup: string): void {
  using model = new SqliteFile(":memory:");
  for (const statement of baseline) model.run(statement);
  using file = new SqliteFile(copy, { readonly: true });
  const [own, present] = [schemaOf(model), schemaOf(file)];
  const foreign = foreignTo(own, present);
  if (foreign !== undefined) throw forged(backup, foreign);
  const missing = foreignTo(present, own);
  if (missing !== undefined)
    throw new DatabaseError(`${backup} is damaged (it has no ${missing}); use an earlier backup.`);
}

/** The same of a backup of an earlier version, whose tables are known by their hash. */
function requireSchemaBefore({ from }: Step, copy: string, backup: string): void {
  using file = new SqliteFile(copy, { readonly: true });
  if (schemaHash(file) !== from.schema) throw forged(backup, "other tables, indexes or triggers");
}

function forged(backup: string, what: string): DatabaseError {
  return new DatabaseError(
    `${backup} has what no database of Caseload has (${what}), so it may be forged. Use a backup that "caseload backup" wrote.`,
  );
}

/**
 * Moves a database that no program has open to another name.
 *
 * @returns that name.
 * @throws DatabaseError if a program has it open.
 */
export function moveAside(database: string, now: Instant): string {
  const path = withoutLink(database);
  const lock = lockExclusively(path);
  try {
    const kept = keepOld(path, now) ?? path;
    rmSync(path);
    syncFolderOf(path);
    return kept;
  } finally {
    lock.release();
  }
}

/**
 * Links the old database to a second name, and removes its companions, which SQLite would apply to the next file with
 * the first name. The old database stays in place until the new one replaces it.
 */
function keepOld(path: string, now: Instant): string | undefined {
  if (existsSync(path)) foldCompanions(path);
  const files = ["", ...COMPANIONS].filter((suffix) => existsSync(path + suffix));
  if (files.length === 0) return undefined;
  // If the clock was set back, the name may already exist.
  const kept = unusedName(`${path}.replaced-${now.replaceAll(":", "-")}`);
  for (const suffix of files) keepAs(path + suffix, kept + suffix);
  syncFolderOf(path);
  for (const suffix of COMPANIONS) rmSync(path + suffix, { force: true });
  syncFolderOf(path);
  return kept;
}

// A rename would leave a moment without a database, in which a starting server would create an empty one.
function keepAs(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch (error) {
    throw new DatabaseError(
      `Cannot keep ${path} as ${kept} (${codeOf(error)}), so nothing was replaced.`,
      { cause: error },
    );
  }
}

/**
 * Merges the companions into the file, so that it alone is the old database. If it is too damaged for that, the files
 * are kept as they are.
 */
function foldCompanions(path: string): void {
  const file = new SqliteFile(path, { readwrite: true });
  try {
    file.run("pragma journal_mode = delete");
  } catch (error) {
    if (isLocked(error))
      throw new DatabaseError(
        `Another program has the database ${path} open. Stop it and try again.`,
      );
    if (!isDamaged(error))
      throw new DatabaseError(
        `Cannot write to the old database ${path} (${codeOf(error)}), so nothing was replaced.`,
        { cause: error },
      );
  } finally {
    file.close(true);
  }
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? "unknown reason";
}
