import { describe, expect, spyOn, test } from "bun:test";
import { writeRows } from "../../db/rows.ts";
import { newMetrics } from "../../src/http/metrics.ts";
import { RequestSlots, type RequestKind } from "../../src/http/limits/request-slots.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import {
  newApiKey,
  newAuthorization,
  newAuthorizationPool,
  newGoal,
  newOrganization,
  newPatient,
  newSession,
  newTreatmentPlan,
} from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";
import { filled, lists } from "../support/operations.ts";

/** Expensive requests, which workers answer: of each kind one at a time. */

class CountedSlots extends RequestSlots {
  taken: [keyId: string, kind: RequestKind][] = [];
  free = 0;

  override async acquire(keyId: string, kind: RequestKind, request: Request): Promise<() => void> {
    this.taken.push([keyId, kind]);
    const release = await super.acquire(keyId, kind, request);
    return () => {
      this.free += 1;
      release();
    };
  }
}

const slots = new CountedSlots();
const service = await newService({ slots });
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
const patient = await newPatient(database, organization);
const authorization = await newAuthorization(database, organization, { patient_id: patient });
const plan = await newTreatmentPlan(database, organization, { patient_id: patient });
const newTree = (childGoals: object[], skillTrials: object[] = []) =>
  newGoal(database, organization, {
    ...{ treatmentPlanId: plan, goalType: "opportunity", childGoals, skillTrials },
  });
const children = (length: number) => Array.from({ length }, () => ({}));
const [small, large] = [await newTree(children(20)), await newTree(children(21))];

/** A goal with data recorded on it and on its child. */
function newRecordedGoal(length: number): Promise<string> {
  const trials = Array.from({ length }, (_, index) => ({
    ...{ publicId: `trial_${index}`, outcome: "SUCCESS", happenedAt: NOW },
  }));
  return newTree([{ skillTrials: trials.slice(1) }], trials.slice(0, 1));
}
const [recorded, muchRecorded] = [await newRecordedGoal(1_000), await newRecordedGoal(1_001)];
const [ofFewBytes, ofManyBytes] = await Promise.all(
  // The document has more than these texts.
  [998_000, 1_000_000].map((length) => newTree([{ instructions: "x".repeat(length) }])),
);
const utilizationOf = (id: string) => `/api/v1/authorization-utilization/${id}?timezone=UTC`;
const utilization = utilizationOf(authorization);
/** The utilization of an authorization with one session and a number of encounters. */
async function newDelivered(encounters: number): Promise<string> {
  const row = { authorization_id: await newAuthorization(database, organization) };
  await newSession(database, organization, row);
  await database.write(
    (trx) =>
      writeRows(
        trx,
        "encounters",
        Array.from({ length: encounters }, (_, index) => ({
          ...{ organization_id: organization, public_id: `enc_${row.authorization_id}_${index}` },
          ...{ ...row, session_id: null, start_time: "2026-03-10T14:00:00.000Z", units: 1 },
          ...{ sequence: 1, billed: null },
        })),
      ),
    { organizationId: organization },
  );
  return utilizationOf(row.authorization_id);
}

/** The utilization of a pool by day, over a leap year. */
async function newPeriods(members: number): Promise<string> {
  const pool = await newAuthorizationPool(database, organization, {
    unit_frequency: "DAILY",
    patient_id: patient,
  });
  for (let index = 0; index < members; index += 1)
    await newAuthorization(database, organization, {
      ...{ authorization_pool_id: pool, patient_id: patient },
      authorization_date: "2024-01-01" as CalendarDate,
      authorization_expiration_date: "2024-12-31" as CalendarDate,
    });
  return `${utilizationOf(pool)}&startDate=2024-01-01&endDate=2024-12-31`;
}
const [delivered, muchDelivered] = [await newDelivered(4_999), await newDelivered(5_000)];
const [periods, manyPeriods] = [await newPeriods(13), await newPeriods(14)];
const bodyOf = (length: number) => ({ goalStatement: "x", more: "x".repeat(length) });
const childless = (length: number) => ({ childGoals: children(length) });

/** The kinds of slots that a request takes. All of them must be released when it is answered. */
async function slotsOf(line: string, json?: object): Promise<RequestKind[]> {
  slots.taken = [];
  slots.free = 0;
  await service.call(line, { key, ...(json !== undefined && { json }) });
  expect(slots.free).toBe(slots.taken.length);
  return slots.taken.map(([, kind]) => kind);
}

