import { tookPlace, valueOfWord } from "./words.ts";
import { scheduledUnits } from "../../../../utilization/units.ts";
import { addDays, type CalendarDate, type Instant, toInstant } from "../base/dates.ts";
import type { Line } from "../base/lines.ts";
import { clientOf, unitsOfHours } from "./authorizations.ts";
import { plain } from "./names.ts";
import { COLUMNS } from "./columns.ts";
import { type Making, requiredWord } from "./rows.ts";
import { ownId, PROVIDERS } from "./practice.ts";
import type { ReadRow, SheetReader } from "./reader.ts";

/** A calendar: sessions, and what was delivered. */

export const THE_PATIENTS = "patient";
export const IN_FORCE = "force";
export const AS_PLANNED = "planned";
export const BILLED_BEFORE = "before";
export const TO_BE_BILLED = "open";

/** The batch of what was billed elsewhere. */
const BATCH = "Before Caseload";

const HOUR = 3_600_000;
/** A session that ends before it starts ends on the next day, if it then is shorter. */
const LONGEST_NIGHT = 14 * HOUR;

/** What a row says, as far as other rows or what is stored matter. */
interface Appointment {
  row: ReadRow;
  start: Instant;
  end: Instant;
  /** The day of its start, as the office has it. */
  day: CalendarDate;
  client: Line | undefined;
  provider: Line | undefined;
  key: string;
}

export interface CalendarMaking extends Making {
  now: Instant;
  dayOf(instant: Instant): CalendarDate;
}

export function makeAppointments(reader: SheetReader, making: CalendarMaking): void {
  const { practice } = making;
  const read = reader.rows.flatMap((row) => appointmentIn(reader, row, making) ?? []);
  const isService = serviceKinds(reader, making);
  const slots = Map.groupBy(read, ({ key }) => key);
  const stored = Map.groupBy(practice.stored.sessions, (session) =>
    slotKey(String(session.clientId ?? ""), session.startTime as Instant, providerOf(session)),
  );
  const made = new Map<string, Appointment>();
  const taken = new Set<string>();
  for (const appointment of read) {
    const { row, key, provider } = appointment;
    const given = row.get("publicId");
    const ofSlot = (stored.get(key) ?? []).filter(({ publicId }) => !taken.has(publicId));
    const isAlone = slots.get(key)?.length === 1 && ofSlot.length === 1;
    // Of several at one time, the provider says which it is.
    const same = isAlone
      ? ofSlot[0]
      : ofSlot.find((session) => providerOf(session) === (provider?.publicId ?? ""));
    const id =
      given === ""
        ? (same?.publicId ?? practice.ids.idOf("session", `${key} ${provider?.publicId}`))
        : (practice.find("session", given)?.publicId ?? ownId("session", given));
    const before = practice.storedOf("session", id);
    taken.add(id);
    const earlier = made.get(id);
    made.set(id, earlier ?? appointment);
    makeSession(reader, appointment, { id, before, making, isService, earlier });
  }
}

function slotKey(client: string, start: Instant, provider: string): string {
  return client === "" ? `provider ${provider} ${start}` : `${client} ${start}`;
}

function providerOf({ technicianId, clinicianId }: Line): string {
  return String(technicianId ?? clinicianId ?? "");
}

function appointmentIn(
  reader: SheetReader,
  row: ReadRow,
  making: CalendarMaking,
): Appointment | undefined {
  const client = clientOf(reader, row, making);
  const hasProvider = reader.has("provider");
  const provider = making.resolving.person(
    reader,
    row,
    hasProvider ? "provider" : "second",
    PROVIDERS,
  );
  const times = timesIn(reader, row, making);
  // Whose appointment it is must be known before anything else of it.
  const isOfNobody = client === undefined && row.get("client") + row.get("clientNumber") !== "";
  if (times === undefined || isOfNobody) return undefined;
  const given = row.get("publicId");
  const slot = slotKey(client?.publicId ?? "", times.start, provider?.publicId ?? "");
  return { row, ...times, client, provider, key: given === "" ? slot : `id ${given}` };
}

