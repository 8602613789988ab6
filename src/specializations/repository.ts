import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { toBit } from "../../db/schema.ts";
import type { PageSlice } from "../lib/page.ts";

export interface SpecializationFilter {
  isActive?: boolean;
}

function selectMatching(db: Db, organizationId: string, { isActive }: SpecializationFilter) {
  return db
    .selectFrom("specializations")
    .where("organization_id", "=", organizationId)
    .$if(isActive !== undefined, (query) =>
      query.where("is_active", "=", toBit(isActive === true)),
    );
}

/** One page of an organization's specializations, ordered by name, then id. */
export function listSpecializations(
  db: Db,
  organizationId: string,
  filter: SpecializationFilter,
  page: PageSlice,
) {
  return selectMatching(db, organizationId, filter)
    .select(["public_id", "name", "is_active"])
    .orderBy("name")
    .orderBy("public_id")
    .limit(page.pageSize)
    .offset(page.offset)
    .execute();
}

/** Counts the specializations that match the filter. */
export async function countSpecializations(
  db: Db,
  organizationId: string,
  filter: SpecializationFilter,
): Promise<number> {
  const { total } = await selectMatching(db, organizationId, filter)
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** The active specializations of the organization among the given ids, ordered by id. */
export function findActiveSpecializations(db: Db, organizationId: string, ids: string[]) {
  return selectMatching(db, organizationId, { isActive: true })
    .select(["public_id", "name"])
    .where(isOneOf("public_id", ids))
    .orderBy("public_id")
    .execute();
}
