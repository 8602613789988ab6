import {
  addDays,
  daysBetween,
  type CalendarDate,
  startOfMonth,
  startOfWeek,
} from "../lib/calendar-date.ts";
import type { WorkDay } from "./calendar.ts";
import {
  type Client,
  type Clinic,
  type Coverage,
  type DueVisit,
  formerTechnicianId,
  technicianId,
} from "./clinic.ts";
import { MEDICAID, type Service, WITHOUT_POOL } from "./organization.ts";
import { MEETING, type Visit } from "./week.ts";

/**
 * What goes wrong in the demo practice, so that every check has something to find. Slips happen only to the first few
 * clients, however large the practice is, and are made without random numbers: all else stays as it is without them.
 */

/** Clients with slips: those numbered up to this. */
const CLIENTS = 20;

export function hasSlips({ number }: Client): boolean {
  return number <= CLIENTS;
}

/** The first days of a renewed coverage, on which sessions are still booked on the ended one. */
const DAYS_UNTIL_NOTICED = 3;

/** The coverage whose authorizations a session is booked on: that of its day, or, by mistake, the one before. */
export function bookedCoverage(clinic: Clinic, coverage: Coverage, date: CalendarDate): Coverage {
  const { client, number, startDate } = coverage;
  const isNoticed = date >= addDays(startDate, DAYS_UNTIL_NOTICED);
  if (isRequested(clinic, coverage) && (isNoticed || !hasSlips(client))) return coverage;
  return client.coverages.find((other) => other.number === number - 1) ?? coverage;
}

/** Whether anybody has asked the payor for the authorizations of a coverage. Of one payor, they forget it. */
export function isRequested(
  { calendar }: Clinic,
  { client, number, startDate }: Coverage,
): boolean {
  const isForgotten = hasSlips(client) && client.payor === WITHOUT_POOL && number > 1;
  return !isForgotten || startDate <= calendar.today;
}

/** A shortfall of one hour, in units of 15 minutes. */
const HOUR = 4;

/** The units that the payor grants of those needed: for direct therapy by the week, an hour less. */
export function unitsGranted(
  client: Client,
  { service, needed }: { service: Service; needed: number },
): number {
  const isCut = hasSlips(client) && client.payor.standalone[service] === "WEEKLY";
  return isCut && needed > 2 * HOUR ? needed - HOUR : needed;
}

/** Whether a client has left while their therapy goes on in the schedule: one in the afternoon. */
export function hasLeft({ calendar }: Clinic, client: Client): boolean {
  const { seat, startDate, endDate } = client;
  const isInTherapy = startDate <= calendar.today && calendar.today <= endDate;
  return (
    hasSlips(client) && isInTherapy && !seat.isMorning && seat.technicianId === technicianId(3)
  );
}

/**
 * A visit as it is booked. In this month, nobody supervises the third technician. In the week after this one, the
 * second technician stands in for the first, who is away, and has a client of their own at the time; and speech therapy
 * is moved into direct therapy of the same client. A week later, afternoons are still booked with a technician who has
 * left; last week that technician, whose certificate had ended, has held them, and of one session nobody knows who did.
 */
export function bookedVisit(clinic: Clinic, { visit, coverage }: DueVisit, day: WorkDay): Visit {
  const isThisMonth = startOfMonth(day.date) === startOfMonth(clinic.calendar.today);
  if (isThisMonth && visit.isSupervision && visit.technicianId === technicianId(3))
    return unsupervised(visit);
  if (coverage === undefined || !hasSlips(coverage.client)) return visit;
  const { seat, visits } = coverage.client;
  const weeks = weeksFromNow(clinic, day);
  const isByFormer = !seat.isMorning && seat.technicianId === technicianId(4);
  if ((weeks === 2 || weeks === -1) && isDirect(visit) && isByFormer)
    return { ...visit, technicianId: formerTechnicianId(clinic, 0) };
  if (weeks === -1 && isFirstDirect(visit, visits) && seat.index === 0) return byNobody(visit);
  if (weeks !== 1) return visit;
  if (isDirect(visit) && seat.isMorning && seat.technicianId === technicianId(1))
    return { ...visit, technicianId: technicianId(2) };
  // The therapist's other client of the day keeps the usual time.
  const direct = visits.find((other) => isDirect(other) && other.weekday === visit.weekday);
  if (seat.index === 0 && direct !== undefined && bills(visit, "speech"))
    return { ...visit, startMinute: direct.startMinute + 30 };
  return visit;
}

function isFirstDirect(visit: Visit, visits: readonly Visit[]): boolean {
  return isDirect(visit) && visits.find(isDirect)?.weekday === visit.weekday;
}

function byNobody({ technicianId: _, ...visit }: Visit): Visit {
  return visit;
}

/** Whether nobody has entered who pays for an authorization: for the family guidance of one payor. */
export function lacksPayor(client: Client, service: Service): boolean {
  return hasSlips(client) && client.payor === MEDICAID && service === "guidance";
}

function unsupervised({ bills, ...visit }: Visit): Visit {
  const isMeeting = "nonBillableCode" in bills;
  return {
    ...visit,
    title: isMeeting ? "Team meeting" : "Direct therapy",
    isSupervision: false,
    bills: isMeeting ? { nonBillableCode: MEETING } : { service: "direct", isTelehealth: false },
  };
}

/** Whether a delivery is written down twice: the direct therapy of one client last week. */
export function isWrittenTwice(
  clinic: Clinic,
  { visit, coverage }: DueVisit,
  day: WorkDay,
): boolean {
  return (
    coverage !== undefined &&
    hasSlips(coverage.client) &&
    isDirect(visit) &&
    !coverage.client.seat.isMorning &&
    coverage.client.seat.technicianId === technicianId(2) &&
    weeksFromNow(clinic, day) === -1
  );
}

export function isDirect(visit: Visit): boolean {
  return bills(visit, "direct");
}

function bills(visit: Visit, service: Service): boolean {
  return "service" in visit.bills && visit.bills.service === service;
}

/** How many weeks a day's week is after that of today; negative before it. */
function weeksFromNow({ calendar }: Clinic, { date }: WorkDay): number {
  const monday = (of: CalendarDate): CalendarDate => startOfWeek(of, "MONDAY");
  return daysBetween(monday(calendar.today), monday(date)) / 7;
}
