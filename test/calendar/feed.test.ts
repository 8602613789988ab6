import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import ICAL from "ical.js";
import { type Feed, feedText } from "../../src/calendar/feed.ts";
import type { FeedSession } from "../../src/calendar/repository.ts";
import type { Instant } from "../../src/lib/instant.ts";
import type { TimeZone } from "../../src/lib/time-zone.ts";
import { placesOfService, sessionStatuses } from "../../src/sessions/model.ts";
import { runs } from "../support/runs.ts";

/** The text of a feed (RFC 5545). The package ical.js reads it, independently of how it was written. */

const at = (text: string) => text as Instant;

const session: FeedSession = {
  publicId: "apt_1",
  sequence: 7,
  status: "CONFIRMED",
  startTime: at("2026-03-11T15:00:00.000Z"),
  endTime: at("2026-03-11T16:30:00.000Z"),
  isSupervision: 0,
  placeOfService: "OFFICE",
  locationName: "Main clinic",
  serviceName: "Direct therapy (97153)",
  codeName: null,
};

const feed: Feed = {
  organizationId: "org_maple",
  organizationName: "Maple Street ABA",
  timezone: "America/New_York" as TimeZone,
  today: at("2026-03-11T04:00:00.000Z"),
  origin: "https://caseload.example",
  sessions: [session],
};

const textOf = (changed: Partial<FeedSession>) =>
  feedText({ ...feed, sessions: [{ ...session, ...changed }] });

/** The properties of the only event, by name. */
function eventOf(changed: Partial<FeedSession>): Record<string, string> {
  const event = new ICAL.Component(ICAL.parse(textOf(changed))).getFirstSubcomponent("vevent");
  const properties = event?.getAllProperties() ?? [];
  return Object.fromEntries(properties.map((each) => [each.name, String(each.getFirstValue())]));
}

test("a feed is a calendar with an event for each session", () => {
  expect(feedText(feed)).toBe(
    [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Caseload//Sessions//EN",
      "CALSCALE:GREGORIAN",
      "NAME:Maple Street ABA",
      "X-WR-CALNAME:Maple Street ABA",
      "X-WR-TIMEZONE:America/New_York",
      "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
      "X-PUBLISHED-TTL:PT1H",
      "BEGIN:VEVENT",
      "UID:apt_1.org_maple@caseload",
      "DTSTAMP:20260311T040000Z",
      "SEQUENCE:7",
      "DTSTART:20260311T150000Z",
      "DTEND:20260311T163000Z",
      "SUMMARY:Direct therapy (97153)\\, office",
      "LOCATION:Main clinic",
      "URL:https://caseload.example/#/schedule?date=2026-03-11&session=apt_1",
      "STATUS:CONFIRMED",
      "TRANSP:OPAQUE",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ].join("\r\n"),
  );
});

describe("an event", () => {
  test.each([
    ["CONFIRMED", "CONFIRMED", "OPAQUE"],
    ["UNCONFIRMED", "TENTATIVE", "OPAQUE"],
    ["REQUESTED_TO_CANCEL", "TENTATIVE", "OPAQUE"],
    ["DECLINED", "CANCELLED", "TRANSPARENT"],
    ["PATIENT_NO_SHOW", "CANCELLED", "TRANSPARENT"],
  ])("of a session that is %s is %s and %s", (status, expected, transparency) => {
    expect(eventOf({ status })).toMatchObject({ status: expected, transp: transparency });
  });

  test("is called by what is done, as what, where, and whether it may be cancelled", () => {
    const summaryOf = (changed: Partial<FeedSession>) => eventOf(changed).summary;
    expect(summaryOf({ placeOfService: "TELEHEALTH_PROVIDED_ELSEWHERE" })).toBe(
      "Direct therapy (97153), telehealth provided elsewhere",
    );
    expect(summaryOf({ isSupervision: 1, serviceName: null, codeName: "Team; talk" })).toBe(
      "Supervision: Team; talk, office",
    );
    expect(summaryOf({ status: "REQUESTED_TO_CANCEL" })).toBe(
      "Direct therapy (97153), office (cancellation requested)",
    );
    for (const status of ["DECLINED", "PATIENT_NO_SHOW"])
      expect(summaryOf({ status, isSupervision: 1 })).toBe(
        "Cancelled: Supervision: Direct therapy (97153), office",
      );
  });

  test("of a session without length has no end", () => {
    expect(eventOf({ endTime: session.startTime })).not.toHaveProperty("dtend");
  });

  test("has a sequence that fits into 31 bits", () => {
    expect(eventOf({ sequence: 2 ** 31 + 5 }).sequence).toBe("5");
  });

  test("links to the day of the practice", () => {
    expect(eventOf({ startTime: at("2026-03-12T03:59:00.000Z") }).url).toContain("date=2026-03-11");
  });
});

test("any texts are read back without control characters, in lines of at most 75 octets", () => {
  const text = fc.string({ unit: "binary", maxLength: 200 });
  const sessions = fc.array(
    fc.record({
      ...{ locationName: text, serviceName: fc.option(text), codeName: fc.option(text) },
      status: fc.constantFrom(...sessionStatuses),
      placeOfService: fc.constantFrom(...placesOfService),
    }),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(text, sessions, (organizationName, changes) => {
      const written = feedText({
        ...feed,
        organizationName,
        sessions: changes.map((changed) => ({ ...session, ...changed })),
      });
      const lines = written.split("\r\n");
      expect(lines.at(-1)).toBe("");
      expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([]);
      const encoder = new TextEncoder();
      for (const line of lines) expect(encoder.encode(line).length).toBeLessThanOrEqual(75);
      const calendar = new ICAL.Component(ICAL.parse(written));
      const places = calendar
        .getAllSubcomponents("vevent")
        .map((event) => event.getFirstPropertyValue("location"));
      expect<unknown[]>(places).toEqual(changes.map(({ locationName }) => shown(locationName)));
    }),
    { numRuns: runs(200) },
  );
});

/** Line breaks of any kind are one, other control characters are lost. */
function shown(text: string): string {
  const lines = text.split(/\r\n|[\r\n\u2028\u2029]/);
  return lines.map((line) => line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "")).join("\n");
}
