import { existsSync, statfsSync } from "node:fs";

/**
 * Files of tests are in memory where it has room, unless TMPDIR says where: thousands of transactions need not wait for
 * a disk. That what is acknowledged reaches the disk is held by `bun run test:trace`.
 */

const MEMORY = "/dev/shm";

/** More than all tests together ever have at once, in bytes. */
const ROOM = 2 * 1024 ** 3;

function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

if (process.env.TMPDIR === undefined && existsSync(MEMORY) && roomIn(MEMORY) > ROOM)
  process.env.TMPDIR = MEMORY;
