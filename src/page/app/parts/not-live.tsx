import { type Life, notLiveText } from "../lib/authorizations.ts";
import type { TimeZone } from "../lib/dates.ts";
import { practiceZone } from "../lib/me.ts";

/**
 * Says of an authorization or a pool that it has ended, or when it begins. Nothing is said of one that is live, or whose
 * dates are not known.
 */
export function NotLive({ life, zone }: { life: Life | undefined; zone?: TimeZone | undefined }) {
  const text = life && notLiveText(life, zone ?? practiceZone());
  return text === undefined ? null : <span class="badge warning">{text}</span>;
}
