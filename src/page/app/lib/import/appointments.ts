import { scheduledUnits } from "../../../../utilization/units.ts";
import { remembered } from "../../../../lib/remembered.ts";
import { addDays, type CalendarDate, dateOf, type Instant, toInstant } from "../base/dates.ts";
import type { Line } from "../base/lines.ts";
import { CLIENT, clientOf, unitsIn } from "./authorizations.ts";
import { AS_PLANNED, BILLED_BEFORE, constantOf, IN_FORCE, THE_PATIENTS } from "./constants.ts";
import { COLUMNS } from "./columns.ts";
import { plain } from "./names.ts";
import { only, PROVIDERS } from "./practice.ts";
import type { SheetReader } from "./reader.ts";
import { personIn, recordIn } from "./resolving.ts";
import { type ReadRow, rowsOf } from "./row.ts";
import { tookPlace, valueOfWord } from "./words.ts";

/** A calendar: sessions, and what was delivered. */

/** The batch of what was billed elsewhere. */
const BATCH = "Before Caseload";

const MINUTE = 60_000;
/** In milliseconds: a session that ends before it starts ends on the next day, if it then is shorter. */
const LONGEST_NIGHT = 14 * 60 * MINUTE;

interface Times {
  start: Instant;
  end: Instant;
  /** The day of its start, as the office has it. */
  day: CalendarDate;
}

/** What a row says, as far as other rows or what is stored matter. */
interface Appointment extends Times {
  row: ReadRow;
  client: Line | undefined;
  provider: Line | undefined;
  /** The column of its words for services. */
  services: string;
  id: string;
  /** The session as it is stored; undefined for a new one. */
  before: Line | undefined;
  /** The number of an earlier row of the same session, such as one for each thing that was billed. */
  earlier: number | undefined;
}

export function makeAppointments(reader: SheetReader): void {
  const { practice } = reader.context;
  const read = rowsOf(reader).flatMap((row) => {
    const client = clientOf(row);
    const provider = personIn(row, providerFieldOf(reader), PROVIDERS);
    const times = timesIn(row);
    // Whose appointment it is must be known before anything else of it.
    if (times === undefined || (client === undefined && row.says(...CLIENT))) return [];
    const given = row.get("publicId");
    // A session without a client is not billed, so that no clinician is stored.
    const isStored = client !== undefined || provider?.role === "TECHNICIAN";
    const storedProvider = isStored ? provider?.publicId : undefined;
    const slot = slotKey(client?.publicId, times.start, storedProvider);
    const key = given === "" ? slot : `id ${given}`;
    return { row, ...times, client, provider, storedProvider, given, key };
  });
  const services = hasServicesAsKinds(reader) ? "kind" : "services";
  const slots = Map.groupBy(read, ({ key }) => key);
  const stored = Map.groupBy(practice.stored.sessions, (session) =>
    slotKey(session.clientId, session.startTime, providerOf(session)),
  );
  const rows = new Map<string, number>();
  const taken = new Set<string>();
  const ids = new Map<string, string>();
  for (const { key, given, storedProvider, ...appointment } of read) {
    const { row, provider } = appointment;
    const ofSlot = (stored.get(key) ?? []).filter(({ publicId }) => !taken.has(publicId));
    const isAlone = slots.get(key)?.length === 1 && ofSlot.length === 1;
    // Of several at one time, the provider says which it is.
    const same = ofSlot.find((each) => isAlone || providerOf(each) === storedProvider);
    const own = `${key} ${provider?.publicId}`;
    const id =
      practice.idGiven("session", given) ??
      // Of a row that is there twice, both are the one that is stored.
      remembered(ids, own, () => same?.publicId ?? practice.ids.idOf("session", own));
    taken.add(id);
    const [before, earlier] = [practice.storedOf("session", id), rows.get(id)];
    if (earlier === undefined) rows.set(id, row.number);
    makeSession({ ...appointment, services, id, before, earlier });
  }
}

