import { describe, expect, test } from "bun:test";
import { NO_ORGANIZATION } from "../../db/database.ts";
import { revokeKey } from "../../src/callers/api-keys.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { issueKey, newOrganization, newUser } from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";

/** A key is checked again when the body has arrived, since that may take long. */

const service = await newService();
const { database, clock } = service;
const organization = await newOrganization(database);

const newAdministrator = JSON.stringify({ firstName: "Eve", lastName: "Late", role: "ADMIN" });

/** Sends a request and runs `meanwhile` between the two halves of its body. */
async function createSlowly(key: string, meanwhile: () => Promise<unknown>, headers = {}) {
  const bytes = new TextEncoder().encode(newAdministrator);
  const half = bytes.length / 2;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes.slice(0, half));
      await Bun.sleep(50);
      await meanwhile();
      controller.enqueue(bytes.slice(half));
      controller.close();
    },
  });
  const response = await service.app.handle(
    new Request("http://localhost/api/v1/users", {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        "X-Request-Id": "slow",
        ...headers,
      },
      body,
    }),
  );
  return { status: response.status, body: await response.json() };
}

const countUsers = () =>
  database.read(async (db) => (await db.selectFrom("users").select("public_id").execute()).length);

const slowRows = () =>
  database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["key_id", "status", "time"])
      .where("request_id", "=", "slow")
      .orderBy("sequence")
      .execute(),
  );

const invalidKey = { status: 401, body: { error: "Invalid API key", statusCode: 401 } };

describe("a request whose body takes 29 seconds to arrive", () => {
  test("writes nothing if its key was revoked meanwhile", async () => {
    const { id, key } = await issueKey(database, organization);
    const before = await countUsers();
    const answer = await createSlowly(key, async () => {
      clock.advance(29_000);
      await database.write((trx) => revokeKey(trx, id, NOW as Instant), NO_ORGANIZATION);
    });
    clock.set(NOW);
    expect([answer, await countUsers()]).toEqual([invalidKey, before]);
    const [row] = (await slowRows()).slice(-1);
    expect(row).toEqual({ key_id: id, status: 401, time: "2026-03-11T15:00:29.000Z" as Instant });
  });

  test("gets no stored response of an earlier attempt if its key was revoked meanwhile", async () => {
    const { id, key } = await issueKey(database, organization);
    const headers = { "Idempotency-Key": "slow" };
    expect((await createSlowly(key, async () => {}, headers)).status).toBe(200);
    const revoke = () =>
      database.write((trx) => revokeKey(trx, id, NOW as Instant), NO_ORGANIZATION);
    expect(await createSlowly(key, revoke, headers)).toEqual(invalidKey);
  });

  test("writes nothing if its user became inactive or got another role meanwhile", async () => {
    for (const [change, status] of [
      [{ is_active: 0 }, 401],
      [{ role: "TECHNICIAN" }, 403],
    ] as const) {
      const userId = await newUser(database, organization, { role: "ADMIN" });
      const { key } = await issueKey(database, organization, { holder: { userId } });
      const before = await countUsers();
      const answer = await createSlowly(key, () =>
        database.write(
          (trx) => trx.updateTable("users").set(change).where("public_id", "=", userId).execute(),
          NO_ORGANIZATION,
        ),
      );
      expect([answer.status, await countUsers()]).toEqual([status, before]);
    }
  });

  test("has an audit entry with the time of the write", async () => {
    const { id, key } = await issueKey(database, organization);
    const answer = await createSlowly(key, async () => clock.advance(29_000));
    clock.set(NOW);
    expect(answer.status).toBe(200);
    const [row] = (await slowRows()).slice(-1);
    expect(row).toEqual({ key_id: id, status: 200, time: "2026-03-11T15:00:29.000Z" as Instant });
  });
});
