import { describe, expect, test } from "bun:test";
import { issueKey, newApiKey, newOrganization, newUser } from "../support/factories.ts";
import { newDatabase, newService, NOW, TestService } from "../support/harness.ts";
import { newSignIn, PageBrowser, signedInPerson } from "../support/sign-in/browser.ts";

/** Who has access, its end, and one's own passkeys. */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
const plain = (statusCode: number, error: string) => ({ error, statusCode });

describe("GET /api/v1/access", () => {
  test("lists the people who work for the practice by name, with what is valid now", async () => {
    const service = new TestService(await newDatabase());
    const { database } = service;
    const organization = await newOrganization(database);
    const key = await newApiKey(database, organization);
    const named = (last_name: string, first_name: string, row = {}) =>
      newUser(database, organization, { role: "CLINICIAN", first_name, last_name, ...row });
    const ira = await named("Ödegaard", "Ira");
    const ada = await named("Otis", "Ada");
    const zoe = await named("Abel", "Zoe");
    const left = await named("Abel", "Bo", { is_active: 0 });
    await named("Abel", "Leo", { role: "PATIENT" });
    await named("Abel", "Eve", { role: "CAREGIVER" });
    const { browser, passkeyId } = await signedInPerson(service, key, zoe);
    await service.call(`POST /api/v1/users/${ada}/invitation`, { key });
    const theirs = await issueKey(database, organization, { holder: { userId: ada } });
    await issueKey(database, organization, { holder: { userId: ada }, expiresAt: NOW as never });
    const { body } = await service.call("GET /api/v1/access", { key });
    const person = (userId: string, firstName: string, lastName: string) => ({
      ...{ userId, firstName, lastName, role: "CLINICIAN", isActive: true, invitation: null },
      ...{ passkeys: [], signIns: [], keys: [] },
    });
    const passkey = { id: passkeyId, name: "Laptop", isSynced: false, createdAt: NOW };
    const times = { createdAt: NOW, lastUsedAt: NOW, expiresAt: "2026-03-12T03:00:00.000Z" };
    const data = [
      { ...person(left, "Bo", "Abel"), isActive: false },
      {
        ...person(zoe, "Zoe", "Abel"),
        passkeys: [{ ...passkey, lastUsedAt: null }],
        signIns: [{ id: expect.stringMatching(/^signin_/), passkeyId, ...times }],
      },
      person(ira, "Ira", "Ödegaard"),
      {
        ...person(ada, "Ada", "Otis"),
        invitation: { createdAt: NOW, expiresAt: "2026-03-18T15:00:00.000Z" },
        keys: [{ id: theirs.id, name: "test", lastUsedAt: null, expiresAt: null }],
      },
    ];
    const pagination = { page: 1, pageSize: 25, totalCount: 4, totalPages: 1 };
    expect(body).toEqual({ data, pagination });
    const second = await service.call("GET /api/v1/access?page=2&pageSize=3", { key });
    expect(second.body).toEqual({
      data: data.slice(3),
      pagination: { page: 2, pageSize: 3, totalCount: 4, totalPages: 2 },
    });
    await browser.call("DELETE /api/sign-in");
    const after = await service.call("GET /api/v1/access", { key });
    expect(after.body).toMatchObject({ data: [{}, { passkeys: [passkey], signIns: [] }, {}, {}] });
  });
});

describe("DELETE /api/v1/users/{userId}/access", () => {
  test("ends invitation, passkeys, sign-ins and keys at once, one's own too", async () => {
    const userId = await newUser(database, organization, { role: "ADMIN" });
    const { browser, passkey } = await signedInPerson(service, key, userId);
    await service.call(`POST /api/v1/users/${userId}/invitation`, { key });
    const { key: own } = await issueKey(database, organization, { holder: { userId } });
    const { status, body } = await browser.call(`DELETE /api/v1/users/${userId}/access`);
    expect([status, body]).toEqual([200, { success: true }]);
    expect((await browser.call("GET /api/v1/me")).body).toEqual(plain(401, "Sign-in has ended"));
    expect((await service.call("GET /api/v1/me", { key: own })).status).toBe(401);
    expect((await new PageBrowser(service).signIn(passkey)).status).toBe(401);
    const left = await database.read(async (db) => [
      await db.selectFrom("invitations").select("hash").where("user_id", "=", userId).execute(),
      await db.selectFrom("passkeys").select("id").where("user_id", "=", userId).execute(),
    ]);
    expect(left).toEqual([[], []]);
  });

  test("of an unknown user is a 404", async () => {
    const { status, body } = await service.call("DELETE /api/v1/users/usr_none/access", { key });
    expect([status, body]).toEqual([404, plain(404, "User not found")]);
  });
});

describe("passkeys", () => {
  test("are one's own; none of a key without a user", async () => {
    const { headers } = await newSignIn(database, organization, "TECHNICIAN");
    const own = await service.call("GET /api/v1/passkeys", { headers });
    const passkey = { name: "Laptop", isSynced: false, createdAt: NOW, lastUsedAt: null };
    expect(own.body).toEqual({ data: [{ id: expect.stringMatching(/^passkey_/), ...passkey }] });
    expect((await service.call("GET /api/v1/passkeys", { key })).body).toEqual({ data: [] });
  });

  test("are removed with their sign-ins by their person, or an administrator", async () => {
    const idOf = async (headers: Record<string, string>) => {
      const { body } = await service.call("GET /api/v1/passkeys", { headers });
      return (body as { data: [{ id: string }] }).data[0].id;
    };
    const [ana, ben, administrator] = [
      await newSignIn(database, organization, "TECHNICIAN"),
      await newSignIn(database, organization, "CLINICAL_SUPERADMIN"),
      await newSignIn(database, organization, "ADMIN"),
    ];
    const remove = (id: string, { headers }: typeof ana) =>
      service.call(`DELETE /api/v1/passkeys/${id}`, { headers });
    const id = await idOf(ana.headers);
    const refused = await remove(id, ben);
    expect([refused.status, refused.body]).toEqual([404, plain(404, "Passkey not found")]);
    expect((await remove("passkey_none", ben)).text).toBe(refused.text);
    const own = await remove(id, ana);
    expect([own.status, own.body]).toEqual([200, { success: true }]);
    expect((await service.call("GET /api/v1/me", { headers: ana.headers })).status).toBe(401);
    expect((await remove(await idOf(ben.headers), administrator)).status).toBe(200);
    expect((await service.call("GET /api/v1/me", { headers: ben.headers })).status).toBe(401);
  });
});
