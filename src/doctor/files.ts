import { readdirSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { filesOpenToOthers, isNearlyFull, type Room, roomFor } from "../../db/sqlite/files.ts";
import { type Check, fine, toDo } from "./check.ts";

/** Checks of the files of a database, and of the disk that they are on. */

const MEBIBYTE = 2 ** 20;

/** A backup beside the database, an upgrade and a restore each need room for a copy, and the server for its log. */
const SPARE_ROOM = 256 * MEBIBYTE;

/** SQLite folds the log into the database every 4 MB; one that has grown beyond this was kept from it. */
const LARGEST_LOG = 64 * MEBIBYTE;

const OTHERS_CAN_WRITE = 0o022;

/** The checks of the files of the database at a path, which exists, before it is opened. */
export function checkFiles(path: string): Check[] {
  return [
    checkModes(path),
    checkFolder(dirname(path)),
    checkRoom(path),
    checkLog(path),
    checkUnfinishedCopies(path),
  ];
}

function checkModes(path: string): Check {
  const open = filesOpenToOthers(path);
  return open.length === 0
    ? fine("files", "only their owner can read them")
    : toDo(
        "files",
        `others could read or write them until now, which is set right; find out what opened ${open.join(" ")}`,
      );
}

function checkFolder(folder: string): Check {
  return (modeOf(folder) & OTHERS_CAN_WRITE) === 0
    ? fine("folder", "only its owner can change it")
    : toDo("folder", `others can replace the database: chmod go-w ${folder}`);
}

function modeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
}

function checkRoom(path: string): Check {
  return roomCheck(roomFor(path), sizeOf(path) + sizeOf(`${path}-wal`) + SPARE_ROOM);
}

/** What there is to say of the room on a disk, where so many bytes are needed. */
export function roomCheck(room: Room, needed: number): Check {
  const found = `${mebibytes(room.free)} free, ${mebibytes(needed)} needed for a copy and the log`;
  if (room.free < needed) return toDo("disk", `make room: ${found}`);
  return isNearlyFull(room)
    ? toDo("disk", `make room, the disk is nearly full: ${found}`)
    : fine("disk", found);
}

function checkLog(path: string): Check {
  const size = sizeOf(`${path}-wal`);
  return size <= LARGEST_LOG
    ? fine("write-ahead log", mebibytes(size))
    : toDo(
        "write-ahead log",
        `${mebibytes(size)}: end programs that have the database open for long, or restart the server`,
      );
}

// A backup or restore that was stopped leaves a copy of patients' data that nobody knows of.
function checkUnfinishedCopies(path: string): Check {
  const prefix = `${basename(path)}.`;
  const found = readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /\.(unfinished|restoring)$/.test(name))
    .sort();
  return found.length === 0
    ? fine("unfinished copies", "none")
    : toDo(
        "unfinished copies",
        `of a backup or restore that was stopped, unless one is running: rm ${found.join(" ")}`,
      );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / MEBIBYTE)} MiB`;
}
