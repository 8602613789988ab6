import type { Db } from "../../db/database.ts";
import type { OrganizationRow, Schema } from "../../db/schema.ts";
import { readRowsAfter, readTopGoalsAfter } from "./export-repository.ts";
import { exportGoals } from "./exporters/goals.ts";
import { intakeLeadsFields } from "./exporters/intake.ts";
import {
  authorizationFields,
  authorizationPoolFields,
  intakeStageFields,
  namedFields,
  organizationFields,
  serviceLineFields,
  specializationFields,
  treatmentPlanFields,
} from "./exporters/rows.ts";
import { usersFields } from "./exporters/users.ts";
import type { RecordTable } from "./repository.ts";
import { exportEncounter, exportSession } from "./sessions.ts";

/** Rows that are in memory at once; a goal's record holds all that was recorded on it. */
const ROWS_PER_PAGE = 1_000;
const GOALS_PER_PAGE = 50;

/**
 * Writes an organization as a practice file, in pieces of whole lines: records in the order of the table of
 * the practice file, each type by id, fields in the order shown, and nothing for an optional field without a
 * value. So equal data gives equal bytes. `db` is one snapshot.
 */
export async function* exportPractice(
  db: Db,
  organization: OrganizationRow,
): AsyncGenerator<string> {
  const id = organization.public_id;
  yield lines([organizationFields(organization)]);
  yield* rowsOf(db, id, "locations", (row) => namedFields("location", row));
  yield* rowsOf(db, id, "payors", (row) => namedFields("payor", row));
  yield* rowsOf(db, id, "service_lines", serviceLineFields);
  yield* rowsOf(db, id, "non_billable_codes", (row) => namedFields("nonBillableCode", row));
  yield* rowsOf(db, id, "specializations", specializationFields);
  yield* rowsOf(db, id, "intake_stages", intakeStageFields);
  yield* rowsOf(db, id, "intake_labels", (row) => namedFields("intakeLabel", row));
  for await (const users of pagesOf(db, id, "users")) yield lines(await usersFields(db, id, users));
  yield* rowsOf(db, id, "authorization_pools", authorizationPoolFields);
  yield* rowsOf(db, id, "authorizations", authorizationFields);
  yield* rowsOf(db, id, "sessions", exportSession);
  yield* rowsOf(db, id, "encounters", exportEncounter);
  for await (const leads of pagesOf(db, id, "intake_leads"))
    yield lines(await intakeLeadsFields(db, id, leads));
  yield* rowsOf(db, id, "treatment_plans", treatmentPlanFields);
  const topGoals = (after: string) => readTopGoalsAfter(db, id, after, GOALS_PER_PAGE);
  for await (const goals of pages(topGoals)) yield lines(await exportGoals(db, id, goals));
}

async function* rowsOf<Table extends RecordTable>(
  db: Db,
  organizationId: string,
  table: Table,
  fields: (row: Schema[Table]) => object,
): AsyncGenerator<string> {
  for await (const rows of pagesOf(db, organizationId, table)) yield lines(rows.map(fields));
}

function pagesOf<Table extends RecordTable>(db: Db, organizationId: string, table: Table) {
  return pages<Schema[Table]>((after) =>
    readRowsAfter(db, table, organizationId, after, ROWS_PER_PAGE),
  );
}

/** Page after page, each read from where the one before ended. */
async function* pages<Row extends { public_id: string }>(
  readAfter: (publicId: string) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: string | undefined = "";
  while (last !== undefined) {
    const rows: Row[] = await readAfter(last);
    if (rows.length > 0) yield rows;
    last = rows.at(-1)?.public_id;
  }
}

function lines(records: object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
