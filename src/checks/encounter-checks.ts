import type { CalendarDate } from "../lib/calendar-date.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { delivererOf } from "../lib/presence.ts";
import { countsAsScheduled, sumOfUnits } from "../utilization/units.ts";
import { type CheckName, checks } from "./checks.ts";
import type { Found, Sink } from "./findings.ts";
import type { CheckedEncounter } from "./repository.ts";
import { includes } from "./session-checks.ts";

/** Checks of single encounters (docs/checks.md). */

/** An encounter and the day on which it starts. */
interface Dated {
  encounter: CheckedEncounter;
  date: CalendarDate;
  timezone: TimeZone;
}

/** Checks an encounter. One of 0 units delivers nothing: it is what is left of a delivery that was billed and is none. */
export function checkEncounter(dated: Dated, sink: Sink): void {
  const { encounter, date } = dated;
  if (encounter.units === 0) return;
  const { authorizedFrom: startDate, authorizedTo: endDate, status } = encounter;
  const authorized = { startDate, endDate };
  if (isOutside(encounter, date)) {
    const message = (units: number) =>
      checks.OUTSIDE_AUTHORIZATION.message({ units, date, authorized, isDelivered: true });
    sink.add(foundIn("OUTSIDE_AUTHORIZATION", dated, message));
  }
  if (isUnheld(encounter)) {
    const isDeclined = status === "DECLINED";
    const message = (units: number) => checks.DELIVERED_UNHELD.message({ units, date, isDeclined });
    sink.add(foundIn("DELIVERED_UNHELD", dated, message));
  }
}

/** Whether an encounter on a day is outside the dates of its authorization. */
export function isOutside(
  { authorizedFrom, authorizedTo }: Pick<CheckedEncounter, "authorizedFrom" | "authorizedTo">,
  date: CalendarDate,
): boolean {
  return !includes({ startDate: authorizedFrom, endDate: authorizedTo }, date);
}

/** Whether an encounter's session, if it has one, did not take place. */
export function isUnheld({ status }: Pick<CheckedEncounter, "status">): boolean {
  return status !== null && !countsAsScheduled(status);
}

function foundIn(
  check: CheckName,
  { encounter, date, timezone }: Dated,
  messageOf: (units: number) => string,
): Found {
  const { publicId, patientId, sessionId, authorizationId, poolId, payorId } = encounter;
  const providerId = delivererOf(encounter);
  return {
    ...{ check, date, patientId, providerId, payorId },
    make() {
      // Rounded to millionths, like in utilization.
      const units = sumOfUnits(encounter.units);
      return {
        ...{ check, date, timezone, patientId, providerId },
        sessionIds: sessionId === null ? [] : [sessionId],
        encounterIds: [publicId],
        ...{ authorizationId, poolId, payorId },
        authorizationStartDate: encounter.authorizedFrom,
        authorizationEndDate: encounter.authorizedTo,
        ...{ units, message: messageOf(units) },
      };
    },
  };
}
