import type { SelectQueryBuilder } from "kysely";
import type { PageSlice } from "../src/lib/page.ts";

/** The number of rows that a query selects. */
export async function countRows<Tables, From extends keyof Tables>(
  query: SelectQueryBuilder<Tables, From, object>,
): Promise<number> {
  const { total } = await query
    .select((select) => select.fn.countAll().as("total"))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow();
  return total;
}

/**
 * One page of a list, and the number of rows on all pages.
 *
 * @param list without columns and order.
 * @param rows the same rows with their columns, in order.
 */
export async function readPage<
  Listed,
  From extends keyof Listed,
  Tables,
  Name extends keyof Tables,
  Row,
>(
  list: SelectQueryBuilder<Listed, From, object>,
  rows: SelectQueryBuilder<Tables, Name, Row>,
  { pageSize, offset }: PageSlice,
) {
  return {
    rows: await rows.limit(pageSize).offset(offset).execute(),
    total: await countRows(list),
  };
}
