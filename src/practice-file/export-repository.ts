import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import type { Schema } from "../../db/schema.ts";
import type { RecordTable } from "./repository.ts";

/** The rows of a table that come after an id, in the order of their ids. */
export async function readRowsAfter<Table extends RecordTable>(
  db: Db,
  table: Table,
  organizationId: string,
  after: string,
  limit: number,
): Promise<Schema[Table][]> {
  const rows = await db
    .selectFrom(table as "locations")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("public_id", ">", after)
    .orderBy("public_id")
    .limit(limit)
    .execute();
  return rows as unknown as Schema[Table][];
}

/** The same of goals that are nobody's children, whose records hold the others. */
export function readTopGoalsAfter(db: Db, organizationId: string, after: string, limit: number) {
  return db
    .selectFrom("goals")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("parent_goal_id", "is", null)
    .where("public_id", ">", after)
    .orderBy("public_id")
    .limit(limit)
    .execute();
}

/** The payors that some providers work with. */
export function providerPayorsOf(db: Db, organizationId: string, userIds: string[]) {
  return db
    .selectFrom("provider_payors")
    .select(["user_id", "payor_id"])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("user_id", userIds))
    .orderBy("user_id")
    .orderBy("payor_id")
    .execute();
}

export function labelsOf(db: Db, organizationId: string, leadIds: string[]) {
  return db
    .selectFrom("intake_lead_labels")
    .select(["lead_id", "label_id"])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("lead_id", leadIds))
    .orderBy("lead_id")
    .orderBy("label_id")
    .execute();
}
