import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { insert, issueKey, newApiKey, newPasskeyRow } from "../support/factories.ts";
import { TestService } from "../support/harness.ts";
import {
  databaseOfFullPractice,
  idsOfFullPractice,
} from "../support/practice-file/full-practice.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";
import {
  ABOUT_A_PATIENT,
  filled,
  type Ids,
  lists,
  namings,
  operations,
  reads,
  writes,
} from "../support/operations.ts";

/**
 * The audit row of each operation names the patients whose records the response contains, and nobody else. A record
 * belongs to a patient by its id, wherever in a response the id stands.
 */

const database = await databaseOfFullPractice();
// After its authorization: a finding of the checks.
await mustImport(database, [
  { type: "organization", publicId: "org_maple" },
  {
    ...{ type: "encounter", publicId: "enc_late", authorizationId: "auth_2", units: 1 },
    startTime: "2026-01-09T15:00:00.000Z",
  },
]);
const service = new TestService(database);
const key = await newApiKey(database, "org_maple");
await insert(database, "passkeys", newPasskeyRow("org_maple", "usr_tech", "passkey_tech"));

const calendar = await issueKey(database, "org_maple", {
  ...{ holder: { userId: "usr_tech" }, kind: "CALENDAR" },
});

const ids: Ids = (kind) => {
  if (kind === "passkey") return "passkey_tech";
  return kind === "calendar" ? calendar.id : idsOfFullPractice(kind);
};

/** The patient of each record, by the record's id. */
async function owners(): Promise<Map<string, string>> {
  const { rows } = await database.read((db) =>
    sql<{ id: string; patient: string }>`
      select public_id as id, public_id as patient from users where role = 'PATIENT'
      union select public_id, patient_id from authorization_pools
      union select public_id, patient_id from authorizations
      union select public_id, client_id from sessions where client_id is not null
      union select encounters.public_id, patient_id from encounters
        join authorizations on authorizations.public_id = authorization_id
      union select public_id, client_id from intake_leads
      union select public_id, patient_id from treatment_plans
      union select goals.public_id, patient_id from goals
        join treatment_plans on treatment_plans.public_id = treatment_plan_id
      union select child_goals.public_id, patient_id from child_goals
        join goals on goals.public_id = goal_id
        join treatment_plans on treatment_plans.public_id = treatment_plan_id
    `.execute(db),
  );
  return new Map(rows.map(({ id, patient }) => [id, patient]));
}

/** The patients whose records have their ids in a text. */
function patientsIn(text: string, ownersById: ReadonlyMap<string, string>): string[] {
  const words = new Set(text.match(/[A-Za-z0-9_-]+/g));
  const patients = [...words].flatMap((word) => ownersById.get(word) ?? []);
  return [...new Set(patients)].toSorted();
}

/** The paths of the responses that had rows. */
const withRows = new Set<string>();

test.each([...reads, ...writes].map((request) => filled(request, ids)))(
  "$line",
  async ({ line, operation: _, operationId: __, ...sent }) => {
    const requestId = crypto.randomUUID();
    const before = await owners();
    const { status, body, text } = await service.call(line, {
      key,
      ...sent,
      headers: { ...sent.headers, "X-Request-Id": requestId },
    });
    expect(status).toBeLessThan(300);
    if ((body as { data?: unknown[] } | null)?.data?.length)
      withRows.add(line.replace(/^GET |\?.*$/g, ""));
    const row = await database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select("patient_ids")
        .where("request_id", "=", requestId)
        .executeTakeFirstOrThrow(),
    );
    const named = JSON.parse(row.patient_ids) as string[] | "*";
    const ownersById = new Map([...before, ...(await owners())]);
    const isWhole = line.startsWith("GET /api/v1/practice-file") && !line.includes("types=");
    if (isWhole) return expect(named).toBe("*");
    const shown = patientsIn(text, ownersById);
    const asked = patientsIn(line + JSON.stringify(sent), ownersById);
    expect(named).toEqual(
      expect.arrayContaining(line.startsWith("GET") ? shown : [...shown, ...asked]),
    );
    expect([...shown, ...asked]).toEqual(expect.arrayContaining(named as string[]));
  },
);

test("every operation was used", () => {
  const used = new Set(service.log.map(({ method, route }) => `${method} ${route}`));
  const all = operations.map(({ operation }) => operation);
  expect(all.filter((operation) => !used.has(operation))).toEqual([]);
});

test("every list was read with rows, without which it names nobody", () => {
  const paged = lists.filter(({ parameters }) => "page" in parameters);
  expect(paged.filter(({ path }) => !withRows.has(`/api${path}`))).toEqual([]);
});

/** The patients that the last audit row names. */
async function namedBy(path: string): Promise<unknown> {
  const requestId = crypto.randomUUID();
  // A new key, because repeated refusals of one key are summed up.
  const headers = { "X-Request-Id": requestId };
  await service.call(`GET /api/v1/${path}`, {
    key: await newApiKey(database, "org_maple"),
    headers,
  });
  const row = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select("patient_ids")
      .where("request_id", "=", requestId)
      .executeTakeFirstOrThrow(),
  );
  return JSON.parse(row.patient_ids);
}

describe("a list without rows names the patient of its filter, about whom it says something", () => {
  const filters = namings.filter(
    ({ request, kind }) =>
      ABOUT_A_PATIENT.includes(kind) &&
      // It was deleted above.
      kind !== "goal" &&
      lists.some(
        ({ operation, parameters }) => operation === request.operation && "page" in parameters,
      ),
  );
  test.each(filters)("$operation: $field", async ({ request, field, kind }) => {
    const [path] = request.line.slice("GET /api/v1/".length).split("?");
    expect(await namedBy(`${path}?${field}=${ids(kind)}&page=9`)).toEqual(["usr_kid"]);
  });
});

test.each([
  ...["users/usr_none", "users/usr_bcba", "intake-leads/lead_none", "goals/goal_none"],
  ...["sessions/apt_none", "authorization-utilization/auth_none", "supervision", "locations"],
])("%s names nobody", async (path) => {
  expect(await namedBy(path)).toEqual([]);
});
