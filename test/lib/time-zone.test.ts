import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addDays, type CalendarDate } from "../../src/lib/calendar-date.ts";
import { parseInstant, toInstant, type Instant } from "../../src/lib/instant.ts";
import {
  endOfDay,
  instantsOf,
  localDate,
  localDateTime,
  offsetAt,
  parseTimeZone,
  startOfDay,
  type TimeZone,
} from "../../src/lib/time-zone.ts";
import { LAST_YEAR, RULES_VERSION, rulesOf, zoneNames } from "../../src/lib/zone-rules.ts";
import {
  clockChanges,
  localAt,
  startOf,
  timeZoneNames,
  VECTORS_VERSION,
  vectorsOf,
} from "../support/lib/zoned.ts";
import { runs } from "../support/runs.ts";

const date = (text: string) => text as CalendarDate;
const instant = (text: string) => text as Instant;
const zone = (text: string) => text as TimeZone;

describe("parseTimeZone accepts the names of the IANA database", () => {
  test("every zone and link, except for the placeholder Factory", () => {
    const names = timeZoneNames();
    expect(names).toHaveLength(597);
    expect(names.filter((name) => parseTimeZone(name) !== name)).toEqual([]);
    expect(parseTimeZone("Factory")).toBeUndefined();
  });

  test("no other name", () => {
    expect(zoneNames).toEqual(timeZoneNames());
  });

  test.each(["US/Pacific", "Asia/Calcutta", "EST", "EST5EDT", "GMT", "GMT+0", "UTC", "Etc/GMT+5"])(
    "including %s",
    (name) => {
      expect(parseTimeZone(name)).toBe(zone(name));
    },
  );

  test("in their own letter case only", () => {
    const names = timeZoneNames();
    const others = new Set(
      names
        .flatMap((name) => [name.toLowerCase(), name.toUpperCase()])
        .filter((name) => !names.includes(name)),
    );
    expect(others.size).toBeGreaterThan(1000);
    expect([...others].filter((name) => parseTimeZone(name) !== undefined)).toEqual([]);
  });

  test.each([
    ["an offset", "+05:00"],
    ["a negative offset", "-05:00"],
    ["an offset of hours", "+05"],
    ["an offset without colon", "+0500"],
    ["GMT with an offset", "GMT+5"],
    ["UTC with an offset", "UTC+05:00"],
    ["an Etc zone with minutes", "Etc/GMT+05:00"],
    ["an abbreviation", "PST"],
    ["another abbreviation", "CST"],
    ["an abbreviation of daylight time", "EDT"],
    ["the letter Z", "Z"],
    ["a POSIX rule", "EST5EDT,M3.2.0,M11.1.0"],
    ["a name that the database gave up", "US/Pacific-New"],
    ["another such name", "Canada/East-Saskatchewan"],
    ["a region without city", "America"],
    ["a city without region", "New_York"],
    ["an unknown city", "America/Gotham"],
    ["a space for the underscore", "America/New York"],
    ["a folder of the installed database", "posix/America/New_York"],
    ["a path", "../America/New_York"],
    ["CLDR's unknown zone", "Etc/Unknown"],
    ["a Windows name", "Eastern Standard Time"],
    ["space before", " UTC"],
    ["space after", "America/New_York "],
    ["a line break after", "America/New_York\n"],
    ["NUL", "\0"],
    ["a NUL after", "America/New_York\0"],
    ["an unpaired surrogate", "\ud800"],
    ["a name of an object's own", "constructor"],
    ["an empty text", ""],
  ])("refuses %s", (_, text) => {
    expect(parseTimeZone(text)).toBeUndefined();
  });
});

describe("the rules of each zone", () => {
  test("are of the version of the vectors", () => {
    expect(RULES_VERSION).toBe(VECTORS_VERSION as string);
  });

  test("equal those of another compiler at both sides of each change, 1970 to 2045, and of later years", () => {
    const wrong: string[] = [];
    let moments = 0;
    for (const name of timeZoneNames()) {
      const check = (moment: number, offset: number) => {
        moments++;
        if (offsetAt(moment, zone(name)) !== offset) wrong.push(`${name} ${toInstant(moment)}`);
      };
      const { stretches, later } = vectorsOf(name);
      for (const list of [stretches, ...later])
        for (const [index, { from, offset }] of list.entries()) {
          check(from, offset);
          if (index > 0) check(from - 1, list[index - 1]!.offset);
        }
    }
    expect(wrong).toEqual([]);
    expect(moments).toBeGreaterThan(50_000);
  });

  test("are listed to the last year, and are the same in its last 28 as in those before", () => {
    const years = 10_227 * 86_400_000;
    const listed = zoneNames.map(rulesOf);
    const last = Math.max(...listed.map(({ changes }) => changes.at(-1) ?? 0));
    expect(new Date(last).getUTCFullYear()).toBe(LAST_YEAR);
    const end = Date.UTC(LAST_YEAR + 1);
    const changed = zoneNames.filter((name) => {
      const { changes, offsets } = rulesOf(name);
      const of = (from: number) =>
        changes.flatMap((change, index) =>
          from <= change && change < from + years ? [[change - from, offsets[index + 1]]] : [],
        );
      return !Bun.deepEquals(of(end - years), of(end - 2 * years));
    });
    expect(changed).toEqual([]);
  });
});