describe("expensive requests", () => {
  const listed = lists.filter(({ operationId }) => operationId !== "exportPracticeFile");
  test.each(listed)("$path: a report, and the list of goals, take a read slot", async (list) => {
    const isExpensive = list.isReport === true || list.operationId === "listGoals";
    const { line } = filled(list.example, () => "x_1");
    expect(await slotsOf(line)).toEqual(isExpensive ? ["read"] : []);
  });

  test.each([
    ["HEAD of a report", "HEAD /api/v1/authorization-utilization"],
    ["a ledger", `GET ${utilization.replace("?", "/ledger?")}`],
    ["a goal with 1,001 recorded data points", `GET /api/v1/goals/${muchRecorded}`],
    ["a goal with more than 1 MB below it", `GET /api/v1/goals/${ofManyBytes}`],
    ["utilization of 5,001 records", `GET ${muchDelivered}`],
    ["utilization of 14 members over 366 days", `GET ${manyPeriods}`],
  ])("%s takes a read slot", async (_, line) => {
    expect(await slotsOf(line)).toEqual(["read"]);
  });

  test.each([
    ["a body beyond 16 KiB", "POST /api/v1/goals", bodyOf(17_000)],
    ["a what-if question", `POST ${utilization.replace("?", "/what-if?")}`, bodyOf(17_000)],
    ["an update of a goal with 21 children", `PATCH /api/v1/goals/${large}`, {}],
    [
      "an update of a goal with 1,001 recorded data points",
      `PATCH /api/v1/goals/${muchRecorded}`,
      {},
    ],
    ["an update of a goal with more than 1 MB", `PATCH /api/v1/goals/${ofManyBytes}`, {}],
    ["a deletion of a goal with 21 children", `DELETE /api/v1/goals/${large}`, {}],
    ["an update with 21 children", `PATCH /api/v1/goals/${small}`, childless(21)],
    [
      "one with 21 below each other",
      `PATCH /api/v1/goals/${small}`,
      { childGoals: [childless(20)] },
    ],
  ])("%s takes a write slot", async (_, line, json) => {
    expect(await slotsOf(line, json)).toEqual(["write"]);
  });

  const line = JSON.stringify({ type: "location", publicId: "loc", name: "Main" });
  const fileOf = (bytes: number) => line.padEnd(bytes, " ");
  test.each([
    ["of 64 KiB", fileOf(64 * 1024), []],
    ["beyond 64 KiB", fileOf(64 * 1024 + 1), ["write"]],
    ["of 200 lines", Array(200).fill(line).join("\n"), []],
    ["of 201 lines", Array(201).fill(line).join("\n"), ["write"]],
    ["of 4 users", Array(4).fill('{"type":"user"}').join("\n"), []],
    ["of 5 users", Array(5).fill('{"type":"user"}').join("\n"), ["write"]],
    ["of a goal", '{"type":"goal"}', ["write"]],
    ["of 200 lines and a line break", `${Array(200).fill(line).join("\n")}\n`, []],
  ])("a practice file %s", async (_, raw, kinds) => {
    slots.taken = [];
    const headers = { "Content-Type": "application/x-ndjson" };
    await service.call("POST /api/v1/practice-file", { key, headers, raw });
    expect(slots.taken.map(([, kind]) => kind)).toEqual(kinds as RequestKind[]);
  });

  test("an export takes a write slot, its HEAD none", async () => {
    expect(await slotsOf("GET /api/v1/practice-file")).toEqual(["write"]);
    expect(await slotsOf("HEAD /api/v1/practice-file")).toEqual([]);
  });

  test.each([
    ["since the last change takes no slot", "after=SEQUENCE", []],
    ["of changes takes a write slot", "after=1", ["write"]],
    ["of sessions by their ids takes no slot", "types=session,encounter&ids=apt_1,apt_2", []],
    ["of four users by their ids takes no slot", "types=user&ids=a,b,c,d", []],
    ["of more takes a read slot", "types=user&ids=a,b,c,d,e", ["read"]],
    ["of a goal takes a read slot", "types=goal&ids=goal_1", ["read"]],
    ["of what may be a goal takes a read slot", "ids=x", ["read"]],
  ])("an export %s", async (_, query, kinds) => {
    await database.write((trx) => trx.updateTable("organizations").set({ sequence: 3 }).execute(), {
      organizationId: organization,
    });
    const path = `practice-file?${query.replace("SEQUENCE", "3")}`;
    expect(await slotsOf(`GET /api/v1/${path}`)).toEqual(kinds as RequestKind[]);
  });
});

