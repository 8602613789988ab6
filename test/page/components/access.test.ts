import { expect, test } from "bun:test";
import {
  hasAccess,
  isLastAdministrator,
  means,
} from "../../../src/page/app/lib/practice/access.ts";

const used = { createdAt: "2026-01-02T12:00:00.000Z", lastUsedAt: null };
const phone = { id: "pk_1", name: "Phone", ...used };
const person = (role: string, has: object = {}) =>
  ({ role, passkeys: [], signIns: [], keys: [], invitation: null, ...has }) as never;

test("what a person signs in with is said in words", () => {
  const all = { passkeys: [phone, { ...phone, name: "Laptop" }], signIns: [used], keys: [used] };
  expect(means(person("ADMIN", all))).toEqual([
    ...["2 passkeys (Phone, Laptop)", "1 sign-in", "1 key"],
  ]);
  expect([hasAccess(person("ADMIN", { keys: [used] })), hasAccess(person("ADMIN"))]).toEqual([
    ...[true, false],
  ]);
});

test("the last administrator is the only one with a passkey or a key", () => {
  const withPasskey = person("ADMIN", { passkeys: [phone] });
  const withKey = person("ADMIN", { keys: [used] });
  const signedIn = person("ADMIN", { signIns: [used] });
  const clinician = person("CLINICIAN", { passkeys: [phone] });
  const isLast = (one: never, ...others: never[]) => isLastAdministrator(one, [one, ...others]);
  expect([
    isLast(withPasskey, signedIn, clinician),
    isLast(withKey),
    isLast(withPasskey, withKey),
    isLast(signedIn, withKey),
    isLast(clinician, withKey),
  ]).toEqual([true, true, false, false, false]);
});