/** The day of a row whose times are in other columns. */
function dateOfRow(
  reader: SheetReader,
  row: ReadRow,
  making: CalendarMaking,
): CalendarDate | undefined {
  const cell = row.get("date");
  if (cell === "" || !reader.isMoment(cell)) return reader.day(row, "date");
  const moment = reader.time(row, "date", cell, undefined);
  return moment && making.dayOf(moment);
}

/** When a row begins and ends; undefined if it does not say so, which is a mistake. */
function timesIn(reader: SheetReader, row: ReadRow, making: CalendarMaking) {
  const [from = "", to = ""] = row.get("time").split(/\s*(?:-|–|—|\bto\b)\s*/i);
  // A day with a time, where another column may have the time again.
  const dateCell = row.get("date");
  const moment = reader.isMoment(dateCell) ? dateCell : "";
  const startCell = row.get("start") || from || moment;
  const endCell = row.get("end") || to;
  const startField = row.get("start") === "" && from !== "" ? "time" : "start";
  const endField = row.get("end") === "" && to !== "" ? "time" : "end";
  const date = dateOfRow(reader, row, making);
  const hasMoment = reader.isMoment(startCell);
  if (!hasMoment && date === undefined) {
    if (dateCell === "") reader.mistake(row.number, ["date", "start"], "is empty");
    return undefined;
  }
  if (startCell === "") {
    reader.mistake(row.number, ["start", "time"], "is empty");
    return undefined;
  }
  // `9:00 - 11:30 AM`: both are of one half of the day.
  const half = /[ap]\.?m?\.?$/i.exec(endCell)?.[0];
  const isHalved = startField === "time" && half !== undefined && !/[ap]\.?m?\.?$/i.test(startCell);
  const startText = isHalved ? `${startCell} ${half}` : startCell;
  const start = reader.time(row, startField, startText, hasMoment ? undefined : date);
  if (start === undefined) return undefined;
  const day = making.dayOf(start);
  const end = endOf(reader, row, { start, day, endCell, endField });
  return end && { start, end, day };
}

function endOf(
  reader: SheetReader,
  row: ReadRow,
  {
    start,
    day,
    endCell,
    endField,
  }: { start: Instant; day: CalendarDate; endCell: string; endField: string },
): Instant | undefined {
  if (endCell === "") {
    const minutes = minutesIn(row.get("duration"), reader.headingOf("duration"));
    if (minutes !== undefined) return toInstant(Date.parse(start) + minutes * 60_000);
    const isThere = row.get("duration") !== "";
    const field = isThere ? "duration" : ["end", "time", "duration"];
    reader.mistake(
      row.number,
      field,
      isThere ? "must be a length, such as 90 or 1:30" : "is empty",
    );
    return undefined;
  }
  if (reader.isMoment(endCell)) {
    const end = reader.time(row, endField, endCell, undefined);
    if (end !== undefined && end < start)
      reader.mistake(row.number, endField, "is before the start");
    return end;
  }
  const end = reader.time(row, endField, endCell, day);
  if (end === undefined || end >= start) return end;
  const next = reader.time(row, endField, endCell, addDays(day, 1));
  if (next !== undefined && Date.parse(next) - Date.parse(start) < LONGEST_NIGHT) {
    reader.note(row.number, endField, "ends on the next day", { from: endCell });
    return next;
  }
  reader.mistake(row.number, endField, "is before the start");
  return undefined;
}

/** Fewer than these are hours, where nothing says what a length is in. */
const FEW = 13;

