import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { byId } from "../../db/join.ts";
import { prepared } from "../../db/prepared.ts";
import type { Instant } from "../lib/instant.ts";

/** An organization's writes: when each was made, and by whom. */

/** The maker of a write, as the audit trail names them. */
interface Writer {
  organizationId: string;
  time: Instant;
  keyId: string | null;
  userId: string | null;
  operator: string | null;
}

/**
 * Notes the organization's last write as that of a caller, in its transaction. Nothing is noted if the transaction has
 * changed no record: then the last write is another one, which is noted.
 */
export async function noteWrite(trx: Db, writer: Writer): Promise<void> {
  const { organizationId, time, keyId, userId, operator } = writer;
  await insertWrite(trx, { organizationId, time, keyId, userId, operator });
}

const insertWrite = prepared((trx, { organizationId, time, keyId, userId, operator }: Writer) =>
  trx
    .insertInto("writes")
    .columns(["organization_id", "sequence", "time", "key_id", "user_id", "operator"])
    .expression(
      trx
        .selectFrom("organizations")
        .select((select) => [
          "public_id",
          "sequence",
          select.val(time).as("time"),
          select.val(keyId).as("key_id"),
          select.val(userId).as("user_id"),
          select.val(operator).as("operator"),
        ])
        .where("public_id", "=", organizationId),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** The sequence of an organization's first known write at or after an instant; undefined without one. */
export async function findFirstSequence(
  db: Db,
  organizationId: string,
  from: Instant,
): Promise<number | undefined> {
  const first = await db
    .selectFrom("writes")
    .select("sequence")
    .where("organization_id", "=", organizationId)
    .where("time", ">=", from)
    .orderBy("time")
    .orderBy("sequence")
    .limit(1)
    .executeTakeFirst();
  return first?.sequence;
}

/** A write, with the current name of the person, the key or the operator. */
export interface Write {
  time: Instant;
  /** Null for a key that is gone. */
  by: string | null;
}

/** Some writes of an organization, by sequence; those that are not known are missing. */
export async function findWrites(
  db: Db,
  organizationId: string,
  sequences: readonly number[],
): Promise<Map<number, Write>> {
  const rows = await db
    .selectFrom("writes as write")
    .leftJoin("users as user", byId("user", "write.user_id"))
    .leftJoin("api_keys as key", (join) =>
      join
        .onRef("key.organization_id", "=", "write.organization_id")
        .onRef("key.id", "=", "write.key_id"),
    )
    .select([
      "write.sequence",
      "write.time",
      sql<
        string | null
      >`coalesce("user".first_name || ' ' || "user".last_name, "key".name, "write".operator)`.as(
        "by",
      ),
    ])
    .where("write.organization_id", "=", organizationId)
    .where(isOneOf("write.sequence", sequences))
    .execute();
  return new Map(rows.map(({ sequence, ...write }) => [sequence, write]));
}

/** Forgets an organization's writes before an instant, but not the last one: nothing has superseded it. */
export async function forgetWrites(
  trx: Db,
  organizationId: string,
  before: Instant,
): Promise<void> {
  await trx
    .deleteFrom("writes")
    .where("organization_id", "=", organizationId)
    .where("time", "<", before)
    .where("sequence", "<", (select) =>
      select.selectFrom("organizations").select("sequence").where("public_id", "=", organizationId),
    )
    .execute();
}
