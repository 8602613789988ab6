import { afterAll, describe, expect, test } from "bun:test";
import { type Json, plainBody } from "../support/body-rules.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { rotateKey } from "../../src/callers/api-keys.ts";
import {
  issueKey,
  newApiKey,
  newIntakeLabel,
  newOrganization,
  newPatient,
  newTreatmentPlan,
  newUser,
} from "../support/factories.ts";
import { step } from "../support/goals/bodies.ts";
import { newPractice as newGoals } from "../support/goals/practice.ts";
import { newService, NOW } from "../support/harness.ts";
import { countRows, newCaregiver, newLead } from "../support/intake-leads/practice.ts";
import { validationBody } from "../support/list-rules.ts";

/** Retries of a POST with an Idempotency-Key. */

const service = await newService();
const { database, clock } = service;

const LEADS = "POST /api/v1/intake-leads";
const USERS = "POST /api/v1/users";
const REPLAYED = "idempotency-replayed";
const JSON_TYPE = { "Content-Type": "application/json" };

/** An organization with a key, and a function that sends a body with an Idempotency-Key. */
async function newPractice() {
  const organization = await newOrganization(database);
  const key = await newApiKey(database, organization);
  return {
    organization,
    async send(line: string, body: Json | string, idempotencyKey: string, callersKey = key) {
      const raw = typeof body === "string" ? body : JSON.stringify(body);
      const headers = { ...JSON_TYPE, "Idempotency-Key": idempotencyKey };
      const answer = await service.call(line, { key: callersKey, raw, headers });
      const { status, text, body: answered } = answer;
      return { status, text, body: answered, isReplay: answer.headers.has(REPLAYED) };
    },
    countUsers: async () => (await countRows(service, organization)).users,
  };
}

describe("a hundred concurrent retries", () => {
  test("POST /v1/intake-leads over the network: one patient and one caregiver are created, all responses are equal", async () => {
    const { organization } = await newPractice();
    const key = await newApiKey(database, organization);
    const server = Bun.serve({ port: 0, fetch: service.app.fetch });
    afterAll(() => server.stop(true));
    const body = JSON.stringify(newLead());
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const response = await fetch(new URL("/api/v1/intake-leads", server.url), {
          method: "POST",
          headers: { Authorization: `Bearer ${key}`, ...JSON_TYPE, "Idempotency-Key": "form-7" },
          body,
        });
        const replayed = response.headers.get(REPLAYED);
        return { status: response.status, text: await response.text(), replayed };
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect(answers.filter(({ replayed }) => replayed === "true")).toHaveLength(99);

    const { body: list } = await service.call("GET /api/v1/users", { key });
    const ids = JSON.parse(answers[0]?.text ?? "");
    expect(list).toMatchObject({
      data: [
        { publicId: ids.client.publicId, role: "PATIENT" },
        { publicId: ids.caregiver.publicId, role: "CAREGIVER" },
      ],
      pagination: { totalCount: 2 },
    });
    expect(await countRows(service, organization)).toMatchObject({ intake_leads: 1 });
  });

  test("POST /v1/users: one user is created, and no retry is refused for its own email address", async () => {
    const { send, countUsers } = await newPractice();
    const body = { firstName: "Ana", lastName: "Ruiz", email: "ana@maple.example" };
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(USERS, body, "u-1")));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect([answers[0]?.status, await countUsers()]).toEqual([200, 1]);
  });
});

test("POST /v1/goals: one goal with its children is created; refusals have the shape of goals", async () => {
  const { bodyOf, create } = await newGoals(service);
  const body = bodyOf("opportunity", { childGoals: [step("Only step.")] });
  const headers = { "Idempotency-Key": "goal" };
  const answers = await Promise.all([create(body, headers), create(body, headers)]);
  const later = await create(body, headers);
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [201, later.text],
    [201, later.text],
  ]);
  expect(later.headers.get(REPLAYED)).toBe("true");
  const stored = await database.read((db) => db.selectFrom("goals").select("public_id").execute());
  expect(stored).toHaveLength(1);
  const refusals = [await create(bodyOf("interval"), headers)];
  refusals.push(await create(body, { "Idempotency-Key": "a b" }));
  expect(refusals.map(({ status, body }): unknown => [status, body])).toEqual([
    [422, { error: "Idempotency-Key was used with another request body" }],
    [400, { error: "Idempotency-Key must be 1 to 255 visible ASCII characters" }],
  ]);
});

