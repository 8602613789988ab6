import type { Db } from "../../db/database.ts";
import type { Row } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import { pack, RULES_VERSION, rulesOf } from "../lib/zone-rules.ts";

/** The rules of time zones by which organizations' sessions were written. */

/** Notes that from now on an organization's sessions are written by the program's rules of its zone, if it has one. */
export async function noteRules(
  trx: Db,
  organizationId: string,
  zone: string | null,
): Promise<void> {
  await forgetRulesInForce(trx, organizationId);
  if (zone === null) return;
  const row = { version: RULES_VERSION, rules: pack(rulesOf(zone)), last_sequence: null };
  await writeRules(trx, { organization_id: organizationId, zone, ...row });
}

/** Forgets the rules in force, which no session shows. */
export async function forgetRulesInForce(trx: Db, organizationId: string): Promise<void> {
  await trx
    .deleteFrom("zone_rules")
    .where("organization_id", "=", organizationId)
    .where("last_sequence", "is", null)
    .execute();
}

/** Notes rules, of which there may be a row from before, if an older version of the program has been back. */
export async function writeRules(trx: Db, row: Row<"zone_rules">): Promise<void> {
  await trx
    .insertInto("zone_rules")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["organization_id", "zone", "version"])
        .doUpdateSet({ rules: row.rules, last_sequence: row.last_sequence }),
    )
    .execute();
}

/** The organizations whose rules in force are of another version, or unknown. */
export function listOutdated(db: Db) {
  return db
    .selectFrom("organizations as organization")
    .leftJoin("zone_rules as rules", (join) =>
      join
        .onRef("rules.organization_id", "=", "organization.public_id")
        .onRef("rules.zone", "=", "organization.time_zone")
        .on("rules.last_sequence", "is", null),
    )
    .select(["public_id", "time_zone", "sequence", "version", "rules"])
    .where("time_zone", "is not", null)
    .where((where) =>
      where.or([where("version", "is", null), where("version", "!=", RULES_VERSION)]),
    )
    .orderBy("public_id")
    .execute();
}

/** The rules that are not in force any more, of the zones that organizations still have; the oldest first. */
export function listOlderRules(db: Db) {
  return db
    .selectFrom("zone_rules as rules")
    .innerJoin("organizations as organization", (join) =>
      join
        .onRef("rules.organization_id", "=", "organization.public_id")
        .onRef("rules.zone", "=", "organization.time_zone"),
    )
    .select(["organization_id", "zone", "version", "rules", "last_sequence"])
    .where("last_sequence", "is not", null)
    .orderBy("organization_id")
    .orderBy("last_sequence")
    .execute();
}

/** When an organization's sessions are that have not begun, of those that some of its writes wrote last. */
export function listTimesToCome(
  db: Db,
  organizationId: string,
  { now, after, last }: { now: Instant; after: number; last: number },
) {
  return db
    .selectFrom("sessions")
    .select(({ fn }) => ["start_time", "end_time", fn.countAll<number>().as("sessions")])
    .where("organization_id", "=", organizationId)
    .where("start_time", ">", now)
    .where("sequence", ">", after)
    .where("sequence", "<=", last)
    .groupBy(["start_time", "end_time"])
    .execute();
}
