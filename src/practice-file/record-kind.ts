import type { Db } from "../../db/database.ts";
import type { OrganizationRow, Schema } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import type { Batch } from "./batch.ts";
import type { KnownRecords } from "./known-records.ts";
import type { LateChecks } from "./late-checks.ts";
import type { RecordLine } from "./record-line.ts";
import { type RecordTable, readRowsAfter } from "./repository.ts";

/** What the import of each record works with. */
export interface ImportContext {
  organizationId: string;
  /** Where the organization's own record stands. */
  organizationLine: number;
  now: Instant;
  /** The organization as its record has it. */
  organizationRow?: Partial<OrganizationRow> & Pick<OrganizationRow, "public_id">;
  known: KnownRecords;
  late: LateChecks;
}

/** What is done with the records of a type. */
export interface RecordKind<Record> {
  /** Checks a record against the rest of the practice. */
  check?(record: Record, line: RecordLine, context: ImportContext): void;
  /** What a sound record comes to, as others need to know it. */
  write(record: Record, batch: Batch, line: RecordLine, context: ImportContext): object;
  /** All records of an organization by id, in pages that are in memory one at a time. */
  export(db: Db, organizationId: string): AsyncGenerator<object[]>;
}

/** Rows that are in memory at once. */
const ROWS_PER_PAGE = 1_000;

/** Exports records that are one row each. */
export function exportRows<Table extends RecordTable>(
  table: Table,
  exportRow: (row: Schema[Table]) => object,
): RecordKind<never>["export"] {
  return exportPages(table, (_, __, rows) => Promise.resolve(rows.map(exportRow)));
}

/** Exports records of which more is to be read than their rows. */
export function exportPages<Table extends RecordTable>(
  table: Table,
  exportPage: (db: Db, organizationId: string, rows: Schema[Table][]) => Promise<object[]>,
): RecordKind<never>["export"] {
  return async function* (db, organizationId) {
    const readAfter = (after: string) =>
      readRowsAfter(db, { table, organizationId, after }, ROWS_PER_PAGE);
    for await (const rows of pages(readAfter)) yield await exportPage(db, organizationId, rows);
  };
}

/** Page after page, each read from where the one before ended. */
export async function* pages<Row extends { public_id: string }>(
  readAfter: (publicId: string) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: string | undefined = "";
  while (last !== undefined) {
    const rows: Row[] = await readAfter(last);
    if (rows.length > 0) yield rows;
    last = rows.at(-1)?.public_id;
  }
}
