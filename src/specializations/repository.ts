import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { readPage } from "../../db/page.ts";
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
  const list = selectMatching(db, organizationId, filter);
  const rows = list.select(["public_id", "name", "is_active"]).orderBy("name").orderBy("public_id");
  return readPage(list, rows, page);
}

/** The active specializations of the organization among the given ids, ordered by id. */
export function findActiveSpecializations(db: Db, organizationId: string, ids: string[]) {
  return selectMatching(db, organizationId, { isActive: true })
    .select(["public_id", "name"])
    .where(isOneOf("public_id", ids))
    .orderBy("public_id")
    .execute();
}
