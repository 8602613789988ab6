import type { CalendarDate } from "../base/dates.ts";
import type { Line } from "../base/lines.ts";
import { plain } from "./names.ts";
import { byKey, requiredWord, type Making, RecordOfRows } from "./rows.ts";
import { ownId } from "./practice.ts";
import type { ReadRow, SheetReader } from "./reader.ts";
import { type CellOf, fullNameOf } from "./resolving.ts";
import { valueOfWord } from "./words.ts";

/** Authorizations: of a patient, for a service, with a number and a term. */

/** The patient's first insurance on the day on which an authorization begins. */
export const FIRST_INSURANCE = "first";

const PATIENT = ["PATIENT"];

/** The patient of a row by record number, else by name; both must be of one person. */
export function clientOf(reader: SheetReader, row: ReadRow, making: Making): Line | undefined {
  const number = row.get("clientNumber");
  const numbered = number === "" ? [] : making.practice.peopleCalled(number, PATIENT);
  const [byNumber] = numbered;
  if (byNumber === undefined) {
    const name = making.resolving.person(reader, row, "client", PATIENT);
    if (name === undefined && row.get("client") === "" && number !== "")
      reader.mistake(row.number, "clientNumber", `“${number}” is nobody who is known`);
    return name;
  }
  const named =
    row.get("client") === "" ? [] : making.practice.peopleCalled(row.get("client"), PATIENT);
  if (named.length > 0 && !named.includes(byNumber)) {
    const other = `“${number}” is ${fullNameOf(byNumber)}`;
    reader.mistake(
      row.number,
      ["client", "clientNumber"],
      `name and record number are of two people: ${other}`,
    );
    return undefined;
  }
  return byNumber;
}

export function makeAuthorizations(reader: SheetReader, making: Making): void {
  const { practice, resolving } = making;
  const factsOf = (row: ReadRow) => ({
    client: clientOf(reader, row, making),
    service: resolving.record(reader, row, "serviceLineId", "serviceLine"),
    from: reader.day(row, "authorizationDate"),
    to: reader.day(row, "authorizationExpirationDate"),
  });
  const facts = new Map(reader.rows.map((row) => [row, factsOf(row)]));
  const of = (row: ReadRow) => facts.get(row) as ReturnType<typeof factsOf>;
  const keyOf = (row: ReadRow): string => {
    const { client, service, from } = of(row);
    const id = row.get("publicId");
    const number = plain(row.get("authorizationNumber"));
    return id === "" ? `${number} ${client?.publicId} ${service} ${from}` : `id ${id}`;
  };
  const stored = practice.stored.lines.filter(({ type }) => type === "authorization");
  const byNumber = Map.groupBy(stored, (each) => plain(String(each.authorizationNumber)));
  const storedFor = (row: ReadRow): Line | undefined => {
    const { client, service, from, to } = of(row);
    const same = (byNumber.get(plain(row.get("authorizationNumber"))) ?? []).filter(
      (each) => each.patientId === client?.publicId && each.serviceLineId === service,
    );
    const sameDay = same.find((each) => each.authorizationDate === from);
    if (sameDay !== undefined) return sameDay;
    // Terms that do not overlap are two; of several that do, nobody knows which it is.
    const overlapping = same.filter(
      (each) =>
        (to === undefined || String(each.authorizationDate) <= to) &&
        (from === undefined || from <= String(each.authorizationExpirationDate)),
    );
    return overlapping.length === 1 ? overlapping[0] : undefined;
  };
  for (const rows of byKey(reader.rows, keyOf)) {
    const [row] = rows as [ReadRow];
    const { client, service, from, to } = of(row);
    const given = row.get("publicId");
    const id =
      given === ""
        ? undefined
        : (practice.find("authorization", given)?.publicId ?? ownId("authorization", given));
    const before = id === undefined ? storedFor(row) : practice.storedOf("authorization", id);
    const record = new RecordOfRows(reader, rows, before);
    const isNew = before === undefined;
    if (isNew)
      requireFilled(record, [
        "authorizationNumber",
        ["client", "clientNumber"],
        "serviceLineId",
        "authorizationDate",
        "authorizationExpirationDate",
        "quantity",
      ]);
    if (from !== undefined && to !== undefined && to < from)
      reader.mistake(row.number, "authorizationExpirationDate", "is before the first day");
    record.set("authorizationNumber", "authorizationNumber", record.text("authorizationNumber"));
    if (client !== undefined) record.fields.patientId = client.publicId;
    if (service !== undefined) record.fields.serviceLineId = service;
    record.set("authorizationDate", "authorizationDate", from);
    record.set("authorizationExpirationDate", "authorizationExpirationDate", to);
    // A member of a pool has the pool's units.
    if (!before?.authorizationPoolId) setQuantity(record, service, making);
    setStatus(record, making);
    setPayor(record, client, from, making);
    for (const { number } of rows)
      practice.write(
        "authorization",
        id ?? before?.publicId ?? practice.ids.idOf("authorization", keyOf(row)),
        record.fields,
        { reader, row: number },
      );
  }
}

