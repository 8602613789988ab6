import type { Db } from "../../db/database.ts";
import { derivedColumns } from "./rows.ts";

/**
 * Folds the text of all users anew, by which they are searched and sorted, after an upgrade: another version may fold
 * otherwise. What is equal is not written, and no record counts as changed.
 */
export async function foldAnew(trx: Db): Promise<void> {
  const users = await trx
    .selectFrom("users")
    .select(["organization_id", "public_id", "first_name", "last_name", "email", "phone_number"])
    .select(["internal_record_id", "last_name_key", "first_name_key", "search_text"])
    .execute();
  for (const user of users) {
    const { last_name_key, first_name_key, search_text } = derivedColumns(user);
    const folded = { last_name_key, first_name_key, search_text };
    if (Bun.deepMatch(folded, user)) continue;
    const { sql, parameters } = trx
      .updateTable("users")
      .set(folded)
      .where("organization_id", "=", user.organization_id)
      .where("public_id", "=", user.public_id)
      .compile();
    trx.executor.add(sql, parameters);
  }
  await trx.executor.added();
}
