import { expect, test } from "bun:test";
import { clockText } from "../../../src/page/app/lib/base/dates.ts";
import {
  instantsOf,
  timesQuestion,
  withBeginning,
} from "../../../src/page/app/lib/session/times.ts";
import { toInstant } from "../../../src/lib/instant.ts";
import type { TimeZone } from "../../../src/lib/time-zone.ts";
import { localAt, momentOf } from "../../support/lib/zoned.ts";

const NEW_YORK = "America/New_York" as TimeZone;
const timesOn = (day: string, from: string, to: string) => ({ day, from, to });
const SPRING = "2027-03-14";
const AUTUMN = "2026-11-01";

test("the end follows the beginning, over midnight too, and empty fields stay", () => {
  const times = timesOn(SPRING, "09:00", "10:30");
  expect(withBeginning(times, "23:15")).toEqual(timesOn(SPRING, "23:15", "00:45"));
  expect(withBeginning(times, "")).toEqual(timesOn(SPRING, "", "10:30"));
  expect(withBeginning(timesOn(SPRING, "09:00", ""), "10:00")).toEqual(
    timesOn(SPRING, "10:00", ""),
  );
});

test("incomplete fields, and days that are none, have no instants and no question", () => {
  for (const times of [
    timesOn("", "09:00", "10:00"),
    timesOn("2027-02-30", "09:00", "10:00"),
    timesOn(SPRING, "", "10:00"),
    timesOn(SPRING, "09:00", ""),
  ])
    expect([instantsOf(times, NEW_YORK), timesQuestion(times, NEW_YORK)]).toEqual([
      undefined,
      undefined,
    ]);
});

test("a beginning that clocks leave out is asked about, and the session is as long as typed", () => {
  const times = timesOn(SPRING, "02:30", "03:30");
  expect(instantsOf(times, NEW_YORK)).toEqual({
    startTime: "2027-03-14T07:30:00.000Z",
    endTime: "2027-03-14T08:30:00.000Z",
  } as never);
  expect(timesQuestion(times, NEW_YORK)?.replaceAll(/\s/gu, " ")).toBe(
    "On Sun, Mar 14, clocks go forward, and there is no 2:30 AM. Is 3:30 – 4:30 AM meant?",
  );
});

test("an end that clocks leave out is asked about", () => {
  expect(timesQuestion(timesOn(SPRING, "01:00", "02:15"), NEW_YORK)?.replaceAll(/\s/gu, " ")).toBe(
    "On Sun, Mar 14, clocks go forward, and there is no 2:15 AM. Is 1:00 – 3:15 AM meant?",
  );
});

test("an end before the beginning is that of the next day, and is asked about", () => {
  const times = timesOn("2026-12-01", "22:00", "21:00");
  expect(instantsOf(times, NEW_YORK)).toEqual({
    startTime: "2026-12-02T03:00:00.000Z",
    endTime: "2026-12-03T02:00:00.000Z",
  } as never);
  expect(timesQuestion(times, NEW_YORK)?.replaceAll(/\s/gu, " ")).toBe(
    "It ends at 9:00 PM on the next day, after 23 hours. Is that meant?",
  );
  // Until midnight is within the day.
  expect(timesQuestion(timesOn("2026-12-01", "22:00", "00:00"), NEW_YORK)).toBeUndefined();
  expect(timesQuestion(timesOn("2026-12-01", "22:00", "00:15"), NEW_YORK)).toContain("2.3 hours");
});

test("a session of no length is asked about", () => {
  expect(
    timesQuestion(timesOn("2026-12-01", "09:00", "09:00"), NEW_YORK)?.replaceAll(/\s/gu, " "),
  ).toBe("It begins and ends at 9:00 AM. Is a session of no length meant?");
});

test("every quarter of an hour around both clock changes is what the vectors say, or asked about", () => {
  for (const day of [SPRING, AUTUMN])
    for (let minutes = 0; minutes < 24 * 60 - 60; minutes += 15) {
      const times = timesOn(day, clockText(minutes), clockText(minutes + 60));
      const plain = (clock: string) =>
        momentOf(Temporal.PlainDateTime.from(`${day}T${clock}`), NEW_YORK);
      const isThere = [times.from, times.to].every(
        (clock) => localAt(plain(clock), NEW_YORK).toString().slice(11, 16) === clock,
      );
      const question = timesQuestion(times, NEW_YORK);
      expect([times.from, question === undefined]).toEqual([times.from, isThere]);
      if (isThere)
        expect(instantsOf(times, NEW_YORK)).toEqual({
          startTime: toInstant(plain(times.from)),
          endTime: toInstant(plain(times.to)),
        } as never);
    }
});
