import type { GivenHandOver } from "../billing/line.ts";
import { addDays, type CalendarDate } from "../lib/calendar-date.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import type { EncounterRecord, SessionRecord } from "../practice-file/model.ts";
import type { SessionStatus } from "../sessions/model.ts";
import {
  dayOf,
  FIRST_WEEK,
  instantAt,
  isOpen,
  LAST_WEEK,
  minutesOf,
  WEEKDAYS,
} from "./calendar.ts";
import {
  type Child,
  type Demo,
  type Employee,
  numbered,
  type Slip,
  slips,
  type Slot,
  team,
  visits,
} from "./clinic.ts";

/** The slots of the weeks, each on its days, as sessions and encounters. */

interface Day {
  week: number;
  day: string;
  date: CalendarDate;
  isPast: boolean;
}

/** A slot on a day. */
export interface Appointment extends Day {
  slot: Slot;
  slip: Slip;
  startTime: Instant;
  minutes: number;
  status: SessionStatus;
  /** Whose it is; absent without a client. */
  child?: Child;
  /** Absent where nobody is booked, or it needs none. */
  technician?: Employee | undefined;
  clinician?: Employee | undefined;
  authorizationId?: string | undefined;
  /** Of its session; absent before the first week that has some. */
  sessionId?: string;
}

/** Authorizations last for so many weeks; in these of them the child is reassessed, for the next ones. */
const WEEKS_OF_TERM = 26;
const REASSESSED = [22, 24] as const;

/** All appointments in order of their days, those before the first week with sessions included. */
export function appointments(
  { today, moreWeeks = 0 }: Demo,
  children: readonly Child[],
  staffOf: (name: string) => Employee,
): Appointment[] {
  const first = FIRST_WEEK - moreWeeks;
  const all: Appointment[] = [];
  for (const day of openDays(today, first - WEEKS_OF_TERM)) {
    for (const { technicians, ...slot } of slotsOn(day, team))
      for (const name of technicians)
        all.push(newAppointment(day, slot, {}, { technician: staffOf(name) }));
    for (const child of children)
      if (day.week >= child.since - moreWeeks && day.week < (child.until ?? Infinity))
        for (const slot of slotsOn(day, child.week ?? []))
          if (slot.visit !== "assessment" || isReassessed(child, day))
            all.push(visit(day, slot, child, staffOf));
  }
  const withSession = all.filter(({ week }) => week >= first);
  for (const [index, each] of withSession.entries())
    each.sessionId = numbered("apt_", index + 1, DIGITS);
  return all;
}

/** Enough for a hundred million ids that sort. */
const DIGITS = 8;

function* openDays(today: CalendarDate, first: number): Generator<Day> {
  for (let week = first; week <= LAST_WEEK; week += 1)
    for (const [index, day] of WEEKDAYS.entries()) {
      const date = dayOf(today, week, index);
      if (isOpen(date)) yield { week, day, date, isPast: date < today };
    }
}

function slotsOn<Each extends Slot>({ week, day }: Day, slots: Each[]): Each[] {
  const others = week % 2 === 0 ? "odd" : "even";
  return slots.filter(({ on, weeks }) => on.includes(day) && weeks !== others);
}

/** Whether an authorization that has begun is in the weeks in which the next ones are prepared. */
function isReassessed({ authorizations }: Child, { date }: Day): boolean {
  const start = authorizations.findLast(
    ({ authorizationDate: from = "" }) => from <= date,
  )?.authorizationDate;
  const [from, to] = REASSESSED.map((week) => start && addDays(start, 7 * week));
  return from !== undefined && to !== undefined && from <= date && date < to;
}

function newAppointment(
  day: Day,
  slot: Slot,
  slip: Slip,
  others: Pick<Appointment, "child" | "technician" | "clinician" | "authorizationId">,
): Appointment {
  const [start = "", end = ""] = slot.at.split("-");
  const { status = "CONFIRMED", from = start } = slip;
  // What cannot be known yet, or no longer is so, is confirmed.
  const isUnknown = status === (day.isPast ? "UNCONFIRMED" : "PATIENT_NO_SHOW");
  return {
    ...{ ...day, slot, slip, ...others, minutes: minutesOf(end) - minutesOf(start) },
    ...{ startTime: instantAt(day.date, from), status: isUnknown ? "CONFIRMED" : status },
  };
}

function visit(day: Day, slot: Slot, child: Child, staffOf: (name: string) => Employee) {
  const slip = slipOf(child.name, day, slot);
  const { technician = slot.with ?? null } = slip;
  const { serviceLineId } = visits[slot.visit] as { serviceLineId: string };
  const authorizations = child.authorizations.filter(
    (each) => each.serviceLineId === serviceLineId && (each.authorizationDate ?? "") <= day.date,
  );
  return newAppointment(day, slot, slip, {
    child,
    technician: technician === null ? undefined : staffOf(technician),
    ...(slot.by && { clinician: staffOf(slot.by) }),
    authorizationId: authorizations.at(slip.onEnded ? -2 : -1)?.publicId,
  });
}

const slipsByWords = new Map<string, Slip>();
for (const [words, slip] of Object.values(slips).flatMap(Object.entries<Slip>))
  slipsByWords.set(words, { ...slipsByWords.get(words), ...slip });

