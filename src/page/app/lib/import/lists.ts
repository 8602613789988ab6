import { RecordOfRows, byKey, type Making } from "./rows.ts";
import { plain } from "./names.ts";
import { ownId } from "./practice.ts";
import type { ReadRow, SheetReader } from "./reader.ts";

/** Lists of what the practice sets up once: payors, locations, services, codes of what is not billed. */

const TYPES: Record<string, string> = {
  payors: "payor",
  locations: "location",
  services: "serviceLine",
  codes: "nonBillableCode",
};

const USUAL_MINUTES = 15;

export function makeList(reader: SheetReader, { practice }: Making): void {
  const type = TYPES[reader.sheet.type] ?? "";
  const stored = practice.stored.lines.filter((line) => line.type === type);
  const keyOf = (row: ReadRow): string =>
    row.get("publicId") || plain(row.get("name") || row.get("code"));
  for (const rows of byKey(reader.rows, keyOf)) {
    const [row] = rows as [ReadRow];
    const given = row.get("publicId");
    const name = row.get("name") || row.get("code");
    const before =
      given === ""
        ? stored.find((each) => plain(String(each.name)) === plain(name))
        : stored.find(({ publicId }) => publicId === given || publicId === ownId(type, given));
    const record = new RecordOfRows(reader, rows, before);
    if (name === "") reader.mistake(row.number, "name", "is empty");
    else record.fields.name = name;
    if (type === "serviceLine") {
      record.set("code", "code", record.text("code"));
      const minutes = reader.number(record.rowOf("billingUnitMinutes"), "billingUnitMinutes");
      if (minutes !== undefined) record.fields.billingUnitMinutes = minutes;
      else if (before === undefined) record.fields.billingUnitMinutes = USUAL_MINUTES;
    }
    const id =
      before?.publicId ??
      (given === "" ? practice.ids.idOf(type, plain(name)) : ownId(type, given));
    for (const { number } of rows) practice.write(type, id, record.fields, { reader, row: number });
  }
}
