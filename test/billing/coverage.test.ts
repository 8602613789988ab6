import { describe, expect, test } from "bun:test";
import { coverageFinder, coverageOn, type PayorEntry } from "../../src/billing/coverage.ts";
import { credentialAt, lastingLonger } from "../../src/billing/credentials.ts";
import { haveEnded } from "../../src/checks/session-checks.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import type { Instant } from "../../src/lib/instant.ts";

/** Which insurance covers a day, and which credential is valid at a time (docs/billing.md). */

const day = (text: string) => text as CalendarDate;

function entry(memberId: string, more: Partial<PayorEntry> = {}): PayorEntry {
  return {
    ...{ priority: "PRIMARY", relationshipToPatient: "CHILD", groupId: null },
    ...{ insuredBirthDate: day("1990-01-01"), insuredAddress: {} },
    ...{ planHolder: "Mia", effectiveStartDate: day("2026-01-01"), effectiveEndDate: null },
    ...more,
    memberId,
  };
}

const memberOn = (entries: PayorEntry[], date: string) => coverageOn(entries, day(date))?.memberId;

describe("the coverage of a day", () => {
  test.each([
    ["2025-12-31", undefined],
    ["2026-01-01", "M"],
    ["2026-03-31", "M"],
    ["2026-04-01", undefined],
  ])("includes the first and the last day: %s", (date, member) => {
    expect(memberOn([entry("M", { effectiveEndDate: day("2026-03-31") })], date)).toBe(member);
  });

  test("without an end goes on, and lasts a day where both are the same", () => {
    expect(memberOn([entry("M")], "2099-12-31")).toBe("M");
    const one = entry("M", { effectiveEndDate: day("2026-01-01") });
    expect([memberOn([one], "2026-01-01"), memberOn([one], "2026-01-02")]).toEqual([
      "M",
      undefined,
    ]);
  });

  test.each(["", " ", "\t\n", "\u00a0"])("needs a member id: %j is none", (blank) => {
    expect(memberOn([entry(blank), entry("M", { priority: "TERTIARY" })], "2026-02-01")).toBe("M");
    expect(memberOn([entry(blank)], "2026-02-01")).toBeUndefined();
  });

  test("is the first by priority, and unknown ones come last, by code unit", () => {
    const priorities = ["other", "TERTIARY", "Other", "SECONDARY", "primary", "PRIMARY"];
    const entries = priorities.map((priority) => entry(priority, { priority }));
    const found: (string | undefined)[] = [];
    for (let left = entries; left.length > 0;) {
      const first = coverageOn(left, day("2026-02-01"));
      found.push(first?.priority);
      left = left.filter((one) => one !== first);
    }
    expect(found).toEqual(["PRIMARY", "SECONDARY", "TERTIARY", "Other", "other", "primary"]);
  });

  test("of the same priority is the one that began last, then the first of the record", () => {
    const later = { effectiveStartDate: day("2026-01-15") };
    const entries = [entry("A"), entry("B", later), entry("C", later)];
    expect(memberOn(entries, "2026-02-01")).toBe("B");
    expect(memberOn(entries, "2026-01-14")).toBe("A");
  });

  test("is found by the finder, too, once a day", () => {
    const find = coverageFinder([entry("A", { effectiveEndDate: day("2026-01-31") })]);
    expect(find(day("2026-01-31"))?.memberId).toBe("A");
    expect(find(day("2026-01-31"))).toBe(find(day("2026-01-31")));
    expect(find(day("2026-02-01"))).toBeUndefined();
    expect(coverageFinder([])(day("2026-02-01"))).toBeUndefined();
  });
});

describe("credentials", () => {
  const at = (time: string) => `2026-01-${time}:00:00.000Z` as Instant;
  const credential = (credentialType: string, time: string) => ({
    ...{ credentialType, expiresAt: at(time) },
  });
  const both = [credential("RBT", "10T09"), credential("BCBA", "20T09")];

  test.each([
    ["10T08", "RBT", false],
    // At its end a credential has ended.
    ["10T09", "BCBA", false],
    ["20T08", "BCBA", false],
    ["20T09", undefined, true],
  ])("at %s the first that has not ended is %p", (time, type, ended) => {
    expect(credentialAt(both, at(time))?.credentialType).toBe(type);
    expect(haveEnded(both.at(-1)?.expiresAt, at(time))).toBe(ended);
  });

  test("of nobody have not ended", () => {
    expect(haveEnded(undefined, at("20T09"))).toBe(false);
  });

  test("that end no later than one before them never count", () => {
    const all = [
      ...both,
      credential("A", "20T09"),
      credential("B", "15T09"),
      credential("C", "21T09"),
    ];
    expect(lastingLonger(all)).toEqual([...both, credential("C", "21T09")]);
    for (const time of ["09T09", "10T09", "15T09", "20T08", "20T09", "21T08", "21T09"])
      expect(credentialAt(lastingLonger(all), at(time))).toEqual(credentialAt(all, at(time)));
  });
});
