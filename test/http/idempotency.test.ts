import { afterAll, describe, expect, test } from "bun:test";
import { type Json, plainBody } from "../support/body-rules.ts";
import type { Issue } from "../../src/lib/errors.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { rotateKey } from "../../src/callers/api-keys.ts";
import { issueKey, newApiKey, newOrganization, newUser } from "../support/factories.ts";
import { step } from "../support/goals/bodies.ts";
import { bodyOf, plan } from "../support/goals/transcripts.ts";
import { newService, NOW } from "../support/harness.ts";
import { countRows, newCaregiver, newLead } from "../support/intake-leads/practice.ts";
import { validationBody } from "../support/list-rules.ts";
import { clinician, patient } from "../support/practice-file/lines.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** Retries of a POST with an Idempotency-Key. */

const practice = await transcripts();
const service = await newService();
const { database, clock } = service;

const JSON_TYPE = { "Content-Type": "application/json" };
const REPLAYED = "idempotency-replayed";

const leads = (key = "k") => `POST intake-leads Idempotency-Key: ${key}`;
const users = (key = "k") => `POST users Idempotency-Key: ${key}`;
const [lead, other] = [newLead(), newLead()];
const ana = { firstName: "Ana", lastName: "Ruiz" };
const admin = { ...ana, role: "ADMIN" };

type Sent = object | string;
const anew = (request: string, sent: Sent, status: number, body?: unknown): Step => [
  ...([request, sent, status, body, { [REPLAYED]: null }] as const),
];
/** The response of an earlier request, which has a name. */
const replayed = (request: string, sent: Sent, status: number, body: string): Step => [
  ...([request, sent, status, body, { [REPLAYED]: "true" }] as const),
];
const refused = (request: string, sent: Sent, status: number, error: string) =>
  anew(request, sent, status, whole(plainBody(status, error)));
const hasUsers = (totalCount: number): Step => ["GET users", 200, { pagination: { totalCount } }];

const usedWithAnother = "Idempotency-Key was used with another request body";
const malformed = "Idempotency-Key must be 1 to 255 visible ASCII characters";

/** An organization with a key, and a function that sends a body with an Idempotency-Key. */
async function newPractice() {
  const organization = await newOrganization(database);
  await mustImport(database, [{ type: "organization", publicId: organization }, ...plan]);
  const key = await newApiKey(database, organization);
  return {
    ...{ organization, key },
    async send(path: string, json: Json, idempotencyKey: string, callersKey = key) {
      const headers = { "Idempotency-Key": idempotencyKey };
      const options = { key: callersKey, json, headers };
      const answer = await service.call(`POST /api/v1/${path}`, options);
      const { status, text, body } = answer;
      return { status, text, body, isReplay: answer.headers.has(REPLAYED) };
    },
    /** How many records a list has. */
    async total(path: string): Promise<number> {
      const { body } = await service.call(`GET /api/v1/${path}`, { key });
      return (body as { pagination: { totalCount: number } }).pagination.totalCount;
    },
  };
}

describe("a hundred concurrent retries", () => {
  test("POST /v1/intake-leads over the network: one patient and one caregiver are created, all responses are equal", async () => {
    const { organization, key } = await newPractice();
    const server = Bun.serve({ port: 0, fetch: service.app.fetch });
    afterAll(() => server.stop(true));
    const headers = { Authorization: `Bearer ${key}`, ...JSON_TYPE, "Idempotency-Key": "form-7" };
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const response = await fetch(new URL("/api/v1/intake-leads", server.url), {
          ...{ method: "POST", headers, body: JSON.stringify(lead) },
        });
        const replayed = response.headers.get(REPLAYED);
        return { status: response.status, text: await response.text(), replayed };
      }),
    );
    const [text = ""] = new Set(answers.map(({ text }) => text));
    expect(answers.toSorted(({ replayed }) => (replayed === null ? -1 : 1))).toEqual([
      { status: 201, text, replayed: null },
      ...Array(99).fill({ status: 201, text, replayed: "true" }),
    ]);
    const { client, caregiver } = JSON.parse(text);
    const { body: list } = await service.call("GET /api/v1/users", { key });
    expect(list).toMatchObject({
      data: [
        { publicId: client.publicId, role: "PATIENT" },
        { publicId: caregiver.publicId, role: "CAREGIVER" },
        { publicId: "usr_kid" },
      ],
      pagination: { totalCount: 3 },
    });
    expect(await countRows(service, organization)).toMatchObject({ intake_leads: 1 });
  });

  test.each([
    ["users", 200, { ...ana, email: "ana@maple.example" }],
    ["goals", 201, bodyOf("opportunity", { childGoals: [step("Only step.")] })],
  ])("POST /v1/%s: one is created, and no retry is refused", async (path, status, body) => {
    const { send, total } = await newPractice();
    const before = await total(path);
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(path, body, "one")));
    expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect([...new Set(answers.map(({ status, text }) => `${status} ${text}`))]).toEqual([
      `${status} ${answers[0]?.text}`,
    ]);
    expect(await total(path)).toBe(before + 1);
  });

  test("two requests with different bodies: one of them responds 422", async () => {
    const { send, total } = await newPractice();
    const before = await total("users");
    const answers = await Promise.all([
      send("intake-leads", lead, "k"),
      send("intake-leads", other, "k"),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(await total("users")).toBe(before + 2);
  });
});

