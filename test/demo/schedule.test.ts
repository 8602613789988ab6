import { describe, expect, test } from "bun:test";
import { addDays, type CalendarDate } from "../../src/lib/calendar-date.ts";
import { localDateTime, type TimeZone } from "../../src/lib/time-zone.ts";
import type { SessionRecord } from "../../src/practice-file/model.ts";
import { demoText, ofType, recordsOf } from "../support/demo/demo-file.ts";

/** During the clock changes of spring and of autumn. */
const practices = ["2026-03-11" as CalendarDate, "2026-10-30" as CalendarDate].map((today) => {
  return { today, records: recordsOf(demoText({ today })) };
});

const NEW_YORK = "America/New_York" as TimeZone;

/** The last client with deliberate errors, which the checks must find (src/demo/slips.yaml). */
const LAST_WITH_SLIPS = "usr_patient_000020";

function dayOf({ startTime }: SessionRecord): string {
  return localDateTime(startTime, NEW_YORK).slice(0, 10);
}

describe.each(practices)("the schedule around $today", ({ records, today }) => {
  const sessions = ofType(records, "session");
  const encounters = ofType(records, "encounter");
  const authorizations = new Map(
    ofType(records, "authorization").map((record) => [record.publicId, record]),
  );

  /** Pairs of sessions that overlap on a person's calendar. */
  function overlaps(
    person: (session: SessionRecord) => string | undefined,
  ): [SessionRecord, SessionRecord][] {
    const calendars = Map.groupBy(sessions, person);
    calendars.delete(undefined);
    return [...calendars.values()].flatMap((calendar) => {
      const byStart = calendar.toSorted((a, b) => (a.startTime < b.startTime ? -1 : 1));
      return byStart.flatMap((session, index) => {
        const next = byStart[index + 1];
        const isOverlap = next !== undefined && next.startTime < session.endTime;
        return isOverlap && !isBeside(session, next)
          ? [[session, next] as [SessionRecord, SessionRecord]]
          : [];
      });
    });
  }

  /** Whether one is the clinician's supervision of the other. */
  function isBeside(session: SessionRecord, next: SessionRecord): boolean {
    return session.clientId === next.clientId && session.isSupervision !== next.isSupervision;
  }

  function isSlip({ clientId }: SessionRecord): boolean {
    return clientId !== undefined && clientId <= LAST_WITH_SLIPS;
  }

  test("has no overlapping sessions of a technician, clinician or client, except for deliberate errors", () => {
    for (const person of [
      ({ technicianId }: SessionRecord) => technicianId,
      (session: SessionRecord) => (session.isBillable ? session.clinicianId : undefined),
      (session: SessionRecord) => (session.isClientPresent ? session.clientId : undefined),
    ]) {
      const found = overlaps(person);
      expect(found.length).toBeLessThan(6);
      expect(found.filter(([, later]) => !isSlip(later))).toEqual([]);
    }
  });

  test("is on weekdays from 8:00 to 18:30 local time, before and after the clock change", () => {
    for (const { startTime, endTime } of sessions) {
      const [start, end] = [localDateTime(startTime, NEW_YORK), localDateTime(endTime, NEW_YORK)];
      const weekday = new Date(start.slice(0, 10)).getUTCDay();
      expect(weekday >= 1 && weekday <= 5).toBe(true);
      expect(start.slice(11, 16) >= "08:00" && end.slice(11, 16) <= "18:30").toBe(true);
      expect(start.slice(0, 10)).toBe(end.slice(0, 10));
    }
    const offsets = sessions.map(({ startTime }) => localDateTime(startTime, NEW_YORK).slice(23));
    expect(new Set(offsets)).toEqual(new Set(["-05:00", "-04:00"]));
  });

  test("lasts from weeks ago to weeks ahead, with telehealth, supervision and non-billable time throughout", () => {
    const past = sessions.filter(({ startTime }) => startTime.slice(0, 10) < today);
    const ahead = sessions.filter(({ startTime }) => startTime.slice(0, 10) > today);
    for (const part of [past, ahead]) {
      expect(part.length).toBeGreaterThan(sessions.length / 4);
      expect(part.some((session) => session.isBillable && session.isTelehealth)).toBe(true);
      expect(part.some(({ isSupervision }) => isSupervision)).toBe(true);
      expect(part.some(({ isBillable }) => !isBillable)).toBe(true);
      expect(part.some(({ status }) => status === "DECLINED")).toBe(true);
    }
    expect(past.some(({ status }) => status === "PATIENT_NO_SHOW")).toBe(true);
    expect(ahead.some(({ status }) => status === "UNCONFIRMED")).toBe(true);
    expect(ahead.some(({ status }) => status === "PATIENT_NO_SHOW")).toBe(false);
  });

  test("uses authorizations of the session's client and service line within their dates, except for deliberate errors", () => {
    const bound = sessions.filter((session) => session.isBillable);
    let count = 0;
    let late = 0;
    for (const session of bound) {
      const { authorizationId, clientId, services } = session;
      if (authorizationId === undefined) continue;
      count += 1;
      const authorization = authorizations.get(authorizationId);
      expect(authorization?.patientId).toBe(clientId);
      expect(authorization?.serviceLineId).toBe(services);
      const day = dayOf(session);
      expect((authorization?.authorizationDate ?? "9") <= day).toBe(true);
      if (day <= (authorization?.authorizationExpirationDate ?? "0")) continue;
      expect(isSlip(session)).toBe(true);
      late += 1;
    }
    expect(count / bound.length).toBeGreaterThan(0.9);
    expect(late).toBeLessThan(20);
  });

  test("has an encounter for every authorized past session that took place, except for a few of the last weeks", () => {
    const threeWeeksAgo = addDays(today, -21);
    const past = sessions.filter(
      (session) =>
        session.isBillable && session.authorizationId !== undefined && dayOf(session) < today,
    );
    const withSession = encounters.filter(({ sessionId }) => sessionId !== undefined);
    const documented = new Set(withSession.map(({ sessionId }) => sessionId));
    const isAsMeant = (session: (typeof past)[number]) =>
      documented.has(session.publicId) === (session.status === "CONFIRMED");
    expect(past.filter((session) => dayOf(session) < threeWeeksAgo && !isAsMeant(session))).toEqual(
      [],
    );
    // The checks must find something.
    const recent = past.filter((session) => dayOf(session) >= threeWeeksAgo);
    const odd = recent.filter((session) => !isAsMeant(session));
    expect(odd.length).toBeGreaterThan(0);
    expect(odd.length / recent.length).toBeLessThan(0.05);
    const byId = new Map(sessions.map((session) => [session.publicId, session]));
    for (const { sessionId = "", startTime, authorizationId, units } of withSession) {
      const session = byId.get(sessionId);
      expect(session?.startTime).toBe(startTime);
      expect(session?.isBillable === true && session.authorizationId).toBe(authorizationId);
      expect(units).toBeGreaterThanOrEqual(0);
    }
  });

  test("has only encounters for the time before its first session, within their authorizations", () => {
    const first = sessions.map(({ startTime }) => startTime).reduce((a, b) => (a < b ? a : b));
    const earlier = encounters.filter(({ sessionId }) => sessionId === undefined);
    expect(earlier.length).toBeGreaterThan(0);
    for (const { startTime, authorizationId } of earlier) {
      expect(startTime < first).toBe(true);
      const authorization = authorizations.get(authorizationId);
      const day = localDateTime(startTime, NEW_YORK).slice(0, 10);
      expect((authorization?.authorizationDate ?? "9") <= day).toBe(true);
    }
  });
});
