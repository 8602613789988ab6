import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { DateRange } from "../../src/lib/calendar-date.ts";
import type { Instant } from "../../src/lib/instant.ts";
import type { TimeZone } from "../../src/lib/time-zone.ts";
import { periodGrid } from "../../src/utilization/unit-counter.ts";
import type { LedgerEntry } from "../../src/utilization/models/ledger.ts";
import { periodsIn } from "../../src/utilization/periods.ts";
import { toMillionths } from "../../src/utilization/units.ts";
import {
  countedAuthorizations,
  counts,
  gridOf,
  ledgerOf,
  subjectOf,
  windowOf,
} from "../support/utilization/composition.ts";
import { utilizationCases } from "../support/utilization/practices.ts";

const dates = (startDate: string, endDate: string) => ({ startDate, endDate }) as DateRange;
const record = (publicId: string, startTime: string) => ({
  publicId,
  authorizationId: "auth_1",
  startTime: startTime as Instant,
});
const encounter = (publicId: string, startTime: string, units: number) => ({
  ...record(publicId, startTime),
  units,
});
const session = (publicId: string, startTime: string, endTime: string, status = "CONFIRMED") => ({
  ...record(publicId, startTime),
  endTime: endTime as Instant,
  status,
});

/** The ledger from 3 to 5 February of an authorization for February 2026. */
function february(
  encounters: ReturnType<typeof encounter>[],
  sessions: ReturnType<typeof session>[],
  billingUnitMinutes: number | null = 15,
): Promise<LedgerEntry[]> {
  const term = dates("2026-02-01", "2026-02-28");
  const window = dates("2026-02-03", "2026-02-05");
  const periods = periodsIn("DAILY", "SUNDAY", term, window);
  const grid = periodGrid(periods, window, "America/New_York" as TimeZone);
  const authorization = { publicId: "auth_1", dates: term, billingUnitMinutes };
  return ledgerOf(grid, [authorization], encounters, sessions);
}

describe("an entry shows how a record counts", () => {
  test("an encounter counts its delivered units", async () => {
    expect(await february([encounter("enc_1", "2026-02-04T04:59:59.999Z", 2.5)], [])).toEqual([
      {
        type: "encounter",
        publicId: "enc_1",
        authorizationId: "auth_1",
        startTime: "2026-02-04T04:59:59.999Z" as Instant,
        localStart: "2026-02-03T23:59:59.999-05:00",
        day: "2026-02-03" as DateRange["startDate"],
        minutes: null,
        status: null,
        rule: "as delivered",
        units: 2.5,
        period: dates("2026-02-03", "2026-02-03"),
        reason: null,
      },
    ]);
  });

  test("a session counts by its minutes", async () => {
    const [entry] = await february(
      [],
      [session("apt_1", "2026-02-04T15:00:00.000Z", "2026-02-04T15:22:59.000Z")],
    );
    expect(entry).toEqual({
      type: "session",
      publicId: "apt_1",
      authorizationId: "auth_1",
      startTime: "2026-02-04T15:00:00.000Z" as Instant,
      localStart: "2026-02-04T10:00:00.000-05:00",
      day: "2026-02-04" as DateRange["startDate"],
      minutes: 22,
      status: "CONFIRMED",
      rule: "22 min / 15, rounded",
      units: 1,
      period: dates("2026-02-04", "2026-02-04"),
      reason: null,
    });
  });

  test("a session of a service without billing units counts as a visit", async () => {
    const [entry] = await february(
      [],
      [session("apt_1", "2026-02-04T15:00:00.000Z", "2026-02-04T17:00:00.000Z")],
      null,
    );
    expect(entry).toMatchObject({ minutes: 120, rule: "a visit", units: 1 });
  });
});

describe("an entry gives the reason why a record does not count", () => {
  const hour = (startTime: string, status?: string) =>
    session("apt_1", startTime, startTime.replace(/T(\d\d)/, "T23"), status);
  test.each([
    ["2026-02-01T04:59:59.999Z", "CONFIRMED", "it starts before the authorization does"],
    ["2026-02-01T05:00:00.000Z", "CONFIRMED", "it is in no period of the window"],
    ["2026-02-03T04:59:59.999Z", "CONFIRMED", "it is in no period of the window"],
    ["2026-02-03T05:00:00.000Z", "CONFIRMED", null],
    ["2026-02-06T04:59:59.999Z", "CONFIRMED", null],
    ["2026-02-06T05:00:00.000Z", "CONFIRMED", "it is in no period of the window"],
    ["2026-03-01T04:59:59.999Z", "CONFIRMED", "it is in no period of the window"],
    ["2026-03-01T05:00:00.000Z", "CONFIRMED", "it starts after the authorization has ended"],
    ["2026-02-04T15:00:00.000Z", "UNCONFIRMED", null],
    ["2026-02-04T15:00:00.000Z", "REQUESTED_TO_CANCEL", null],
    ["2026-02-04T15:00:00.000Z", "DECLINED", "a cancelled session does not hold the slot"],
    ["2026-02-04T15:00:00.000Z", "PATIENT_NO_SHOW", "a no-show does not hold the slot"],
  ])("a session at %s, %s", async (startTime, status, reason) => {
    const [entry] = await february([], [hour(startTime, status)]);
    expect(entry!.reason).toBe(reason);
    expect(entry!.period === null).toBe(reason !== null);
  });

  test("encounters have the same reasons, except for those of a status", async () => {
    const reasons = (
      await february(
        [
          encounter("enc_1", "2026-01-31T15:00:00.000Z", 1),
          encounter("enc_2", "2026-02-02T15:00:00.000Z", 1),
          encounter("enc_3", "2026-02-04T15:00:00.000Z", 1),
          encounter("enc_4", "2026-03-02T15:00:00.000Z", 1),
        ],
        [],
      )
    ).map(({ reason }) => reason);
    expect(reasons).toEqual([
      "it starts before the authorization does",
      "it is in no period of the window",
      null,
      "it starts after the authorization has ended",
    ]);
  });
});

