import { me } from "./me.ts";
import { kindOf } from "./people.ts";
import { addressOf } from "./place.ts";

/** The start view: the user's own week, if they have sessions; else what needs attention. */
export function homeAddress(): string {
  const { role, userId } = me().key;
  const whose = kindOf(role);
  return userId === null || whose === undefined
    ? addressOf(["attention"])
    : addressOf(["schedule"], { whose, person: userId });
}
