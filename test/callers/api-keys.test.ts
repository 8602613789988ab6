import { describe, expect, test } from "bun:test";
import { authenticate, createKey, revokeKey, rotateKey } from "../../src/callers/api-keys.ts";
import { listKeys } from "../../src/callers/repository.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { CommandError } from "../../src/lib/command-error.ts";
import { issueKey, newOrganization, newUser } from "../support/factories.ts";
import { NOW, newDatabase } from "../support/harness.ts";

/** API keys: authentication, expiry, rotation and revocation. */

const database = await newDatabase();
const organization = await newOrganization(database);
const other = await newOrganization(database);

const now = NOW as Instant;
const justBefore = "2026-03-11T14:59:59.999Z" as Instant;
const hourLater = "2026-03-11T16:00:00.000Z" as Instant;
const justBeforeHourLater = "2026-03-11T15:59:59.999Z" as Instant;
const HOUR = 3_600_000;

function holderOf(key: string, at: Instant = now) {
  return database.read((db) => authenticate(db, key, at));
}

async function works(key: string, at: Instant = now): Promise<boolean> {
  return (await holderOf(key, at)) !== undefined;
}

function rotate(id: string, overlap: number, at: Instant = now) {
  return database.write((trx) => rotateKey(trx, id, overlap, at), { organizationId: organization });
}

function revoke(id: string, at: Instant = now): Promise<void> {
  return database.write((trx) => revokeKey(trx, id, at), { organizationId: organization });
}

async function keyRow(id: string) {
  const keys = await database.read((db) => listKeys(db));
  return keys.find((key) => key.id === id);
}

