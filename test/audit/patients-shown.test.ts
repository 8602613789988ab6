import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { insert, issueKey, newApiKey, newPasskeyRow } from "../support/factories.ts";
import { document, endpoints } from "../support/endpoints.ts";
import { reads } from "../support/everything.ts";
import { TestService } from "../support/harness.ts";
import { newLead } from "../support/intake-leads/practice.ts";
import {
  databaseOfFullPractice,
  encounter,
  organization,
} from "../support/practice-file/full-practice.ts";
import { listPaths } from "../support/parameters.ts";
import { fileOf } from "../support/practice-file/practice-file.ts";

/**
 * The audit row of each operation names the patients whose records the response contains, and nobody else. A record
 * belongs to a patient by its id, wherever in a response the id stands.
 */

const database = await databaseOfFullPractice();
const service = new TestService(database);
const key = await newApiKey(database, "org_maple");
await insert(database, "passkeys", newPasskeyRow("org_maple", "usr_bcba", "passkey_bcba"));

const calendar = await issueKey(database, "org_maple", {
  ...{ holder: { userId: "usr_bcba" }, kind: "CALENDAR" },
});

interface Ask {
  line: string;
  json?: unknown;
  raw?: string;
}

const writes: Ask[] = [
  {
    line: "POST /api/v1/users",
    json: { firstName: "Ida", lastName: "Newly", role: "PATIENT" },
  },
  { line: "POST /api/v1/users", json: { firstName: "Ivo", lastName: "Newly", role: "ADMIN" } },
  {
    line: "POST /api/v1/authorization-utilization/auth_1/what-if",
    json: { timezone: "UTC", cancel: ["apt_1"] },
  },
  { line: "POST /api/v1/intake-leads", json: newLead() },
  {
    line: "POST /api/v1/goals",
    json: { type: "rating", title: "Calm", treatmentPlanId: "tp_2" },
  },
  { line: "PATCH /api/v1/goals/goal_behavior", json: { status: "MASTERED" } },
  { line: "DELETE /api/v1/goals/goal_behavior" },
  { line: "POST /api/v1/users/usr_bcba/invitation" },
  { line: "DELETE /api/v1/users/usr_tech/access" },
  { line: "DELETE /api/v1/passkeys/passkey_bcba" },
  { line: "POST /api/v1/calendars", json: { userId: "usr_tech" } },
  { line: `DELETE /api/v1/calendars/${calendar.id}` },
  { line: "POST /api/v1/practice-file", raw: fileOf([organization, encounter]) },
];

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

test.each([...reads.map((path): Ask => ({ line: `GET ${path}` })), ...writes])(
  "$line",
  async ({ line, ...sent }) => {
    const requestId = crypto.randomUUID();
    const before = await owners();
    const { status, body, text } = await service.call(line, {
      key,
      ...sent,
      headers: {
        "X-Request-Id": requestId,
        ...(sent.raw !== undefined && { "Content-Type": "application/x-ndjson" }),
      },
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
  const all = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(all.filter((operation) => !used.has(operation))).toEqual([]);
  expect(all).toHaveLength(Object.values(document.paths).flatMap(Object.keys).length);
});

test("every list was read with rows, without which it names nobody", () => {
  expect(listPaths.filter((path) => !withRows.has(`/api/v1/${path}`))).toEqual([]);
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
  test.each([
    "sessions?clientId=usr_kid",
    "encounters?patientId=usr_kid",
    "encounters?authorizationId=auth_1",
    "encounters?sessionId=apt_1",
    "intake-leads?clientId=usr_kid",
    "treatment-plans?patientId=usr_kid",
    "goals?patientId=usr_kid",
    "goals?treatmentPlanId=tp_1",
    "authorization-utilization?patientId=usr_kid",
    "checks?patientId=usr_kid",
    "delivery?patientId=usr_kid",
  ])("%s", async (list) => {
    expect(await namedBy(`${list}&page=9`)).toEqual(["usr_kid"]);
  });
});

test.each([
  ...["users/usr_none", "users/usr_bcba", "intake-leads/lead_none", "goals/goal_none"],
  ...["sessions/apt_none", "authorization-utilization/auth_none", "supervision", "locations"],
])("%s names nobody", async (path) => {
  expect(await namedBy(path)).toEqual([]);
});
