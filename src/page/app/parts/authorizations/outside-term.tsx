import { outsideTermText } from "../../lib/authorizations/authorizations.ts";
import type { DateRange, TimeZone } from "../../lib/base/dates.ts";
import { practiceZone } from "../../lib/base/me.ts";

/**
 * Shows that an authorization or pool has ended, or when it begins. Shows nothing for a current one, or one whose
 * dates are unknown.
 */
export function OutsideTerm({
  term,
  zone,
}: {
  term: DateRange | undefined;
  zone?: TimeZone | undefined;
}) {
  const text = term && outsideTermText(term, zone ?? practiceZone());
  return text === undefined ? null : <span class="badge warning">{text}</span>;
}