describe("the same Idempotency-Key", () => {
  const text = JSON.stringify(lead);
  practice([])("responds 422 for another body, even for small differences", [
    anew(leads(), text, 201, "$lead"),
    ...[`${text} `, text.replace("Leo", "Lea"), other].map((body) =>
      refused(leads(), body, 422, usedWithAnother),
    ),
    replayed(leads(), text, 201, "$lead"),
    hasUsers(2),
  ]);

  const goals = (key: string) => `CLINICIAN: POST goals Idempotency-Key: ${key}`;
  practice(plan)("has refusals in the shape of goals at POST /v1/goals", [
    anew(goals("k"), bodyOf("rating"), 201, "$goal"),
    replayed(goals("k"), bodyOf("rating"), 201, "$goal"),
    anew(goals("k"), bodyOf("interval"), 422, whole({ error: usedWithAnother })),
    anew(goals("a b"), bodyOf("rating"), 400, whole({ error: malformed })),
  ]);

  practice([], { elsewhere: [] })("is independent per route, organization and letter case", [
    ...[anew(leads(), lead, 201), anew(users(), ana, 200), anew(leads("K"), other, 201)],
    anew(`elsewhere: ${leads()}`, lead, 201),
    anew(`elsewhere: ${users()}`, ana, 200),
  ]);

  practice([])("has one recipient, who may still make the request", [
    anew(leads(), lead, 201, "$lead"),
    refused(`CLINICAL_ADMIN: ${leads()}`, lead, 403, "Access denied"),
    replayed(leads(), lead, 201, "$lead"),
    hasUsers(2),
    // With another body, whoever asks is told that the Idempotency-Key was used.
    refused(`CLINICAL_ADMIN: ${leads()}`, other, 422, usedWithAnother),
    anew(users(), admin, 200),
    ...["BILLING_MANAGER", "TECHNICIAN"].map((role) => anew(`${role}: ${users()}`, admin, 403)),
  ]);

  const assigned = (primaryClinicianId: string | null): Step => [
    ...(["POST practice-file", [{ ...patient("usr_leo"), primaryClinicianId }], 200] as const),
  ];
  const goal = { ...bodyOf("rating"), treatmentPlanId: "tp_leo" };
  const ask = "usr_noor: POST goals Idempotency-Key: k";
  practice(
    [
      ...[clinician("usr_noor"), patient("usr_leo", { primaryClinicianId: "usr_noor" })],
      { type: "treatmentPlan", publicId: "tp_leo", patientId: "usr_leo" },
    ],
    { organization: { own_patients_only: "TECHNICIANS_AND_CLINICIANS" } },
  )("has no response for somebody whose own patient it is no more", [
    ...[anew(ask, goal, 201, "$goal"), replayed(ask, goal, 201, "$goal")],
    ...[assigned(null), refused(ask, goal, 403, "Access denied")],
    ...[assigned("usr_noor"), replayed(ask, goal, 201, "$goal")],
  ]);

  const denied = { status: 403, body: plainBody(403, "Access denied"), isReplay: false };

  test("has its response for a key's successors, and theirs for the key, but not for others", async () => {
    const { organization, send, total } = await newPractice();
    const first = await issueKey(database, organization);
    const rotate = (id: string) =>
      database.write((trx) => rotateKey(trx, id, 3_600_000, NOW as Instant), {
        organizationId: organization,
      });
    const second = await rotate(first.id);
    const third = await rotate(second.id);
    const sent = await send("intake-leads", lead, "k", first.key);
    for (const { key } of [second, third])
      expect(await send("intake-leads", lead, "k", key)).toEqual({ ...sent, isReplay: true });
    expect(await send("intake-leads", lead, "k")).toMatchObject(denied);
    const later = await send("intake-leads", other, "l", third.key);
    const replay = { ...later, isReplay: true };
    expect(await send("intake-leads", other, "l", first.key)).toEqual(replay);
    expect(await total("users")).toBe(5);
  });

  test("has its response for a person with another key, but not for others", async () => {
    const { organization, send } = await newPractice();
    const userId = await newUser(database, organization, { role: "CLINICAL_ADMIN" });
    const issue = async () => (await issueKey(database, organization, { holder: { userId } })).key;
    const first = await send("intake-leads", lead, "k", await issue());
    const replay = { ...first, isReplay: true };
    expect(await send("intake-leads", lead, "k", await issue())).toEqual(replay);
    expect(await send("intake-leads", lead, "k")).toMatchObject(denied);
  });

  test("has a response of an earlier version, of which nobody knows whose it is, for all", async () => {
    const { organization, send } = await newPractice();
    const first = await send("intake-leads", lead, "k");
    await database.write(
      (trx) => trx.updateTable("idempotent_responses").set({ caller: null }).execute(),
      { organizationId: organization },
    );
    const replay = { ...first, isReplay: true };
    const second = await newApiKey(database, organization);
    expect(await send("intake-leads", lead, "k", second)).toEqual(replay);
  });
});

