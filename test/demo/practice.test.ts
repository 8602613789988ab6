import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { roles } from "../../src/callers/roles.ts";
import { demoLines, demoPractice } from "../../src/demo/practice.ts";
import { isDeliverableUsPhone } from "../../src/lib/phone.ts";
import { isEmail } from "../../src/lib/email.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import { goalTypes } from "../../src/goals/models/common.ts";
import { recordTypes } from "../../src/schema/record-types.ts";
import { parseLine, readRecord } from "../../src/practice-file/read-record.ts";
import { UNIT_FREQUENCIES } from "../../src/utilization/periods.ts";
import { demoText, ofType, recordsOf, TODAY } from "../support/demo/demo-file.ts";

const text = demoText();
const records = recordsOf(text);
const users = ofType(records, "user");

describe("the demo practice is reproducible", () => {
  test("the same sessions and day give the same bytes", () => {
    expect(demoText() === text).toBe(true);
  });

  test("the next day gives a practice around that day", () => {
    const next = recordsOf(demoText({ today: "2026-03-12" as CalendarDate }));
    expect(ofType(next, "encounter").length).toBeGreaterThan(ofType(records, "encounter").length);
  });
});

describe("the demo practice has", () => {
  test("the clinic as often as it takes to have the requested number of sessions", () => {
    const one = ofType(records, "session").length;
    for (const [sessions, clinics] of [
      [1, 1],
      [one, 1],
      [one + 1, 2],
      [2 * one + 1, 3],
    ] as const)
      expect(ofType(recordsOf(demoText({ sessions })), "session")).toHaveLength(clinics * one);
  });

  test("clinics that have nothing but their reference data in common", () => {
    const both = demoText({ sessions: ofType(records, "session").length + 1 }).split("\n");
    const second = both.filter((line) => /"publicId":"\w+_c000002"/.test(line));
    const own = text.split("\n").filter((line) => second.includes(line) === false);
    expect(own).toHaveLength(text.split("\n").length);
    // Without the mark, each is a record of the first clinic, and refers to none of it with it.
    const unmarked = second.map((line) => line.replaceAll("_c000002", ""));
    const reference = new Set(recordTypes.slice(0, 8).filter((type) => type !== "location"));
    const first = text.trimEnd().split("\n");
    expect(unmarked).toEqual(
      first.filter((line) => !reference.has((JSON.parse(line) as { type: never }).type)),
    );
    expect(second.join("\n")).not.toMatch(/"(usr|loc|auth|apool|apt|enc|tp)_\w+(?<!_c000002)"/);
  });

  test("every record type, in the order of a practice file and sorted by id", () => {
    const types = records.map(({ type }) => type);
    expect([...new Set(types)]).toEqual([...recordTypes]);
    const key = ({ type, publicId }: (typeof records)[number]) =>
      `${String(recordTypes.indexOf(type)).padStart(2, "0")} ${publicId}`;
    const keys = records.map(key);
    expect(keys).toEqual(keys.toSorted());
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("users of every role, some of them inactive", () => {
    expect(new Set(users.map(({ role }) => role))).toEqual(new Set(roles));
    const inactive = users.filter(({ isActive }) => isActive === false).map(({ role }) => role);
    expect(inactive).toContain("TECHNICIAN");
    expect(inactive).toContain("PATIENT");
  });

  test("names with diacritics, unique email addresses in .example, and fictitious phone numbers", () => {
    expect(users.some(({ lastName }) => /[^\x00-\x7f]/.test(lastName))).toBe(true);
    const emails = users.flatMap(({ email }) => email ?? []);
    expect(new Set(emails).size).toBe(emails.length);
    for (const email of emails) {
      expect(isEmail(email)).toBe(true);
      expect(email).toEndWith(".example");
    }
    for (const phone of users.flatMap(({ phoneNumber }) => phoneNumber ?? [])) {
      expect(phone).toMatch(/^\+1[2-9]\d\d55501\d\d$/);
      expect(isDeliverableUsPhone(phone)).toBe(false);
    }
  });

  test("invalid NPI numbers: valid ones begin with 1 or 2", () => {
    for (const user of users)
      if (user.npiNumber !== undefined) expect(user.npiNumber).toMatch(/^9\d{9}$/);
  });

  test("authorizations of every frequency, alone and in pools", () => {
    const alone = ofType(records, "authorization").flatMap((a) => a.authorizedUnitFrequency ?? []);
    const pools = ofType(records, "authorizationPool").map(({ unitFrequency }) => unitFrequency);
    expect(new Set(alone)).toEqual(new Set(UNIT_FREQUENCIES));
    expect(new Set(pools)).toEqual(new Set(UNIT_FREQUENCIES));
    expect(ofType(records, "authorizationPool").some(({ isUnlimited }) => isUnlimited)).toBe(true);
  });

  test("goals of all four types with recorded data, and child goals", () => {
    const goals = ofType(records, "goal");
    expect(new Set(goals.map(({ goalType }) => goalType))).toEqual(new Set(goalTypes));
    const recorded = goals.flatMap((goal) => {
      switch (goal.goalType) {
        case "frequency_duration":
          return goal.behaviorInstances?.length ? ["behavior instances"] : [];
        case "opportunity":
          return [
            ...(goal.skillTrials?.length ? ["trials"] : []),
            ...(goal.childGoals?.some((child) => child.skillTrials?.length)
              ? ["child trials"]
              : []),
          ];
        case "rating":
          return goal.ratingInstances?.length ? ["ratings"] : [];
        case "interval":
          return goal.intervalSets?.length ? ["interval sets"] : [];
      }
    });
    expect(new Set(recorded)).toEqual(
      new Set(["behavior instances", "trials", "child trials", "ratings", "interval sets"]),
    );
  });

  test("leads on several stages, one of them without a built-in key, some with attribution", () => {
    const stages = ofType(records, "intakeStage");
    const leads = ofType(records, "intakeLead");
    const used = stages.filter(({ publicId }) => leads.some(({ stageId }) => stageId === publicId));
    expect(used.length).toBeGreaterThan(4);
    expect(used.some(({ key }) => key === undefined)).toBe(true);
    expect(stages.some(({ isActive }) => isActive === false)).toBe(true);
    expect(leads.some(({ attribution }) => attribution !== undefined)).toBe(true);
    expect(new Set(leads.map(({ channel }) => channel)).size).toBeGreaterThan(3);
    expect(leads.some(({ labelIds }) => labelIds !== undefined && labelIds.length > 0)).toBe(true);
  });

  test("a pool with the frequency TOTAL that is about half used", () => {
    const memberPool = new Map(
      ofType(records, "authorization").map((a) => [a.publicId, a.authorizationPoolId]),
    );
    const delivered = new Map<string | undefined, number>();
    for (const { authorizationId, units } of ofType(records, "encounter")) {
      const pool = memberPool.get(authorizationId);
      delivered.set(pool, (delivered.get(pool) ?? 0) + units);
    }
    const shares = ofType(records, "authorizationPool")
      .filter(({ unitFrequency, isUnlimited }) => unitFrequency === "TOTAL" && !isUnlimited)
      .map(({ publicId, totalUnits }) => (delivered.get(publicId) ?? 0) / totalUnits);
    expect(shares.some((share) => share > 0.43 && share < 0.57)).toBe(true);
  });
});

describe("every record of the demo practice is valid", () => {
  /** The problems that an import would report for single records. */
  function problemsOf(file: string): unknown[] {
    return linesOf(file).flatMap((line) => {
      const read = readRecord(parseLine(line));
      return "isWhole" in read && read.isWhole ? [] : [{ line, problems: read.problems }];
    });
  }

  function linesOf(file: string): { number: number; text: string }[] {
    return file
      .trimEnd()
      .split("\n")
      .map((text, index) => ({ number: index + 1, text }));
  }

  test("by the model of the practice file, which refuses unknown fields", () => {
    expect(problemsOf(text)).toEqual([]);
  });

  test("for any day", () => {
    const days = fc
      .date({ min: new Date("2020-01-01"), max: new Date("2040-12-31"), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10) as CalendarDate);
    fc.assert(
      fc.property(days, (today) => {
        expect(problemsOf(demoText({ today }))).toEqual([]);
      }),
      { numRuns: 8 },
    );
  });
});

test("30,000 sessions are generated in less than 5 seconds of processor time", () => {
  // Processor time, because other processes may be busy. Measured at about half a
  // second, beside them at almost one.
  const before = process.cpuUsage();
  let sessions = 0;
  for (const line of demoLines(demoPractice({ today: TODAY }), 30_000))
    if (line.startsWith('{"type":"session"')) sessions += 1;
  expect(sessions).toBeGreaterThanOrEqual(30_000);
  expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(5);
});

test("ids are valid in a path of the API", () => {
  const ids = [...text.matchAll(/"(?:publicId|[a-zA-Z]+Id)":"([^"]*)"/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(10_000);
  for (const id of new Set(ids)) expect(id).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
});

test("no record was created or changed after today", () => {
  const moments = [...text.matchAll(/"(?:createdAt|updatedAt|happenedAt|startedAt)":"([^"]*)"/g)];
  expect(moments.length).toBeGreaterThan(1000);
  const latest = moments.map(([, moment = ""]) => moment).reduce((a, b) => (a > b ? a : b));
  expect(latest < `${TODAY}T05:00`).toBe(true);
});