/** The column of the provider, which only sheets that have the second one alone call so. */
function providerFieldOf(reader: SheetReader): "provider" | "second" {
  return reader.has("provider") || !reader.has("second") ? "provider" : "second";
}

function slotKey(client: unknown, start: unknown, provider: unknown): string {
  return client ? `${client} ${start}` : `provider ${provider} ${start}`;
}

function providerOf({ technicianId, clinicianId }: Line): unknown {
  return technicianId ?? clinicianId ?? undefined;
}

/** A time on the clock, which may say its half of the day; one above 12 needs none. */
const CLOCK = /(?:^|\s)(0?[1-9]|1[0-2])(?::(\d{2}))?(?::\d{2})?(?:\s*([ap])\.?m?\.?)?$/i;

/** Two times of which one says no half of the day, in the halves that make them closest: `11:30 - 1:00 PM` is about noon. */
function inHalves(start: string, end: string): [start: string, end: string] {
  const [from, to] = [CLOCK.exec(start), CLOCK.exec(end)];
  if (!from || !to || !from[3] === !to[3]) return [start, end];
  const minutesOf = ([, hour, minute = "0"]: RegExpExecArray): number =>
    (Number(hour) % 12) * 60 + Number(minute);
  const isAfternoon = /p/i.test(from[3] ?? to[3] ?? "") === minutesOf(from) < minutesOf(to);
  const half = isAfternoon ? " PM" : " AM";
  return from[3] ? [start, end + half] : [start + half, end];
}

/** When a row begins and ends; undefined if it does not say so, which is a mistake. */
function timesIn(row: ReadRow): Times | undefined {
  const [from = "", to = ""] = row.get("time").split(/\s*(?:[-\u2010-\u2015\u2212]|\bto\b)\s*/i);
  const dayOf = (instant: Instant): CalendarDate => dateOf(instant, row.reader.context.zone);
  // A day with a time, where another column may have the time again.
  const dateCell = row.get("date");
  const moment = row.isMoment(dateCell) ? dateCell : "";
  const [startCell, endCell] = inHalves(row.get("start") || from || moment, row.get("end") || to);
  const startField = !row.says("start") && from !== "" ? "time" : "start";
  const endField = !row.says("end") && to !== "" ? "time" : "end";
  const instant = moment === "" ? undefined : row.time("date", moment);
  const date = moment === "" ? row.day("date") : instant && dayOf(instant);
  const hasMoment = row.isMoment(startCell);
  if (!hasMoment && date === undefined)
    return dateCell === "" ? row.mistake(["date", "start"], "is empty") : undefined;
  if (startCell === "") return row.mistake(["start", "time"], "is empty");
  const start = row.time(startField, startCell, hasMoment ? undefined : date);
  if (start === undefined) return undefined;
  const day = dayOf(start);
  const end =
    endCell === "" ? endByLength(row, start) : endIn(row, endField, { cell: endCell, start, day });
  return end && { start, end, day };
}

function endByLength(row: ReadRow, start: Instant): Instant | undefined {
  const minutes = minutesIn(row.get("duration"), row.reader.headingOf("duration"));
  if (minutes !== undefined) return toInstant(Date.parse(start) + minutes * MINUTE);
  if (row.says("duration")) return row.mistake("duration", "must be a length, such as 90 or 1:30");
  return row.mistake(["end", "time", "duration"], "is empty");
}

function endIn(
  row: ReadRow,
  field: string,
  { cell, start, day }: { cell: string; start: Instant; day: CalendarDate },
): Instant | undefined {
  const isMoment = row.isMoment(cell);
  const end = row.time(field, cell, isMoment ? undefined : day);
  if (end === undefined || end >= start) return end;
  const next = isMoment ? undefined : row.time(field, cell, addDays(day, 1));
  if (next !== undefined && Date.parse(next) - Date.parse(start) < LONGEST_NIGHT) {
    row.note(field, "ends on the next day", cell);
    return next;
  }
  row.mistake(field, "is before the start");
  return isMoment ? end : undefined;
}

