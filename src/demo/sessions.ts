import { addDays, type CalendarDate, earlier, startOfWeek } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import type { EncounterRecord, SessionRecord } from "../practice-file/model.ts";
import type { SessionStatus } from "../sessions/model.ts";
import { authorizationId } from "./authorizations.ts";
import { billedOf, isHandedOver } from "./billed.ts";
import { instantAfter, type WorkDay, workDays } from "./calendar.ts";
import { type Client, type Clinic, type DueVisit, patientId, visitsOn } from "./clinic.ts";
import { idsOf, serviceIds, unitsOf } from "./organization.ts";
import { Random } from "./random.ts";
import { bookedCoverage, bookedVisit, hasSlips, isWrittenTwice } from "./slips.ts";

/**
 * An appointment: a visit that actually takes place in the calendar. Generated anew for each pass, with the same
 * result, so that none is kept in memory.
 */
interface Appointment extends DueVisit {
  date: CalendarDate;
  /** Undefined before the first day with sessions. */
  sessionId?: string;
  startTime: Instant;
  endTime: Instant;
  status: SessionStatus;
  /** Undefined if the visit needs none. */
  authorizationId?: string | undefined;
  /** Undefined if the visit is not billable. */
  plannedUnits?: number;
  /** Undefined if nothing was delivered, or not yet. */
  deliveredUnits?: number | undefined;
  /** Whether a second encounter documents the same session. */
  isWrittenTwice?: boolean;
}

/** All appointments that are sessions in the file, day by day. */
function* appointments(clinic: Clinic): Generator<Appointment & { sessionId: string }> {
  const { firstDay, lastDay } = clinic.calendar;
  let number = 0;
  for (const appointment of appointmentsFrom(clinic, firstDay, lastDay))
    yield { ...appointment, sessionId: sessionId(++number) };
}

/**
 * Deliveries of the first coverages before the first day. They exist only as encounters, as if imported when the
 * practice moved to Caseload without its old sessions.
 */
function earlierAppointments(clinic: Clinic): Generator<Appointment> {
  return appointmentsFrom(clinic, firstCoveredDay(clinic), addDays(clinic.calendar.firstDay, -1));
}

function firstCoveredDay({ calendar, clients }: Clinic): CalendarDate {
  const starts = clients.flatMap(({ coverages }) => coverages.map(({ startDate }) => startDate));
  return starts.reduce(earlier, calendar.firstDay);
}

function* appointmentsFrom(
  clinic: Clinic,
  from: CalendarDate,
  to: CalendarDate,
): Generator<Appointment> {
  for (const day of workDays(from, to))
    for (const team of clinic.teams)
      for (const visit of visitsOn(team, day)) yield appointment(clinic, day, visit);
}

function appointment(clinic: Clinic, day: WorkDay, due: DueVisit): Appointment {
  const { coverage } = due;
  const visit = bookedVisit(clinic, due, day);
  const { startMinute, minutes, bills } = visit;
  const held = {
    date: day.date,
    visit,
    coverage,
    startTime: instantAfter(day.midnight, startMinute),
    endTime: instantAfter(day.midnight, startMinute + minutes),
  };
  if (coverage === undefined || !("service" in bills)) return { ...held, status: "CONFIRMED" };

  const { client } = coverage;
  const status = statusOn(clinic, client, day);
  const isDelivered = day.date < clinic.calendar.today && isDocumented(clinic, client, day, status);
  const planned = unitsOf(bills.service, minutes);
  return {
    ...held,
    status,
    authorizationId: authorizationId(bookedCoverage(clinic, coverage, day.date), bills.service),
    plannedUnits: planned,
    deliveredUnits: isDelivered ? unitsDelivered(clinic, client, day, planned) : undefined,
    isWrittenTwice: isWrittenTwice(clinic, due, day),
  };
}

export function isAttended(clinic: Clinic, client: Client, day: WorkDay): boolean {
  return statusOn(clinic, client, day) === "CONFIRMED";
}

/** Percentages of statuses of past sessions, and of future ones. */
const ENDED: [SessionStatus, number][] = [
  ["CONFIRMED", 91],
  ["PATIENT_NO_SHOW", 5],
  ["DECLINED", 3],
  ["REQUESTED_TO_CANCEL", 1],
];
const TO_COME: [SessionStatus, number][] = [
  ["CONFIRMED", 75],
  ["UNCONFIRMED", 19],
  ["DECLINED", 3],
  ["REQUESTED_TO_CANCEL", 3],
];

/** The status of all sessions of a client on a day: a child who is ill misses the whole day. */
function statusOn({ seed, calendar }: Clinic, client: Client, { date }: WorkDay): SessionStatus {
  let share = new Random(seed, "status", client.number, date).fraction() * 100;
  for (const [status, size] of date < calendar.today ? ENDED : TO_COME) {
    share -= size;
    if (share < 0) return status;
  }
  return "CONFIRMED";
}