function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("authenticate", () => {
  test("a key of a role has that role in its organization", async () => {
    const { id, key } = await issueKey(database, organization, {
      holder: { role: "BILLING_MANAGER" },
    });
    expect(await holderOf(key)).toEqual({
      organizationId: organization,
      keyId: id,
      kind: "API",
      role: "BILLING_MANAGER",
      userId: null,
      keyName: "test",
      keyExpiresAt: null,
      isReadOnly: false,
      ownPatientsOnly: false,
      keyLastUsedAt: null,
    });
  });

  test("a key of a user has the user's current role, and does not work while the user is inactive", async () => {
    const userId = await newUser(database, organization, { role: "CLINICIAN" });
    const { id, key } = await issueKey(database, organization, { holder: { userId } });
    const change = (values: { role?: string; is_active?: 0 | 1 }) =>
      database.write(
        (trx) => trx.updateTable("users").set(values).where("public_id", "=", userId).execute(),
        { organizationId: organization },
      );
    const principal = {
      ...{ organizationId: organization, keyId: id, userId, keyName: "test" },
      ...{ kind: "API" as const, keyExpiresAt: null, isReadOnly: false, ownPatientsOnly: false },
      keyLastUsedAt: null,
    };
    expect(await holderOf(key)).toEqual({ ...principal, role: "CLINICIAN" });
    await change({ role: "CAREGIVER" });
    expect(await holderOf(key)).toEqual({ ...principal, role: "CAREGIVER" });
    await change({ is_active: 0 });
    expect(await holderOf(key)).toBeUndefined();
    await change({ is_active: 1 });
    expect(await holderOf(key)).toEqual({ ...principal, role: "CAREGIVER" });
  });

  test("a user with the same id in another organization has no effect", async () => {
    const public_id = await newUser(database, organization, { role: "ADMIN" });
    await newUser(database, other, { public_id, role: "PATIENT", is_active: 0 });
    const { key } = await issueKey(database, organization, { holder: { userId: public_id } });
    expect(await holderOf(key)).toMatchObject({ organizationId: organization, role: "ADMIN" });
  });

  test("an internal platform role cannot be stored", async () => {
    const row = { role: "INTERNAL_ADMIN" };
    await expect(newUser(database, organization, row)).rejects.toThrow(/check constraint/i);
  });

  test.each([
    ["before its expiry", justBeforeHourLater, true],
    ["at its expiry", hourLater, false],
    ["after its expiry", "2027-01-01T00:00:00.000Z" as Instant, false],
  ])("a key %s", async (_, at, expected) => {
    const { key } = await issueKey(database, organization, { expiresAt: hourLater });
    expect(await works(key, at)).toBe(expected);
  });

  test("an unknown key has no holder", async () => {
    expect(await holderOf("caseload_0")).toBeUndefined();
  });

  test("the database stores only the hash of a key", async () => {
    const { key } = await issueKey(database, organization);
    const rows = await database.read((db) => db.selectFrom("api_keys").selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(key.slice("caseload_".length));
  });
});

describe("rotate", () => {
  test("both keys work during the overlap, then only the successor", async () => {
    const old = await issueKey(database, organization, {
      holder: { role: "ADMIN" },
      name: "Forms",
    });
    const successor = await rotate(old.id, HOUR);
    expect(await Promise.all([works(old.key), works(successor.key)])).toEqual([true, true]);
    expect(await works(old.key, justBeforeHourLater)).toBe(true);
    expect(await works(old.key, hourLater)).toBe(false);
    expect(await works(successor.key, hourLater)).toBe(true);
    expect([await keyRow(old.id), await keyRow(successor.id)]).toMatchObject([
      { name: "Forms", role: "ADMIN", expires_at: hourLater, revoked_at: null },
      { name: "Forms", role: "ADMIN", expires_at: null, revoked_at: null, last_used_at: null },
    ]);
  });

  test("without an overlap the old key stops working at once", async () => {
    const old = await issueKey(database, organization);
    await rotate(old.id, 0);
    expect(await works(old.key)).toBe(false);
  });

  test("the successor has the same user and the same expiry", async () => {
    const userId = await newUser(database, organization, { role: "CLINICIAN" });
    const expiresAt = "2026-03-11T15:30:00.000Z" as Instant;
    const old = await issueKey(database, organization, { holder: { userId }, expiresAt });
    const successor = await rotate(old.id, HOUR);
    expect([await keyRow(old.id), await keyRow(successor.id)]).toMatchObject([
      { user_id: userId, expires_at: expiresAt },
      { user_id: userId, expires_at: expiresAt },
    ]);
    expect(await holderOf(successor.key)).toMatchObject({ userId, role: "CLINICIAN" });
  });

  test("a key can be rotated once, and its successor has the key's original expiry", async () => {
    const old = await issueKey(database, organization);
    const successor = await rotate(old.id, HOUR);
    expect(await refusalOf(rotate(old.id, HOUR))).toEqual(
      new CommandError(
        `The key ${old.id} has a successor, ${successor.id}; rotate that one, or create a new one with "keys create".`,
      ),
    );
    const next = await rotate(successor.id, HOUR);
    expect([await keyRow(successor.id), await keyRow(next.id)]).toMatchObject([
      { expires_at: hourLater, successor_id: next.id },
      { expires_at: null, successor_id: null },
    ]);
  });

  test("an expired or revoked key cannot be rotated", async () => {
    const expired = await issueKey(database, organization, { expiresAt: now });
    const revoked = await issueKey(database, organization);
    await revoke(revoked.id);
    for (const id of [expired.id, revoked.id])
      expect(await refusalOf(rotate(id, HOUR))).toEqual(
        new CommandError(`The key ${id} is no longer valid; create a new one with "keys create".`),
      );
  });

  test("an unknown id is refused", async () => {
    expect(await refusalOf(rotate("key_none", HOUR))).toEqual(
      new CommandError('There is no key key_none; "caseload keys list" shows the ids.'),
    );
  });
});

describe("revoke", () => {
  test("the key stops working at once, whatever its expiry", async () => {
    const { id, key } = await issueKey(database, organization, { expiresAt: hourLater });
    expect(await works(key)).toBe(true);
    await revoke(id);
    expect(await works(key, justBefore)).toBe(false);
    expect(await keyRow(id)).toMatchObject({ revoked_at: now });
  });

  test("revoking a key again changes nothing", async () => {
    const { id } = await issueKey(database, organization);
    await revoke(id);
    await revoke(id, hourLater);
    expect(await keyRow(id)).toMatchObject({ revoked_at: now });
  });

  test("an unknown id is refused", async () => {
    expect(await refusalOf(revoke("key_none"))).toEqual(
      new CommandError('There is no key key_none; "caseload keys list" shows the ids.'),
    );
  });
});

describe("create refuses", () => {
  const create = (organizationId: string, userId: string) =>
    database.write(
      (trx) =>
        createKey(trx, { organizationId, holder: { userId }, name: "test", expiresAt: null }, now),
      { organizationId },
    );

  test("an unknown organization", async () => {
    expect(await refusalOf(create("org_none", "usr_1"))).toEqual(
      new CommandError(
        'There is no organization org_none; "caseload organizations list" shows them.',
      ),
    );
  });

  test("a user of another organization, like an unknown user", async () => {
    const theirs = await newUser(database, other);
    for (const userId of [theirs, "usr_none"])
      expect(await refusalOf(create(organization, userId))).toEqual(
        new CommandError(`The organization ${organization} has no user ${userId}.`),
      );
  });

  test("an inactive user", async () => {
    const userId = await newUser(database, organization, { is_active: 0 });
    expect(await refusalOf(create(organization, userId))).toEqual(
      new CommandError(`The user ${userId} is inactive, so a key of theirs would not work.`),
    );
  });
});