/** `90`, `1.5 h`, `1:30`, `1 hr 30 min` in minutes. */
function minutesIn(text: string, heading: string): number | undefined {
  const clock = /^(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(text);
  if (clock !== null) return Number(clock[1]) * 60 + Number(clock[2]);
  const parts =
    /^(?:(\d+(?:\.\d+)?)\s*h(?:ou)?rs?\.?|(\d+(?:\.\d+)?)\s*h)?\s*(?:(\d+(?:\.\d+)?)\s*m(?:in(?:ute)?s?)?\.?)?$/i.exec(
      text,
    );
  if (parts !== null && text !== "")
    return Number(parts[1] ?? parts[2] ?? 0) * 60 + Number(parts[3] ?? 0);
  if (!/^\d+(?:\.\d+)?$/.test(text)) return undefined;
  const isInHours = /hour|hrs/i.test(heading) || (!/min/i.test(heading) && Number(text) < FEW);
  return Number(text) * (isInHours ? 60 : 1);
}

/** Whether the words of the column of kinds are services, where there is a client, or codes: most of them. */
function serviceKinds(reader: SheetReader, { resolving }: Making): boolean {
  if (reader.has("services")) return false;
  const withClient = reader.rows.filter(
    (row) => row.get("client") + row.get("clientNumber") !== "",
  );
  const words = withClient.map((row) => row.get("kind")).filter(Boolean);
  const services = words.filter((word) => resolving.service(word) !== undefined);
  const codes = words.filter((word) => resolving.code(word) !== undefined);
  return services.length > 0 && (services.length + codes.length) * 10 >= words.length * 7;
}

interface SessionMaking {
  id: string;
  /** The session as it is stored; undefined for a new one. */
  before: Line | undefined;
  making: CalendarMaking;
  isService: boolean;
  /** An earlier row of the same session, such as one for each thing that was billed. */
  earlier: Appointment | undefined;
}

function makeSession(reader: SheetReader, appointment: Appointment, session: SessionMaking): void {
  const { row, start, end, client, provider, day } = appointment;
  const { id, before, making, isService } = session;
  const { practice, resolving } = making;
  const serviceField = isService ? "kind" : "services";
  const serviceWord = row.get(serviceField);
  const billableWord = row.get("billable") || (isService ? "" : row.get("kind"));
  const isBilled = billableWord === "" ? undefined : valueOfWord("billable", billableWord);
  const codeId = [row.get("services"), row.get("kind"), row.get("title")]
    .map((text) => resolving.code(text))
    .find((each) => each !== undefined);
  const isOfCode = codeId !== undefined && resolving.service(serviceWord) === undefined;
  const isBillable = client !== undefined && isBilled !== "false" && !isOfCode;
  const serviceId = isOfCode
    ? undefined
    : resolving.record(reader, row, serviceField, "serviceLine");
  const service = practice.find("serviceLine", serviceId ?? "");
  const status = statusOf(reader, row, before, making);
  const fields: Record<string, unknown> = {
    ...{ startTime: start, endTime: end },
    ...(client && { clientId: client.publicId }),
    ...placeOf(reader, row, { before, client, making, isBillable }),
    ...(status && { status }),
  };
  const words = [serviceWord, row.get("kind"), row.get("title"), String(service?.name ?? "")];
  if (before === undefined)
    Object.assign(fields, {
      isBillable,
      isSupervision: words.some((word) => /supervis/i.test(word)),
      isClientPresent: client !== undefined,
    });
  if (isBillable) {
    if (serviceId !== undefined) fields.services = serviceId;
    else if (before === undefined && serviceWord === "")
      reader.mistake(
        row.number,
        serviceField,
        reader.has(serviceField) ? "is empty" : "has no column: choose one",
      );
  } else if (before === undefined || codeId !== undefined) {
    const code = codeId ?? making.constant(reader, "nonBillableCode");
    if (codeId === undefined) reader.needed.add("nonBillableCode");
    if (code) fields.nonBillableCode = code;
    else reader.asked.add("nonBillableCode");
  }
  const code = practice.find("nonBillableCode", String(fields.nonBillableCode ?? ""));
  const title =
    row.get("title") ||
    (before === undefined ? String((isBillable ? service : code)?.name ?? serviceWord) : "");
  if (title !== "") fields.title = title;
  setProviders(reader, row, fields, {
    provider,
    isBillable: before === undefined ? isBillable : before.isBillable === true,
    making,
  });
  const authorization = isBillable
    ? authorizationOf(reader, row, { client, serviceId, day, before, making })
    : undefined;
  if (authorization !== undefined) fields.authorizationId = authorization;
  writeOnce({ reader, row, ...session }, ["session", id], fields);
  makeEncounter(reader, appointment, { ...session, service, status, authorization });
}

interface Writing extends SessionMaking {
  reader: SheetReader;
  row: ReadRow;
}

/** Writes what a row says; where an earlier row of the same record says something else, that is a mistake. */
function writeOnce(
  { reader, row, earlier, making }: Writing,
  [type, id]: readonly [string, string],
  fields: Record<string, unknown>,
): void {
  const written = earlier && making.practice.writtenOf(type, id)?.line;
  const differing = Object.keys(fields).filter(
    (field) => written?.[field] !== undefined && written[field] !== fields[field],
  );
  if (differing.length === 0) {
    making.practice.write(type, id, fields, { reader, row: row.number });
    return;
  }
  const [field = ""] = [...differing.filter((each) => each in COLUMNS), ...differing];
  reader.mistake(
    row.number,
    COLUMNS[field] ?? field,
    `differs from row ${earlier?.row.number}, which is the same appointment`,
  );
}

function statusOf(
  reader: SheetReader,
  row: ReadRow,
  before: Line | undefined,
  making: Making,
): string | undefined {
  const word = reader.has("status") ? requiredWord(reader, row, "status") : "";
  if (word !== "" || before !== undefined) return word;
  if (!reader.has("status")) return making.constant(reader, "status");
  reader.mistake(row.number, "status", "is empty");
  return undefined;
}

/** Place and location, of which either column may have the words of the other. */
function placeOf(
  reader: SheetReader,
  row: ReadRow,
  about: {
    before: Line | undefined;
    client: Line | undefined;
    making: CalendarMaking;
    isBillable: boolean;
  },
): Record<string, unknown> {
  const { before, client, making, isBillable } = about;
  let [place, locationId]: [string | undefined, string | undefined] = [undefined, undefined];
  for (const field of ["place", "location"]) {
    const word = row.get(field);
    if (word === "") continue;
    const isLocation = making.resolving.location(word) !== undefined;
    const isPlace = !isLocation && (field === "place" || valueOfWord("place", word) !== undefined);
    if (isPlace) place ??= reader.placeOf(row, field);
    else locationId ??= making.resolving.record(reader, row, field, "location");
  }
  if (before === undefined) {
    if (place === undefined) {
      reader.needed.add("placeOfService");
      place = making.constant(reader, "placeOfService");
    }
    const isLeftOpen =
      row.get("location") !== "" &&
      locationId === undefined &&
      valueOfWord("place", row.get("location")) === undefined;
    if (locationId === undefined && !isLeftOpen) {
      reader.needed.add("locationId");
      const constant = making.constant(reader, "locationId");
      const own = (client?.locationIds as string[] | undefined) ?? [];
      locationId =
        constant === THE_PATIENTS ? (own.length === 1 ? own[0] : undefined) : constant || undefined;
      if (constant === "") reader.asked.add("locationId");
      else if (locationId === undefined)
        reader.mistake(row.number, ["location", "place"], "the patient has not just one location");
    }
  }
  const isTelehealth = place?.startsWith("TELEHEALTH") ?? false;
  return {
    ...(place && { placeOfService: place }),
    ...(place && isBillable && { isTelehealth }),
    ...(locationId && { locationId }),
  };
}

/** The provider by role, and the second one as the other. */
function setProviders(
  reader: SheetReader,
  row: ReadRow,
  fields: Record<string, unknown>,
  {
    provider,
    isBillable,
    making,
  }: { provider: Line | undefined; isBillable: boolean; making: Making },
): void {
  const field = reader.has("provider") ? "provider" : "second";
  const second = reader.has("provider")
    ? making.resolving.person(reader, row, "second", PROVIDERS)
    : undefined;
  for (const person of [provider, second]) {
    if (person === undefined) continue;
    const slot = person.role === "TECHNICIAN" ? "technicianId" : "clinicianId";
    const own = person === provider ? field : "second";
    if (slot === "clinicianId" && !isBillable)
      reader.note(row.number, own, "left out: a session that is not billed has no clinician", {
        from: row.get(own),
      });
    else if (fields[slot] !== undefined && fields[slot] !== person.publicId)
      reader.note(row.number, own, "left out: both providers have the same role", {
        from: row.get(own),
      });
    else fields[slot] = person.publicId;
  }
  if (provider === undefined && row.get(field) === "" && !isBillable)
    reader.mistake(row.number, field, reader.has(field) ? "is empty" : "has no column: choose one");
}

interface AuthorizationContext {
  client: Line | undefined;
  serviceId: string | undefined;
  day: CalendarDate;
  before: Line | undefined;
  making: Making;
}

/** The authorization of a row: by number, of its client, then service, then day; or the one in force. */
function authorizationOf(
  reader: SheetReader,
  row: ReadRow,
  context: AuthorizationContext,
): string | undefined {
  const { client, serviceId, day, before, making } = context;
  const own = making.practice.authorizationsOf(client?.publicId ?? "");
  const isInForce = (each: Line): boolean =>
    String(each.authorizationDate) <= day && day <= String(each.authorizationExpirationDate);
  const ofService = own.filter((each) => each.serviceLineId === serviceId);
  if (!reader.has("authorization")) {
    if (before !== undefined || making.constant(reader, "authorizationId") !== IN_FORCE)
      return undefined;
    const inForce = ofService.filter(isInForce);
    return inForce.length === 1 ? inForce[0]?.publicId : undefined;
  }
  const number = row.get("authorization");
  if (number === "" || client === undefined) return undefined;
  const numbered = own.filter(
    (each) => plain(String(each.authorizationNumber)) === plain(number) || each.publicId === number,
  );
  const same = numbered.filter((each) => each.serviceLineId === serviceId);
  const found = [same.filter(isInForce), same].find(({ length }) => length === 1)?.[0];
  if (found === undefined && serviceId !== undefined) {
    const what =
      numbered.length === 0 ? "is no authorization of this patient" : "is none for this service";
    reader.mistake(row.number, "authorization", `“${number}” ${what}`);
  }
  return found?.publicId;
}

/** What was delivered at a session: a number of units, or as long as it was planned. */
function makeEncounter(
  reader: SheetReader,
  { row, start, end }: Appointment,
  context: SessionMaking & {
    service: Line | undefined;
    status: string | undefined;
    authorization: string | undefined;
  },
): void {
  const { id, making, status, service } = context;
  const { practice } = making;
  const isHeld =
    status === "CONFIRMED" || (status === "" && context.before?.status === "CONFIRMED");
  const isPast = start <= making.now;
  const field = reader.has("units") ? "units" : "hoursWorked";
  const minutes = service?.billingUnitMinutes as number | null | undefined;
  let units: number | undefined;
  if (reader.has("units", "hoursWorked")) {
    const said = reader.number(row, field);
    units = field === "hoursWorked" ? unitsOfHours({ reader, row, field }, said, service) : said;
  } else if (making.constant(reader, "delivered") === AS_PLANNED && isPast && isHeld)
    if (tookPlace(row.get("status")) && minutes !== undefined)
      units = scheduledUnits(start, end, minutes);
  if (units === undefined || units <= 0) return;
  const leaveOut = (why: string): void =>
    reader.note(row.number, [field, "status"], `units left out: ${why}`, { from: String(units) });
  if (!isHeld) return leaveOut("the appointment did not take place");
  if (!isPast) return leaveOut("the appointment is still to come");
  const stored = practice.encounterOf(id);
  if (stored !== undefined)
    return writeOnce({ reader, row, ...context }, ["encounter", stored.publicId], { units });
  const authorizationId = context.authorization ?? context.before?.authorizationId;
  if (authorizationId === undefined) return leaveOut("there is no authorization");
  reader.needed.add("billing");
  const billing = making.constant(reader, "billing");
  if (billing === "") reader.asked.add("billing");
  const fields = {
    ...{ authorizationId, sessionId: id, startTime: start, units },
    ...(billing === BILLED_BEFORE && { billed: [{ batch: BATCH }] }),
  };
  writeOnce({ reader, row, ...context }, ["encounter", practice.ids.idOf("encounter", id)], fields);
}
