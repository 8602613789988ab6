import { expect, test } from "bun:test";
import { sql } from "kysely";
import type { Database, Db } from "../../db/database.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { Mistakes } from "../../src/practice-file/mistakes.ts";
import { linesOf } from "../../src/practice-file/lines.ts";
import { readPracticeFile } from "../../src/practice-file/read-file.ts";
import { DryRun, writePracticeFile } from "../../src/practice-file/import.ts";
import { newDatabase, NOW } from "../support/harness.ts";
import { type Fields, fileOf, mustImport } from "../support/practice-file/practice-file.ts";

/**
 * The time of an import is in proportion to its lines, whatever the planner believes of the tables. Times vary, so the
 * rows are counted that the transaction has read.
 */

const USERS = 4_000;
const organization = (publicId: string): Fields => ({ type: "organization", publicId, name: "X" });
const users = (count: number): Fields[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ type: "user", publicId: `usr_${index}`, role: "PATIENT" },
    ...{ firstName: "A", lastName: "B", locationIds: ["loc_1"] },
  }));
const location = { type: "location", publicId: "loc_1", name: "L" };

async function rowsRead(db: Db): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as total from pg_stat_xact_user_tables
  `.execute(db);
  return Number(rows[0]?.total);
}

/** Imports many users into an existing organization. Returns how many rows were read for each. */
async function rowsPerLine(
  database: Database,
  organizationId: string,
  { isDryRun }: { isDryRun: boolean },
): Promise<number> {
  const text = fileOf([organization(organizationId), location, ...users(USERS)]);
  const mistakes = new Mistakes(true);
  const file = await readPracticeFile(linesOf([Buffer.from(text)]), { mistakes });
  if (file === undefined) throw new Error("The file has no organization");
  let read = 0;
  const work = async (trx: Db) => {
    const options = { now: NOW as Instant, isDryRun };
    try {
      await writePracticeFile(trx, file, options);
    } finally {
      read = await rowsRead(trx);
    }
  };
  await database.write(work, { organizationId, isLong: true }).catch((error: unknown) => {
    if (!(error instanceof DryRun)) throw error;
  });
  return read / USERS;
}

/** Per user: its id, its row, its location's row for the foreign key and the lookups, its row for the notes. */
const MAX_ROWS = 40;

test.each([
  { before: "nothing", organizations: [] },
  // The statistics then say that each organization has a few rows, however many rows there are.
  { before: "small organizations", organizations: ["org_a", "org_b", "org_c", "org_d"] },
])("imports read few rows for each line after $before and a dry run", async (practice) => {
  const database = await newDatabase();
  for (const id of practice.organizations)
    await mustImport(database, [organization(id), location, ...users(3)]);
  await database.write((trx) => sql`analyze users`.execute(trx), { organizationId: "org_a" });
  await mustImport(database, [organization("org_1")]);
  await mustImport(database, [organization("org_2")]);

  for (const id of ["org_1", "org_2"])
    for (const isDryRun of [true, true, false])
      expect(await rowsPerLine(database, id, { isDryRun })).toBeLessThan(MAX_ROWS);
  // The same file again, which changes nothing.
  expect(await rowsPerLine(database, "org_1", { isDryRun: false })).toBeLessThan(MAX_ROWS);
});

test("plans know the rows of a small organization as soon as it is imported", async () => {
  const database = await newDatabase();
  await mustImport(database, [organization("org_1"), location, ...users(200)]);

  const plan = sql<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>`
    explain (format json) select from users where organization_id = 'org_1'
  `;
  const { rows } = await database.read((db) => plan.execute(db));
  expect(rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"]).toBe(200);
});
