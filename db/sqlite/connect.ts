import { Database as SqliteFile } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import type { Db, OpenDatabase, Snapshot } from "../database.ts";
import { DatabaseError } from "../errors.ts";
import { GroupCommit } from "../group-commit.ts";
import { whenAlone } from "../alone.ts";
import { isServerUrl, requireBareUrl } from "../postgresql/url.ts";
import { CachingSqliteFile, dbOver } from "./dialect.ts";
import { isLocked, remedy } from "./errors.ts";
import {
  createPrivateFile,
  giveToFolderOwner,
  isNearlyFull,
  makePrivate,
  roomFor,
  SPOOL_SUFFIX,
  withoutLink,
} from "./files.ts";
import { lockExclusively, lockShared } from "./lock.ts";
import { Snapshots } from "./snapshots.ts";
import { Spool } from "../spool.ts";
import { FileTransactions } from "./transactions.ts";

/**
 * Opens the SQLite database of a file path or `file:` URL. While it is open, no other program can restore a backup over
 * it. Removes permissions of users other than the owner on its files.
 *
 * @param mode `create` creates a missing file, readable only by its owner; `existing` refuses.
 * @throws DatabaseError with a message for the operator: no such file, not a SQLite file, not readable, a file of another
 * program, unsupported URL, or a restore in progress.
 */
export function connectFile(url: string, mode: "create" | "existing"): OpenDatabase {
  const path = withoutLink(filePath(url));
  if (mode === "create") createFile(path);
  else requireFile(path);
  requireOwnTables(path);
  makePrivate(path);

  let lock = lockShared(path);
  try {
    return { ...open(path, () => lock.release()), lock: exclude, alone };
  } catch (error) {
    lock.release();
    throw error;
  }

  async function exclude(mode: "shared" | "exclusive"): Promise<void> {
    if (mode === "shared") return;
    lock.release();
    try {
      lock = lockExclusively(path);
    } catch (error) {
      lock = lockShared(path);
      throw error;
    }
  }

  async function alone<Result>(
    work: () => Promise<Result>,
    isNeeded: () => Promise<boolean>,
  ): Promise<Result | undefined> {
    // Not held meanwhile, since others wait for the same.
    lock.release();
    try {
      return await whenAlone(
        () => {
          lock = lockExclusively(path);
        },
        work,
        isNeeded,
      );
    } finally {
      lock.release();
      lock = lockShared(path);
    }
  }
}

/**
 * Opens a database file that no other program uses, such as the copy that a restore prepares.
 *
 * @param closed is called after it has been closed.
 * @throws DatabaseError if it is not a SQLite file, or not readable and writable.
 */
export function open(path: string, closed: () => void = () => {}): OpenDatabase {
  const writer = openFile(path);
  // A statement that changes many rows keeps the old pages until it has succeeded, by default in a temporary file.
  writer.run("pragma temp_store = memory");
  const reader = openReader(path);

  const snapshots = new Snapshots(reader);
  const groupCommit = new GroupCommit(new FileTransactions(writer, snapshots));
  return {
    engine: "sqlite",
    source: { url: path },
    read: (work) => snapshots.read(work),
    openSnapshot: async () => openSnapshot(path),
    write: (work, options) =>
      groupCommit.write(options.isLong ? withLargeCache(writer, work) : work, options),
    file: {
      spool: new Spool(path + SPOOL_SUFFIX),
      isNearlyFull: () => isNearlyFull(roomFor(path)),
      isInPlace: () => writer.isInPlace() && existsSync(`${writer.filename}-wal`),
      allowRemoval() {
        writer.isRemovable = true;
      },
      emptyLog() {
        snapshots.renew();
        return !writer.inTransaction && emptyLog(writer);
      },
    },
    changeSchema: (work) => groupCommit.write(work),
    lock: async () => {},
    alone: (work) => work(),
    connections: () => undefined,
    async close() {
      await groupCommit.finished();
      await snapshots.finished();
      reader.close();
      writer.close();
      closed();
    },
  };
}

/**
 * Page caches, in KiB: SQLite's default; that of reads, which look up the same pages again for thousands of rows; and
 * that of a long write, which reads and writes large trees of indexes again.
 */
const USUAL_CACHE = 2_000;
const READ_CACHE = 8 * 1024;
const LARGE_CACHE = 64 * 1024;

function withLargeCache<Result>(
  file: CachingSqliteFile,
  work: (trx: Db) => Promise<Result>,
): (trx: Db) => Promise<Result> {
  return async (trx) => {
    file.run(`pragma cache_size = -${LARGE_CACHE}`);
    try {
      return await work(trx);
    } finally {
      file.run(`pragma cache_size = -${USUAL_CACHE}`);
    }
  };
}

function openReader(path: string): CachingSqliteFile {
  const reader = openFile(path);
  reader.run("pragma query_only = on");
  reader.run(`pragma cache_size = -${READ_CACHE}`);
  return reader;
}

function openSnapshot(path: string): Snapshot {
  const file = openReader(path);
  file.run("begin");
  return { db: dbOver(file), close: async () => file.close() };
}

function emptyLog(writer: CachingSqliteFile): boolean {
  const { busy } = writer
    .prepare<{ busy: number }, []>("pragma wal_checkpoint(truncate)")
    .get() as { busy: number };
  return busy === 0;
}