describe("the same Idempotency-Key", () => {
  test("responds 422 for another body, even for small differences", async () => {
    const { send, countUsers } = await newPractice();
    const body = JSON.stringify(newLead());
    expect((await send(LEADS, body, "k")).status).toBe(201);
    for (const other of [`${body} `, body.replace("Leo", "Lea"), newLead()]) {
      const { status, body: refusal, isReplay } = await send(LEADS, other, "k");
      expect([status, refusal, isReplay]).toEqual([
        422,
        plainBody(422, "Idempotency-Key was used with another request body"),
        false,
      ]);
    }
    expect(await send(LEADS, body, "k")).toMatchObject({ status: 201, isReplay: true });
    expect(await countUsers()).toBe(2);
  });

  test("responds 422 to one of two concurrent requests with different bodies", async () => {
    const { send, countUsers } = await newPractice();
    const answers = await Promise.all([send(LEADS, newLead(), "k"), send(LEADS, newLead(), "k")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(await countUsers()).toBe(2);
  });

  test("is independent per route, per organization and per letter case", async () => {
    const [ours, theirs] = [await newPractice(), await newPractice()];
    const lead = newLead();
    const user = { firstName: "Ana", lastName: "Ruiz" };
    const answers = [
      await ours.send(LEADS, lead, "k"),
      await ours.send(USERS, user, "k"),
      await theirs.send(LEADS, lead, "k"),
      await theirs.send(USERS, user, "k"),
      await ours.send(LEADS, newLead(), "K"),
    ];
    expect(answers.map(({ status, isReplay }) => [status, isReplay])).toEqual([
      [201, false],
      [200, false],
      [201, false],
      [200, false],
      [201, false],
    ]);
  });

  describe("has one recipient:", () => {
    const denied = { status: 403, body: plainBody(403, "Access denied"), isReplay: false };

    test("another key of the organization does not get the response, and does nothing", async () => {
      const { organization, send, countUsers } = await newPractice();
      const second = await newApiKey(database, organization);
      const lead = newLead();
      const first = await send(LEADS, lead, "k");
      expect(await send(LEADS, lead, "k", second)).toMatchObject(denied);
      expect(await countUsers()).toBe(2);
      expect(await send(LEADS, lead, "k")).toEqual({ ...first, isReplay: true });
      // With another body, whoever asks is told that the Idempotency-Key was used.
      expect((await send(LEADS, newLead(), "k", second)).status).toBe(422);
    });

    test("a key's successors get it, and the key gets theirs", async () => {
      const { organization, send, countUsers } = await newPractice();
      const first = await issueKey(database, organization);
      const rotate = (id: string) =>
        database.write((trx) => rotateKey(trx, id, 3_600_000, NOW as Instant), {
          organizationId: organization,
        });
      const second = await rotate(first.id);
      const third = await rotate(second.id);
      const [lead, other] = [
        newLead(),
        { ...newLead(), caregiver: newCaregiver({ email: "other@maple.example" }) },
      ];
      const sent = await send(LEADS, lead, "k", first.key);
      for (const { key } of [second, third])
        expect(await send(LEADS, lead, "k", key)).toEqual({ ...sent, isReplay: true });
      const later = await send(LEADS, other, "l", third.key);
      expect(await send(LEADS, other, "l", first.key)).toEqual({ ...later, isReplay: true });
      expect(await countUsers()).toBe(4);
    });

    test("a person gets it with another key, or signed in", async () => {
      const { organization, send } = await newPractice();
      const userId = await newUser(database, organization, { role: "CLINICAL_ADMIN" });
      const keys = await Promise.all(
        [1, 2].map(() => issueKey(database, organization, { holder: { userId } })),
      );
      const lead = newLead();
      const first = await send(LEADS, lead, "k", keys[0]!.key);
      expect(await send(LEADS, lead, "k", keys[1]!.key)).toEqual({ ...first, isReplay: true });
      expect(await send(LEADS, lead, "k")).toMatchObject(denied);
    });

    test("one of an earlier version, of which nobody knows whose it is, is replayed for all", async () => {
      const { organization, send } = await newPractice();
      const lead = newLead();
      const first = await send(LEADS, lead, "k");
      await database.write(
        (trx) => trx.updateTable("idempotent_responses").set({ caller: null }).execute(),
        { organizationId: organization },
      );
      const second = await newApiKey(database, organization);
      expect(await send(LEADS, lead, "k", second)).toEqual({ ...first, isReplay: true });
    });

    test("who sees own patients does not get what is about somebody who is no more one's own", async () => {
      const organization = await newOrganization(database, {
        own_patients_only: "TECHNICIANS_AND_CLINICIANS",
      });
      const clinician = await newUser(database, organization, { role: "CLINICIAN" });
      const patient = await newPatient(database, organization, { primary_clinician_id: clinician });
      const plan = await newTreatmentPlan(database, organization, { patient_id: patient });
      const { key } = await issueKey(database, organization, { holder: { userId: clinician } });
      const goal = {
        type: "rating",
        treatmentPlanId: plan,
        title: "Calm",
        measurementType: "RATING",
      };
      const send = async () => {
        const headers = { "Idempotency-Key": "k" };
        const answer = await service.call("POST /api/v1/goals", { key, json: goal, headers });
        return [answer.status, answer.text, answer.headers.has(REPLAYED)] as const;
      };
      const [status, text] = await send();
      expect(status).toBe(201);
      expect(await send()).toEqual([201, text, true]);
      const assign = (primary_clinician_id: string | null) =>
        database.write(
          (trx) =>
            trx
              .updateTable("users")
              .set({ primary_clinician_id })
              .where("public_id", "=", patient)
              .execute(),
          { organizationId: organization },
        );
      await assign(null);
      expect(await send()).toEqual([403, JSON.stringify(plainBody(403, "Access denied")), false]);
      await assign(clinician);
      expect(await send()).toEqual([201, text, true]);
    });
  });

  test("does not return the stored response to a role that may not make the request", async () => {
    const { organization, send } = await newPractice();
    const body = { firstName: "Ana", lastName: "Ruiz", role: "ADMIN" };
    expect((await send(USERS, body, "k")).status).toBe(200);
    for (const role of ["BILLING_MANAGER", "TECHNICIAN"] as const) {
      const { status, isReplay } = await send(
        USERS,
        body,
        "k",
        await newApiKey(database, organization, role),
      );
      expect([status, isReplay]).toEqual([403, false]);
    }
  });
});

describe("a stored response", () => {
  const DAY = 24 * 60 * 60 * 1000;

  test("is replayed for 24 hours, also after other writes", async () => {
    const { send, countUsers } = await newPractice();
    const body = { firstName: "Ana", lastName: "Ruiz" };
    const first = await send(USERS, body, "k");
    clock.advance(DAY - 1);
    await send(USERS, { firstName: "Ben", lastName: "Ruiz" }, "l");
    expect(await send(USERS, body, "k")).toEqual({ ...first, isReplay: true });
    clock.advance(1);
    const anew = await send(USERS, body, "k");
    clock.set(NOW);
    expect([anew.status, anew.isReplay, await countUsers()]).toEqual([200, false, 3]);
  });

  test("is deleted after 24 hours; then the key may be used with another body", async () => {
    const { organization, send } = await newPractice();
    await send(USERS, { firstName: "Ana", lastName: "Ruiz" }, "k");
    await send(USERS, { firstName: "Ben", lastName: "Ruiz" }, "l");
    clock.advance(DAY);
    const { status, isReplay } = await send(USERS, { firstName: "Cy", lastName: "Ruiz" }, "k");
    clock.set(NOW);
    expect([status, isReplay]).toEqual([200, false]);
    expect(await countRows(service, organization)).toMatchObject({ idempotent_responses: 1 });
  });
});

describe("a response of a request that wrote nothing is not stored", () => {
  test("validation error: it is reported before the key is looked up, and the corrected body may use the same key", async () => {
    const { send } = await newPractice();
    const lead = newLead();
    expect((await send(LEADS, { ...lead, client: {} }, "k")).status).toBe(400);
    expect(await send(LEADS, lead, "k")).toMatchObject({ status: 201, isReplay: false });
    // Also when the key is already stored with another body.
    expect((await send(LEADS, { ...lead, client: {} }, "k")).status).toBe(400);
  });

  test("unknown ids: a retry succeeds once they exist", async () => {
    const { organization, send } = await newPractice();
    const lead = newLead({ labelPublicIds: ["lbl_new"] });
    expect((await send(LEADS, lead, "k")).status).toBe(400);
    await newIntakeLabel(database, organization, { public_id: "lbl_new" });
    expect(await send(LEADS, lead, "k")).toMatchObject({ status: 201, isReplay: false });
  });

  test("409 conflict: a retry succeeds once the conflict is gone", async () => {
    const { organization, send } = await newPractice();
    const id = await newUser(database, organization, { email: "mina@example.com" });
    const lead = { ...newLead(), caregiver: newCaregiver({ email: "mina@example.com" }) };
    for (const _ of [1, 2]) expect(await send(LEADS, lead, "k")).toMatchObject({ status: 409 });
    await database.write(
      (trx) =>
        trx.updateTable("users").set({ email_key: null }).where("public_id", "=", id).execute(),
      { organizationId: organization },
    );
    expect(await send(LEADS, lead, "k")).toMatchObject({ status: 201, isReplay: false });
  });

  test("403 for a role: a permitted role may use the same key", async () => {
    const { organization, send } = await newPractice();
    const body = { firstName: "Ana", lastName: "Ruiz", role: "ADMIN" };
    const manager = await newApiKey(database, organization, "SCHEDULING_MANAGER");
    expect((await send(USERS, body, "k", manager)).status).toBe(403);
    expect(await send(USERS, body, "k")).toMatchObject({ status: 200, isReplay: false });
  });
});

describe("the format of Idempotency-Key", () => {
  test.each(["!", "~", "a".repeat(255), '"quoted"', "0,1;2=3"])(
    "%p is valid",
    async (idempotencyKey) => {
      const { send } = await newPractice();
      const lead = newLead();
      expect(await send(LEADS, lead, idempotencyKey)).toMatchObject({
        status: 201,
        isReplay: false,
      });
      expect(await send(LEADS, lead, idempotencyKey)).toMatchObject({
        status: 201,
        isReplay: true,
      });
    },
  );

  test.each(["", " ", "a b", "a\tb", "a".repeat(256), "é", "\u00ff"])(
    "%p responds 400",
    async (idempotencyKey) => {
      const { send, countUsers } = await newPractice();
      for (const line of [LEADS, USERS]) {
        const body = line === LEADS ? newLead() : { firstName: "Ana", lastName: "Ruiz" };
        const { status, body: refusal } = await send(line, body, idempotencyKey);
        expect([status, refusal]).toEqual([
          400,
          plainBody(400, "Idempotency-Key must be 1 to 255 visible ASCII characters"),
        ]);
      }
      expect(await countUsers()).toBe(0);
    },
  );

  test("two Idempotency-Key headers respond 400", async () => {
    const { organization } = await newPractice();
    const headers = new Headers(JSON_TYPE);
    headers.append("Idempotency-Key", "a");
    headers.append("Idempotency-Key", "b");
    headers.set("Authorization", `Bearer ${await newApiKey(database, organization)}`);
    const request = new Request("http://localhost/api/v1/intake-leads", {
      method: "POST",
      headers,
      body: JSON.stringify(newLead()),
    });
    expect((await service.app.handle(request)).status).toBe(400);
  });

  test("an invalid Idempotency-Key is reported after the issues of the body", async () => {
    const { send } = await newPractice();
    const { status, body } = await send(USERS, { firstName: "Ana" }, "a b");
    expect([status, body]).toEqual([
      400,
      validationBody({ code: "invalid_type", message: "Required", path: ["lastName"] }),
    ]);
  });
});

test("without an Idempotency-Key, a repeated request is executed again", async () => {
  const { organization } = await newPractice();
  const key = await newApiKey(database, organization);
  const json = { firstName: "Ana", lastName: "Ruiz" };
  const answers = [
    await service.call(USERS, { key, json }),
    await service.call(USERS, { key, json }),
  ];
  expect(answers.map(({ status, headers }) => [status, headers.get(REPLAYED)])).toEqual([
    [200, null],
    [200, null],
  ]);
  expect(await countRows(service, organization)).toMatchObject({
    users: 2,
    idempotent_responses: 0,
  });
});
