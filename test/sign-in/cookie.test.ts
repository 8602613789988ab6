import { beforeEach, describe, expect, test } from "bun:test";
import { toInstant } from "../../src/lib/instant.ts";
import { newRateLimits } from "../../src/http/limits/rate-limits.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService, NOW, TestService } from "../support/harness.ts";
import { newSignIn } from "../support/sign-in/browser.ts";

/** The cookie of a sign-in in place of a key: when it counts, when it locks and ends, and whose it is. */

const MINUTE = 60_000;

const service = await newService();
const { database, clock } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization, "TECHNICIAN");

beforeEach(() => clock.set(NOW));

const plain = (statusCode: number, error: string) => ({ error, statusCode });
const ENDED = plain(401, "Sign-in has ended");
const LOCKED = plain(401, "Sign-in is locked");
const NO_KEY = plain(401, "API key required");

async function ask(headers: Record<string, string>, line = "GET /api/v1/me") {
  const { status, body, headers: sent } = await service.call(line, { headers });
  if (status === 401) expect(sent.get("www-authenticate")).toBe("Bearer");
  return status < 400 ? status : body;
}

describe("the cookie counts only in requests of the page itself", () => {
  test.each([undefined, "none", "same-site", "cross-site", "SAME-ORIGIN", ""])(
    "not with Sec-Fetch-Site %p: neither reads nor writes",
    async (site) => {
      const { headers, userId } = await newSignIn(database, organization);
      const forged = {
        Cookie: headers.Cookie ?? "",
        ...(site !== undefined && { "Sec-Fetch-Site": site }),
      };
      expect(await ask(forged)).toEqual(NO_KEY);
      expect(await ask(forged, `DELETE /api/v1/users/${userId}/access`)).toEqual(NO_KEY);
      expect(await ask(headers)).toBe(200);
    },
  );

  test("with an Authorization header, that alone decides", async () => {
    const { headers } = await newSignIn(database, organization);
    const me = await service.call("GET /api/v1/me", { key, headers });
    expect(me.body).toMatchObject({ key: { kind: "KEY", role: "TECHNICIAN" } });
    const invalid = await service.call("GET /api/v1/me", {
      headers: { ...headers, Authorization: "Bearer x" },
    });
    expect(invalid.body).toEqual(plain(401, "Invalid API key"));
    const { body } = await service.call("POST /api/sign-in/options", { key, headers, json: {} });
    expect(body).toMatchObject({ signIn: "NONE" });
    await service.call("DELETE /api/sign-in", { key, headers });
    expect(await ask(headers)).toBe(200);
  });

  test("its token is no key", async () => {
    const { headers } = await newSignIn(database, organization);
    const token = (headers.Cookie ?? "").split("=")[1] ?? "";
    for (const text of [token, token.split(".")[1] ?? ""]) {
      const { status } = await service.call("GET /api/v1/me", { key: text });
      expect(status).toBe(401);
    }
  });

  test("other cookies beside it are ignored, and a name that begins like it is another's", async () => {
    const { headers } = await newSignIn(database, organization);
    const cookie = headers.Cookie ?? "";
    expect(await ask({ ...headers, Cookie: `a=b;${cookie}; c=d` })).toBe(200);
    expect(await ask({ ...headers, Cookie: cookie.replace("=", "2=") })).toEqual(NO_KEY);
    expect(await ask({ ...headers, Cookie: cookie.replace("__Host-", "") })).toEqual(NO_KEY);
  });
});

