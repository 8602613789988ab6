import type { Instant } from "../src/lib/instant.ts";
import { type Database, NO_ORGANIZATION } from "./database.ts";
import { isFull, isLocked } from "./errors.ts";

/** More than fits into the free space of the pages that a row usually goes to, in bytes. */
const PROBE_BYTES = 12_000;

/** How long the probe waits for another program's lock, in milliseconds. */
const LOCK_TIMEOUT = 20;

/** Whether the disk has room for writes: writes a long row and removes it again. While that is locked, it is assumed. */
export async function hasRoom(database: Database): Promise<boolean> {
  const name = `probe ${crypto.randomUUID()}`;
  // Random, since PostgreSQL compresses long texts.
  const text = crypto.getRandomValues(Buffer.alloc(PROBE_BYTES)).toString("base64");
  try {
    await database.write(
      async (trx) => {
        await trx
          .insertInto("schema_migrations")
          .values({ name, applied_at: text as Instant })
          .execute();
        await trx.deleteFrom("schema_migrations").where("name", "=", name).execute();
      },
      { ...NO_ORGANIZATION, lockTimeout: LOCK_TIMEOUT },
    );
    return true;
  } catch (error) {
    if (isFull(error)) return false;
    if (isLocked(error)) return true;
    throw error;
  }
}
