import { beforeEach, describe, expect, test } from "bun:test";
import { newRateLimits } from "../../src/http/limits/rate-limits.ts";
import { newApiKey, newOrganization, newUser } from "../support/factories.ts";
import { newDatabase, newService, NOW, ORIGIN, TestService } from "../support/harness.ts";
import {
  MAY_BE_BACKED_UP,
  PRESENT,
  SoftwarePasskey,
  VERIFIED,
} from "../support/sign-in/authenticator.ts";
import { invitation, PageBrowser, signedInPerson } from "../support/sign-in/browser.ts";

/** The operations with which the page signs people in: invitation, registration, sign-in, signing out. */

const MINUTE = 60_000;

const service = await newService();
const { database, clock } = service;
const organization = await newOrganization(database);
const other = await newOrganization(database);
const key = await newApiKey(database, organization);

beforeEach(() => clock.set(NOW));

const plain = (statusCode: number, error: string) => ({ error, statusCode });
const INVITATION_REFUSED = plain(401, "This invitation is no longer valid");
const PASSKEY_REFUSED = plain(401, "Passkey not accepted");

const newPerson = (role = "CLINICIAN") =>
  newUser(database, organization, { role, first_name: "Maya", last_name: "Okafor" });

function update(userId: string, values: { role?: string; is_active?: 0 | 1 }): Promise<unknown> {
  return database.write(
    (trx) => trx.updateTable("users").set(values).where("public_id", "=", userId).execute(),
    { organizationId: organization },
  );
}

function newest(limit = 1) {
  return database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select(["method", "route", "status", "key_id", "user_id", "role", "address"])
      .where("organization_id", "=", organization)
      .orderBy("sequence", "desc")
      .limit(limit)
      .execute(),
  );
}

