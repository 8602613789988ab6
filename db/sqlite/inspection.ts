import { type RawBuilder, sql } from "kysely";
import type { Db } from "../database.ts";
import { isDamaged } from "./errors.ts";

/** Inspection of an open SQLite database. */

/** The settings on which durability depends, with their current and required values. */
export async function readSettings(
  db: Db,
): Promise<{ name: string; value: string; needed: string }[]> {
  const read = async (pragma: RawBuilder<unknown>): Promise<string> => {
    const { rows } = await pragma.execute(db);
    return String(Object.values(rows[0] ?? {})[0]);
  };
  return [
    { name: "journal_mode", value: await read(sql`pragma journal_mode`), needed: "wal" },
    { name: "synchronous", value: await read(sql`pragma synchronous`), needed: "2" },
    { name: "foreign_keys", value: await read(sql`pragma foreign_keys`), needed: "1" },
    { name: "secure_delete", value: await read(sql`pragma secure_delete`), needed: "1" },
  ];
}

/** Checks the structure of the file (`quick_check`). Reads the whole file, but does not compare indexes with tables. */
export async function isSound(db: Db): Promise<boolean> {
  try {
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
    return rows[0]?.quick_check === "ok";
  } catch (error) {
    if (isDamaged(error)) return false;
    throw error;
  }
}
