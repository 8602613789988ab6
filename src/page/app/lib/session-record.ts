import type { TimeZone } from "./dates.ts";
import { SESSION_STATUSES, whenText, words } from "./format.ts";
import type { Session } from "./wire.ts";

/** Sessions and encounters as lines of a practice file, and the differences between two states of a session. */

/** A record of a practice file; missing fields stay unchanged. */
export interface Line {
  type: "session" | "encounter";
  publicId: string;
  [field: string]: unknown;
}

/** The alphabet of the API's ids, without i, l, o and u, which are easily misread. */
const ID_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/** A random id as long as the API's own. */
export function newId(prefix: "apt_" | "enc_"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(26));
  return prefix + Array.from(bytes, (byte) => ID_DIGITS[byte % ID_DIGITS.length]).join("");
}

/** The complete session as a line, with its authorization, which is not part of the API's session. */
export function sessionLine(session: Session, authorizationId: string | undefined): Line {
  return {
    type: "session",
    ...session,
    ...(session.isBillable && { authorizationId: authorizationId ?? null }),
  };
}

/** The earlier values of the fields of a change. */
export function fieldsBefore(session: Session, change: Partial<Session>): Line {
  const before = Object.entries(session).filter(([field]) => field in change);
  return { type: "session", publicId: session.publicId, ...Object.fromEntries(before) };
}

/**
 * The differences between two states of a session, as text: `Status: Confirmed → Declined`. Empty if there are
 * none.
 */
export function differences(
  before: Session,
  after: Session,
  { zone, name }: { zone: TimeZone; name: (id: string) => string },
): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Session>;
  const isDifferent = (field: keyof Session): boolean => before[field] !== after[field];
  const said = [...fields].filter(isDifferent).map((field): string => {
    switch (field) {
      case "startTime":
      case "endTime":
        return `Time: ${whenText(before, zone)} → ${whenText(after, zone)}`;
      case "status":
        return `Status: ${SESSION_STATUSES[before.status]} → ${SESSION_STATUSES[after.status]}`;
      default:
        return `${fieldName(field)}: ${valueText(before[field], name)} → ${valueText(after[field], name)}`;
    }
  });
  return [...new Set(said)];
}

/** `placeOfService` as `Place of service`, `technicianId` as `Technician`. */
function fieldName(field: string): string {
  return words(field.replace(/Id$/, "").replace(/[A-Z]/g, "_$&").toUpperCase());
}

function valueText(value: unknown, name: (id: string) => string): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = String(value);
  return text.startsWith("usr_") ? name(text) : words(text);
}
