import type { CalendarDate } from "../base/dates.ts";
import type { Line } from "../base/lines.ts";
import { constantOf, FIRST_INSURANCE } from "./constants.ts";
import { PRIORITIES } from "./entries.ts";
import { fullNameOf, plain } from "./names.ts";
import type { SheetReader } from "./reader.ts";
import { makeRecords, type RecordOfRows } from "./record.ts";
import { personIn, recordIn } from "./resolving.ts";
import { type ReadRow, rowsOf } from "./row.ts";
import { valueOfWord } from "./words.ts";

/** Authorizations: of a patient, for a service, with a number and a term. */

const PATIENT = ["PATIENT"];
export const CLIENT = ["client", "clientNumber"];

/** The patient of a row by record number, else by name; both must be of one person. */
export function clientOf(row: ReadRow): Line | undefined {
  const [name, number] = [row.get("client"), row.get("clientNumber")];
  const called = (text: string): Line[] =>
    text === "" ? [] : row.practice.peopleCalled(text, PATIENT);
  const [numbered] = called(number);
  if (numbered === undefined) {
    if (name === "" && number !== "")
      return row.mistake("clientNumber", `“${number}” is nobody who is known`);
    return personIn(row, "client", PATIENT);
  }
  const named = called(name);
  if (named.length === 0 || named.includes(numbered)) return numbered;
  const other = `“${number}” is ${fullNameOf(numbered)}`;
  return row.mistake(CLIENT, `name and record number are of two people: ${other}`);
}

export function makeAuthorizations(reader: SheetReader): void {
  const stored = reader.context.practice.storedOfType("authorization");
  const byNumber = Map.groupBy(stored, (each) => plain(String(each.authorizationNumber)));
  const numberOf = (row: ReadRow): string => plain(row.get("authorizationNumber"));
  const serviceOf = (row: ReadRow) => recordIn(row, "serviceLineId", "serviceLine");
  const fromOf = (row: ReadRow) => row.day("authorizationDate");
  const toOf = (row: ReadRow) => row.day("authorizationExpirationDate");
  const keyOf = (row: ReadRow): string =>
    `${numberOf(row)} ${clientOf(row)?.publicId} ${serviceOf(row)} ${fromOf(row)}`;
  const storedFor = (row: ReadRow): Line | undefined => {
    const [client, service, from, to] = [clientOf(row), serviceOf(row), fromOf(row), toOf(row)];
    const same = (byNumber.get(numberOf(row)) ?? []).filter(
      (each) => each.patientId === client?.publicId && each.serviceLineId === service,
    );
    const sameDay = same.find((each) => each.authorizationDate === from);
    // Terms that do not overlap are two; of several that do, nobody knows which it is.
    const [overlapping, ...others] = same.filter(
      (each) =>
        (to === undefined || String(each.authorizationDate) <= to) &&
        (from === undefined || from <= String(each.authorizationExpirationDate)),
    );
    return sameDay ?? (others.length > 0 ? undefined : overlapping);
  };
  makeRecords("authorization", rowsOf(reader), { keyOf, storedFor }, (record) => {
    const { row, fields } = record;
    const [client, service, from, to] = [clientOf(row), serviceOf(row), fromOf(row), toOf(row)];
    record.require(
      ...[["authorizationNumber"], CLIENT, ["serviceLineId"]],
      ...[["authorizationDate"], ["authorizationExpirationDate"], ["quantity"]],
    );
    if (from !== undefined && to !== undefined && to < from)
      row.mistake("authorizationExpirationDate", "is before the first day");
    record.setOwn();
    record.set("authorizationDate", from);
    if (client !== undefined) fields.patientId = client.publicId;
    if (service !== undefined) fields.serviceLineId = service;
    // A member of a pool has the pool's units.
    if (!record.stored?.authorizationPoolId) setQuantity(record, service);
    setStatus(record);
    if (record.stored === undefined && !reader.has("payorId")) setPayor(record, client, from);
  });
}

/** The units, which may be told in hours, and how often they come. */
function setQuantity(record: RecordOfRows, serviceId: string | undefined): void {
  const { reader, stored, fields } = record;
  const row = record.rowOf("quantity");
  const heading = plain(reader.headingOf("quantity"));
  const service = row.practice.find("serviceLine", serviceId);
  record.set("authorizedUnitsQuantity", unitsIn(row, "quantity", service), "quantity");
  const [inHeading = ""] = /day|daily|week|wk|mo|year|yr|annual/.exec(heading) ?? [];
  const said = record.rowOf("frequency").choice("frequency");
  record.set("authorizedUnitFrequency", said, "frequency");
  if (said !== "") return;
  const frequency = valueOfWord("frequency", inHeading);
  if (frequency !== undefined) fields.authorizedUnitFrequency = frequency;
  else if (stored === undefined && !reader.has("frequency"))
    fields.authorizedUnitFrequency = constantOf(reader, "frequency");
}

/** The units in a cell. Hours, by the field, heading or cell, become units of the service, said; a mistake for one by visit. */
export function unitsIn(
  row: ReadRow,
  field: string,
  service: Line | undefined,
): number | undefined {
  const hours = row.figure(field);
  const said = `${field} ${row.reader.headingOf(field)} ${row.get(field)}`;
  const isInHours = /hours|hrs|\d\s*h(?:our|r)?\.?$/i.test(said);
  if (!isInHours) return hours;
  if (hours === undefined || service === undefined) return undefined;
  const minutes = service.billingUnitMinutes;
  if (typeof minutes !== "number")
    return row.mistake(field, "are hours, and the service is by visit");
  const units = Math.round((hours * 60 * 1e6) / minutes) / 1e6;
  row.note(field, "hours are turned into units", row.get(field), String(units));
  return units;
}

function setStatus(record: RecordOfRows): void {
  const { reader, stored, fields } = record;
  const field = "authorizationStatus";
  if (!reader.has(field)) {
    if (stored === undefined) fields[field] = constantOf(reader, field);
    return;
  }
  const row = record.rowOf(field);
  // Payors have statuses of their own.
  const status = row.word(field) ?? row.get(field);
  record.set(field, status);
  if (status === "" && stored === undefined) row.mistake(field, "is empty");
}

function setPayor(
  { reader, row, fields }: RecordOfRows,
  client: Line | undefined,
  from: CalendarDate | undefined,
): void {
  const constant = constantOf(reader, "payorId");
  const payorId = constant === FIRST_INSURANCE ? firstPayor(client, from) : constant;
  if (payorId) fields.payorId = payorId;
  else if (client !== undefined)
    row.note(CLIENT, "no payor: the patient has no insurance on that day", fullNameOf(client));
}

function firstPayor(client: Line | undefined, day: CalendarDate | undefined): string | undefined {
  const entries = (client?.payors as Record<string, string | null>[] | undefined) ?? [];
  const inForce = entries.filter(
    ({ effectiveStartDate: from, effectiveEndDate: to }) =>
      day === undefined || ((!from || from <= day) && (!to || day <= to)),
  );
  const rank = ({ priority }: Record<string, string | null>): number => {
    const at = PRIORITIES.indexOf(priority ?? "");
    return at < 0 ? PRIORITIES.length : at;
  };
  return inForce.toSorted((a, b) => rank(a) - rank(b))[0]?.payorId ?? undefined;
}