describe("an invitation", () => {
  test("is a link whose fragment has the token, valid for seven days", async () => {
    const userId = await newPerson();
    const { status, body } = await service.call(`POST /api/v1/users/${userId}/invitation`, { key });
    expect(status).toBe(201);
    expect(body).toEqual({
      url: expect.stringMatching(
        new RegExp(`^https://caseload\\.example/#/invitation/${organization}\\.[\\w-]{27}$`),
      ),
      expiresAt: "2026-03-18T15:00:00.000Z",
    });
  });

  test("registers a passkey once, and signs its person in", async () => {
    const userId = await newPerson();
    const token = await invitation(service, key, userId);
    const browser = new PageBrowser(service);
    const passkey = new SoftwarePasskey(ORIGIN, { isSynced: true });
    const options = await browser.options(token);
    expect(options).toMatchObject({ signIn: "NONE", get: { allowCredentials: [] } });
    expect(options.create).toEqual({
      challenge: expect.stringMatching(/^[\w-]{72}$/),
      timeout: 300_000,
      rp: { id: "caseload.example", name: "Caseload" },
      user: {
        id: Bun.CryptoHasher.hash("sha256", `${organization}.${userId}`, "base64url"),
        name: "Maya Okafor",
        displayName: "Maya Okafor",
      },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
      attestation: "none",
    } as never);
    const { status, body, headers } = await browser.register(passkey, token);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^passkey_/),
      name: "Laptop",
      isSynced: true,
      createdAt: NOW,
      lastUsedAt: null,
    });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^__Host-caseload=${organization}\\.[\\w-]{27}; Max-Age=43200; Path=/; Secure; HttpOnly; SameSite=Strict$`,
        ),
      ),
    ]);
    const me = await browser.call("GET /api/v1/me");
    expect(me.body).toMatchObject({
      key: {
        id: expect.stringMatching(/^signin_/),
        name: "Maya Okafor",
        role: "CLINICIAN",
        userId,
        isReadOnly: false,
        expiresAt: "2026-03-12T03:00:00.000Z",
        kind: "SIGN_IN",
      },
    });
    const again = await new PageBrowser(service).call("POST /api/sign-in/options", {
      json: { invitation: token },
    });
    expect([again.status, again.body]).toEqual([401, INVITATION_REFUSED]);
    expect(again.headers.get("www-authenticate")).toBe("Bearer");
    expect((await browser.options()).create?.excludeCredentials).toEqual([
      { type: "public-key", id: passkey.id } as never,
    ]);
  });

  test("is refused when it is replaced, expired, of other words, or its person may not sign in", async () => {
    const userId = await newPerson();
    const replaced = await invitation(service, key, userId);
    const current = await invitation(service, key, userId);
    const browser = new PageBrowser(service);
    const isRefused = async (token: string) => {
      const { status, body } = await browser.call("POST /api/sign-in/options", {
        json: { invitation: token },
      });
      if (status === 401) expect(body).toEqual(INVITATION_REFUSED);
      return status === 401;
    };
    for (const token of [replaced, "", "x", current.replace(organization, other), `${current}A`])
      expect(await isRefused(token)).toBeTrue();
    for (const values of [{ is_active: 0 }, { is_active: 1, role: "PATIENT" }] as const) {
      await update(userId, values);
      expect(await isRefused(current)).toBeTrue();
    }
    await update(userId, { role: "CLINICIAN" });
    clock.advance(7 * 24 * 60 * MINUTE - 1);
    expect(await isRefused(current)).toBeFalse();
    clock.advance(1);
    expect(await isRefused(current)).toBeTrue();
  });

  test("is for active people who work for the practice, of the organization", async () => {
    const refusal = plain(409, "Only active staff can sign in");
    for (const row of [{ role: "PATIENT" }, { role: "CAREGIVER" }, { is_active: 0 as const }]) {
      const userId = await newUser(database, organization, row);
      const { status, body } = await service.call(`POST /api/v1/users/${userId}/invitation`, {
        key,
      });
      expect([status, body]).toEqual([409, refusal]);
    }
    const stranger = await newUser(database, other, { role: "CLINICIAN" });
    for (const userId of [stranger, "usr_unknown"]) {
      const { status, body } = await service.call(`POST /api/v1/users/${userId}/invitation`, {
        key,
      });
      expect([status, body]).toEqual([404, plain(404, "User not found")]);
    }
  });

  test("checks the form of an Idempotency-Key, and stores nothing under it", async () => {
    const line = `POST /api/v1/users/${await newPerson()}/invitation`;
    const send = (idempotencyKey: string) =>
      service.call(line, { key, headers: { "Idempotency-Key": idempotencyKey } });
    expect((await send("not visible")).status).toBe(400);
    const [first, second] = [await send("one"), await send("one")];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body).not.toEqual(second.body);
    expect(second.headers.has("idempotency-replayed")).toBeFalse();
  });

  test("used twice at once registers one passkey", async () => {
    const token = await invitation(service, key, await newPerson());
    const credentials = await Promise.all(
      [1, 2].map(async () => {
        const { create } = await new PageBrowser(service).options(token);
        return create && new SoftwarePasskey(ORIGIN).register(create);
      }),
    );
    const responses = await Promise.all(
      credentials.map((credential) =>
        new PageBrowser(service).call("POST /api/sign-in/passkey", {
          json: { invitation: token, name: "Laptop", credential },
        }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 401]);
  });

  test("ends the sign-in of whoever was signed in on the browser", async () => {
    const { browser } = await signedInPerson(service, key, await newPerson());
    const former = browser.cookie;
    await browser.register(
      new SoftwarePasskey(ORIGIN),
      await invitation(service, key, await newPerson()),
    );
    const own = browser.cookie;
    browser.cookie = former;
    expect((await browser.call("GET /api/v1/me")).body).toEqual(plain(401, "Sign-in has ended"));
    browser.cookie = own;
    expect((await browser.call("GET /api/v1/me")).status).toBe(200);
  });
});

describe("registering", () => {
  test("another passkey is for whoever has used theirs within five minutes", async () => {
    const { browser } = await signedInPerson(service, key, await newPerson());
    clock.advance(5 * MINUTE - 1);
    const { create } = await browser.options();
    expect((await browser.register(new SoftwarePasskey(ORIGIN))).status).toBe(201);
    clock.advance(1);
    const send = (who: PageBrowser) =>
      who.call("POST /api/sign-in/passkey", {
        json: { name: "Phone", credential: new SoftwarePasskey(ORIGIN).register(create!) },
      });
    const refusal = [401, plain(401, "Use your passkey again first")];
    for (const who of [browser, new PageBrowser(service)]) {
      const { status, body } = await send(who);
      expect([status, body]).toEqual(refusal);
    }
    clock.advance(20 * MINUTE);
    expect((await send(browser)).status).toBe(401);
  });

  test("whatever is wrong with a passkey, or one known already, is one sentence", async () => {
    const refusal = [409, plain(409, "This passkey cannot be registered")];
    const { browser, passkey } = await signedInPerson(service, key, await newPerson());
    const attempts = [
      browser.register(new SoftwarePasskey(ORIGIN), undefined, { origin: "https://other.example" }),
      browser.register(new SoftwarePasskey(ORIGIN), undefined, { challenge: "AAAA" }),
      browser.register(passkey),
    ];
    for (const { status, body } of await Promise.all(attempts))
      expect([status, body]).toEqual(refusal);
    const stranger = await signedInPerson(
      service,
      await newApiKey(database, other),
      await newUser(database, other, { role: "ADMIN" }),
    );
    const known = await stranger.browser.register(passkey);
    expect([known.status, known.body]).toEqual(refusal);
  });

  test("takes credential ids of up to 1,023 bytes", async () => {
    const { browser } = await signedInPerson(service, key, await newPerson());
    for (const [idLength, status] of [
      [1_023, 201],
      [1_024, 409],
      [6_000, 409],
    ] as const) {
      const passkey = new SoftwarePasskey(ORIGIN, { idLength });
      expect((await browser.register(passkey)).status).toBe(status);
    }
  });

  test("stops at 20 passkeys a person", async () => {
    const { browser } = await signedInPerson(service, key, await newPerson());
    for (let passkeys = 1; passkeys < 20; passkeys += 1)
      expect((await browser.register(new SoftwarePasskey(ORIGIN))).status).toBe(201);
    const { status, body } = await browser.register(new SoftwarePasskey(ORIGIN));
    expect([status, body]).toEqual([409, plain(409, "Too many passkeys")]);
  });

  test("takes a name of 1 to 200 characters, and says which fields are wrong", async () => {
    const { browser } = await signedInPerson(service, key, await newPerson());
    const { status, body } = await browser.call("POST /api/sign-in/passkey", {
      json: { name: " ", credential: { id: "ä", response: { clientDataJSON: 1 } } },
    });
    expect(status).toBe(400);
    const { validationErrors } = body as { validationErrors: { path: string[] }[] };
    expect(validationErrors.map(({ path }) => path.join("."))).toEqual([
      "name",
      "credential.id",
      "credential.response.clientDataJSON",
      "credential.response.attestationObject",
    ]);
  });
});

describe("signing in", () => {
  test("gives a new cookie, ends the browser's former sign-in, and stores the use", async () => {
    const userId = await newPerson();
    const { browser, passkey } = await signedInPerson(service, key, userId);
    const former = browser.cookie;
    clock.advance(MINUTE);
    const { status, body } = await browser.signIn(passkey);
    expect([status, body]).toEqual([201, { userId, expiresAt: "2026-03-12T03:01:00.000Z" }]);
    expect(browser.cookie).not.toBe(former);
    const passkeys = await browser.call("GET /api/v1/passkeys");
    expect(passkeys.body).toMatchObject({ data: [{ lastUsedAt: "2026-03-11T15:01:00.000Z" }] });
    browser.cookie = former;
    expect((await browser.call("GET /api/v1/me")).body).toEqual(plain(401, "Sign-in has ended"));
  });

  test("is refused in one sentence, whatever is wrong", async () => {
    const userId = await newPerson();
    const { passkey } = await signedInPerson(service, key, userId);
    const browser = new PageBrowser(service);
    const refusals = [
      await browser.signIn(passkey, { flags: PRESENT | VERIFIED | MAY_BE_BACKED_UP }),
      await browser.signIn(passkey, { origin: "https://other.example" }),
      await browser.signIn(passkey, { challenge: "AAAA" }),
      await browser.signIn(passkey, { userHandle: "AAAA" }),
    ];
    await update(userId, { is_active: 0 });
    refusals.push(await browser.signIn(passkey));
    for (const { status, body } of refusals) expect([status, body]).toEqual([401, PASSKEY_REFUSED]);
    expect(browser.cookie).toBeUndefined();
  });

  test("says of a passkey that is unknown here, and of no other, that browsers may forget it", async () => {
    const stranger = new SoftwarePasskey(ORIGIN);
    stranger.register({ challenge: "", rp: { id: "" }, user: { id: "AAAA" } });
    const { status, body } = await new PageBrowser(service).signIn(stranger);
    expect([status, body]).toEqual([401, { ...PASSKEY_REFUSED, reason: "unknown_passkey" }]);
  });

  test("a use counts once, within five minutes", async () => {
    const { passkey } = await signedInPerson(service, key, await newPerson());
    const browser = new PageBrowser(service);
    const { get } = await browser.options();
    const send = (credential: object) =>
      browser.call("POST /api/sign-in", { json: { credential } });
    const use = passkey.use(get);
    clock.advance(5 * MINUTE + 1);
    expect((await send(use)).status).toBe(401);
    clock.advance(-1);
    const statuses = (await Promise.all([send(use), send(use)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 401]);
    expect((await browser.call("DELETE /api/sign-in")).status).toBe(200);
    expect((await send(use)).status).toBe(401);
    expect((await send(passkey.use(get))).status).toBe(401);
    const { get: early } = await browser.options();
    clock.advance(-MINUTE - 1);
    expect((await send(passkey.use(early))).status).toBe(401);
  });

  test("two uses of one passkey at once: the counter of the later must be ahead", async () => {
    const browser = new PageBrowser(service);
    const passkey = new SoftwarePasskey(ORIGIN, { isCounting: true });
    await browser.register(passkey, await invitation(service, key, await newPerson()));
    const [first, second] = [await browser.options(), await browser.options()];
    const uses = [passkey.use(first.get), passkey.use(second.get, { count: 1 })];
    const answers = await Promise.all(
      uses.map((credential) => browser.call("POST /api/sign-in", { json: { credential } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401]);
  });

  test("a locked sign-in names its person's passkeys, and another use unlocks", async () => {
    const { browser, passkey } = await signedInPerson(service, key, await newPerson());
    clock.advance(15 * MINUTE);
    const options = await browser.options();
    expect(options).toMatchObject({
      signIn: "LOCKED",
      get: { allowCredentials: [{ type: "public-key", id: passkey.id }] },
    });
    expect(options.create).toBeUndefined();
    expect((await browser.signIn(passkey)).status).toBe(201);
    expect((await browser.options()).signIn).toBe("ACTIVE");
  });
});

describe("signing out", () => {
  test("ends the sign-in and removes the cookie, also when it is locked or there is none", async () => {
    const { browser, passkey } = await signedInPerson(service, key, await newPerson());
    for (const minutes of [0, 20]) {
      if (minutes > 0) await browser.signIn(passkey);
      const { cookie } = browser;
      clock.advance(minutes * MINUTE);
      const { status, body, headers } = await browser.call("DELETE /api/sign-in");
      expect([status, body]).toEqual([200, { success: true }]);
      expect(headers.getSetCookie()).toEqual([
        "__Host-caseload=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Strict",
      ]);
      browser.cookie = cookie;
      expect((await browser.options()).signIn).toBe("NONE");
    }
    expect((await new PageBrowser(service).call("DELETE /api/sign-in")).status).toBe(200);
  });
});

describe("only the page", () => {
  const lines = ["POST /api/sign-in/options", "POST /api/sign-in/passkey", "POST /api/sign-in"];

  test.each([undefined, "none", "same-site", "cross-site", "Same-Origin", ""])(
    "signs people in: Sec-Fetch-Site %p is a 403",
    async (site) => {
      const browser = new PageBrowser(
        service,
        site === undefined ? {} : { "Sec-Fetch-Site": site },
      );
      for (const line of [...lines, "DELETE /api/sign-in", "GET /api/sign-in"]) {
        const { status, body } = await browser.call(line);
        expect([status, body]).toEqual([403, plain(403, "Only the page signs people in")]);
      }
    },
  );

  test("bodies are JSON of up to 32 KiB, without parameters, and other methods are a 405", async () => {
    const browser = new PageBrowser(service);
    const json = { "Content-Type": "application/json" };
    for (const line of lines) {
      const large = await browser.call(line, { headers: json, raw: " ".repeat(32 * 1024 + 1) });
      expect([large.status, large.body]).toEqual([
        413,
        plain(413, "Request body must not be larger than 32 KiB"),
      ]);
      expect((await browser.call(line, { raw: "{}" })).status).toBe(415);
      expect((await browser.call(line, { headers: json, raw: "[]" })).status).toBe(400);
      expect((await browser.call(`${line}?a=1`, { json: {} })).status).toBe(400);
      const put = await browser.call(line.replace("POST", "PUT"));
      expect([put.status, put.body]).toEqual([405, plain(405, "Method not allowed")]);
      expect(put.headers.get("allow")).toBe(line.endsWith("sign-in") ? "POST, DELETE" : "POST");
    }
    expect((await browser.call("POST /api/sign-in/other")).status).toBe(404);
  });

  test("without an origin, operations that need one are a 409", async () => {
    const without = new TestService(database, { origin: () => undefined });
    const refusal = [409, plain(409, 'Passkeys need "caseload serve --origin"')];
    const browser = new PageBrowser(without);
    for (const line of lines) {
      const { status, body } = await browser.call(line);
      expect([status, body]).toEqual(refusal);
    }
    const invite = `POST /api/v1/users/${await newPerson()}/invitation`;
    const { status, body } = await without.call(invite, { key });
    expect([status, body]).toEqual(refusal);
    expect((await browser.call("DELETE /api/sign-in")).status).toBe(200);
    expect((await without.call("GET /api/v1/access", { key })).status).toBe(200);
  });
});

test("another address has its own passkeys", async () => {
  const { passkey } = await signedInPerson(service, key, await newPerson());
  const moved = new TestService(database, { origin: () => "https://moved.example" });
  const refused = await new PageBrowser(moved).signIn(passkey, { origin: "https://moved.example" });
  expect([refused.status, refused.body]).toEqual([401, PASSKEY_REFUSED]);
});

test("behind the twentieth failure of an address comes a 429, from which other addresses are free", async () => {
  const limits = newRateLimits(undefined);
  const at = (address: string) => new TestService(database, { limits, addressOf: () => address });
  const office = new PageBrowser(at("203.0.113.7"));
  const fail = () =>
    office.call("POST /api/sign-in/options", { json: { invitation: `${organization}.x` } });
  for (let failures = 0; failures < 20; failures += 1) expect((await fail()).status).toBe(401);
  const { status, headers } = await fail();
  expect([status, headers.get("retry-after")]).toEqual([429, "60"]);
  expect(await office.options()).toMatchObject({ signIn: "NONE" });
  const { passkey } = await signedInPerson(service, key, await newPerson());
  expect((await office.signIn(passkey)).status).toBe(201);
  expect((await new PageBrowser(at("203.0.113.8")).options()).signIn).toBe("NONE");
});

describe("the audit trail", () => {
  const chains = async () => (await newest(100)).reverse();

  test("has a row of each sign-in, its end, a registration, and a refused use of a known passkey", async () => {
    const { length } = await chains();
    const userId = await newPerson("TECHNICIAN");
    const { browser, passkey, passkeyId } = await signedInPerson(service, key, userId);
    await browser.signIn(passkey, { challenge: "AAAA" });
    await browser.signIn(passkey);
    await browser.call("DELETE /api/sign-in");
    const person = { user_id: userId, role: "TECHNICIAN" };
    const row = (method: string, route: string, status: number) => ({ method, route, status });
    const own = { ...person, key_id: expect.stringMatching(/^signin_/), address: null };
    expect((await chains()).slice(length + 1)).toEqual([
      { ...row("POST", "/sign-in/passkey", 201), ...own },
      { ...row("POST", "/sign-in", 401), ...person, key_id: passkeyId, address: "127.0.0.1" },
      { ...row("POST", "/sign-in", 201), ...own },
      { ...row("DELETE", "/sign-in", 200), ...own },
    ]);
  });

  test("has other refusals without an organization, and summarizes them", async () => {
    const lone = new TestService(await newDatabase());
    const browser = new PageBrowser(lone);
    for (let count = 0; count < 250; count += 1) await browser.call("DELETE /api/sign-in");
    const rows = () =>
      lone.database.read((db) =>
        db
          .selectFrom("audit_entries")
          .select(["route", "status", "requests", "address"])
          .orderBy("sequence")
          .execute(),
      );
    expect(await rows()).toHaveLength(200);
    await lone.audit.finish();
    expect((await rows()).at(-1)).toEqual({
      ...{ route: "*", status: 200, requests: 50, address: "127.0.0.1" },
    });
  });

  test("has no row of `options` that are not refused", async () => {
    const browser = new PageBrowser(service);
    const rows = () =>
      database.read((db) => db.selectFrom("audit_entries").select("route").execute());
    const before = await rows();
    await browser.options();
    expect(await rows()).toEqual(before);
    await browser.call("POST /api/sign-in/options", { json: { invitation: "x" } });
    expect((await rows()).length).toBe(before.length + 1);
  });
});

describe("what one person can make", () => {
  const accessOf = async (userId: string) => {
    const { body } = await service.call("GET /api/v1/access?pageSize=100", { key });
    const { data } = body as { data: { userId: string; signIns: { id: string }[] }[] };
    return data.find((each) => each.userId === userId)?.signIns ?? [];
  };
  const rowsOf = (userId: string) =>
    database.read((db) =>
      db
        .selectFrom("sign_ins")
        .select(["id", "ended_at"])
        .where("organization_id", "=", organization)
        .where("user_id", "=", userId)
        .execute(),
    );

  test("are 20 sign-ins: a new one ends the one that was used least recently", async () => {
    const userId = await newPerson();
    const { browser: first, passkey } = await signedInPerson(service, key, userId);
    const others: PageBrowser[] = [];
    for (let count = 1; count < 20; count += 1) {
      clock.advance(MINUTE / 2);
      const browser = new PageBrowser(service);
      expect((await browser.signIn(passkey)).status).toBe(201);
      others.push(browser);
    }
    expect(await accessOf(userId)).toHaveLength(20);
    // The oldest is used again, so the second is the one that was used least recently.
    expect((await first.call("GET /api/v1/me")).status).toBe(200);
    expect((await new PageBrowser(service).signIn(passkey)).status).toBe(201);
    expect(await accessOf(userId)).toHaveLength(20);
    expect((await first.call("GET /api/v1/me")).status).toBe(200);
    const [second, third] = others as [PageBrowser, PageBrowser];
    const ended = await second.call("GET /api/v1/me");
    expect([ended.status, ended.body]).toEqual([401, plain(401, "Sign-in has ended")]);
    expect((await third.call("GET /api/v1/me")).status).toBe(200);
  });

  test("challenges of ended sign-ins are kept while they are valid, and no longer", async () => {
    const userId = await newPerson();
    const { browser, passkey } = await signedInPerson(service, key, userId);
    for (let count = 0; count < 5; count += 1) await browser.signIn(passkey);
    expect((await rowsOf(userId)).filter(({ ended_at }) => ended_at !== null)).toHaveLength(5);
    clock.advance(11 * MINUTE);
    await browser.signIn(passkey);
    // The one that this has ended was made long ago, too.
    expect(await rowsOf(userId)).toHaveLength(1);
  });

  test("are 30 accepted uses of passkeys a minute; refused ones count for the address alone", async () => {
    const { browser, passkey } = await signedInPerson(service, key, await newPerson());
    for (let count = 0; count < 30; count += 1) {
      expect((await browser.signIn(passkey, { challenge: "AAAA" })).status).toBe(401);
      expect((await browser.signIn(passkey)).status).toBe(201);
    }
    const { status, body, headers } = await browser.signIn(passkey);
    expect([status, body]).toEqual([429, plain(429, "Too many requests")]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await browser.call("GET /api/v1/me")).status).toBe(200);
    const colleague = await signedInPerson(service, key, await newPerson());
    expect((await colleague.browser.signIn(colleague.passkey)).status).toBe(201);
    clock.advance(MINUTE);
    expect((await browser.signIn(passkey)).status).toBe(201);
  });

  test("a use that somebody repeats does not count as accepted", async () => {
    const { browser, passkey } = await signedInPerson(service, key, await newPerson());
    const { get } = await browser.options();
    const json = { credential: passkey.use(get) };
    expect((await browser.call("POST /api/sign-in", { json })).status).toBe(201);
    const other = new PageBrowser(service);
    for (let count = 0; count < 40; count += 1) {
      const { status, body } = await other.call("POST /api/sign-in", { json });
      expect([status, body]).toEqual([401, PASSKEY_REFUSED]);
    }
    for (let count = 0; count < 29; count += 1)
      expect((await browser.signIn(passkey)).status).toBe(201);
  });

  test("refused uses of a passkey are 20 rows an hour, and one with the number of the others, whatever the address", async () => {
    let address = 0;
    const hostile = new TestService(database, { addressOf: () => `203.0.113.${address % 200}` });
    const { passkey, passkeyId } = await signedInPerson(service, key, await newPerson());
    const browser = new PageBrowser(hostile);
    for (address = 0; address < 100; address += 1)
      expect((await browser.signIn(passkey, { challenge: "AAAA" })).status).toBe(401);
    const logged = hostile.log.filter(
      ({ route, status }) => route === "/sign-in" && status === 401,
    );
    expect(logged).toHaveLength(20);
    await hostile.audit.finish();
    const rows = await database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select(["status", "route", "address", "requests"])
        .where("organization_id", "=", organization)
        .where("key_id", "=", passkeyId)
        .orderBy("sequence")
        .execute(),
    );
    expect(rows).toHaveLength(21);
    expect(rows[0]).toEqual({
      status: 401,
      route: "/sign-in",
      address: "203.0.113.0",
      requests: null,
    });
    expect(rows.at(-1)).toEqual({ status: 401, route: "*", address: "*", requests: 80 });
  });
});

test("tokens, challenges and credential ids are in no row, and only their hashes at rest", async () => {
  const userId = await newPerson();
  const token = await invitation(service, key, userId);
  const browser = new PageBrowser(service);
  const passkey = new SoftwarePasskey(ORIGIN);
  await browser.register(passkey, token);
  const secrets = [token, browser.cookie ?? "", passkey.id].map((text) => text.split(".").at(-1)!);
  const trail = await database.read((db) => db.selectFrom("audit_entries").selectAll().execute());
  for (const secret of secrets) expect(JSON.stringify(trail)).not.toContain(secret);
  const tables = await database.read(async (db) => [
    await db.selectFrom("invitations").selectAll().execute(),
    await db.selectFrom("sign_ins").selectAll().execute(),
  ]);
  for (const secret of secrets.slice(0, 2)) expect(JSON.stringify(tables)).not.toContain(secret);
});