/** Mistakes for what a new record must have and its row does not. */
export function requireFilled(
  record: RecordOfRows,
  fields: readonly (string | readonly string[])[],
): void {
  const { reader, rows, row } = record;
  for (const field of fields) {
    const ways = typeof field === "string" ? [field] : field;
    if (rows.some((each) => ways.some((way) => each.get(way) !== ""))) continue;
    reader.mistake(
      row.number,
      ways,
      reader.has(...ways) ? "is empty" : "has no column: choose one",
    );
  }
}

/** The units, which may be told in hours, and how often they come. */
function setQuantity(record: RecordOfRows, serviceId: string | undefined, making: Making): void {
  const { reader, stored } = record;
  const row = record.rowOf("quantity");
  const heading = plain(reader.headingOf("quantity"));
  const quantity = reader.number(row, "quantity");
  const isInHours = /hours|hrs/.test(heading);
  const service = making.practice.find("serviceLine", serviceId ?? "");
  const units = isInHours
    ? unitsOfHours({ reader, row, field: "quantity" }, quantity, service)
    : quantity;
  record.set("authorizedUnitsQuantity", "quantity", units);
  const inHeading =
    /(?:per|a)?(day|daily|week|wk|weekly|month|mo|monthly|year|yr|yearly|annual|annually)/.exec(
      heading,
    )?.[1];
  const frequency = inHeading === undefined ? undefined : valueOfWord("frequency", inHeading);
  if (reader.has("frequency")) {
    const said = requiredWord(reader, record.rowOf("frequency"), "frequency");
    record.set("authorizedUnitFrequency", "frequency", said);
    if (said === "" && frequency === undefined) return;
    if (said !== "") return;
  }
  if (frequency !== undefined) record.fields.authorizedUnitFrequency = frequency;
  else if (stored === undefined)
    record.fields.authorizedUnitFrequency = making.constant(reader, "frequency");
}

/** Hours as units of a service, said; a mistake for one by visit. */
export function unitsOfHours(
  { reader, row, field }: CellOf,
  hours: number | undefined,
  service: Line | undefined,
): number | undefined {
  if (hours === undefined || service === undefined) return undefined;
  const minutes = service.billingUnitMinutes;
  if (typeof minutes !== "number") {
    reader.mistake(row.number, field, "are hours, and the service is by visit");
    return undefined;
  }
  const units = Math.round((hours * 60 * 1e6) / minutes) / 1e6;
  reader.note(row.number, field, "hours are turned into units", {
    from: row.get(field),
    to: String(units),
  });
  return units;
}

function setStatus(record: RecordOfRows, making: Making): void {
  const { reader, stored } = record;
  const field = "authorizationStatus";
  if (!reader.has(field)) {
    if (stored === undefined) record.fields[field] = making.constant(reader, field);
    return;
  }
  const row = record.rowOf(field);
  // Payors have statuses of their own.
  const status = reader.fixed(row, field) ?? row.get(field);
  record.set(field, field, status);
  if (status === "" && stored === undefined) reader.mistake(row.number, field, "is empty");
}

function setPayor(
  record: RecordOfRows,
  client: Line | undefined,
  from: CalendarDate | undefined,
  making: Making,
): void {
  const { reader, stored } = record;
  if (reader.has("payorId")) {
    const row = record.rowOf("payorId");
    const payor = making.resolving.record(reader, row, "payorId", "payor");
    if (payor !== undefined || row.get("payorId") === "") record.set("payorId", "payorId", payor);
    return;
  }
  if (stored !== undefined) return;
  const constant = making.constant(reader, "payorId");
  const payorId = constant === FIRST_INSURANCE ? firstPayor(client, from) : constant;
  if (payorId) record.fields.payorId = payorId;
  else if (client !== undefined)
    reader.note(
      record.row.number,
      ["client", "clientNumber"],
      "no payor: the patient has no insurance on that day",
      {
        from: fullNameOf(client),
      },
    );
}

const ORDER = ["PRIMARY", "SECONDARY", "TERTIARY"];

function firstPayor(client: Line | undefined, day: CalendarDate | undefined): string | undefined {
  const entries = (client?.payors as Record<string, string | null>[] | undefined) ?? [];
  const inForce = entries.filter(
    ({ effectiveStartDate: from, effectiveEndDate: to }) =>
      day === undefined || ((!from || from <= day) && (!to || day <= to)),
  );
  const rank = ({ priority }: Record<string, string | null>): number => {
    const at = ORDER.indexOf(priority ?? "");
    return at < 0 ? ORDER.length : at;
  };
  return inForce.toSorted((a, b) => rank(a) - rank(b))[0]?.payorId ?? undefined;
}
