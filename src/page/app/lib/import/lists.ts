import { plain } from "./names.ts";
import type { SheetReader } from "./reader.ts";
import { makeRecords } from "./record.ts";
import { type ReadRow, rowsOf } from "./row.ts";

/** Lists of what the practice sets up once: payors, locations, services, codes of what is not billed. */

const TYPES: Record<string, string> = {
  payors: "payor",
  locations: "location",
  services: "serviceLine",
  codes: "nonBillableCode",
};

const USUAL_MINUTES = 15;

export function makeList(reader: SheetReader): void {
  const type = TYPES[reader.sheet.type] ?? "";
  const stored = reader.context.practice.storedOfType(type);
  const nameOf = (row: ReadRow): string => row.get("name") || row.get("code");
  const keyOf = (row: ReadRow): string => plain(nameOf(row));
  const storedFor = (row: ReadRow) => stored.find(({ name }) => plain(String(name)) === keyOf(row));
  makeRecords(type, rowsOf(reader), { keyOf, storedFor }, (record) => {
    const name = nameOf(record.row);
    if (name === "") record.row.mistake("name", "is empty");
    else record.fields.name = name;
    record.setOwn();
    if (type === "serviceLine" && !record.stored)
      record.fields.billingUnitMinutes ??= USUAL_MINUTES;
  });
}
