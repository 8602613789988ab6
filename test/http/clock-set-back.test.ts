import { expect, test } from "bun:test";
import { verifyChains } from "../../src/audit/verification.ts";
import { newRateLimits } from "../../src/http/limits/rate-limits.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";

/** The system clock was a day ahead and is set back while the server runs. */

const service = await newService({
  limits: newRateLimits(1_000),
  addressOf: () => "203.0.113.7",
});
const { database, clock } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);

const create = (email: string, retryKey: string) =>
  service.call("POST /api/v1/users", {
    key,
    json: { firstName: "Ana", lastName: "Ruiz", email },
    headers: { "Idempotency-Key": retryKey },
  });

test("keys, retries, lists, rate limits and the audit trail work on after the clock is set back", async () => {
  clock.set("2026-03-12T15:00:00.000Z");
  const before = await create("before@maple.example", "before");
  for (let failure = 0; failure < 20; failure += 1)
    expect((await service.call("GET /api/v1/users")).status).toBe(401);
  expect((await service.call("GET /api/v1/users")).status).toBe(429);

  clock.set("2026-03-11T15:00:00.000Z");
  const retried = await create("before@maple.example", "before");
  expect([retried.text, retried.headers.get("idempotency-replayed")]).toEqual([
    before.text,
    "true",
  ]);
  const after = await create("after@maple.example", "after");
  expect(after.status).toBe(200);
  // A window of failed attempts that lies in the future is discarded.
  expect((await service.call("GET /api/v1/users")).status).toBe(401);
  const list = await service.call("GET /api/v1/users", { key });
  const users = (list.body as { data: { email: string }[] }).data;
  expect(users.map(({ email }) => email)).toEqual(["after@maple.example", "before@maple.example"]);

  // A last use that lies in the future is corrected by the next one.
  const lastUsed = await database.read((db) =>
    db.selectFrom("api_keys").select("last_used_at").executeTakeFirstOrThrow(),
  );
  expect(lastUsed.last_used_at as string).toBe("2026-03-11T15:00:00.000Z");
  const chains = await database.read((db) => verifyChains(db));
  expect(chains.map(({ fault }) => fault)).toEqual([undefined, undefined]);
  const times = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select("time")
      .where("organization_id", "=", organization)
      .orderBy("sequence")
      .execute(),
  );
  expect(times.map(({ time }) => time.slice(8, 10))).toEqual(["12", "11", "11", "11"]);
});
