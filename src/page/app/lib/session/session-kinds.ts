import type { Service, Session } from "../base/wire.ts";

/** What kind of work a session is: its color in the schedule, and a letter, which stays without colors. */

export type SessionKind = NonNullable<Service["kind"]> | "OTHER";

export const SESSION_KINDS: Record<SessionKind, { name: string; mark: string }> = {
  THERAPY: { name: "Therapy", mark: "" },
  SUPERVISION: { name: "Supervision", mark: "S" },
  ASSESSMENT: { name: "Assessment", mark: "A" },
  FAMILY: { name: "Family", mark: "F" },
  OTHER: { name: "Not billable", mark: "–" },
};

/** The kinds that a code says; of others it is therapy. */
const KINDS_OF_CODES: Record<string, SessionKind> = {
  ...{ 97151: "ASSESSMENT", 97152: "ASSESSMENT", "0362T": "ASSESSMENT" },
  ...{ 97155: "SUPERVISION", 97156: "FAMILY", 97157: "FAMILY" },
};

/** By its own record first, then by what the practice says of its service, then by the service's code. */
export function kindOfSession(
  session: Session,
  serviceOf: (id: string) => Service | undefined,
): SessionKind {
  if (session.isSupervision) return "SUPERVISION";
  if (!session.isBillable) return "OTHER";
  const service = serviceOf(session.services);
  return service?.kind ?? KINDS_OF_CODES[service?.code ?? ""] ?? "THERAPY";
}
