import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { type Endpoint, endpoints } from "../support/endpoints.ts";
import { newService } from "../support/harness.ts";
import { newCaregiver, newLead } from "../support/intake-leads/practice.ts";
import { fillOrganization } from "../support/isolation-practice.ts";

/**
 * A request that discloses something about a patient must name that patient in the audit trail,
 * also if it is refused. It discloses something if its response differs from the response to the
 * same request about an unknown id. The patient of this test is the canary.
 */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
const [CANARY, NOBODY] = ["_canary", "_nobody"];
await fillOrganization(database, organization, CANARY);
const patient = `usr_client${CANARY}`;
const emailOf = (whose: string) => `client${whose}@isolation.example`;

/** The ids and texts by which a request can name the patient or a record of the patient. */
const names: ((whose: string) => string)[] = [
  ...["usr_client", "auth_alone", "apool_main", "apt_main", "enc_main"],
  ...["tp_main", "goal_skill", "lead_main"],
].map((name) => (whose: string) => name + whose);
names.push(emailOf);

interface Ask {
  line: string;
  json?: unknown;
}

type Asking = (whose: string) => Ask;

/** The bodies that are sent to operations with a body. */
const withBody: Record<string, Asking[]> = {
  createUser: ["PATIENT", "CAREGIVER", "TECHNICIAN"].map((role) => (whose) => ({
    line: "POST /api/v1/users",
    json: { firstName: "Ida", lastName: "Newly", role, email: emailOf(whose) },
  })),
  createIntakeLead: [
    (whose) => ({
      line: "POST /api/v1/intake-leads",
      json: { ...newLead(), caregiver: newCaregiver({ email: emailOf(whose) }) },
    }),
  ],
  askWhatIf: ["auth_member", "auth_alone", "apool_main"].flatMap((subject) =>
    [
      {},
      { cancel: [`apt_main${CANARY}`] },
      { cancel: ["apt_none"] },
      { add: [{ startTime: "2026-03-12T10:00:00Z", endTime: "2026-03-12T09:00:00Z" }] },
    ].map((json) => (whose: string) => ({
      line: `POST /api/v1/authorization-utilization/${subject}${whose}/what-if`,
      json,
    })),
  ),
  createGoal: [{}, { title: "" }, { type: "none" }].map((more) => (whose) => ({
    line: "POST /api/v1/goals",
    json: { type: "rating", title: "Calm", treatmentPlanId: `tp_main${whose}`, ...more },
  })),
  updateGoal: [
    {},
    { title: 5 },
    { childGoals: [{ publicId: "goal_none" }] },
    { childGoals: "none" },
  ].flatMap((json) =>
    ["goal_main", "goal_skill", "goal_step"].map((goal) => (whose: string) => ({
      line: `PATCH /api/v1/goals/${goal}${whose}`,
      json,
    })),
  ),
  deleteGoal: ["goal_step", "goal_main"].map((goal) => (whose) => ({
    line: `DELETE /api/v1/goals/${goal}${whose}`,
  })),
  recordOnGoal: ["goal_skill", "goal_step"].map((goal) => (whose) => ({
    line: `POST /api/v1/goals/${goal}${whose}/recorded-data`,
    json: { entries: [{ outcome: "SUCCESS", happenedAt: "2026-02-01T10:00:00.000Z" }] },
  })),
  removeRecorded: [
    (whose) => ({ line: `DELETE /api/v1/goals/goal_skill${whose}/recorded-data/entry_none` }),
  ],
  // People who sign in or have calendars are no patients; what is said of one is that they do not work for the practice.
  inviteUser: [],
  revokeAccess: [],
  removePasskey: [],
  createCalendar: [
    (whose) => ({ line: "POST /api/v1/calendars", json: { userId: `usr_client${whose}` } }),
  ],
  revokeCalendar: [],
  // Tests in test/practice-file cover imports.
  importPracticeFile: [],
};

/**
 * The total of a search discloses only a number, not which patients. The entry has the search text instead.
 */
const EXEMPT = new Set(["search"]);

/**
 * Every request that names something in the path or in a parameter of an operation, for the first
 * page and a later one.
 */
function asksOf({ method, path, params, query, operationId }: Endpoint): Asking[] {
  if (method !== "GET") return withBody[operationId] ?? [];
  const inPath =
    params === undefined
      ? []
      : names.map((name) => (whose: string) => ({
          line: `GET /api${path.replace(/\{\w+\}/, name(whose))}`,
        }));
  const parameters: [string, TSchema][] = Object.entries(query?.properties ?? {});
  const asked = parameters.filter(([name, { type }]) => type === "string" && !EXEMPT.has(name));
  const pages = query?.properties.page === undefined ? [""] : ["", "&page=9"];
  const inQuery = asked.flatMap(([parameter]) =>
    names.flatMap((name) =>
      pages.map((page) => (whose: string) => ({
        line: `GET /api${path.replace(/\{\w+\}/, name(whose))}?${parameter}=${encodeURIComponent(name(whose))}${page}`,
      })),
    ),
  );
  const withRole = inQuery.flatMap((ask) => [
    ask,
    (whose: string) => ({ line: `${ask(whose).line}&role=PATIENT` }),
  ]);
  return [...inPath, ...(operationId === "listUsers" ? withRole : inQuery)];
}

/** The response without the name in the request, and the id of the request. */
async function responseTo(ask: Ask, whose: string) {
  const requestId = crypto.randomUUID();
  const { status, text } = await service.call(ask.line, {
    key,
    headers: { "X-Request-Id": requestId },
    ...(ask.json !== undefined && { json: ask.json }),
  });
  return { status, said: `${status} ${text.replaceAll(whose, "")}`, requestId };
}

/** The patients in the audit entry of a request. */
async function patientsNamed(requestId: string): Promise<string | string[]> {
  const row = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select("patient_ids")
      .where("request_id", "=", requestId)
      .executeTakeFirst(),
  );
  return JSON.parse(row?.patient_ids ?? "[]");
}

let asked = 0;
const outcomes: { operationId: string; status: number }[] = [];

describe("an operation that discloses something about a patient records the patient:", () => {
  for (const endpoint of endpoints) {
    const { operationId } = endpoint;
    test(operationId, async () => {
      if (endpoint.method !== "GET") expect(Object.keys(withBody)).toContain(operationId);
      for (const asking of asksOf(endpoint)) {
        // Each request has its own unknown id, because a created record makes the id known.
        const nobody = `${NOBODY}${(asked += 1)}`;
        const ofNobody = await responseTo(asking(nobody), nobody);
        const ofCanary = await responseTo(asking(CANARY), CANARY);
        if (ofCanary.said === ofNobody.said) continue;
        outcomes.push({ operationId, status: ofCanary.status });
        const named = await patientsNamed(ofCanary.requestId);
        const isNamed = named === "*" || named.includes(patient);
        expect([asking(CANARY), isNamed]).toEqual([asking(CANARY), true]);
      }
    });
  }

  test("refusals disclose something in these operations", () => {
    const refusals = outcomes.filter(({ status }) => status >= 400);
    const kinds = new Set(refusals.map(({ operationId, status }) => `${operationId} ${status}`));
    expect([...kinds].toSorted()).toEqual([
      "askWhatIf 400",
      "createCalendar 409",
      "createIntakeLead 409",
      "createUser 400",
      "removeRecorded 404",
      "updateGoal 400",
    ]);
  });
});