/**
 * Whether there is an encounter: for delivered sessions, except a few recent ones that are not documented yet; and also
 * for a few missed sessions. The checks find both kinds.
 */
function isDocumented(
  { seed, calendar }: Clinic,
  client: Client,
  { date }: WorkDay,
  status: SessionStatus,
): boolean {
  const random = new Random(seed, "documentation", client.number, date);
  if (date < addDays(calendar.today, -21)) return status === "CONFIRMED";
  if (status === "PATIENT_NO_SHOW") return random.chance(hasSlips(client) ? 0.4 : 0.1);
  return status === "CONFIRMED" && !random.chance(0.02);
}

/** Mostly the planned units; sometimes a child leaves up to an hour early. */
function unitsDelivered(
  { seed }: Clinic,
  client: Client,
  { date }: WorkDay,
  planned: number,
): number {
  const random = new Random(seed, "units", client.number, date);
  const isLong = planned > 4;
  return isLong && random.chance(0.08) ? planned - random.whole(1, 4) : planned;
}

/** Enough for a hundred million ids that sort. */
const DIGITS = 8;

const sessionId = idsOf("apt_", DIGITS);
const encounterId = idsOf("enc_", DIGITS);

export function* sessions(clinic: Clinic): Generator<SessionRecord> {
  for (const appointment of appointments(clinic)) yield session(appointment.sessionId, appointment);
}

function session(publicId: string, appointment: Appointment): SessionRecord {
  const { visit, coverage, status, startTime, endTime, authorizationId } = appointment;
  const { bills, technicianId } = visit;
  const common = {
    type: "session",
    publicId,
    title: visit.title,
    status,
    startTime,
    endTime,
    isSupervision: visit.isSupervision,
    isClientPresent: visit.isClientPresent,
    placeOfService: visit.placeOfService,
    locationId: visit.locationId,
    ...(technicianId !== undefined && { technicianId }),
    ...(coverage !== undefined && { clientId: patientId(coverage.client.number) }),
  } as const;
  if ("nonBillableCode" in bills)
    return { ...common, isBillable: false, nonBillableCode: bills.nonBillableCode };
  const { isTelehealth, clinicianId, providerLocationId, service } = bills;
  return {
    ...common,
    isBillable: true,
    isTelehealth,
    ...(clinicianId !== undefined && { clinicianId }),
    ...(providerLocationId !== undefined && { providerLocationId }),
    services: serviceIds[service],
    ...(authorizationId !== undefined && { authorizationId }),
  };
}

/**
 * Delivered units. Before the first day with sessions, they are the only records of deliveries. Those that are written
 * a second time come last.
 */
export function* encounters(clinic: Clinic): Generator<EncounterRecord> {
  let number = 0;
  const again: EncounterRecord[] = [];
  const begun = new Set<string>();
  for (const appointment of allAppointments(clinic)) {
    const { sessionId, startTime, deliveredUnits, authorizationId, isWrittenTwice } = appointment;
    if (deliveredUnits === undefined || authorizationId === undefined) continue;
    number += 1;
    const billed = handedOver(clinic, appointment, begun);
    const encounter: EncounterRecord = {
      type: "encounter",
      publicId: encounterId(number),
      authorizationId,
      ...(sessionId !== undefined && { sessionId }),
      startTime,
      units: deliveredUnits,
    };
    yield { ...encounter, ...(billed && { billed }) };
    if (sessionId !== undefined && isWrittenTwice === true) again.push(encounter);
  }
  for (const [index, encounter] of again.entries())
    yield { ...encounter, publicId: encounterId(number + index + 1) };
}

/** @param begun the patients and weeks of earlier deliveries. */
function handedOver(clinic: Clinic, appointment: Appointment, begun: Set<string>) {
  const { sessionId, visit, coverage, date, startTime, endTime } = appointment;
  const { plannedUnits, deliveredUnits = 0, authorizationId = "", isWrittenTwice } = appointment;
  // Before anything is remembered of a patient's weeks, of which a large practice has many.
  if (coverage === undefined || !isHandedOver(coverage.client)) return undefined;
  const { client } = coverage;
  const week = `${client.number} ${startOfWeek(date, "MONDAY")}`;
  const isFirst = !begun.has(week);
  begun.add(week);
  const isOnEarlier = bookedCoverage(clinic, coverage, date) !== coverage;
  const { minutes } = visit;
  return billedOf(clinic, {
    ...{ client, date, authorizationId, units: deliveredUnits, isFirst },
    session: sessionId === undefined ? undefined : { startTime, endTime, minutes },
    isWrong: isOnEarlier || isWrittenTwice === true || deliveredUnits !== plannedUnits,
  });
}

/** The appointments before the first session, then those of sessions. */
function* allAppointments(clinic: Clinic): Generator<Appointment> {
  yield* earlierAppointments(clinic);
  yield* appointments(clinic);
}
