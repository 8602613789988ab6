import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { sql } from "kysely";
import type { DatabaseFile } from "../../db/database.ts";
import { type Json, plainBody } from "../support/body-rules.ts";
import { newApiKey, newOrganization, newTreatmentPlan } from "../support/factories.ts";
import { newServiceWithOtherConnection, whileHeld } from "../support/other-connection.ts";
import { NOW } from "../support/harness.ts";
import { countRows, newCaregiver, newLead } from "../support/intake-leads/practice.ts";
import { validationBody } from "../support/list-rules.ts";

/**
 * Responses to writes while SQLite cannot write: a full disk, a file locked by another process, an
 * email address taken by another process. Nothing is written in part, and a retry succeeds.
 */

const { service, otherConnection } = await newServiceWithOtherConnection();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
const treatmentPlanId = await newTreatmentPlan(database, organization);
// A key's last use is written beside its first request. After that, requests write only their own
// records.
await service.call("GET /api/v1/specializations", { key });

/** One request for each kind of write, with long texts. */
const writes: [line: string, created: number, newBody: () => Json][] = [
  [
    "POST /api/v1/users",
    200,
    () => ({ firstName: "Ana", lastName: "Ruiz", npiNumber: "x".repeat(200), role: "PATIENT" }),
  ],
  ["POST /api/v1/intake-leads", 201, () => newLead({ address: "x".repeat(254) })],
  [
    "POST /api/v1/goals",
    201,
    () => ({ type: "rating", treatmentPlanId, title: "Calm", description: "x".repeat(10_000) }),
  ],
];

const rows = async (): Promise<Record<string, number>> => ({
  ...(await countRows(service, organization)),
  goals: await database.read(
    async (db) => (await db.selectFrom("goals").select("public_id").execute()).length,
  ),
});

/** Goal endpoints leave out `statusCode`. */
const unavailable = (line: string) => {
  const { error, ...rest } = plainBody(503, "Service temporarily unavailable");
  return line.endsWith("goals") ? { error } : { error, ...rest };
};

describe("a full disk", () => {
  const setRoom = (pages: number) =>
    database.write((trx) => sql`pragma max_page_count = ${sql.raw(String(pages))}`.execute(trx), {
      organizationId: organization,
    });
  afterEach(() => setRoom(1_000_000_000));

  /** SQLite never shrinks below its present size, and its last pages may have free space. */
  const useUpRoom = async () => {
    for (const [line, created, newBody] of writes)
      while ((await service.call(line, { key, json: newBody() })).status === created);
  };

  test.each(writes)(
    "%s: 503, nothing is written, and a retry succeeds when there is space",
    async (line, created, newBody) => {
      await setRoom(1);
      await useUpRoom();
      const before = await rows();
      const json = newBody();
      const headers = { "Idempotency-Key": "in-a-full-file" };
      const refused = await service.call(line, { key, json, headers });
      expect([refused.status, refused.headers.get("retry-after"), refused.body]).toEqual([
        503,
        "1",
        unavailable(line),
      ]);
      expect(await rows()).toEqual(before);

      await setRoom(1_000_000_000);
      const retried = await service.call(line, { key, json, headers });
      expect([retried.status, retried.headers.get("idempotency-replayed")]).toEqual([
        created,
        null,
      ]);
    },
  );

  test("GET /readyz responds 503 as long as requests do, and 200 when there is space", async () => {
    const nearlyFull = spyOn(database.file as DatabaseFile, "isNearlyFull").mockReturnValue(true);
    const ready = { status: "ok", disk: "nearly full", temporaryFolder: true };
    expect((await service.call("GET /readyz")).body).toEqual(ready);
    await setRoom(1);
    await useUpRoom();
    const [full, live] = [await service.call("GET /readyz"), await service.call("GET /livez")];
    expect([full.status, full.body, live.status]).toEqual([
      503,
      plainBody(503, "The disk of the database is full"),
      200,
    ]);
    await setRoom(1_000_000_000);
    expect((await service.call("GET /readyz")).body).toEqual(ready);
    nearlyFull.mockRestore();
  });

  test("all writes of a group fail, and none of them is stored", async () => {
    await setRoom(1);
    await useUpRoom();
    const before = await rows();
    const answers = await Promise.all(
      [...writes, ...writes, ...writes].map(([line, , newBody]) =>
        service.call(line, { key, json: newBody() }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(503));
    expect(await rows()).toEqual(before);
  });
});

describe("a file locked by another process", () => {
  afterEach(() => {
    if (otherConnection.inTransaction) otherConnection.run("rollback");
  });

  test.each(writes)("%s waits for the lock", async (line, created, newBody) => {
    let isReleased = false;
    const { status } = await whileHeld(
      otherConnection,
      () => service.call(line, { key, json: newBody() }),
      () => (isReleased = true),
    );
    expect([status, isReleased]).toEqual([created, true]);
  });

  test.each(writes)(
    "%s responds 503 after five seconds and writes nothing",
    async (line, _, newBody) => {
      const before = await rows();
      otherConnection.run("begin immediate");
      // By the clock of the waiting loop, a second passes between two attempts.
      const realNow = performance.now.bind(performance);
      let skew = 0;
      const clock = spyOn(performance, "now").mockImplementation(() => realNow() + (skew += 1_000));
      try {
        const answer = await service.call(line, { key, json: newBody() });
        expect([answer.status, answer.headers.get("retry-after"), answer.body]).toEqual([
          503,
          "1",
          unavailable(line),
        ]);
      } finally {
        clock.mockRestore();
      }
      otherConnection.run("rollback");
      expect(await rows()).toEqual(before);
    },
  );
});

describe("an email address taken by another process after the request found it free", () => {
  /** Sends a request, and takes the address after the request has found it free. */
  async function race(line: string, email: string, json: Json) {
    const before = await rows();
    const { status, body } = await whileHeld(
      otherConnection,
      () => service.call(line, { key, json }),
      () =>
        otherConnection.run(
          `insert into users (organization_id, public_id, role, first_name, last_name, email, email_key,
            is_active, should_send_sms, last_name_key, first_name_key, search_text, created_at, updated_at)
          values (?, ?, 'ADMIN', 'A', 'B', ?, ?, 1, 0, 'b', 'a', '', ?, ?)`,
          [organization, `usr_${email}`, email, email, NOW, NOW],
        ),
    );
    expect(await rows()).toEqual({ ...before, users: (before.users ?? 0) + 1 });
    return [status, body];
  }

  test("POST /v1/intake-leads: 409 asking to review and try again, and nothing of the lead is written", async () => {
    const email = "faster@example.com";
    const json = { ...newLead(), caregiver: newCaregiver({ email }) };
    expect(await race("POST /api/v1/intake-leads", email, json)).toEqual([
      409,
      plainBody(409, "The caregiver could not be created. Review the submission and try again."),
    ]);
  });

  test("POST /v1/users: 400, as for any taken address", async () => {
    const email = "faster.user@example.com";
    const json = { firstName: "Ana", lastName: "Ruiz", email };
    expect(await race("POST /api/v1/users", email, json)).toEqual([
      400,
      validationBody({
        code: "custom",
        message: "A user with this email already exists",
        path: ["email"],
      }),
    ]);
  });
});
