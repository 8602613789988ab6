import { me } from "./me.ts";
import { kindOf } from "./people.ts";
import { addressOf } from "./place.ts";

/** Where one begins: who has sessions with the own week, others with what needs attention. */
export function homeAddress(): string {
  const { role, userId } = me().key;
  const whose = kindOf(role);
  return userId === null || whose === undefined
    ? addressOf(["attention"])
    : addressOf(["schedule"], { whose, person: userId });
}
