import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkColumns } from "../../db/columns.ts";
import { connect } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { isLocked, OtherDatabase, remedy } from "../../db/errors.ts";
import {
  type Applied,
  appliedTo,
  migrate,
  newerMessage,
  olderMessage,
  type SchemaState,
  stateAfter,
  unreleasedMessage,
} from "../../db/migrate.ts";
import { type ConnectionSafety, isServerUrl, parseServerUrl } from "../../db/postgresql/url.ts";
import { backUpBefore } from "../../db/sqlite/backup.ts";
import { filePath } from "../../db/sqlite/connect.ts";
import { withoutLink } from "../../db/sqlite/files.ts";
import { takeSpooledIfPossible } from "../audit/spooled.ts";
import { CommandError } from "../lib/command-error.ts";
import { toInstant } from "../lib/instant.ts";
import { VERSION } from "../version.ts";
import { noticeChangedRules } from "../organizations/zone-changes.ts";
import { foldAnew } from "../users/folded-text-repository.ts";
import type { CommandContext, UrlContext, WholeDatabaseContext } from "./context.ts";

type OpeningContext = Pick<UrlContext, "url" | "safety" | "clock" | "output"> & {
  /** Whether a database with data is backed up before it is brought up to date; by default it is. */
  backup?: boolean | undefined;
};

/** The help of the option of commands that bring a database up to date. */
export const NO_BACKUP =
  "no backup beside the file before an upgrade, where there is no room for it";

/** The action of a command that runs on a database that exists, which is closed afterwards. */
export function onDatabase<Arguments extends unknown[]>(
  context: CommandContext,
  work: (context: CommandContext & WholeDatabaseContext, ...args: Arguments) => Promise<void>,
): (...args: Arguments) => Promise<void> {
  return async (...args) => {
    const database = await openExisting(context.url, context.safety);
    await closing(database, () => work({ ...context, database }, ...args));
  };
}

/** Closes the database after the work, also if it fails. */
export async function closing(database: OpenDatabase, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } finally {
    await database.close();
  }
}

/** Opens a database, creates it if needed, and applies pending migrations. */
export async function openMigrated(context: OpeningContext): Promise<OpenDatabase> {
  const database = await connect(context.url, "create", context.safety);
  try {
    await bringUpToDate(database, context);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens the database of the demo practice. One that cannot be brought up to date is moved aside, and made anew. */
export async function openDemo(context: OpeningContext): Promise<OpenDatabase> {
  try {
    return await openMigrated(context);
  } catch (error) {
    if (!(error instanceof OtherDatabase) || isServerUrl(context.url)) throw error;
    const { moveAside } = await import("../../db/sqlite/restore.ts");
    const aside = moveAside(withoutLink(filePath(context.url)), toInstant(context.clock.now()));
    context.output.message(`${error.message} It was moved to ${aside}, and the demo is made anew.`);
    return openMigrated(context);
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
  { url, clock, output, backup = true }: OpeningContext,
): Promise<string[]> {
  const keepBackup = async (): Promise<void> => {
    // Backups of PostgreSQL are left to its operator.
    if (!backup || isServerUrl(url)) return;
    const target = await backUpBefore(filePath(url), VERSION);
    output.message(`The database as it was is kept in ${target}.`);
  };
  try {
    const now = toInstant(clock.now());
    const applied = await migrate(database, now, { keepBackup, refresh: foldAnew });
    await noticeChangedRules(database, now);
    return applied;
  } catch (error) {
    if (isLocked(error))
      throw new CommandError(
        "Another program is changing or migrating the database. Try again when it is done.",
      );
    const advice = remedy(error);
    if (advice !== undefined) throw new CommandError(`The database was not changed: ${advice}.`);
    throw error;
  }
}

/** Opens a database for a dry run. If it does not exist, nothing of it remains, even if the process is killed. */
export async function openToTry(context: OpeningContext): Promise<OpenDatabase> {
  const { url, safety } = context;
  if (isServerUrl(url) || existsSync(filePath(url))) return openExisting(url, safety);
  const { database, removeFolder } = await openInFolder(context);
  database.file?.allowRemoval();
  // Windows cannot remove open files; there they are removed at the end.
  if (process.platform !== "win32") removeFolder();
  return { ...database, close: () => database.close().finally(removeFolder) };
}

/** A database that can be put back as it was when it was kept. Nothing may use it meanwhile. */
export interface TemporaryDatabase extends OpenDatabase {
  keep(): Promise<void>;
  putBack(): Promise<void>;
}

/** Creates a database in a folder that only this user can access. Closing it removes both. */
export async function openTemporary(context: OpeningContext): Promise<TemporaryDatabase> {
  const { database, removeFolder } = await openInFolder(context);
  const { url } = database.source;
  const kept = `${url}-kept`;
  let current = database;
  const whileClosed = async (work: () => void) => {
    await current.close();
    work();
    current = await connect(url, "existing");
  };
  const own = {
    keep: () => whileClosed(() => copyFileSync(url, kept)),
    putBack: () =>
      whileClosed(() => {
        for (const log of ["-wal", "-shm"]) rmSync(url + log, { force: true });
        // Another file: SQLite would take what a worker that was ended has left for a part of the same one.
        copyFileSync(kept, `${kept}-copy`);
        renameSync(`${kept}-copy`, url);
      }),
    close: () => current.close().finally(removeFolder),
  };
  return new Proxy(own as TemporaryDatabase, {
    get: (_, name) => Reflect.get(name in own ? own : current, name),
  });
}

async function openInFolder(context: OpeningContext) {
  const folder = mkdtempSync(join(tmpdir(), "caseload-"));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  try {
    const url = join(folder, "caseload.db");
    return { database: await openMigrated({ ...context, url }), removeFolder };
  } catch (error) {
    removeFolder();
    throw error;
  }
}

/** Opens a database that must exist and be up to date. */
async function openExisting(url: string, safety?: ConnectionSafety): Promise<OpenDatabase> {
  const database = await connect(url, "existing", safety);
  try {
    const applied = await database.read(appliedTo);
    const state = stateAfter(applied);
    if (state !== "current") throw new CommandError(schemaMessages[state]("The database", applied));
    await database.read(checkColumns);
    await takeSpooledIfPossible(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

const schemaMessages: Record<
  Exclude<SchemaState, "current">,
  (database: string, applied: Applied) => string
> = {
  none: (database) =>
    `${database} has no tables of Caseload yet; create them with "caseload migrate".`,
  older: olderMessage,
  newer: newerMessage,
  unreleased: unreleasedMessage,
};