describe("startOfDay and endOfDay", () => {
  test.each([
    ["plain midnight", "2025-01-15", "America/New_York", "2025-01-15T05:00:00.000Z"],
    ["a day of 23 hours", "2025-03-09", "America/New_York", "2025-03-09T05:00:00.000Z"],
    ["the day after it", "2025-03-10", "America/New_York", "2025-03-10T04:00:00.000Z"],
    ["a day of 25 hours", "2025-11-02", "America/New_York", "2025-11-02T04:00:00.000Z"],
    ["the day after it", "2025-11-03", "America/New_York", "2025-11-03T05:00:00.000Z"],
    ["no midnight, starts at 01:00", "2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
    ["no midnight, starts at 01:00", "2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00.000Z"],
    ["midnight twice, the first", "2025-11-02", "America/Havana", "2025-11-02T04:00:00.000Z"],
    ["midnight twice by a minute", "2010-11-07", "America/St_Johns", "2010-11-07T02:30:00.000Z"],
    ["one midnight, 23:00 twice", "2018-02-18", "America/Sao_Paulo", "2018-02-18T03:00:00.000Z"],
    ["midnight twice by three hours", "2010-03-05", "Antarctica/Casey", "2010-03-04T13:00:00.000Z"],
    ["a change by half an hour", "2025-04-06", "Australia/Lord_Howe", "2025-04-05T13:00:00.000Z"],
    ["a quarter of an hour", "2025-06-01", "Asia/Kathmandu", "2025-05-31T18:15:00.000Z"],
    ["the day before a skipped one", "2011-12-29", "Pacific/Apia", "2011-12-29T10:00:00.000Z"],
    ["a skipped day, empty", "2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
    ["the day after it", "2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
    ["a skipped day, empty", "1993-08-21", "Pacific/Kwajalein", "1993-08-21T12:00:00.000Z"],
    ["the day after it", "1993-08-22", "Pacific/Kwajalein", "1993-08-21T12:00:00.000Z"],
    ["a link", "2025-07-01", "US/Pacific", "2025-07-01T07:00:00.000Z"],
    ["the farthest ahead", "2025-07-01", "Pacific/Kiritimati", "2025-06-30T10:00:00.000Z"],
    ["the farthest behind", "2025-07-01", "Etc/GMT+12", "2025-07-01T12:00:00.000Z"],
  ])("%s: %s in %s", (_, day, name, start) => {
    expect(startOfDay(date(day), zone(name))).toBe(instant(start));
  });

  test("a day ends one millisecond before the next begins; an empty day ends before it begins", () => {
    const newYork = zone("America/New_York");
    expect(endOfDay(date("2025-03-09"), newYork)).toBe(instant("2025-03-10T03:59:59.999Z"));
    expect(endOfDay(date("2011-12-29"), zone("Pacific/Apia"))).toBe(
      instant("2011-12-30T09:59:59.999Z"),
    );
    expect(endOfDay(date("2011-12-30"), zone("Pacific/Apia"))).toBe(
      instant("2011-12-30T09:59:59.999Z"),
    );
    expect(
      instantsOf({ startDate: date("2025-03-09"), endDate: date("2025-11-02") }, newYork),
    ).toEqual({
      from: instant("2025-03-09T05:00:00.000Z"),
      to: instant("2025-11-03T04:59:59.999Z"),
    });
  });

  test.each(["Asia/Tokyo", "America/New_York", "UTC", "Etc/GMT-14", "Etc/GMT+12"])(
    "the first and the last day in %s contain the first and the last instant",
    (name) => {
      const [first, last] = [date("0001-01-01"), date("9999-12-31")];
      const days = instantsOf({ startDate: first, endDate: last }, zone(name));
      expect(days.from.slice(0, 11)).toBe("0001-01-01T");
      expect(days.to.slice(0, 11)).toBe("9999-12-31T");
      expect(startOfDay(addDays(first, 1), zone(name)) > days.from).toBeTrue();
      expect(startOfDay(last, zone(name)) < days.to).toBeTrue();
    },
  );

  test("equal the vectors around every clock change of every zone, 1990 to 2040", () => {
    const wrong: string[] = [];
    let days = 0;
    for (const name of timeZoneNames()) {
      for (const change of clockChanges(name, 1990, 2040)) {
        const day = localAt(change, name).toPlainDate();
        for (let distance = -2; distance <= 2; distance++) {
          const plain = day.add({ days: distance });
          const expected = startOf(plain, name);
          const text = date(plain.toString());
          days++;
          if (startOfDay(text, zone(name)) !== toInstant(expected)) wrong.push(`${text} ${name}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(days).toBeGreaterThan(100_000);
  });

  test("equal the vectors on any day", () => {
    const names = fc.constantFrom(...timeZoneNames());
    const years = fc.integer({ min: 1971, max: 2044 });
    fc.assert(
      fc.property(names, years, fc.integer({ min: 0, max: 365 }), (name, year, days) => {
        const plain = Temporal.PlainDate.from({ year, month: 1, day: 1 }).add({ days });
        const text = date(plain.toString());
        const next = plain.add({ days: 1 });
        expect(startOfDay(text, zone(name))).toBe(toInstant(startOf(plain, name)));
        expect(endOfDay(text, zone(name))).toBe(toInstant(startOf(next, name) - 1));
      }),
      { numRuns: runs(3000) },
    );
  });
});

describe("localDateTime and localDate", () => {
  test.each([
    ["2025-03-09T06:59:59.999Z", "America/New_York", "2025-03-09T01:59:59.999-05:00"],
    ["2025-03-09T07:00:00.000Z", "America/New_York", "2025-03-09T03:00:00.000-04:00"],
    ["2025-11-02T05:30:00.000Z", "America/New_York", "2025-11-02T01:30:00.000-04:00"],
    ["2025-11-02T06:30:00.000Z", "America/New_York", "2025-11-02T01:30:00.000-05:00"],
    ["2025-12-31T23:59:59.999Z", "Asia/Kathmandu", "2026-01-01T05:44:59.999+05:45"],
    ["2025-06-01T00:00:00.000Z", "UTC", "2025-06-01T00:00:00.000+00:00"],
    ["2025-06-01T00:00:00.000Z", "America/St_Johns", "2025-05-31T21:30:00.000-02:30"],
    ["2011-12-30T09:59:59.999Z", "Pacific/Apia", "2011-12-29T23:59:59.999-10:00"],
    ["2011-12-30T10:00:00.000Z", "Pacific/Apia", "2011-12-31T00:00:00.000+14:00"],
    ["0001-01-01T00:00:00.000Z", "Asia/Tokyo", "0001-01-01T09:18:59.000+09:18"],
    ["0001-01-01T00:00:00.000Z", "America/New_York", "0001-01-01T00:00:00.000-04:56"],
    // Laws of 2026, younger than the rules of the runtime.
    ["2026-12-01T16:00:00.000Z", "America/Vancouver", "2026-12-01T09:00:00.000-07:00"],
    ["2026-12-01T16:00:00.000Z", "Canada/Pacific", "2026-12-01T09:00:00.000-07:00"],
    ["2026-12-01T16:00:00.000Z", "America/Los_Angeles", "2026-12-01T08:00:00.000-08:00"],
    ["2026-12-01T05:30:00.000Z", "America/Winnipeg", "2026-12-01T00:30:00.000-05:00"],
    ["2026-12-01T09:00:00.000Z", "Africa/Casablanca", "2026-12-01T09:00:00.000+00:00"],
    // Offsets with seconds, and less than an hour.
    ["1971-06-01T00:00:00.000Z", "Africa/Monrovia", "1971-05-31T23:15:30.000-00:44"],
    // The last rules go on.
    ["2500-07-01T12:00:00.000Z", "Europe/Berlin", "2500-07-01T14:00:00.000+02:00"],
    ["9988-02-29T12:00:00.000Z", "America/New_York", "9988-02-29T07:00:00.000-05:00"],
    ["9999-12-31T23:59:59.999Z", "Asia/Tokyo", "9999-12-31T23:59:59.999+09:00"],
    ["9999-12-31T23:59:59.999Z", "America/New_York", "9999-12-31T18:59:59.999-05:00"],
  ])("%s in %s is %s", (moment, name, local) => {
    expect(localDateTime(instant(moment), zone(name))).toBe(local);
    expect(localDate(instant(moment), zone(name))).toBe(date(local.slice(0, 10)));
  });

  test("equal the vectors, and the offset identifies the instant, 1990 to 2040", () => {
    const names = fc.constantFrom(...timeZoneNames());
    const anyMoment = fc.integer({ min: Date.UTC(1990), max: Date.UTC(2041) });
    const moments = names.chain((name) => {
      const changes = clockChanges(name, 1990, 2040);
      if (changes.length === 0) return fc.tuple(fc.constant(name), anyMoment);
      const nearChange = fc
        .tuple(fc.constantFrom(...changes), fc.constantFrom(-3_600_000, -1, 0, 1, 3_600_000))
        .map(([change, distance]) => change + distance);
      return fc.tuple(fc.constant(name), fc.oneof(anyMoment, nearChange));
    });
    fc.assert(
      fc.property(moments, ([name, milliseconds]) => {
        const text = toInstant(milliseconds);
        const expected = localAt(milliseconds, name).toString({ smallestUnit: "millisecond" });
        const found = localDateTime(text, zone(name));
        expect(found.slice(0, -6)).toBe(expected);
        expect(localDate(text, zone(name))).toBe(date(expected.slice(0, 10)));
        expect(parseInstant(found)).toBe(text);
      }),
      { numRuns: runs(2000) },
    );
  });
});
