import type { TimeZone } from "../../lib/base/dates.ts";
import { whenText } from "../../lib/base/format.ts";
import { supervisedAt } from "../../lib/session/overlaps.ts";
import { useNames } from "../../lib/person/people.ts";
import { useResponse } from "../../lib/base/response.ts";
import { sessionsMeanwhile } from "../../lib/session/sessions.ts";
import type { Session } from "../../lib/base/wire.ts";

/** Whom a supervision without a technician supervises. */
export function Supervises({ session, zone }: { session: Session; zone: TimeZone }) {
  const { isSupervision, technicianId, clientId, startTime, endTime } = session;
  const isWithoutTechnician = isSupervision && technicianId === null && clientId !== null;
  const response = useResponse(
    isWithoutTechnician ? `supervises ${clientId} ${startTime} ${endTime}` : undefined,
    (reading) => sessionsMeanwhile({ clientId }, [session], zone, reading),
  );
  const ids = supervisedAt(session, response.value ?? []);
  const name = useNames(ids);
  if (!isWithoutTechnician || response.value === undefined) return null;
  return (
    <p class="hint">
      {ids.length === 0
        ? `Supervises nobody: no technician is with the patient ${whenText(session, zone)}.`
        : `Supervises: ${ids.map(name).join(", ")}`}
    </p>
  );
}
