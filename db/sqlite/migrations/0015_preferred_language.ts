import type { Migration } from "../../migration.ts";

/** In which language a patient's family wants to be spoken and written to. */
export const preferredLanguage: Migration = {
  name: "0015_preferred_language",
  statements: [`alter table users add column preferred_language text`],
};
