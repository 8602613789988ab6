import { dateOf, type Instant, type TimeZone } from "../base/dates.ts";
import { dateText, timeText } from "../base/format.ts";
import { choiceText } from "../base/labels.ts";
import { nameOfLine } from "../base/lines.ts";
import type { Practice } from "./practice.ts";

/** Records and their values as an office reads them. */

/** Fields whose values are constants. */
const CONSTANTS = new Set([
  ...["role", "userStatus", "sex", "status", "placeOfService"],
  ...["authorizationStatus", "authorizedUnitFrequency"],
]);

/** A value of a field, with names for ids. */
export function textOfField(
  field: string,
  value: unknown,
  practice: Practice,
  zone: TimeZone,
): string {
  return CONSTANTS.has(field)
    ? choiceText(String(value ?? "–"))
    : textOfValue(value, practice, zone);
}

function textOfValue(value: unknown, practice: Practice, zone: TimeZone): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value))
    return value.map((each) => textOfValue(each, practice, zone)).join("; ") || "–";
  if (typeof value === "object" && value !== null) {
    const named = ["payorId", "memberId", "credentialType", "credentialNumber", "batch"];
    const parts = named.map((name) => (value as Record<string, unknown>)[name]).filter(Boolean);
    return parts.map((each) => textOfValue(each, practice, zone)).join(" ");
  }
  const text = String(value ?? "");
  const line = practice.findAny(text);
  if (line !== undefined) return nameOfLine(line) || text;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return dateText(text);
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text)) return text || "–";
  const instant = text as Instant;
  return `${dateText(dateOf(instant, zone))}, ${timeText(instant, zone)}`;
}