test("entries are sorted by authorization, start and id", async () => {
  const entries = await february(
    [
      encounter("enc_2", "2026-02-04T15:00:00.000Z", 1),
      encounter("enc_1", "2026-02-04T15:00:00.000Z", 1),
    ],
    [
      session("apt_9", "2026-02-04T14:59:59.999Z", "2026-02-04T15:00:00.000Z"),
      session("apt_1", "2026-02-04T15:00:00.000Z", "2026-02-04T15:00:00.000Z"),
    ],
  );
  expect(entries.map(({ publicId }) => publicId)).toEqual(["apt_9", "apt_1", "enc_1", "enc_2"]);
});

test("entries at the same instant are sorted by id, also when they are too many for one piece", async () => {
  const ids = Array.from({ length: 2_001 }, (_, index) => `enc_${10_000 + index}`);
  const same = ids.map((id) => encounter(id, "2026-02-04T15:00:00.000Z", 1));
  const entries = await february(same.toReversed(), []);
  expect(entries.map(({ publicId }) => publicId)).toEqual(ids);
});

test("an hour that the clocks repeat after midnight belongs to the new day", async () => {
  // At 00:01 on 7 November 2010 the clocks of St. John's went back to 23:01.
  const term = dates("2010-11-06", "2010-11-07");
  const zone = "America/St_Johns" as TimeZone;
  const grid = periodGrid(periodsIn("DAILY", "SUNDAY", term, term), term, zone);
  const entries = await ledgerOf(
    grid,
    [{ publicId: "auth_1", dates: term, billingUnitMinutes: 15 }],
    ["2010-11-07T02:29:59.999Z", "2010-11-07T02:30:00.000Z", "2010-11-07T02:31:00.000Z"].map(
      (startTime, index) => encounter(`enc_${index}`, startTime, 1),
    ),
    [],
  );
  expect(entries.map(({ localStart, day, period }) => [localStart, day, period])).toEqual([
    ["2010-11-06T23:59:59.999-02:30", "2010-11-06", dates("2010-11-06", "2010-11-06")],
    ["2010-11-07T00:00:00.000-02:30", "2010-11-07", dates("2010-11-07", "2010-11-07")],
    ["2010-11-06T23:01:00.000-03:30", "2010-11-07", dates("2010-11-07", "2010-11-07")],
  ] as never);
});

test("in every time zone, the sums of the ledger equal the counts, and the ledger has every record", async () => {
  await fc.assert(
    fc.asyncProperty(utilizationCases(), async ({ practice, request, now }) => {
      const subject = subjectOf(practice, request);
      const window = windowOf(subject, request, now);
      const numbered = <Record>(records: Record[]) =>
        records.map((one, index) => ({ publicId: String(index), ...one })) as never[];
      const entries = await ledgerOf(
        gridOf(subject, window),
        countedAuthorizations(practice, subject),
        numbered(practice.encounters),
        numbered(practice.sessions),
      );
      const { total, members } = counts(practice, subject, window);

      const ids = new Set(subject.members.map((member) => member.publicId));
      const bound = [...practice.encounters, ...practice.sessions].filter((one) =>
        ids.has(one.authorizationId ?? ""),
      );
      expect(entries).toHaveLength(bound.length);
      expect(entries.every((entry) => (entry.period === null) === (entry.reason !== null))).toBe(
        true,
      );

      const counted = entries.filter((entry) => entry.period !== null);
      for (const period of total)
        expect(period).toEqual({
          ...period,
          ...sumsOf(counted.filter((entry) => entry.period!.startDate === period.startDate)),
        });
      for (const { publicId, periods } of members)
        for (const period of periods)
          expect(period).toEqual({
            ...period,
            ...sumsOf(
              counted.filter(
                ({ authorizationId, day }) =>
                  authorizationId === publicId && period.startDate <= day && day <= period.endDate,
              ),
            ),
          });
    }),
    { numRuns: 500 },
  );
});

function sumsOf(entries: LedgerEntry[]) {
  const sum = (type: LedgerEntry["type"]) =>
    entries
      .filter((entry) => entry.type === type)
      .reduce((millionths, { units }) => millionths + toMillionths(units), 0) / 1_000_000;
  return { unitsUtilized: sum("encounter"), unitsScheduled: sum("session") };
}
