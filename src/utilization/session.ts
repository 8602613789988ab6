import type { Db } from "../../db/database.ts";
import { presentEncounter } from "../encounters/present.ts";
import { encountersOfSession } from "../encounters/repository.ts";
import { DomainError } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { instantsOf } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { PracticeCalendar } from "./calendar.ts";
import { reasonNotCounted } from "./ledger.ts";
import type { SessionUtilization } from "./models/session.ts";
import { type BookedSession, findBookedSession } from "./repository.ts";
import { scheduledUnits } from "./units.ts";

/**
 * How a session counts for its authorization, by days in the patient's time zone, else the organization's, else UTC.
 *
 * @returns the response, and the session's patient.
 * @throws DomainError if the organization has no such session.
 */
export async function readSessionUtilization(
  db: Db,
  request: { organizationId: string; publicId: string; now: Instant },
): Promise<{ utilization: SessionUtilization; patientId: string | null }> {
  const { organizationId, publicId, now } = request;
  const session = await findBookedSession(db, { organizationId, publicId });
  if (session === undefined) throw new DomainError("notFound", "Session not found");
  const calendar = new PracticeCalendar({ now }, await getOrganization(db, organizationId));
  const encounters = await encountersOfSession(db, organizationId, publicId);
  const reason = reasonOf(session, calendar);
  const { authorizationId, poolId, patientId, startTime, endTime, billingUnitMinutes } = session;
  return {
    patientId,
    utilization: {
      sessionId: publicId,
      authorizationId,
      poolId,
      units:
        session.serviceLineId === null
          ? null
          : scheduledUnits(startTime, endTime, billingUnitMinutes),
      counts: reason === null,
      reason,
      encounters: encounters.map((row) => presentEncounter(row)),
    },
  };
}

function reasonOf(session: BookedSession, calendar: PracticeCalendar): string | null {
  const { startDate, endDate, patientTimeZone } = session;
  if (startDate === null || endDate === null) return "it is booked on no authorization";
  const term = instantsOf({ startDate, endDate }, calendar.timeZoneOf(patientTimeZone));
  return reasonNotCounted(session, term, term);
}
