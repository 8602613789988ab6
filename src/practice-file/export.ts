import type { Db } from "../../db/database.ts";
import { kinds } from "./kinds.ts";

/**
 * Writes an organization as a practice file, in pieces of whole lines: the types of record in the order of `kinds`, each
 * type by id, fields in the order of their schemas, and nothing for an optional field without a value. So equal data
 * gives equal bytes. `db` is one snapshot.
 */
export async function* exportPractice(db: Db, organizationId: string): AsyncGenerator<string> {
  for (const kind of Object.values(kinds))
    for await (const records of kind.export(db, organizationId))
      yield records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
