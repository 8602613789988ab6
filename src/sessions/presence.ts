import type { Bit, SessionRow } from "../../db/schema.ts";

/** The columns that decide who is present at a session. */
export type Attended = Pick<SessionRow, "technician_id" | "clinician_id"> & {
  is_supervision: Bit;
};

/**
 * The staff who are present at a session: whoever delivers it, which is the technician, or else the clinician; at a
 * supervision the clinician and the supervised technician.
 */
export function presentAt({ is_supervision, technician_id, clinician_id }: Attended): string[] {
  const both = [technician_id, clinician_id].filter((id) => id !== null);
  return is_supervision === 1 ? both : both.slice(0, 1);
}
