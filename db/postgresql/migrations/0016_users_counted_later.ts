import type { Migration } from "../../migration.ts";

/** What a bulk sets while it writes users beside others, and counts them in the end. */
const COUNTED_NOW =
  "current_setting('caseload.users_are_counted_later', true) is distinct from 'on'";

const trigger = (event: string, referencing: string): string =>
  `create or replace trigger users_count_${event} after ${event} on users
    referencing ${referencing} for each statement when (${COUNTED_NOW}) execute function users_count()`;

/** Rows of counts that a long transaction has changed would keep everybody from making a user until it ends. */
export const usersCountedLater: Migration = {
  name: "0016_users_counted_later",
  statements: [
    trigger("insert", "new table as added"),
    trigger("delete", "old table as removed"),
    trigger("update", "old table as removed new table as added"),
  ],
};
