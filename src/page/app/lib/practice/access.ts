import type { PersonAccess } from "../../../../access/model.ts";
import { countText } from "../base/format.ts";
import { instantDayText } from "../base/me.ts";

/** What people sign in with. */

/** What a person can sign in with, in words. */
export function means({ invitation, passkeys, signIns, keys }: PersonAccess): string[] {
  const names = passkeys.map(({ name }) => name).join(", ");
  return [
    ...(passkeys.length > 0 ? [`${countText(passkeys.length, "passkey")} (${names})`] : []),
    ...(signIns.length > 0 ? [countText(signIns.length, "sign-in")] : []),
    ...(keys.length > 0 ? [countText(keys.length, "key")] : []),
    ...(invitation === null ? [] : [`invited until ${instantDayText(invitation.expiresAt)}`]),
  ];
}

export function hasAccess(person: PersonAccess): boolean {
  return means(person).length > 0;
}

/** Whether nobody else could let people in. */
export function isLastAdministrator(
  person: PersonAccess,
  people: readonly PersonAccess[],
): boolean {
  const canEnter = ({ role, passkeys, keys }: PersonAccess) =>
    role === "ADMIN" && passkeys.length + keys.length > 0;
  return canEnter(person) && people.filter(canEnter).length === 1;
}
