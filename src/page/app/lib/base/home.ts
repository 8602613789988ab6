import { me } from "./me.ts";
import { kindOf } from "./roles.ts";
import { addressOf } from "./place.ts";

/** A window as narrow as a phone. */
const PHONE = "(max-width: 45rem)";

/** The start view: one's own week, or day on a phone; of people without sessions what needs attention. */
export function homeAddress(): string {
  if (!hasOwnDay()) return addressOf(["attention"]);
  if (matchMedia(PHONE).matches) return addressOf(["today"]);
  const { role, userId } = me().key;
  return addressOf(["schedule"], { whose: kindOf(role), person: userId });
}

/** Whether somebody is signed in who has sessions of their own. */
export function hasOwnDay(): boolean {
  const { role, userId } = me().key;
  return userId !== null && kindOf(role) !== undefined;
}
