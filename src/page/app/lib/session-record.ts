import type { TimeZone } from "./dates.ts";
import { SESSION_STATUSES, whenText, words } from "./format.ts";
import type { Session } from "./wire.ts";

/** Sessions and encounters as lines of a practice file, and what tells two states of a session apart. */

/** A record of a practice file; fields that are left out stay as they are. */
export interface Line {
  type: "session" | "encounter";
  publicId: string;
  [field: string]: unknown;
}

/** Those of the API's own ids: no i, l, o and u, which are misread. */
const ID_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/** A random id as long as the API's own. */
export function newId(prefix: "apt_" | "enc_"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(26));
  return prefix + Array.from(bytes, (byte) => ID_DIGITS[byte % ID_DIGITS.length]).join("");
}

/** The whole session as a line, with the authorization that an answer of the API does not say. */
export function sessionLine(session: Session, authorizationId: string | undefined): Line {
  return {
    type: "session",
    ...session,
    ...(session.isBillable && { authorizationId: authorizationId ?? null }),
  };
}

/** Those of a session's fields that a change names, as they were before. */
export function fieldsBefore(session: Session, change: Partial<Session>): Line {
  const before = Object.entries(session).filter(([field]) => field in change);
  return { type: "session", publicId: session.publicId, ...Object.fromEntries(before) };
}

/**
 * What is different between two states of a session, for people: `Status: Confirmed → Declined`. Empty where nothing
 * is.
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