/** Fewer than these are hours, where nothing says what a length is in. */
const FEW = 13;

/** `90`, `1.5 h`, `1:30`, `1 hr 30 min` in minutes. */
function minutesIn(text: string, heading: string): number | undefined {
  const [, hours, minutes] =
    /^(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(text) ??
    /^(?:(\d+(?:\.\d+)?)\s*h(?:(?:ou)?rs?\.?)?)?\s*(?:(\d+(?:\.\d+)?)\s*m(?:in(?:ute)?s?)?\.?)?$/i.exec(
      text || "?",
    ) ??
    [];
  if (hours ?? minutes) return Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  if (!/^\d+(?:\.\d+)?$/.test(text)) return undefined;
  const isInHours = /hour|hrs/i.test(heading) || (!/min/i.test(heading) && Number(text) < FEW);
  return Number(text) * (isInHours ? 60 : 1);
}

/** Whether the words of the column of kinds are services, where there is a client, or codes: most of them. */
function hasServicesAsKinds(reader: SheetReader): boolean {
  const words = rowsOf(reader).filter((row) => row.says(...CLIENT) && row.says("kind"));
  const countOf = (type: string): number =>
    words.filter((row) => row.practice.named(type, row.get("kind")) !== undefined).length;
  const services = reader.has("services") ? 0 : countOf("serviceLine");
  return services > 0 && (services + countOf("nonBillableCode")) * 10 >= words.length * 7;
}

const SUPERVISION = /supervis/i;

function makeSession(appointment: Appointment): void {
  const { row, start, end, client, services, before, id } = appointment;
  const { practice, reader } = row;
  const isNew = before === undefined;
  const serviceWord = row.get(services);
  const kind = services === "kind" ? "" : row.get("kind");
  const billableWord = row.get("billable") || kind;
  const codeId = ["services", "kind", "title"]
    .map((field) => practice.named("nonBillableCode", row.get(field)))
    .find((each) => each !== undefined);
  const isOfCode = codeId !== undefined && !practice.named("serviceLine", serviceWord);
  const isBillable =
    client !== undefined && valueOfWord("billable", billableWord) !== "false" && !isOfCode;
  const serviceId = isBillable
    ? recordIn(row, services, "serviceLine")
    : practice.named("serviceLine", serviceWord);
  const service = practice.find("serviceLine", serviceId);
  if (kind !== "" && !isOfCode && !SUPERVISION.test(kind) && !valueOfWord("billable", kind))
    row.note("kind", "left out: says nothing that a session has", kind);
  const status = statusOf(appointment);
  const fields: Record<string, unknown> = {
    ...{ startTime: start, endTime: end },
    ...(client && { clientId: client.publicId }),
    ...placeOf(appointment, isBillable),
    ...(status && { status }),
  };
  if (isNew) {
    const words = [serviceWord, row.get("kind"), row.get("title"), service?.name];
    const isSupervision = words.some((word) => SUPERVISION.test(String(word)));
    Object.assign(fields, { isBillable, isSupervision, isClientPresent: client !== undefined });
  }
  if (isBillable) {
    if (serviceId !== undefined) fields.services = serviceId;
    else if (isNew && serviceWord === "") row.missing(services);
  } else if (isNew || codeId !== undefined) {
    const code = codeId ?? neededConstant(reader, "nonBillableCode");
    if (code !== "") fields.nonBillableCode = code;
  }
  const code = practice.find("nonBillableCode", fields.nonBillableCode);
  const isOfService = service !== undefined && !isBillable;
  if (isOfService) row.note(services, "left out: what is not billed has no service", serviceWord);
  const isWord = serviceWord !== "" && !isOfCode && !isOfService;
  const usual = (isBillable && service?.name) || (isWord ? serviceWord : code?.name);
  const title = row.get("title") || (isNew && usual);
  if (title) fields.title = title;
  setProviders(appointment, fields, isNew ? isBillable : before.isBillable === true);
  const authorizationId = isBillable ? authorizationOf(appointment, serviceId) : undefined;
  if (authorizationId !== undefined) fields.authorizationId = authorizationId;
  writeOnce(appointment, "session", id, fields);
  makeEncounter(appointment, service, status, authorizationId ?? before?.authorizationId);
}

/** Writes what a row says; where an earlier row of the same record says something else, that is a mistake. */
function writeOnce(
  { row, earlier }: Appointment,
  type: string,
  id: string,
  fields: Record<string, unknown>,
): void {
  const written = earlier === undefined ? undefined : row.practice.writtenOf(type, id);
  const differing = Object.keys(fields).filter(
    (field) => written?.[field] !== undefined && written[field] !== fields[field],
  );
  const field = differing.find((each) => each in COLUMNS) ?? differing[0];
  if (field === undefined) row.practice.write({ type, publicId: id, ...fields }, row);
  else
    row.mistake(
      COLUMNS[field] ?? field,
      `differs from row ${earlier}, which is the same appointment`,
    );
}

/** A value for all rows that a row needs. */
function neededConstant(reader: SheetReader, field: string): string {
  reader.needed.add(field);
  const value = constantOf(reader, field);
  if (value === "") reader.asked.add(field);
  return value;
}

function statusOf({ row, before }: Appointment): string | undefined {
  const word = row.choice("status");
  if (word !== "" || before !== undefined) return word;
  return row.reader.has("status") ? row.missing("status") : constantOf(row.reader, "status");
}

/** Place and location, of which either column may have the words of the other. */
function placeOf(
  { row, before, client }: Appointment,
  isBillable: boolean,
): Record<string, unknown> {
  let [place, locationId]: [string | undefined, string | undefined] = [undefined, undefined];
  const isPlace = (field: string): boolean => valueOfWord("place", row.get(field)) !== undefined;
  for (const field of ["place", "location"].filter((each) => row.says(each)))
    if (
      row.practice.named("location", row.get(field)) === undefined &&
      (field === "place" || isPlace(field))
    )
      place ??= row.choice(field, "is no place that is known: choose what it is") || undefined;
    else locationId ??= recordIn(row, field, "location");
  if (before === undefined) {
    place ??= neededConstant(row.reader, "placeOfService");
    // A word for a location that means none yet is a mistake already.
    if (locationId === undefined && (!row.says("location") || isPlace("location"))) {
      const constant = neededConstant(row.reader, "locationId");
      const [own, ...others] = (client?.locationIds as string[] | undefined) ?? [];
      const ofPatient = others.length > 0 ? undefined : own;
      locationId = constant === THE_PATIENTS ? ofPatient : constant || undefined;
      if (constant !== "" && locationId === undefined)
        row.mistake(["location", "place"], "the patient has not just one location");
    }
  }
  return {
    ...(place && { placeOfService: place }),
    ...(place && isBillable && { isTelehealth: place.startsWith("TELEHEALTH") }),
    ...(locationId && { locationId }),
  };
}

/** The provider by role, and the second one as the other. */
function setProviders(
  { row, provider }: Appointment,
  fields: Record<string, unknown>,
  isBillable: boolean,
): void {
  const field = providerFieldOf(row.reader);
  const second = field === "provider" ? personIn(row, "second", PROVIDERS) : undefined;
  for (const [own, person] of [
    [field, provider],
    ["second", second],
  ] as const) {
    if (person === undefined) continue;
    const slot = person.role === "TECHNICIAN" ? "technicianId" : "clinicianId";
    const leaveOut = (why: string): void => row.note(own, `left out: ${why}`, row.get(own));
    if (slot === "clinicianId" && !isBillable)
      leaveOut("a session that is not billed has no clinician");
    else if (fields[slot] !== undefined && fields[slot] !== person.publicId)
      leaveOut("both providers have the same role");
    else fields[slot] = person.publicId;
  }
  if (!row.says(field) && !isBillable) row.missing(field);
}

/** The authorization of a row: by number, of its client, then service, then day; or the one in force. */
function authorizationOf(
  { row, client, day, before }: Appointment,
  serviceId: string | undefined,
): string | undefined {
  const own = row.practice.authorizationsOf(client?.publicId);
  const ofService = own.filter((each) => each.serviceLineId === serviceId);
  const inForce = ofService.filter(
    (each) =>
      String(each.authorizationDate) <= day && day <= String(each.authorizationExpirationDate),
  );
  if (!row.reader.has("authorization")) {
    const isWanted = before === undefined && constantOf(row.reader, "authorizationId") === IN_FORCE;
    return isWanted ? only(inForce)?.publicId : undefined;
  }
  const number = row.get("authorization");
  if (number === "" || client === undefined) return undefined;
  const isNumbered = (each: Line): boolean =>
    plain(String(each.authorizationNumber)) === plain(number) || each.publicId === number;
  const found = only(inForce.filter(isNumbered)) ?? only(ofService.filter(isNumbered));
  if (found === undefined && serviceId !== undefined) {
    const isThere = own.some(isNumbered);
    const what = isThere ? "is none for this service" : "is no authorization of this patient";
    row.mistake("authorization", `“${number}” ${what}`);
  }
  return found?.publicId;
}

/** Units have six decimals. */
const SMALLEST = 1e-6;

/** What was delivered at a session: a number of units, or as long as it was planned. */
function makeEncounter(
  appointment: Appointment,
  service: Line | undefined,
  status: string | undefined,
  authorizationId: unknown,
): void {
  const { row, id, start, end, before } = appointment;
  const { practice, reader } = row;
  const isHeld = (status === "" ? before?.status : status) === "CONFIRMED";
  const isPast = start <= reader.context.now;
  const field = reader.has("units") ? "units" : "hoursWorked";
  const deliveries = practice.encountersOf(id);
  const [stored] = deliveries;
  // What is chosen for all rows is for what is new.
  const isPlanned = stored === undefined && constantOf(reader, "delivered") === AS_PLANNED;
  const minutes = service?.billingUnitMinutes as number | null | undefined;
  let units: number | undefined;
  if (reader.has(field)) units = unitsIn(row, field, service);
  else if (isPlanned && isPast && isHeld)
    if (tookPlace(row.get("status")) && minutes !== undefined)
      units = scheduledUnits(start, end, minutes);
  if (units === undefined || units <= 0) return;
  // Of several, nobody knows which the number is of, but all together.
  const areSeveral = deliveries.length > 1;
  const sum = deliveries.reduce((all, each) => all + Number(each.units), 0);
  if (areSeveral && Math.abs(sum - units) < SMALLEST) return;
  const why = !isHeld
    ? "the appointment did not take place"
    : !isPast
      ? "the appointment is still to come"
      : stored === undefined && !authorizationId
        ? "there is no authorization"
        : areSeveral
          ? `${deliveries.length} deliveries are stored`
          : undefined;
  if (why !== undefined)
    return row.note([field, "status"], `units left out: ${why}`, String(units));
  if (stored !== undefined) {
    // Unless its session moves, it stays at the time at which it was written down.
    const moved = start === before?.startTime ? {} : { startTime: start };
    return writeOnce(appointment, "encounter", stored.publicId, { units, ...moved });
  }
  const isBilled = neededConstant(reader, "billing") === BILLED_BEFORE;
  writeOnce(appointment, "encounter", practice.ids.idOf("encounter", id), {
    ...{ authorizationId, sessionId: id, startTime: start, units },
    ...(isBilled && { billed: [{ batch: BATCH }] }),
  });
}
