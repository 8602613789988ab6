import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseRefused } from "../errors.ts";

/** What the database needs of files: who may read them, and when they are safe from a power cut. */

const COPIED_AT_ONCE = 2 ** 20;

const MEBIBYTE = 2 ** 20;

/** Room on a disk that is nearly full: less than either of these. */
const LITTLE_ROOM = 256 * MEBIBYTE;
const LITTLE_SHARE = 0.05;

/** What SQLite keeps beside a database file while it is open. */
export const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/** What the file is called whose lock says that a database is open. */
export const LOCK_SUFFIX = "-lock";

/** What the file is called in which waits what the database could not take at once. */
export const SPOOL_SUFFIX = "-spool";

/**
 * Makes an empty file that its owner alone can read and write.
 *
 * @throws the system's error, `EEXIST` for a file that exists.
 */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, "wx", 0o600));
}

const OTHERS_CAN_READ_OR_WRITE = 0o077;

/** Which of the files of a database, its lock included, somebody beside their owner can read or write. */
export function filesOpenToOthers(path: string): string[] {
  return ["", ...COMPANIONS, LOCK_SUFFIX, SPOOL_SUFFIX]
    .map((suffix) => path + suffix)
    .filter((file) => (modeOf(file) & OTHERS_CAN_READ_OR_WRITE) !== 0);
}

/**
 * Takes from everybody but the owner what they may do with the files of a database.
 *
 * @throws DatabaseRefused where that is not for this user to do.
 */
export function makePrivate(path: string): void {
  for (const file of filesOpenToOthers(path))
    try {
      chmodSync(file, modeOf(file) & 0o700);
    } catch (error) {
      throw new DatabaseRefused(
        `Others can read or write ${file}, and so patients' data. As its owner: chmod 600 ${file}`,
        { cause: error },
      );
    }
}

/** Windows has no modes, and answers the same for every file: there the folder's permissions say who may read it. */
export const HAS_MODES = process.platform !== "win32";

function modeOf(path: string): number {
  if (!HAS_MODES) return 0;
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
}

/**
 * Gives a file to the owner of its folder, where root made it: the service, which runs as another user,
 * would otherwise fail on a file that an administrator's command left beside its database.
 */
export function giveToFolderOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  chownSync(path, uid, gid);
}

/**
 * Copies a file into a new one, readable by its owner only. (`copyFile` gives the copy the mode of the original.)
 *
 * @throws the system's error, `EEXIST` for a target that exists.
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

/** The room of the disk on which a file is, in bytes. */
export interface Room {
  free: number;
  total: number;
}

export function roomFor(path: string): Room {
  const { bavail, blocks, bsize } = statfsSync(dirname(path));
  return { free: bavail * bsize, total: blocks * bsize };
}

/** Whether a disk needs an operator's attention: below 256 MiB, or 5 % of it. */
export function isNearlyFull({ free, total }: Room): boolean {
  return free < LITTLE_ROOM || free < total * LITTLE_SHARE;
}

/** Makes durable what a file holds. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes durable which files are in a folder, after one was made, renamed or removed. */
export function syncFolderOf(path: string): void {
  // Windows refuses to, and NTFS has a log of its own for names.
  if (process.platform === "win32") return;
  const descriptor = openSync(dirname(path), "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes a database file, if there is one, and what SQLite kept beside it. */
export function removeDatabaseFile(path: string): void {
  // The companions go last: without the file they are nothing, with it they are part of it.
  for (const suffix of ["", ...COMPANIONS]) rmSync(path + suffix, { force: true });
}

/** The file itself where a path is a symbolic link to it, since SQLite keeps its companions beside that. */
export function withoutLink(path: string): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink && existsSync(path) ? realpathSync(path) : path;
}

/**
 * The name, or with a number after it the first that no database file has: what is kept never takes the
 * place of what was kept before.
 */
export function unusedName(name: string): string {
  const isUsed = (candidate: string) =>
    ["", ...COMPANIONS].some((suffix) => existsSync(candidate + suffix));
  let unused = name;
  for (let number = 2; isUsed(unused); number += 1) unused = `${name}-${number}`;
  return unused;
}