practice([])("a stored response is replayed for 24 hours, also after other writes", [
  anew(users(), ana, 200, "$ana"),
  ["2026-03-12T14:59:59.999Z"],
  anew(users("l"), { ...ana, firstName: "Ben" }, 200),
  ...[replayed(users(), ana, 200, "$ana"), ["2026-03-12T15:00:00.000Z"] as const],
  ...[anew(users(), ana, 200), hasUsers(3)],
]);

test("a stored response is deleted after 24 hours; then the key may be used with another body", async () => {
  const { organization, send } = await newPractice();
  for (const key of ["k", "l"]) await send("users", ana, key);
  clock.advance(24 * 60 * 60 * 1000);
  const { status, isReplay } = await send("users", { ...ana, firstName: "Cy" }, "k");
  clock.set(NOW);
  expect([status, isReplay]).toEqual([200, false]);
  expect(await countRows(service, organization)).toMatchObject({ idempotent_responses: 1 });
});

describe("a response of a request that wrote nothing is not stored", () => {
  const withoutName = { ...lead, client: {} };
  practice([])("validation error, which is reported before the key is looked up", [
    ...[anew(leads(), withoutName, 400), anew(leads(), lead, 201)],
    // Also when the key is already stored with another body.
    anew(leads(), withoutName, 400),
  ]);

  const labelled = newLead({ labelPublicIds: ["lbl_new"] });
  const label = { type: "intakeLabel", publicId: "lbl_new", name: "New" };
  practice([])("unknown ids: a retry succeeds once they exist", [
    anew(leads(), labelled, 400),
    ["POST practice-file", [label], 200],
    anew(leads(), labelled, 201),
  ]);

  const email = "mina@example.com";
  const conflicting = { ...lead, caregiver: newCaregiver({ email }) };
  practice([clinician("usr_mina", { email })])("409: a retry succeeds once the conflict is gone", [
    ...[anew(leads(), conflicting, 409), anew(leads(), conflicting, 409)],
    ["POST practice-file", [{ type: "user", publicId: "usr_mina", email: null }], 200],
    anew(leads(), conflicting, 201),
  ]);

  practice([])("403 for a role: a permitted role may use the same key", [
    anew(`SCHEDULING_MANAGER: ${users()}`, admin, 403),
    anew(users(), admin, 200),
  ]);
});

describe("the format of Idempotency-Key", () => {
  practice([])("is 1 to 255 visible ASCII characters", [
    ...["!", "~", "a".repeat(255), '"quoted"', "0,1;2=3"].flatMap((key, index) => [
      anew(users(key), ana, 200, `$ana${index}`),
      replayed(users(key), ana, 200, `$ana${index}`),
    ]),
  ]);

  test.each(["", " ", "a b", "a\tb", "a".repeat(256), "é", "\u00ff"])(
    "%p responds 400",
    async (idempotencyKey) => {
      const { send, total } = await newPractice();
      for (const [line, body] of [
        ["intake-leads", lead],
        ["users", ana],
      ] as const)
        expect(await send(line, body, idempotencyKey)).toMatchObject({
          ...{ status: 400, body: plainBody(400, malformed), isReplay: false },
        });
      expect(await total("users")).toBe(1);
    },
  );

  test("two Idempotency-Key headers respond 400", async () => {
    const { key } = await newPractice();
    const headers = new Headers({ ...JSON_TYPE, Authorization: `Bearer ${key}` });
    for (const name of ["a", "b"]) headers.append("Idempotency-Key", name);
    const request = new Request("http://localhost/api/v1/intake-leads", {
      ...{ method: "POST", headers, body: JSON.stringify(lead) },
    });
    expect((await service.app.handle(request)).status).toBe(400);
  });

  const missing: Issue = { code: "invalid_type", message: "Required", path: ["lastName"] };
  practice([])("is checked after the body", [
    anew(users("a b"), { firstName: "Ana" }, 400, whole(validationBody(missing))),
  ]);
});

test("without an Idempotency-Key, a repeated request is executed again", async () => {
  const { organization, key } = await newPractice();
  for (const _ of [1, 2]) {
    const answer = await service.call("POST /api/v1/users", { key, json: ana });
    expect([answer.status, answer.headers.get(REPLAYED)]).toEqual([200, null]);
  }
  expect(await countRows(service, organization)).toMatchObject({
    ...{ users: 3, idempotent_responses: 0 },
  });
});