/** SQLite's names for a database without a file. */
const IN_MEMORY = /^(file:)?:memory:/;

/** The file path of a database URL. */
export function filePath(url: string): string {
  if (url === "")
    throw new DatabaseError("The name of the database is empty: give a file or a postgres: URL.");
  requireBareUrl(url);
  if (IN_MEMORY.test(url))
    throw new DatabaseError(
      "The database must be a file: name one with --database or DATABASE_URL.",
    );
  if (url.startsWith("file:")) return pathOfFileUrl(url);
  if (isServerUrl(url))
    throw new DatabaseError(
      "A database of PostgreSQL is backed up and restored with its own tools: pg_dump --format=custom and pg_restore, or point-in-time recovery.",
    );
  if (/^postgres(.*[:@]|(ql)?\/\/)/i.test(url))
    // It may contain a password, so it is not repeated.
    throw new DatabaseError(
      "The database is not a valid PostgreSQL URL: write postgres://user@host:5432/caseload.",
    );
  // Also with something before the scheme, such as jdbc: or the variable's name.
  if (url.includes("://"))
    throw new DatabaseError(
      `Caseload keeps its data in a SQLite file or in PostgreSQL; "${url.split(":")[0]}:" is not supported. Give a file path, or a postgres: URL.`,
    );
  return url;
}

function pathOfFileUrl(url: string): string {
  // With mode=ro, for example, the file would be written nevertheless.
  if (/[?#]/.test(url))
    throw new DatabaseError(
      "The file: URL of the database has parameters, which are not supported; write it as file:///path/to/caseload.db, with %3F and %23 for ? and # in a name.",
    );
  try {
    return Bun.fileURLToPath(new URL(url, `file://${process.cwd()}/`));
  } catch {
    // For example with another host, or an encoded slash.
    throw new DatabaseError(
      "The file: URL of the database does not name a file on this machine; write it as file:///path/to/caseload.db.",
    );
  }
}

function createFile(path: string): void {
  if (existsSync(path)) return requireFile(path);
  // SQLite would apply the old database's log to the new file; and the log may hold the only copy of data.
  if (existsSync(`${path}-wal`))
    throw new DatabaseError(
      `There is no database at ${path}, but the log of one, ${path}-wal: the database was moved or removed while it was in use. Put it back, or move the log away and restore a backup.`,
    );
  try {
    // SQLite would create it with mode 0644. -wal and -shm get the mode of the main file.
    createPrivateFile(path);
    giveToFolderOwner(path);
  } catch (error) {
    if ((error as { code?: string }).code === "EEXIST") return requireFile(path);
    throw new DatabaseError(
      `Cannot create the database ${path}: its folder must exist and be writable.`,
    );
  }
}

function requireFile(path: string): void {
  if (!existsSync(path))
    throw new DatabaseError(
      `There is no database at ${path}. Create one with "caseload migrate" or "caseload import", or name another with --database.`,
    );
  if (!statSync(path).isFile())
    throw new DatabaseError(`${path} is not a file. Name a database file with --database.`);
}

const COUNT_TABLES = `select
  (select count(*) from sqlite_schema where type = 'table' and name not like 'sqlite_%') as tables,
  (select count(*) from pragma_table_info('schema_migrations') where name in ('name', 'applied_at')) as columns`;

/** Refuses a file of another program before its permissions, its journal or its contents are changed. */
function requireOwnTables(path: string): void {
  let file: SqliteFile | undefined;
  try {
    file = new SqliteFile(path, { readonly: true });
    const counts = file.query<{ tables: number; columns: number }, []>(COUNT_TABLES).get();
    if (counts !== null && counts.tables > 0 && counts.columns < 2)
      throw new DatabaseError(
        `${path} has tables of another program. Give Caseload a database of its own.`,
      );
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    // Opening it for writing may succeed, by the rollback of an interrupted write; if not, it reports the reason.
  } finally {
    file?.close();
  }
}

/** Another process may be opening the same new file, so attempts that meet a lock are repeated. */
const OPEN_TIMEOUT = 5_000;

function openFile(path: string): CachingSqliteFile {
  const deadline = performance.now() + OPEN_TIMEOUT;
  for (;;) {
    let file: CachingSqliteFile | undefined;
    try {
      file = new CachingSqliteFile(path, { readwrite: true, strict: true });
      setPragmas(file);
      return file;
    } catch (error) {
      file?.close();
      if (!isLocked(error) || performance.now() >= deadline) throw unreadable(path, error);
      Bun.sleepSync(10);
    }
  }
}

function setPragmas(file: CachingSqliteFile): void {
  file.run("pragma journal_mode = wal");
  // Sync every commit to disk, so that acknowledged writes survive a power failure.
  file.run("pragma synchronous = full");
  file.run("pragma foreign_keys = on");
  // Overwrite deleted data, so that no patient's data remains in free pages.
  file.run("pragma secure_delete = on");
  file.run("pragma trusted_schema = off");
}

function unreadable(path: string, error: unknown): DatabaseError {
  const reason =
    remedy(error) ??
    "it is not readable and writable as a SQLite database; check the file and its permissions";
  return new DatabaseError(`Cannot open the database ${path}: ${reason}.`, { cause: error });
}
