import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { DatabaseError } from "../errors.ts";

/** File permissions and durability, for database files. */

const COPIED_AT_ONCE = 2 ** 20;

const MEBIBYTE = 2 ** 20;

/** A disk is nearly full if it has less than this, or than the share below, free. */
const LITTLE_ROOM = 256 * MEBIBYTE;
const LITTLE_SHARE = 0.05;

/** SQLite's companion files of an open database. */
export const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/** Suffix of the file whose lock shows that a database is open. */
export const LOCK_SUFFIX = "-lock";

/** Suffix of the spool: the file for audit rows that the database could not take at once. */
export const SPOOL_SUFFIX = "-spool";

/**
 * Creates an empty file that only its owner can read and write.
 *
 * @throws the system's error; `EEXIST` if the file exists.
 */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, "wx", 0o600));
}

const OTHERS_CAN_READ_OR_WRITE = 0o077;

/** The files of a database, including its lock, that users other than the owner can read or write. */
export function filesOpenToOthers(path: string): string[] {
  return ["", ...COMPANIONS, LOCK_SUFFIX, SPOOL_SUFFIX]
    .map((suffix) => path + suffix)
    .filter((file) => (modeOf(file) & OTHERS_CAN_READ_OR_WRITE) !== 0);
}

/**
 * Removes all permissions on the files of a database from users other than the owner.
 *
 * @throws DatabaseError if this user may not do that.
 */
export function makePrivate(path: string): void {
  for (const file of filesOpenToOthers(path))
    try {
      chmodSync(file, modeOf(file) & 0o700);
    } catch (error) {
      throw new DatabaseError(
        `Others can read or write ${file}, and so patients' data. As its owner: chmod 600 ${file}`,
        { cause: error },
      );
    }
}

/** Windows has no file modes and reports the same for every file; there, the folder's permissions apply. */
export const HAS_MODES = process.platform !== "win32";

function modeOf(path: string): number {
  if (!HAS_MODES) return 0;
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
}

/**
 * If root created the file, gives it to the owner of its folder. The service runs as another user, and could otherwise
 * not use files that an administrator's command has created beside its database.
 */
export function giveToFolderOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  chownSync(path, uid, gid);
}

/**
 * Copies a file into a new one, readable only by its owner. (`copyFile` would keep the mode of the original.)
 *
 * @throws the system's error; `EEXIST` if the target exists.
 */
export function copyPrivately(source: string, target: string): void {
  const from = openSync(source, "r");
  try {
    const to = openSync(target, "wx", 0o600);
    try {
      const buffer = new Uint8Array(COPIED_AT_ONCE);
      for (let length; (length = readSync(from, buffer)) > 0;) writeWhole(to, buffer, length);
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

function writeWhole(descriptor: number, buffer: Uint8Array, length: number): void {
  for (let written = 0; written < length;)
    written += writeSync(descriptor, buffer, written, length - written);
}

/** The free and total space of the disk that has a file, in bytes. */
export interface Room {
  free: number;
  total: number;
}

export function roomFor(path: string): Room {
  const { bavail, blocks, bsize } = statfsSync(dirname(path));
  return { free: bavail * bsize, total: blocks * bsize };
}

/** Whether a disk needs an operator's attention: less than 256 MiB, or less than 5 %, is free. */
export function isNearlyFull({ free, total }: Room): boolean {
  return free < LITTLE_ROOM || free < total * LITTLE_SHARE;
}

/** Suffix of the note about a backup that is being written. */
const NOTE_SUFFIX = ".copying";

/**
 * Runs `work`, which writes a backup. Meanwhile, a note beside the database has the path of the backup, so that what is
 * left of it can be found if the process is killed. If the note cannot be written, `work` runs without it.
 */
export async function withNote<Result>(
  database: string,
  target: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const note = `${withoutLink(database)}.${crypto.randomUUID().slice(0, 8)}${NOTE_SUFFIX}`;
  try {
    writeFileSync(note, resolve(target), { flag: "wx", mode: 0o600 });
    giveToFolderOwner(note);
  } catch {
    // A full disk of the database must not prevent a backup to another disk.
  }
  try {
    return await work();
  } finally {
    if (existsSync(note)) rmSync(note);
  }
}

/** The paths of backups that are being written, or were when their process was killed. */
export function notedTargets(database: string): string[] {
  const folder = dirname(database);
  return readdirSync(folder)
    .filter((file) => file.startsWith(`${basename(database)}.`) && file.endsWith(NOTE_SUFFIX))
    .map((file) => readNote(join(folder, file)))
    .filter(isAbsolute);
}

/** The text of a note; empty if its backup has just ended. */
function readNote(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Some bytes of a file; fewer where it ends. */
export function bytesOf(path: string, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const file = openSync(path, "r");
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, length, start));
  } finally {
    closeSync(file);
  }
}

/** Makes the content of a file durable. */
export function syncFile(path: string): void {
  sync(path, "r+");
}

/** Makes the entries of a folder durable, after a file was created, renamed or removed. */
export function syncFolderOf(path: string): void {
  // Windows does not support this; NTFS journals names.
  if (process.platform === "win32") return;
  sync(dirname(path), "r");
}

function sync(path: string, flags: "r" | "r+"): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Creates a private file. Until `write` has written it completely, it has another name.
 *
 * @param kind of the file, for messages.
 * @throws DatabaseError if a file has the name; the errors of the system and of `write`.
 */
export async function createWhole(
  path: string,
  kind: "a backup" | "an archive",
  write: (unfinished: string) => Promise<void>,
): Promise<void> {
  requireNew(path, kind);
  const unfinished = `${path}.${crypto.randomUUID().slice(0, 8)}.unfinished`;
  createPrivateFile(unfinished);
  try {
    await write(unfinished);
    syncFile(unfinished);
    requireNew(path, kind);
    renameSync(unfinished, path);
    syncFolderOf(path);
  } catch (error) {
    removeDatabaseFile(unfinished);
    throw error;
  }
}

function requireNew(path: string, kind: string): void {
  if (existsSync(path))
    throw new DatabaseError(
      `${path} exists, and ${kind} never replaces a file. Choose another name.`,
    );
}

/** Removes a database file, if it exists, and its companions. */
export function removeDatabaseFile(path: string): void {
  // The companions last: if this stops in between, they are useless without the file, but the file needs them.
  for (const suffix of ["", ...COMPANIONS]) rmSync(path + suffix, { force: true });
}

/** Removes all files of a database that nobody else has open. */
export function removeDatabase(path: string): void {
  removeDatabaseFile(path);
  for (const suffix of [LOCK_SUFFIX, SPOOL_SUFFIX]) rmSync(path + suffix, { force: true });
}

/** Resolves a symbolic link, since SQLite keeps companions beside the target; also of a file that is still to be made. */
export function withoutLink(path: string): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink) return path;
  return existsSync(path) ? realpathSync(path) : resolve(dirname(path), readlinkSync(path));
}

/**
 * The name itself, or the name with the first number for which no database file exists, so that kept files are never
 * overwritten.
 */
export function unusedName(name: string): string {
  const isUsed = (candidate: string) =>
    ["", ...COMPANIONS].some((suffix) => existsSync(candidate + suffix));
  let unused = name;
  for (let number = 2; isUsed(unused); number += 1) unused = `${name}-${number}`;
  return unused;
}
