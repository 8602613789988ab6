import type { GivenHandOver } from "../billing/line.ts";
import { addDays, type CalendarDate } from "../lib/calendar-date.ts";
import type { EncounterRecord, SessionRecord } from "../practice-file/model.ts";
import type { SessionStatus } from "../sessions/model.ts";
import {
  authorizationId,
  bookedTerm,
  type Demo,
  firstWeek,
  isAuthorized,
  patientId,
  termOf,
} from "./authorizations.ts";
import {
  dayOf,
  FIRST_WEEK,
  instantAt,
  isOpen,
  LAST_WEEK,
  minutesOf,
  WEEKDAYS,
  type Weekday,
} from "./calendar.ts";
import {
  type Family,
  families,
  numbered,
  schedule,
  type Service,
  type Slip,
  slipOf,
  type Slot,
  staff,
  staffId,
  visits,
} from "./clinic.ts";

/** A slot on a day. */
export interface Appointment {
  week: number;
  date: CalendarDate;
  slot: Slot;
  slip: Slip;
  /** In minutes after local midnight. */
  start: number;
  minutes: number;
  status: SessionStatus;
  /** Whose it is; absent without a client. */
  client?: { index: number; family: Family };
  /** Absent where it needs none. */
  authorizationId?: string;
  technician?: string;
  locationId: string;
  /** How many encounters document it. */
  encounters: number;
}

/** In which weeks of a term the child is reassessed, for the next authorizations. */
const REASSESSED = new Set([22, 23]);

/** All appointments of the weeks with sessions, or those before, in order of their days. */
export function* appointments(demo: Demo, from: number, to: number): Generator<Appointment> {
  for (let week = from; week <= to; week += 1)
    for (const [index, day] of WEEKDAYS.entries()) {
      const date = dayOf(demo.today, week, index);
      if (!isOpen(date)) continue;
      for (const { technicians, ...slot } of schedule.team)
        if (isOn(slot, week, day))
          for (const technician of technicians) yield teamAppointment(slot, technician, week, date);
      for (const [client, family] of families.entries())
        for (const slot of family.week ?? [])
          if (isOn(slot, week, day))
            yield* clientAppointment(demo, { index: client, family }, { slot, week, day, date });
    }
}

function isOn({ on, weeks }: Slot, week: number, day: Weekday): boolean {
  return on.includes(day) && (weeks === undefined || (week % 2 === 0) === (weeks === "even"));
}

function timeOf({ at }: Slot) {
  const [start = NaN, end = NaN] = at.split("-").map(minutesOf);
  return { start, minutes: end - start };
}

function teamAppointment(
  slot: Slot,
  technician: string,
  week: number,
  date: CalendarDate,
): Appointment {
  const { start, minutes } = timeOf(slot);
  const [locationId = ""] = staff.find(({ is }) => is.name === technician)?.work.at ?? [];
  return {
    ...{ week, date, slot, slip: {}, start, minutes, technician },
    ...{ status: "CONFIRMED", locationId, encounters: 0 },
  };
}

interface Occurrence {
  slot: Slot;
  week: number;
  day: Weekday;
  date: CalendarDate;
}

function* clientAppointment(
  demo: Demo,
  client: { index: number; family: Family },
  { slot, week, day, date }: Occurrence,
): Generator<Appointment> {
  const { index, family } = client;
  const term = termOf(demo, family, week);
  const service = slot.visit as Service;
  if (term === undefined || family.therapy === undefined) return;
  if (service === "assessment" && !REASSESSED.has(week - term.startWeek)) return;
  const slip = slipOf(family.child.name, week, day, slot.at.slice(0, 5));
  const status = statusOf(slip, date < demo.today);
  const { technician = slot.with } = slip;
  const { start, minutes } = timeOf(slot);
  const booked = bookedTerm(demo, family, term) - (slip.onEnded ? 1 : 0);
  const hasAuthorization = isAuthorized(family, service);
  const isDelivered = date < demo.today && hasAuthorization;
  yield {
    ...{ week, date, slot, slip, status, client },
    start: slip.from === undefined ? start : minutesOf(slip.from),
    minutes,
    ...(hasAuthorization && { authorizationId: authorizationId(index, booked, service) }),
    ...(technician && { technician }),
    locationId: family.therapy.at,
    encounters: isDelivered ? (slip.encounters ?? (status === "CONFIRMED" ? 1 : 0)) : 0,
  };
}

/** What cannot be known yet, or no longer is so, is confirmed. */
function statusOf({ status = "CONFIRMED" }: Slip, isPast: boolean): SessionStatus {
  return status === (isPast ? "UNCONFIRMED" : "PATIENT_NO_SHOW") ? "CONFIRMED" : status;
}

export function* sessions(demo: Demo): Generator<SessionRecord> {
  let number = 0;
  for (const appointment of appointments(demo, firstWeek(demo), LAST_WEEK))
    yield session(sessionId(++number), appointment);
}