describe("a sign-in", () => {
  const lastUse = (userId: string) =>
    database.read((db) =>
      db
        .selectFrom("sign_ins")
        .select("last_used_at")
        .where("user_id", "=", userId)
        .executeTakeFirstOrThrow(),
    );

  test("is locked after 15 minutes without use, for ever, and ends after twelve hours", async () => {
    const used = await newSignIn(database, organization);
    const unused = await newSignIn(database, organization);
    for (let minutes = 10; minutes < 12 * 60; minutes += 10) {
      clock.advance(10 * MINUTE);
      expect(await ask(used.headers)).toBe(200);
      // Stored without waiting for it.
      while ((await lastUse(used.userId)).last_used_at < new Date(clock.now()).toISOString())
        await Bun.sleep(1);
      if (minutes > 10) expect(await ask(unused.headers)).toEqual(LOCKED);
    }
    clock.advance(10 * MINUTE - 1);
    expect(await ask(used.headers)).toBe(200);
    clock.advance(1);
    expect(await ask(used.headers)).toEqual(ENDED);
    expect(await ask(unused.headers)).toEqual(ENDED);
  });

  test("a use is stored at most once a minute, so the lock may come a minute early", async () => {
    const { headers, userId } = await newSignIn(database, organization);
    clock.advance(MINUTE - 1);
    expect(await ask(headers)).toBe(200);
    await Bun.sleep(20);
    expect(await lastUse(userId)).toEqual({ last_used_at: NOW as never });
    clock.advance(14 * MINUTE);
    expect(await ask(headers)).toBe(200);
  });

  test("a last use in the future, by a clock that was wrong, does not keep it unlocked", async () => {
    const { headers, userId } = await newSignIn(database, organization);
    clock.advance(-15 * MINUTE);
    expect(await ask(headers)).toEqual(LOCKED);
    clock.advance(5 * MINUTE);
    expect(await ask(headers)).toBe(200);
    while ((await lastUse(userId)).last_used_at === NOW) await Bun.sleep(1);
    expect((await lastUse(userId)).last_used_at).toBe(toInstant(clock.now()));
  });

  test("of somebody who may no longer sign in has ended, with the next request", async () => {
    const { headers, userId } = await newSignIn(database, organization);
    for (const [values, answer] of [
      [{ is_active: 0 }, ENDED],
      [{ is_active: 1 }, 200],
      [{ role: "PATIENT" }, ENDED],
      [{ role: "TECHNICIAN" }, 200],
    ] as const) {
      await database.write(
        (trx) => trx.updateTable("users").set(values).where("public_id", "=", userId).execute(),
        { organizationId: organization },
      );
      expect(await ask(headers)).toEqual(answer);
    }
    const { body } = await service.call("GET /api/v1/me", { headers });
    expect(body).toMatchObject({ key: { role: "TECHNICIAN" } });
  });

  test("of another organization, or of a text that is none, has ended", async () => {
    const { headers } = await newSignIn(database, organization);
    const cookie = headers.Cookie ?? "";
    const other = await newOrganization(database);
    for (const text of [
      cookie.replace(organization, other),
      `${cookie}A`,
      "__Host-caseload=",
      "__Host-caseload=x",
      `__Host-caseload=${organization}.`,
    ])
      expect(await ask({ ...headers, Cookie: text })).toEqual(ENDED);
  });

  test("of another person than the page thinks has ended", async () => {
    const { headers, userId } = await newSignIn(database, organization);
    expect(await ask({ ...headers, "Caseload-User": userId })).toBe(200);
    expect(await ask({ ...headers, "Caseload-User": "usr_other" })).toEqual(ENDED);
    for (const line of ["POST /api/sign-in/options", "POST /api/sign-in/passkey"])
      expect(
        (await service.call(line, { headers: { ...headers, "Caseload-User": "x" }, json: {} }))
          .status,
      ).toBe(line.endsWith("options") ? 401 : 400);
  });

  test("of a person with an equal id in another practice has ended, wherever the page says the practice", async () => {
    const other = await newOrganization(database);
    const { headers, userId } = await newSignIn(database, organization);
    const as = (person: string) => ({ ...headers, "Caseload-User": person });
    expect(await ask(as(`${organization}.${userId}`))).toBe(200);
    for (const person of [
      `${other}.${userId}`,
      `${organization}.usr_other`,
      `${organization}.`,
      ".",
    ])
      expect(await ask(as(person))).toEqual(ENDED);
    // What names no practice in itself.
    for (const line of [
      "POST /api/v1/intake-leads",
      `POST /api/v1/users/${userId}/invitation`,
      `DELETE /api/v1/users/${userId}/access`,
      "GET /api/v1/access",
      "GET /api/v1/calendars",
      "POST /api/sign-in/options",
    ]) {
      const { status, body } = await service.call(line, {
        headers: as(`${other}.${userId}`),
        json: {},
      });
      expect([line, status, body]).toEqual([line, 401, ENDED]);
    }
  });

  test("that is locked is no failed authentication of the address; one that has ended is", async () => {
    const office = new TestService(database, {
      limits: newRateLimits(undefined),
      addressOf: () => "203.0.113.7",
    });
    const { headers } = await newSignIn(database, organization);
    office.clock.advance(20 * MINUTE);
    const locked = () => office.call("GET /api/v1/me", { headers });
    for (let count = 0; count < 30; count += 1) expect((await locked()).body).toEqual(LOCKED);
    const ended = { ...headers, Cookie: "__Host-caseload=x" };
    for (let count = 0; count < 20; count += 1)
      expect((await office.call("GET /api/v1/me", { headers: ended })).status).toBe(401);
    expect((await office.call("GET /api/v1/me", { headers: ended })).status).toBe(429);
  });

  test("has its own rate limit", async () => {
    const limited = new TestService(database, { limits: newRateLimits(2) });
    const [one, other] = [
      await newSignIn(database, organization),
      await newSignIn(database, organization),
    ];
    const statuses = [];
    for (const { headers } of [one, one, one, other])
      statuses.push((await limited.call("GET /api/v1/me", { headers })).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  test("is checked again within a write, all but the lock", async () => {
    const { headers, userId } = await newSignIn(database, organization);
    const patient = { firstName: "Ida", lastName: "Newly", role: "PATIENT" };
    const slow = (meanwhile: () => Promise<unknown>) => {
      let isDone = false;
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            if (isDone) return controller.close();
            isDone = true;
            await meanwhile();
            controller.enqueue(new TextEncoder().encode(JSON.stringify(patient)));
          },
        },
        { highWaterMark: 0 },
      );
      return service.app.handle(
        new Request("http://localhost/api/v1/users", {
          method: "POST",
          headers: { ...headers, "Content-Type": "application/json" },
          body,
        }),
      );
    };
    const locked = await slow(async () => clock.advance(20 * MINUTE));
    expect(locked.status).toBe(200);
    clock.set(NOW);
    const revoked = await slow(() =>
      service.call(`DELETE /api/v1/users/${userId}/access`, { headers }),
    );
    expect([revoked.status, await revoked.json()]).toEqual([401, ENDED]);
    const created = await database.read((db) =>
      db.selectFrom("users").select("public_id").where("first_name", "=", "Ida").execute(),
    );
    expect(created).toHaveLength(1);
  });
});

test("requests have rows with the sign-in as key, its person, and their role", async () => {
  const { headers, userId } = await newSignIn(database, organization);
  await ask(headers, "GET /api/v1/access");
  const row = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["key_id", "user_id", "role"])
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow(),
  );
  expect(row).toEqual({
    ...{ key_id: expect.stringMatching(/^signin_/), user_id: userId, role: "ADMIN" },
  });
});
