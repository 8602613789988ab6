import { dateOf, type Instant, type TimeZone } from "../base/dates.ts";
import { makeAppointments } from "./appointments.ts";
import { makeAuthorizations } from "./authorizations.ts";
import { type Constant, constantsOf } from "./constants.ts";
import type { SheetType } from "./fields.ts";
import { makeList } from "./lists.ts";
import { makePeople } from "./people.ts";
import { type ImportLine, type NewIds, Practice, type Stored } from "./practice.ts";
import { SheetReader } from "./reader.ts";
import type { Sheet } from "./sheet.ts";

/** The lines of a practice file that sheets become, all together, and what there is to say and to choose. */

export interface BuiltSheet {
  reader: SheetReader;
  constants: Constant[];
}

export interface Built {
  lines: ImportLine[];
  practice: Practice;
  sheets: Map<Sheet, BuiltSheet>;
}

/** How the records of each type are made. What others refer to comes first. */
const MAKERS: Record<SheetType, (reader: SheetReader) => void> = {
  payors: makeList,
  locations: makeList,
  services: makeList,
  codes: makeList,
  staff: makePeople,
  caregivers: makePeople,
  patients: makePeople,
  authorizations: makeAuthorizations,
  appointments: makeAppointments,
};

export function buildImport(
  sheets: readonly Sheet[],
  { stored, ids, zone, now }: { stored: Stored; ids: NewIds; zone: TimeZone; now: Instant },
): Built {
  const practice = new Practice(stored, ids);
  const context = { practice, guardians: new Map(), zone, now, today: dateOf(now, zone) };
  const built = new Map<Sheet, BuiltSheet>();
  for (const [type, make] of Object.entries(MAKERS))
    for (const sheet of sheets.filter((each) => each.type === type)) {
      const reader = new SheetReader(sheet, context);
      make(reader);
      built.set(sheet, { reader, constants: constantsOf(reader) });
    }
  return { lines: practice.lines, practice, sheets: built };
}
