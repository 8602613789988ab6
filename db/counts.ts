import { sql } from "kysely";
import type { Db } from "./database.ts";
import { type Count, counts } from "./tables.ts";

/** Counts all rows anew, as triggers have counted them one by one. */
export async function countAnew(trx: Db): Promise<void> {
  for (const [table, { of, number, groups }] of Object.entries(counts as Record<string, Count>)) {
    const columns = sql.raw(["organization_id", ...Object.keys(groups)].join(", "));
    const values = sql.raw(
      ["organization_id", ...Object.values(groups).map((value) => value(""))].join(", "),
    );
    await sql`delete from ${sql.table(table)}`.execute(trx);
    await sql`insert into ${sql.table(table)} (${columns}, ${sql.ref(number)})
      select ${values}, count(*) from ${sql.table(of)} group by ${values}`.execute(trx);
  }
}
