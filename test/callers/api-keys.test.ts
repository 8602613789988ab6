import { describe, expect, test } from "bun:test";
import type { Db } from "../../db/database.ts";
import {
  authenticate,
  createKey,
  type NewKey,
  revokeKey,
  rotateKey,
} from "../../src/callers/api-keys.ts";
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

const issue = (key?: Partial<NewKey>) => issueKey(database, organization, key);
const write = <Result>(work: (trx: Db) => Promise<Result>, organizationId = organization) =>
  database.write(work, { organizationId });
const rotate = (id: string, overlap = HOUR) => write((trx) => rotateKey(trx, id, overlap, now));
const revoke = (id: string, at = now) => write((trx) => revokeKey(trx, id, at));
const create = (organizationId: string, userId: string) => {
  const key = { organizationId, holder: { userId }, name: "test", expiresAt: null };
  return write((trx) => createKey(trx, key, now), organizationId);
};

const holderOf = (key: string, at = now) => database.read((db) => authenticate(db, key, at));

/** At which of some times a key works. */
async function works(key: string, ...times: Instant[]): Promise<boolean[]> {
  const holders = await Promise.all(times.map((at) => holderOf(key, at)));
  return holders.map((holder) => holder !== undefined);
}

async function rowsOf(...ids: string[]) {
  const keys = await database.read((db) => listKeys(db));
  return ids.map((id) => keys.find((key) => key.id === id));
}

/** Equal errors may be of different classes. */
async function expectRefusal(work: Promise<unknown>, message: string): Promise<void> {
  const refusal = await work.catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CommandError);
  expect(refusal).toEqual(new CommandError(message));
}
const noKey = 'There is no key key_none; "caseload keys list" shows the ids.';

describe("a key", () => {
  const principal = {
    ...{ organizationId: organization, kind: "API", userId: null, keyName: "test" },
    ...{ keyExpiresAt: null, isReadOnly: false, ownPatientsOnly: false, keyLastUsedAt: null },
  };

  test("of a role has that role in its organization", async () => {
    const { id, key } = await issue({ holder: { role: "BILLING_MANAGER" } });
    const holder = { ...principal, keyId: id, role: "BILLING_MANAGER" };
    expect<unknown>(await holderOf(key)).toEqual(holder);
  });

  test("of a user has the user's current role, and does not work while the user is inactive", async () => {
    const userId = await newUser(database, organization, { role: "CLINICIAN" });
    const { id, key } = await issue({ holder: { userId } });
    for (const [change, role] of [
      [{}, "CLINICIAN"],
      [{ role: "CAREGIVER" }, "CAREGIVER"],
      [{ is_active: 0 }, undefined],
      [{ is_active: 1 }, "CAREGIVER"],
    ] as const) {
      const values = { updated_at: now, ...change };
      await write((trx) =>
        trx.updateTable("users").set(values).where("public_id", "=", userId).execute(),
      );
      const holder = role && { ...principal, keyId: id, userId, role };
      expect<unknown>(await holderOf(key)).toEqual(holder);
    }
  });

  test("of a user is not one of a user with the same id in another organization", async () => {
    const public_id = await newUser(database, organization, { role: "ADMIN" });
    await newUser(database, other, { public_id, role: "PATIENT", is_active: 0 });
    const { key } = await issue({ holder: { userId: public_id } });
    expect(await holderOf(key)).toMatchObject({ organizationId: organization, role: "ADMIN" });
  });

  test("works until its expiry; one that is unknown never", async () => {
    const { key } = await issue({ expiresAt: hourLater });
    const later = "2027-01-01T00:00:00.000Z" as Instant;
    expect(await works(key, justBeforeHourLater, hourLater, later)).toEqual([true, false, false]);
    expect(await works("caseload_0", now)).toEqual([false]);
  });

  test("is stored as its hash alone", async () => {
    const { key } = await issue();
    const rows = await database.read((db) => db.selectFrom("api_keys").selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(key.slice("caseload_".length));
  });
});

test("an internal platform role cannot be stored", async () => {
  const row = { role: "INTERNAL_ADMIN" };
  await expect(newUser(database, organization, row)).rejects.toThrow(/check constraint/i);
});

describe("rotate", () => {
  test("both keys work during the overlap, then only the successor", async () => {
    const old = await issue({ holder: { role: "ADMIN" }, name: "Forms" });
    const successor = await rotate(old.id);
    const times = [now, justBeforeHourLater, hourLater];
    expect(await works(old.key, ...times)).toEqual([true, true, false]);
    expect(await works(successor.key, ...times)).toEqual([true, true, true]);
    const row = { name: "Forms", role: "ADMIN", revoked_at: null };
    expect(await rowsOf(old.id, successor.id)).toMatchObject([
      { ...row, expires_at: hourLater },
      { ...row, expires_at: null, last_used_at: null },
    ]);
  });

  test("without an overlap the old key stops working at once", async () => {
    const old = await issue();
    await rotate(old.id, 0);
    expect(await works(old.key, now)).toEqual([false]);
  });

  test("the successor has the same user and the same expiry", async () => {
    const userId = await newUser(database, organization, { role: "CLINICIAN" });
    const expiresAt = "2026-03-11T15:30:00.000Z" as Instant;
    const old = await issue({ holder: { userId }, expiresAt });
    const successor = await rotate(old.id);
    const row = { user_id: userId, expires_at: expiresAt };
    expect(await rowsOf(old.id, successor.id)).toMatchObject([row, row]);
    expect(await holderOf(successor.key)).toMatchObject({ userId, role: "CLINICIAN" });
  });

  test("a key can be rotated once, and its successor has the key's original expiry", async () => {
    const old = await issue();
    const successor = await rotate(old.id);
    await expectRefusal(
      rotate(old.id),
      `The key ${old.id} has a successor, ${successor.id}; rotate that one, or create a new one with "keys create".`,
    );
    const next = await rotate(successor.id);
    expect(await rowsOf(successor.id, next.id)).toMatchObject([
      { expires_at: hourLater, successor_id: next.id },
      { expires_at: null, successor_id: null },
    ]);
  });

  test("an expired, revoked or unknown key cannot be rotated", async () => {
    const [expired, revoked] = [await issue({ expiresAt: now }), await issue()];
    await revoke(revoked.id);
    for (const { id } of [expired, revoked])
      await expectRefusal(
        rotate(id),
        `The key ${id} is no longer valid; create a new one with "keys create".`,
      );
    await expectRefusal(rotate("key_none"), noKey);
  });
});

test("a revoked key stops working at once, whatever its expiry; revoking it again changes nothing", async () => {
  const { id, key } = await issue({ expiresAt: hourLater });
  expect(await works(key, now)).toEqual([true]);
  await revoke(id);
  expect(await works(key, justBefore)).toEqual([false]);
  await revoke(id, hourLater);
  expect(await rowsOf(id)).toMatchObject([{ revoked_at: now }]);
  await expectRefusal(revoke("key_none"), noKey);
});

test("a key is created for an active user of the organization alone", async () => {
  const theirs = await newUser(database, other);
  const inactive = await newUser(database, organization, { is_active: 0 });
  for (const [organizationId, userId, message] of [
    [
      ...["org_none", "usr_1"],
      'There is no organization org_none; "caseload organizations list" shows them.',
    ],
    [organization, theirs, `The organization ${organization} has no user ${theirs}.`],
    [organization, "usr_none", `The organization ${organization} has no user usr_none.`],
    [
      ...[organization, inactive],
      `The user ${inactive} is inactive, so a key of theirs would not work.`,
    ],
  ] as [string, string, string][])
    await expectRefusal(create(organizationId, userId), message);
});
