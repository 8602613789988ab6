import { Database as SqliteFile } from "bun:sqlite";
import type { Attempt } from "./killing.ts";
import { LABELS, LAST_NAME, LOCATION, type Practice, SPECIALIZATION, STAGE } from "./practice.ts";

/** Compares the rows of a database with the responses that clients got. */

type Row = Record<string, unknown>;

/**
 * Every difference between the stored rows and these writes, which must be all that were made:
 * lost, half stored or additional rows.
 */
export function inconsistenciesIn(practice: Practice, attempts: readonly Attempt[]): string[] {
  const file = new SqliteFile(practice.path, { readonly: true });
  try {
    const stored = readTables(file);
    return [
      ...attempts.flatMap((attempt) => inconsistenciesOf(attempt, stored, practice)),
      ...extraRows(attempts, stored),
      ...integrityErrors(file),
    ];
  } finally {
    file.close();
  }
}

function readTables(file: SqliteFile) {
  const rows = (sql: string) => file.query<Row, []>(sql).all();
  const by = (column: string, sql: string) => Map.groupBy(rows(sql), (row) => row[column]);
  return {
    users: by("public_id", `select * from users where last_name = '${LAST_NAME}'`),
    leads: by("client_id", "select * from intake_leads"),
    labels: by("lead_id", "select * from intake_lead_labels order by label_id"),
    locations: by("user_id", "select * from user_locations"),
    specializations: by("user_id", "select * from provider_specializations"),
    answers: by("idempotency_key", "select * from idempotent_responses"),
    audit: by("request_id", "select * from audit_entries"),
  };
}

type Stored = ReturnType<typeof readTables>;

/** The missing or wrong rows of one write: its records, its stored response and its audit entry. */
function inconsistenciesOf(
  { write, answer, writtenBy = "" }: Attempt,
  stored: Stored,
  practice: Practice,
) {
  const expectations: [what: string, actual: unknown, expected: unknown][] = [];
  const expectOne = (what: string, rows: Row[] | undefined, expected: Row) =>
    expectations.push([what, rows?.map((row) => picked(row, expected)), [expected]]);
  const body = JSON.parse(write.body);
  const answered = JSON.parse(answer?.text ?? "{}");
  const organization_id = practice.organization;
  const isLead = write.path === "/api/v1/intake-leads";

  if (isLead) {
    const [patient, caregiver] = [answered.client.publicId, answered.caregiver.publicId];
    expectOne("patient", stored.users.get(patient), {
      organization_id,
      role: "PATIENT",
      first_name: body.client.firstName,
      birth_date: body.client.birthdate,
      caregiver_id: caregiver,
    });
    expectOne("caregiver", stored.users.get(caregiver), {
      organization_id,
      role: "CAREGIVER",
      first_name: body.caregiver.firstName,
      email: body.caregiver.email,
      phone_number: body.caregiver.phone,
    });
    expectOne("lead", stored.leads.get(patient), {
      organization_id,
      caregiver_id: caregiver,
      stage_id: STAGE,
      attribution: JSON.stringify(body.attribution),
    });
    const labels = stored.labels.get(stored.leads.get(patient)?.[0]?.public_id);
    expectations.push(["labels", labels?.map((row) => row.label_id), LABELS]);
    expectOne("location", stored.locations.get(patient), { location_id: LOCATION });
  } else {
    const { publicId } = answered.user;
    expectOne("user", stored.users.get(publicId), {
      organization_id,
      role: "TECHNICIAN",
      first_name: body.firstName,
      email: body.email,
    });
    expectOne("specialization", stored.specializations.get(publicId), {
      specialization_id: SPECIALIZATION,
    });
  }
  expectOne("stored answer", stored.answers.get(write.id), { status: answer?.status });
  expectOne("audit row", stored.audit.get(writtenBy), {
    organization_id,
    method: "POST",
    status: answer?.status,
    patient_ids: JSON.stringify(isLead ? [answered.client.publicId] : []),
  });
  return expectations
    .filter(([, actual, expected]) => !Bun.deepEquals(actual, expected))
    .map(([what, actual]) => `${write.id}: the ${what} is ${JSON.stringify(actual)}`);
}

/** The columns of a row that the expectation has. */
function picked(row: Row, expected: Row): Row {
  return Object.fromEntries(Object.keys(expected).map((column) => [column, row[column]]));
}

/** If every write is complete, additional rows are parts of other writes. */
function extraRows(attempts: readonly Attempt[], stored: Stored): string[] {
  const leads = attempts.filter(({ write }) => write.path === "/api/v1/intake-leads").length;
  const users = attempts.length - leads;
  const expected = {
    users: 2 * leads + users,
    leads,
    labels: leads * LABELS.length,
    locations: leads,
    specializations: users,
    answers: attempts.length,
  };
  const actual = Object.fromEntries(
    Object.keys(expected).map((table) => [
      table,
      [...(stored[table as keyof typeof expected] as Map<unknown, Row[]>).values()].flat().length,
    ]),
  );
  return [
    ...(Bun.deepEquals(actual, expected)
      ? []
      : [`the tables have ${JSON.stringify(actual)} rows instead of ${JSON.stringify(expected)}`]),
  ];
}

/** Errors that SQLite itself finds in the file. */
export function integrityErrors(file: SqliteFile): string[] {
  const integrity = file.query<{ integrity_check: string }, []>("pragma integrity_check").all();
  const orphans = file.query<Row, []>("pragma foreign_key_check").all();
  return [
    ...integrity.map((row) => row.integrity_check).filter((finding) => finding !== "ok"),
    ...orphans.map((row) => `broken reference: ${JSON.stringify(row)}`),
  ];
}
