import type { Db } from "../../db/database.ts";
import { toBit } from "../../db/schema.ts";
import type { PageSlice } from "../lib/page.ts";

/** Tables of records that are listed by name and have no filter. */
export const namedTables = [
  "locations",
  "payors",
  "service_lines",
  "non_billable_codes",
  "intake_labels",
] as const;

export type NamedTable = (typeof namedTables)[number];

/** The columns they share. */
interface NamedRow {
  publicId: string;
  name: string;
}

/** One page of an organization's rows, ordered by name, then id. */
export function listNamed(
  db: Db,
  table: NamedTable,
  organizationId: string,
  page: PageSlice,
): Promise<NamedRow[]> {
  return selectNamed(db, table, organizationId, page)
    .select(["public_id as publicId", "name"])
    .execute();
}

/** One page of an organization's service lines, ordered by name, then id. */
export function listServiceLines(db: Db, organizationId: string, page: PageSlice) {
  return selectNamed(db, "service_lines", organizationId, page)
    .select(["public_id as publicId", "name", "billing_unit_minutes as billingUnitMinutes"])
    .execute();
}

function selectNamed<Table extends NamedTable>(
  db: Db,
  table: Table,
  organizationId: string,
  { pageSize, offset }: PageSlice,
) {
  // The cast is safe: all these tables have the columns used here.
  return db
    .selectFrom(table as "service_lines")
    .where("organization_id", "=", organizationId)
    .orderBy("name")
    .orderBy("public_id")
    .limit(pageSize)
    .offset(offset);
}

/** Counts an organization's rows of a table. */
export async function countNamed(
  db: Db,
  table: NamedTable,
  organizationId: string,
): Promise<number> {
  const { total } = await db
    .selectFrom(table as "locations")
    .where("organization_id", "=", organizationId)
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
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
  { pageSize, offset }: PageSlice,
) {
  return selectStages(db, organizationId, filter)
    .select(["public_id", "built_in_key", "name", "position", "is_active"])
    .orderBy("position")
    .orderBy("public_id")
    .limit(pageSize)
    .offset(offset)
    .execute();
}

/** Counts the intake stages that match the filter. */
export async function countIntakeStages(
  db: Db,
  organizationId: string,
  filter: IntakeStageFilter,
): Promise<number> {
  const { total } = await selectStages(db, organizationId, filter)
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}