function session(publicId: string, appointment: Appointment): SessionRecord {
  const { date, slot, start, minutes, status, client, technician, locationId } = appointment;
  const visit = visits[slot.visit];
  const isTelehealth = slot.place === "VIDEO";
  const place = isTelehealth ? "TELEHEALTH_PROVIDED_IN_PATIENT_HOME" : (slot.place ?? "OFFICE");
  const common = {
    type: "session",
    publicId,
    title: visit.title,
    status,
    startTime: instantAt(date, start),
    endTime: instantAt(date, start + minutes),
    isSupervision: slot.visit === "supervision" || slot.visit === "talk",
    isClientPresent: client !== undefined && slot.visit !== "guidance",
    placeOfService: place as SessionRecord["placeOfService"],
    locationId,
    ...(technician !== undefined && { technicianId: staffId(technician) }),
    ...(client !== undefined && { clientId: patientId(client.index) }),
  } as const;
  if ("nonBillableCode" in visit)
    return { ...common, isBillable: false, nonBillableCode: visit.nonBillableCode };
  const clinician = slot.by ?? client?.family.therapy?.clinician;
  const isDirect = slot.visit === "direct";
  return {
    ...common,
    isBillable: true,
    isTelehealth,
    ...(!isDirect && clinician !== undefined && { clinicianId: staffId(clinician) }),
    ...((!isDirect || place === "OFFICE") && { providerLocationId: locationId }),
    services: visit.serviceLineId,
    ...(appointment.authorizationId && { authorizationId: appointment.authorizationId }),
  };
}

/**
 * Delivered units. Before the first week with sessions, back to the first day of the terms then, they are the only
 * records of deliveries, as if imported when the practice moved to Caseload without its old sessions.
 */
export function* encounters(demo: Demo): Generator<EncounterRecord> {
  const first = firstWeek(demo);
  let number = 0;
  const earliest = Math.min(
    ...families.map((each) => termOf(demo, each, first)?.startWeek ?? first),
  );
  for (const appointment of appointments(demo, earliest, first - 1)) {
    const { client, week } = appointment;
    const begun = client && termOf(demo, client.family, first)?.startWeek;
    if (begun !== undefined && week >= begun && appointment.encounters > 0)
      yield encounter(demo, ++number, appointment);
  }
  let sessionNumber = 0;
  for (const appointment of appointments(demo, first, LAST_WEEK)) {
    sessionNumber += 1;
    for (let copy = 0; copy < appointment.encounters; copy += 1)
      yield encounter(demo, ++number, appointment, sessionId(sessionNumber));
  }
}

function encounter(
  demo: Demo,
  number: number,
  appointment: Appointment,
  sessionId?: string,
): EncounterRecord {
  const { date, start, authorizationId = "", slip } = appointment;
  const billed = billedOf(demo, appointment, sessionId !== undefined);
  return {
    type: "encounter",
    publicId: numbered("enc_", number, DIGITS),
    authorizationId,
    ...(sessionId !== undefined && { sessionId }),
    startTime: instantAt(date, start),
    units: unitsOf(appointment) + (slip.units ?? 0),
    ...(billed && { billed: [billed] }),
  };
}

const UNIT_MINUTES = 15;

/** The units that are planned; a speech visit is one. */
function unitsOf({ slot, minutes }: Appointment): number {
  return slot.visit === "speech" ? 1 : minutes / UNIT_MINUTES;
}

/** When the office hands over a week: on the Monday after it, in minutes of the day. */
const HANDING_OVER = 10 * 60;

/** What was handed over of a delivery; undefined if nothing was, as where somebody has seen that something is wrong. */
function billedOf(
  { today }: Demo,
  appointment: Appointment,
  hasSession: boolean,
): GivenHandOver | undefined {
  const {
    week,
    date,
    slip,
    start,
    minutes,
    client,
    authorizationId = "",
    encounters,
  } = appointment;
  if (slip.billed === "forgotten" || client === undefined) return undefined;
  if (week < FIRST_WEEK || !hasSession)
    return { batch: "Before Caseload", at: instantAt(dayOf(today, FIRST_WEEK), HANDING_OVER) };
  const isWrong = slip.onEnded || slip.units !== undefined || encounters > 1;
  if (!schedule.billed.includes(week) || isWrong) return undefined;
  const monday = dayOf(today, week);
  const isTakenBack = slip.billed === "taken back";
  return {
    batch: `Week of ${monday}`,
    at: instantAt(addDays(monday, 7), HANDING_OVER),
    ...(isTakenBack && { takenBackAt: instantAt(addDays(monday, 8), HANDING_OVER) }),
    line: {
      date,
      startTime: instantAt(date, start),
      endTime: instantAt(date, start + minutes),
      minutes,
      patientId: patientId(client.index),
      authorizationId,
      units: unitsOf(appointment) + (typeof slip.billed === "number" ? slip.billed : 0),
    },
  };
}

/** Enough for a hundred million ids that sort. */
const DIGITS = 8;

function sessionId(number: number): string {
  return numbered("apt_", number, DIGITS);
}
