import { type Life, notLiveText } from "../lib/authorizations.ts";
import type { TimeZone } from "../lib/dates.ts";
import { practiceZone } from "../lib/me.ts";

/**
 * Shows that an authorization or pool has ended, or when it begins. Shows nothing for a current one, or one whose
 * dates are unknown.
 */
export function NotLive({ life, zone }: { life: Life | undefined; zone?: TimeZone | undefined }) {
  const text = life && notLiveText(life, zone ?? practiceZone());
  return text === undefined ? null : <span class="badge warning">{text}</span>;
}