/** Of weeks before the first one only absences are known: they recur every four weeks. */
function slipOf(child: string, { week, day }: Day, { at }: Slot): Slip {
  const found = (of: number): Slip => ({
    ...slipsByWords.get(`${child}, week ${of}`),
    ...slipsByWords.get(`${child}, ${day}, week ${of}`),
    ...slipsByWords.get(`${child}, ${day} ${at.slice(0, 5)}, week ${of}`),
  });
  if (week >= FIRST_WEEK) return found(week);
  const { status } = found(FIRST_WEEK + (((week % 4) + 4) % 4));
  return { ...slipsByWords.get(`${child}, week ${week}`), ...(status && { status }) };
}

export function* sessions(all: readonly Appointment[]): Generator<SessionRecord> {
  for (const each of all) if (each.sessionId !== undefined) yield session(each.sessionId, each);
}

function session(publicId: string, made: Appointment): SessionRecord {
  const { slot, startTime, status, child, technician } = made;
  const visit = visits[slot.visit];
  const isTelehealth = slot.place === "VIDEO";
  const place = isTelehealth ? "TELEHEALTH_PROVIDED_IN_PATIENT_HOME" : (slot.place ?? "OFFICE");
  const [locationId = ""] = (child?.record ?? technician)?.locationIds ?? [];
  const common = {
    type: "session",
    ...{ publicId, title: visit.title, status, startTime, endTime: endOf(made) },
    isSupervision: slot.visit === "supervision" || slot.visit === "talk",
    isClientPresent: child !== undefined && slot.visit !== "guidance",
    placeOfService: place as SessionRecord["placeOfService"],
    locationId,
    ...(technician && { technicianId: technician.publicId }),
    ...(child && { clientId: child.record.publicId }),
  } as const;
  if ("nonBillableCode" in visit)
    return { ...common, isBillable: false, nonBillableCode: visit.nonBillableCode };
  const clinicianId = made.clinician?.publicId ?? child?.record.primaryClinicianId;
  const isDirect = slot.visit === "direct";
  return {
    ...common,
    isBillable: true,
    isTelehealth,
    ...(!isDirect && clinicianId && { clinicianId }),
    ...((!isDirect || place === "OFFICE") && { providerLocationId: locationId }),
    services: visit.serviceLineId,
    ...(made.authorizationId && { authorizationId: made.authorizationId }),
  };
}

function endOf({ startTime, minutes }: Appointment): Instant {
  return toInstant(epochMilliseconds(startTime) + minutes * 60_000);
}

/**
 * Delivered units. Before the first week with sessions they are the only records of deliveries, as if imported when the
 * practice moved to Caseload without its old sessions.
 */
export function* encounters(today: CalendarDate, all: readonly Appointment[]) {
  let number = 0;
  for (const made of all)
    for (let copy = 0; copy < encountersOf(made); copy += 1)
      yield encounter(today, numbered("enc_", ++number, DIGITS), made);
}

function encountersOf({ isPast, authorizationId, slip, status }: Appointment): number {
  if (!isPast || authorizationId === undefined) return 0;
  return slip.encounters ?? (status === "CONFIRMED" ? 1 : 0);
}

function encounter(today: CalendarDate, publicId: string, made: Appointment): EncounterRecord {
  const { authorizationId = "", sessionId, startTime, slip } = made;
  const billed = billedOf(today, made);
  return {
    type: "encounter",
    ...{ publicId, authorizationId, ...(sessionId && { sessionId }), startTime },
    units: unitsOf(made) + (slip.units ?? 0),
    ...(billed && { billed: [billed] }),
  };
}

/** The units of fifteen minutes that are planned; a speech visit is one. */
function unitsOf({ slot, minutes }: Appointment): number {
  return slot.visit === "speech" ? 1 : minutes / 15;
}

/** The last week that was handed over for billing. */
const LAST_BILLED_WEEK = -2;

/** What was handed over of a delivery; undefined if nothing was, as where somebody has seen that something is wrong. */
function billedOf(today: CalendarDate, made: Appointment): GivenHandOver | undefined {
  const { week, date, slip, startTime, minutes, child, authorizationId = "" } = made;
  /** A week is handed over on the Monday after it. */
  const handedOver = (of: number, daysLater = 0): Instant =>
    instantAt(dayOf(today, of + 1, daysLater), "10:00");
  if (slip.billed === "forgotten" || child === undefined) return undefined;
  if (week < FIRST_WEEK) return { batch: "Before Caseload", at: handedOver(FIRST_WEEK - 1) };
  const isWrong = slip.onEnded || slip.units !== undefined || encountersOf(made) > 1;
  if (week > LAST_BILLED_WEEK || isWrong) return undefined;
  return {
    batch: `Week of ${dayOf(today, week)}`,
    at: handedOver(week),
    ...(slip.billed === "taken back" && { takenBackAt: handedOver(week, 1) }),
    line: {
      ...{ date, startTime, endTime: endOf(made), minutes },
      ...{ patientId: child.record.publicId, authorizationId },
      units: unitsOf(made) + (typeof slip.billed === "number" ? slip.billed : 0),
    },
  };
}
