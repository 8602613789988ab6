import { expect, test } from "bun:test";
import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { authorizationMap, authorizationPoolMap } from "../../src/schema/authorizations.ts";
import { treatmentPlanMap } from "../../src/schema/goals.ts";
import { intakeLeadMap, labelLinks } from "../../src/schema/intake-leads.ts";
import type { RecordMap } from "../../src/schema/record-map.ts";
import {
  intakeLabelMap,
  intakeStageMap,
  locationMap,
  nonBillableCodeMap,
  organizationMap,
  payorMap,
  serviceLineMap,
  specializationMap,
} from "../../src/schema/reference-data.ts";
import { encounterMap, sessionMap } from "../../src/schema/sessions.ts";
import { entryLinks, userLinks, userMap } from "../../src/schema/users.ts";
import { newDatabase } from "../support/harness.ts";

/** Each record's map has every column of its table, so that no stored value is lost. */

/** The maps of records, and columns that are not part of the record: owners and computed values. */
const maps: [RecordMap, others?: string[]][] = [
  [organizationMap, ["created_at"]],
  [locationMap],
  [payorMap],
  [serviceLineMap],
  [nonBillableCodeMap],
  [specializationMap],
  [intakeStageMap],
  [intakeLabelMap],
  [
    userMap,
    [
      ...["last_name_key", "first_name_key", "email_key", "search_text"],
      ...["payors", "credentials", "credentials_end"],
    ],
  ],
  [authorizationPoolMap],
  [authorizationMap],
  [sessionMap, ["over_midnight"]],
  [encounterMap],
  [intakeLeadMap],
  [treatmentPlanMap],
];

/** Link tables, which store lists of ids. */
const batches = { table: "billed_batches", owner: "encounter_id", linked: "batch" } as const;
const links = [...Object.values(userLinks), ...Object.values(entryLinks), labelLinks, batches];

/** Tables of Caseload's own data, and of goals, which are documents. */
const OWN =
  /^(goals|child_goals|recorded_data|api_keys|key_organizations|passkeys|invitations|sign_ins|secrets|idempotent_responses|schema_migrations|versions|zone_rules|sqlite_sequence|audit_.*|.*_counts|deletions|writes|webhooks)$/;

const database = await newDatabase();

/** Columns of every record that are not part of it: its organization, and its first and last write. */
const BESIDE = ["organization_id", "sequence", "first_sequence", "changes_known_from"];

async function columnsOf(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_info(${table})
  `.execute(db);
  return rows
    .map(({ name }) => name)
    .filter((name) => !BESIDE.includes(name))
    .sort();
}

test.each(maps.map(([map, others = []]) => [map.table, map, others] as const))(
  "the map of %s has every column",
  async (table, { fields }, others) => {
    const mapped = Object.values(fields).map(({ column }): string => column);
    expect([...mapped, ...others].sort()).toEqual(
      await database.read((db) => columnsOf(db, table)),
    );
  },
);

test.each(links.map((link) => [link.table, link] as const))(
  "the links of %s have every column",
  async (table, { owner, linked }) => {
    expect<string[]>([owner, linked].sort()).toEqual(
      await database.read((db) => columnsOf(db, table)),
    );
  },
);

test("every table has a map or is known not to need one", async () => {
  const tables = await database.read((db) => db.introspection.getTables());
  const known = [...maps.map(([{ table }]) => table), ...links.map(({ table }) => table)];
  expect(
    tables
      .map(({ name }) => name)
      .filter((name) => !OWN.test(name))
      .sort(),
  ).toEqual([...known].sort());
});
