import { namedTables } from "../../src/reference-data/repository.ts";

/** The paths of the lists of named records, such as `service-lines`. */
export const namedLists = namedTables.map((table) => table.replaceAll("_", "-"));
