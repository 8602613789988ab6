import type { CompiledQuery } from "kysely";
import type { Db } from "./database.ts";

/**
 * The rows of a query as they are read, so many at a time, so that a result of any size takes little memory. Kysely's
 * own `stream` hands over each row by itself, which takes as long as to read it.
 */
export async function* streamRows<Row>(
  db: Db,
  query: { compile(): CompiledQuery<Row> },
  rowsAtATime: number,
): AsyncGenerator<Row[]> {
  for await (const { rows } of db.getExecutor().stream(query.compile(), rowsAtATime)) yield rows;
}
