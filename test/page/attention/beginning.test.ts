import { expect, test } from "bun:test";
import {
  type Beginning,
  isEmpty,
  isUnderWay,
  notYet,
  sheetsOf,
} from "../../../src/page/app/lib/attention/beginning.ts";

const begun: Beginning = {
  ...{ locations: 1, patients: 12, staff: 9, authorizations: 36, sessions: 210, encounters: 7 },
  ...{ hasCertificates: true, signedIn: 2 },
};

test("a practice is empty without patients, authorizations and sessions, and under way with sessions and a second person", () => {
  const empty = { ...begun, patients: 0, authorizations: 0, sessions: 0, signedIn: 1 };
  expect([isEmpty(empty), isUnderWay(empty)]).toEqual([true, false]);
  expect([isEmpty(begun), isUnderWay(begun)]).toEqual([false, true]);
  expect(isUnderWay({ ...begun, signedIn: 1 })).toBe(false);
  expect(isUnderWay({ ...begun, sessions: 0 })).toBe(false);
});

test("the administrator is no staff that a sheet has brought", () => {
  expect(sheetsOf({ ...begun, staff: 0 })[1]).toEqual({ name: "staff", count: 0 });
  expect(sheetsOf({ ...begun, staff: 1 })).toEqual([
    { name: "clients", count: 12 },
    { name: "staff", count: 0 },
    { name: "authorizations", count: 36 },
    { name: "appointments", count: 210 },
  ]);
});

test("what a practice does not have yet is one cause, and only while it has none", () => {
  const totals = { NO_AUTHORIZATION: 210, NOT_DOCUMENTED: 1180 };
  expect(notYet(begun, totals)).toEqual([]);
  const without = { ...begun, authorizations: 0, encounters: 0, hasCertificates: false };
  expect(notYet(without, totals)).toEqual([
    {
      check: "NO_AUTHORIZATION",
      sentence: "No authorizations yet: 210 sessions",
      way: "Import authorizations",
    },
    { check: "NOT_DOCUMENTED", sentence: "Nothing is documented yet: 1,180 sessions" },
    {
      check: "CREDENTIALS_ENDED",
      sentence: "No certificates yet: credentials are not checked",
    },
  ]);
  expect(
    notYet(without, { NO_AUTHORIZATION: 0, NOT_DOCUMENTED: 1 }).map(({ sentence }) => sentence),
  ).toEqual([
    "Nothing is documented yet: 1 session",
    "No certificates yet: credentials are not checked",
  ]);
});
