import type { Bit } from "../../db/schema.ts";

/** What decides who delivers a session, and who is present at it. */
export interface Staffing {
  isSupervision: Bit | null;
  technicianId: string | null;
  clinicianId: string | null;
}

/** Who delivers a session: at a supervision the clinician if there is one, otherwise the technician if there is one. */
export function delivererOf({ isSupervision, technicianId, clinicianId }: Staffing): string | null {
  return isSupervision === 1 ? (clinicianId ?? technicianId) : (technicianId ?? clinicianId);
}

/** The staff who are present at a session: whoever delivers it, and at a supervision the supervised technician, too. */
export function presentAt({ isSupervision, technicianId, clinicianId }: Staffing): string[] {
  const both = [technicianId, clinicianId].filter((id) => id !== null);
  return isSupervision === 1 ? both : both.slice(0, 1);
}
