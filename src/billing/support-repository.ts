import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import type { OwnedType } from "../schema/record-types.ts";

const tables = {
  encounter: "encounters",
  session: "sessions",
  authorization: "authorizations",
  authorizationPool: "authorization_pools",
  payor: "payors",
  serviceLine: "service_lines",
  user: "users",
} as const satisfies Partial<Record<OwnedType, string>>;

/** The numbers of the last writes of records, by type and id. */
export async function findSequences(
  db: Db,
  organizationId: string,
  records: readonly { type: OwnedType; publicId: string }[],
): Promise<Map<string, number>> {
  const sequences = new Map<string, number>();
  for (const [type, own] of Map.groupBy(records, (record) => record.type)) {
    const rows = await db
      .selectFrom(tables[type as keyof typeof tables] as "users")
      .where("organization_id", "=", organizationId)
      .where(isOneOf("public_id", [...new Set(own.map(({ publicId }) => publicId))]))
      .select(["public_id", "sequence"])
      .execute();
    for (const { public_id, sequence } of rows) sequences.set(`${type} ${public_id}`, sequence);
  }
  return sequences;
}