const cheap: [line: string, json?: object][] = [
  [`GET /api/v1/goals/${small}`],
  [`GET /api/v1/goals/${ofFewBytes}`],
  [`PATCH /api/v1/goals/${ofFewBytes}`, {}],
  [`GET /api/v1/goals/${recorded}`],
  [`PATCH /api/v1/goals/${recorded}`, {}],
  [`GET ${delivered}`],
  [`GET ${periods}`],
  ["POST /api/v1/goals", bodyOf(16_000)],
  [`PATCH /api/v1/goals/${small}`, childless(20)],
  ["PATCH /api/v1/goals/goal_none", {}],
  [`DELETE /api/v1/goals/${small}`],
];

for (const [line, json] of cheap)
  test(`${line} takes no slot`, async () => expect(await slotsOf(line, json)).toEqual([]));

test("a slot is released however the request ends: refused, failed or answered", async () => {
  expect(await slotsOf("GET /api/v1/goals?page=0")).toEqual([]);
  expect(await slotsOf("POST /api/v1/users", bodyOf(17_000))).toEqual(["write"]);
  const read = spyOn(database, "read").mockRejectedValue(new RangeError("broken"));
  const headers = { Authorization: `Bearer ${key}` };
  slots.taken = [];
  slots.free = 0;
  const url = "http://localhost/api/v1/goals";
  const answer = await service.app.handle(new Request(url, { headers }));
  read.mockRestore();
  expect([answer.status, slots.free]).toEqual([500, slots.taken.length]);
});

test("one request of a key runs and 64 wait; more respond 429; requests of other keys are not affected", async () => {
  const other = await newApiKey(database, organization);
  const all = Array.from({ length: 100 }, () => service.call("GET /api/v1/goals", { key }));
  expect((await service.call("GET /api/v1/goals", { key: other })).status).toBe(200);
  const answers = Map.groupBy(await Promise.all(all), ({ status }) => status);
  const refused = answers.get(429) ?? [];
  // Some may have been answered before the last ones arrived.
  const answered = answers.get(200)?.length ?? 0;
  expect([answered + refused.length, answered >= 65, refused.length > 0]).toEqual([
    100,
    true,
    true,
  ]);
  expect(refused.map(({ headers }) => headers.get("retry-after"))).toEqual(refused.map(() => "1"));
  expect(refused[0]?.body).toEqual({ error: "Too many requests", statusCode: 429 });
});

test("the connection of an expensive request may be idle until its response is sent, for 120 seconds", async () => {
  const kept: unknown[] = [];
  const patient = await newService({ setIdleTimeout: (_, seconds) => kept.push(seconds) });
  const organization = await newOrganization(patient.database);
  const key = await newApiKey(patient.database, organization);
  await patient.call("GET /api/v1/sessions", { key });
  await patient.call("GET /api/v1/goals", { key });
  expect(kept).toEqual([undefined, 120]);
  await patient.call("GET /api/v1/practice-file", { key });
  expect(kept).toEqual([undefined, 120, undefined]);
});

test("/metrics shows waiting requests and their waiting times by kind of slot", async () => {
  const few = new RequestSlots();
  const metrics = newMetrics(undefined, few);
  const request = new Request("http://localhost/");
  const release = await few.acquire("key_1", "write", request);
  const waiting = few.acquire("key_1", "write", request);
  const lines = () => metrics.text().split("\n");
  expect(lines()).toContain('caseload_requests_waiting{sort="write"} 1');
  expect(lines()).toContain('caseload_requests_waiting{sort="read"} 0');
  expect(lines()).toContain('caseload_request_wait_seconds_count{sort="write"} 1');
  release();
  (await waiting)();
  expect(lines()).toContain('caseload_requests_waiting{sort="write"} 0');
  expect(lines()).toContain('caseload_request_wait_seconds_count{sort="write"} 2');
});
