import type { Session } from "../base/wire.ts";

/** What kind of work a session is: its color in the schedule, besides a letter. */

export type SessionKind = "direct" | "supervision" | "assessment" | "family" | "other";

export const SESSION_KINDS: Record<SessionKind, { name: string; mark: string }> = {
  direct: { name: "Therapy", mark: "" },
  supervision: { name: "Supervision", mark: "S" },
  assessment: { name: "Assessment", mark: "A" },
  family: { name: "Family", mark: "F" },
  other: { name: "Not billable", mark: "–" },
};

/** Codes of assessments, and of guidance for families. */
const ASSESSMENT = ["97151", "97152", "0362T"];
const FAMILY = ["97156", "97157"];

/** @param codeOf the code of a service. */
export function kindOfSession(
  session: Session,
  codeOf: (serviceId: string) => string | undefined,
): SessionKind {
  if (session.isSupervision) return "supervision";
  if (!session.isBillable) return "other";
  const code = codeOf(session.services) ?? "";
  if (ASSESSMENT.includes(code)) return "assessment";
  return FAMILY.includes(code) ? "family" : "direct";
}

/** The code of a service, which stands in the name of many a practice's. */
export function codeOfService(service: { name: string; code?: string | null } | undefined) {
  return service?.code ?? /\b\d{4}[\dT]\b/.exec(service?.name ?? "")?.[0];
}
