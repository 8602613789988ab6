/** What decides who delivers a session, and who is present at it. */
export interface Staffing {
  /** A stored bit, or a response's boolean. */
  isSupervision: boolean | 0 | 1 | null;
  technicianId: string | null;
  /** Only of a billable session. */
  clinicianId?: string | null;
}

/** Who delivers a session: at a supervision the clinician if there is one, otherwise the technician if there is one. */
export function delivererOf({ isSupervision, technicianId, clinicianId }: Staffing): string | null {
  return (isSupervision ? (clinicianId ?? technicianId) : (technicianId ?? clinicianId)) ?? null;
}

/** The staff who are present at a session: whoever delivers it, and at a supervision the supervised technician, too. */
export function presentAt(session: Staffing): string[] {
  const deliverer = delivererOf(session);
  if (deliverer === null) return [];
  const { isSupervision, technicianId } = session;
  const isSupervised = isSupervision && technicianId !== null && technicianId !== deliverer;
  return isSupervised ? [deliverer, technicianId] : [deliverer];
}
