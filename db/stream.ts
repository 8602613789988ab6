import type { CompiledQuery } from "kysely";
import type { Db } from "./database.ts";

/**
 * Streams the rows of a query in batches, so that results of any size need little memory. Kysely's own `stream` yields
 * single rows, which doubles the time.
 */
export async function* streamRows<Row>(
  db: Db,
  query: { compile(): CompiledQuery<Row> },
  rowsAtATime: number,
): AsyncGenerator<Row[]> {
  for await (const { rows } of db.getExecutor().stream(query.compile(), rowsAtATime)) yield rows;
}
