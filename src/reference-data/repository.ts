import type { Db } from "../../db/database.ts";
import { readPage } from "../../db/page.ts";
import { toBit } from "../../db/schema.ts";
import type { PageSlice } from "../lib/page.ts";
import { columnsFor } from "../schema/record-map.ts";
import { serviceLineMap } from "../schema/reference-data.ts";
import { ServiceLine } from "./model.ts";

/** Tables of records that are listed by name and have no filter. */
export const namedTables = [
  "locations",
  "payors",
  "service_lines",
  "non_billable_codes",
  "intake_labels",
] as const;

export type NamedTable = (typeof namedTables)[number];

/** One page of an organization's rows, ordered by name, then id. */
export function listNamed(db: Db, table: NamedTable, organizationId: string, page: PageSlice) {
  const list = selectNamed(db, table, organizationId);
  return readPage(list, byName(list).select(["public_id as publicId", "name"]), page);
}

/** One page of an organization's service lines, ordered by name, then id. */
export function listServiceLines(db: Db, organizationId: string, page: PageSlice) {
  const list = selectNamed(db, "service_lines", organizationId);
  const rows = byName(list).select(columnsFor(serviceLineMap, ServiceLine));
  return readPage(list, rows, page);
}

function selectNamed(db: Db, table: NamedTable, organizationId: string) {
  // The cast is safe: all these tables have the columns used here.
  return db.selectFrom(table as "service_lines").where("organization_id", "=", organizationId);
}

function byName(list: ReturnType<typeof selectNamed>) {
  return list.orderBy("name").orderBy("public_id");
}

export interface IntakeStageFilter {
  isActive?: boolean;
}

function selectStages(db: Db, organizationId: string, { isActive }: IntakeStageFilter) {
  return db
    .selectFrom("intake_stages")
    .where("organization_id", "=", organizationId)
    .$if(isActive !== undefined, (query) =>
      query.where("is_active", "=", toBit(isActive === true)),
    );
}

/** One page of an organization's intake stages, ordered by position on the board, then id. */
export function listIntakeStages(
  db: Db,
  organizationId: string,
  filter: IntakeStageFilter,
  page: PageSlice,
) {
  const list = selectStages(db, organizationId, filter);
  const rows = list
    .select(["public_id", "built_in_key", "name", "position", "is_active"])
    .orderBy("position")
    .orderBy("public_id");
  return readPage(list, rows, page);
}
