import { existsSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  filesOpenToOthers,
  HAS_MODES,
  isNearlyFull,
  type Room,
  roomFor,
} from "../../db/sqlite/files.ts";
import { hasTemporaryFolder } from "../buffered-body.ts";
import { type Check, passed, failed } from "./check.ts";

/** Checks of a database's files, and of their disk. */

const MEBIBYTE = 2 ** 20;

/** Backups next to the database, upgrades and restores need room for a copy, and the server for its log. */
const SPARE_ROOM = 256 * MEBIBYTE;

/** SQLite checkpoints the log every 4 MB. A log beyond this size shows that it was prevented from doing so. */
const MAX_LOG_BYTES = 64 * MEBIBYTE;

const OTHERS_CAN_WRITE = 0o022;

/** The check of the folder for requests and responses that are too long for memory. */
export function checkTemporaryFolder(): Check {
  const name = "temporary folder";
  return hasTemporaryFolder()
    ? passed(name, tmpdir())
    : failed(
        name,
        `${tmpdir()} cannot be written, or has no room: responses above 1 MiB are refused; set TMPDIR`,
      );
}

/** The checks of an existing database's files, before it is opened. */
export function checkFiles(path: string): Check[] {
  return [checkModes(path), checkFolder(dirname(path)), checkRoom(path), checkLog(path)];
}

function checkModes(path: string): Check {
  const open = filesOpenToOthers(path);
  return open.length === 0
    ? passed("files", "only their owner can read them")
    : failed(
        "files",
        `others could read or write them until now, which is corrected; find out what gave access to ${open.join(" ")}`,
      );
}

function checkFolder(folder: string): Check {
  return (modeOf(folder) & OTHERS_CAN_WRITE) === 0
    ? passed("folder", "only its owner can change it")
    : failed("folder", `others can replace the database: chmod go-w ${folder}`);
}

function modeOf(path: string): number {
  return HAS_MODES ? (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) : 0;
}

function checkRoom(path: string): Check {
  return roomCheck(roomFor(path), sizeOf(path) + sizeOf(`${path}-wal`) + SPARE_ROOM);
}

/** The check of a disk's free space, of which `needed` bytes are required. */
export function roomCheck(room: Room, needed: number): Check {
  const sizes = `${mebibytes(room.free)} free, ${mebibytes(needed)} needed for a copy and the log`;
  if (room.free < needed) return failed("disk", `make room: ${sizes}`);
  return isNearlyFull(room)
    ? failed("disk", `make room, the disk is nearly full: ${sizes}`)
    : passed("disk", sizes);
}

function checkLog(path: string): Check {
  const size = sizeOf(`${path}-wal`);
  return size <= MAX_LOG_BYTES
    ? passed("write-ahead log", mebibytes(size))
    : failed(
        "write-ahead log",
        `${mebibytes(size)}: stop programs that keep the database open, or restart the server`,
      );
}

/** Copies of patients' data left by backups, upgrades and restores, of which operators may not be aware. */
const LEFT_COPIES = [
  {
    name: "unfinished copies",
    pattern: /(?<!\.csv)\.(unfinished|restoring|copying)(-wal|-shm|-journal)?$/,
    advice: "of a backup or restore that was stopped, unless one is running: rm",
  },
  {
    name: "replaced databases",
    pattern: /\.replaced-[^/]*$/,
    advice: "kept by a restore; when they are not needed any more: rm",
  },
];

/** Checks the folders of the database and of its backups, archives and exports for left copies. */
export function checkLeftCopies(folders: readonly string[]): Check[] {
  const files = [...new Set(folders)].flatMap(filesOf);
  const exported = files.filter((file) => file.endsWith(".csv.unfinished"));
  const ofExports = failed(
    "unfinished exports",
    `of an interrupted export, unless one is running: rm ${exported.join(" ")}`,
  );
  const copies = LEFT_COPIES.map(({ name, pattern, advice }) => {
    const matches = files.filter((file) => pattern.test(file));
    return matches.length === 0
      ? passed(name, "none")
      : failed(name, `${advice} ${matches.join(" ")}`);
  });
  return exported.length === 0 ? copies : [...copies, ofExports];
}

/** The disk of a backup folder may currently not be mounted. */
function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((file) => join(folder, file));
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / MEBIBYTE)} MiB`;
}
