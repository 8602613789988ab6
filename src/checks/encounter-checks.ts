import type { CalendarDate } from "../lib/calendar-date.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { delivererOf } from "../lib/presence.ts";
import { countsAsScheduled, sumOfUnits } from "../utilization/units.ts";
import { type CheckName, checks } from "./checks.ts";
import type { Finding } from "./findings.ts";
import type { CheckedEncounter } from "./repository.ts";
import { includes } from "./session-checks.ts";

/** Checks of single encounters (docs/checks.md). */

/** An encounter and the day on which it starts. */
interface Dated {
  encounter: CheckedEncounter;
  date: CalendarDate;
  timezone: TimeZone;
}

/** The findings about an encounter. */
export function checkEncounter(dated: Dated): Finding[] {
  return [outsideAuthorization(dated), deliveredUnheld(dated)].filter(
    (finding) => finding !== undefined,
  );
}

function aboutEncounter(
  check: CheckName,
  { encounter, date, timezone }: Dated,
): Omit<Finding, "message"> & { units: number } {
  const { publicId, patientId, sessionId, authorizationId, poolId, payorId } = encounter;
  return {
    ...{ check, date, timezone, patientId },
    providerId: delivererOf(encounter),
    sessionIds: sessionId === null ? [] : [sessionId],
    encounterIds: [publicId],
    ...{ authorizationId, poolId, payorId },
    authorizationStartDate: encounter.authorizedFrom,
    authorizationEndDate: encounter.authorizedTo,
    // Rounded to millionths, like in utilization.
    units: sumOfUnits(encounter.units),
  };
}

function outsideAuthorization(dated: Dated): Finding | undefined {
  const { encounter, date } = dated;
  const authorized = { startDate: encounter.authorizedFrom, endDate: encounter.authorizedTo };
  if (includes(authorized, date)) return undefined;
  const finding = aboutEncounter("OUTSIDE_AUTHORIZATION", dated);
  const { units } = finding;
  return {
    ...finding,
    message: checks.OUTSIDE_AUTHORIZATION.message({ units, date, authorized, isDelivered: true }),
  };
}

function deliveredUnheld(dated: Dated): Finding | undefined {
  const { encounter, date } = dated;
  if (encounter.status === null || countsAsScheduled(encounter.status)) return undefined;
  const finding = aboutEncounter("DELIVERED_UNHELD", dated);
  const isDeclined = encounter.status === "DECLINED";
  return {
    ...finding,
    message: checks.DELIVERED_UNHELD.message({ units: finding.units, date, isDeclined }),
  };
}
