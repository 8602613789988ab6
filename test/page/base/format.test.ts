import { expect, test } from "bun:test";
import type { Instant, TimeZone } from "../../../src/page/app/lib/base/dates.ts";
import {
  ageText,
  neededText,
  phoneText,
  rangeText,
  timesText,
  timeText,
  unitsText,
  words,
  zoneText,
  hourText,
} from "../../../src/page/app/lib/base/format.ts";

/** Values as text. */

test.each([
  ["2019-04-02", "2026-04-01", "6 years"],
  ["2019-04-02", "2026-04-02", "7 years"],
  ["2025-11-22", "2026-11-22", "12 months"],
  ["2026-10-22", "2026-11-22", "1 month"],
  ["2026-10-23", "2026-11-22", "0 months"],
  ["2024-02-29", "2026-02-28", "23 months"],
])("the age of a person born on %s is, on %s, %s", (birthDate, day, expected) => {
  expect(ageText(birthDate, day)).toBe(expected);
});

test.each([
  ["+12125550123", "(212) 555-0123"],
  ["+4915112345678", "+4915112345678"],
  ["", ""],
])("the phone number %p is shown as %p", (number, expected) => {
  expect(phoneText(number)).toBe(expected);
});

test.each([
  ["PATIENT_NO_SHOW", "Patient no show"],
  ["Approved – Phase 2", "Approved – Phase 2"],
])("%p is shown as %p", (text, expected) => {
  expect(words(text)).toBe(expected);
});

test.each([
  ["2026-11-21", "2026-11-21", "Nov 21, 2026"],
  ["2026-11-15", "2026-11-21", "Nov 15 – 21"],
  ["2026-12-28", "2027-01-03", "Dec 28, 2026 – Jan 3, 2027"],
])(
  "the days from %s to %s are shown as %p, with the years if they differ",
  (from, to, expected) => {
    // Between them stand thin spaces.
    expect(rangeText(from, to).replaceAll("\u2009", " ")).toBe(expected);
  },
);

test.each([
  [1_234.5, "1,234.5"],
  [0.000001, "0.000001"],
  [2 / 3, "0.666667"],
])("%p units are shown as %p, to the millionth", (units, expected) => {
  expect(unitsText(units)).toBe(expected);
});

test.each([
  ["America/New_York", "Eastern Time"],
  ["America/Chicago", "Central Time"],
  ["Etc/GMT+5", "Etc/GMT+5"],
  // Of which `Intl` has never heard.
  ["America/Cascadia", "America/Cascadia"],
])("the zone %s is called %s", (zone, expected) => {
  expect(zoneText(zone as TimeZone)).toBe(expected);
});

test("times are by the rules of the page, whatever those of the browser are", () => {
  const vancouver = "America/Vancouver" as TimeZone;
  const slot = {
    startTime: "2026-12-01T16:00:00.000Z" as Instant,
    endTime: "2026-12-01T17:30:00.000Z" as Instant,
  };
  const plain = (text: string) => text.replaceAll(/\s/gu, " ");
  expect(plain(timeText(slot.startTime, vancouver))).toBe("9:00 AM");
  expect(plain(timesText(slot, vancouver))).toBe("9:00 – 10:30 AM");
  // Clocks are set back between.
  const night = {
    startTime: "2026-11-01T05:30:00.000Z" as Instant,
    endTime: "2026-11-01T06:15:00.000Z" as Instant,
  };
  expect(plain(timesText(night, "America/New_York" as TimeZone))).toBe("1:30 – 1:15 AM");
});

test("noon is PM; a range over New Year has both years; who is two has years", () => {
  expect([hourText(0), hourText(12)]).toEqual(["12 AM", "12 PM"]);
  expect(rangeText("2026-12-31", "2027-01-01")).toMatch(/2026.*2027/);
  expect(ageText("2024-11-21", "2026-11-21")).toBe("2 years");
});

test.each([
  [1.25, 1, false, "1.25 hours and 1 contact to book by Nov 30, 2026"],
  [0, 2, true, "2 contacts and an observation with a client to book by Nov 30, 2026"],
  [1, 0, false, "1 hour to book by Nov 30, 2026"],
])("%p hours, %p contacts, an observation: %p", (hours, contacts, isObservation, expected) => {
  const needed = { hoursNeeded: hours, contactsNeeded: contacts, observationNeeded: isObservation };
  expect(neededText(needed, "2026-11-30")).toBe(expected);
});
