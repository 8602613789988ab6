import type { CalendarDate } from "../lib/calendar-date.ts";
import type { Calendar, WorkDay } from "./calendar.ts";
import { anyStart, type Client, type Coverage, halfWayStart, seatClients } from "./client.ts";
import { numbered } from "./ids.ts";
import { payors, POOL_IN_TOTAL } from "./payors.ts";
import { Random } from "./random.ts";
import { locationId } from "./reference-data.ts";
import { type Seat, seatVisits, technicianVisits, type Visit, WEEKDAYS } from "./week.ts";

/** A care team: a clinician, and up to four technicians with a client each in the mornings and one in the afternoons. */
export interface Team {
  number: number;
  locationId: string;
  clinicianId: string;
  technicianIds: string[];
  /** Those of one seat after another, with those who have left or are still to come. */
  clients: Client[];
  /** By weekday, 1 to 5, in the order of the day. */
  week: TeamVisit[][];
}

interface TeamVisit {
  visit: Visit;
  /** Of the clients who have it, one after another. Absent where it is for none. */
  coverages?: Coverage[];
}

/** Of a whole team. */
export const TECHNICIANS = 4;
const SEATS_PER_TECHNICIAN = 2;
/** The first two morning clients of each team have speech visits; a therapist serves as many teams as a week has days. */
const SPEECH_SEATS = [0, 2];
export const TEAMS_PER_SPEECH_THERAPIST = 5;
export const TEAMS_PER_LOCATION = 2;

export function clinicianId(number: number): string {
  return numbered("usr_clinician_", number);
}

export function technicianId(number: number): string {
  return numbered("usr_technician_", number);
}

export function speechTherapistId(number: number): string {
  return numbered("usr_speech_", number);
}

/** Where a team stands in its practice: what is numbered goes on from the teams before. */
export interface TeamPlace {
  seed: number;
  calendar: Calendar;
  /** From 1. */
  number: number;
  firstClient: number;
}

export function newTeam(place: TeamPlace, technicians: number): Team {
  const { seed, calendar, number, firstClient } = place;
  const random = new Random(seed, "team", number);
  const firstTechnician = (number - 1) * TECHNICIANS + 1;
  const team = {
    number,
    locationId: locationId(Math.ceil(number / TEAMS_PER_LOCATION)),
    clinicianId: clinicianId(number),
    technicianIds: Array.from({ length: technicians }, (_, index) =>
      technicianId(firstTechnician + index),
    ),
  };
  // The clinician joins each technician on a day of its own, and none on the day that is left.
  const [assessmentDay = 5, ...supervisionDays] = random.shuffled(WEEKDAYS);
  const speechDay = ((number - 1) % TEAMS_PER_SPEECH_THERAPIST) + 1;
  const seatPayors = random.shuffled(payors).slice(0, SEATS_PER_TECHNICIAN * technicians);

  const clients: Client[] = [];
  const visits: TeamVisit[] = technicianVisits(team).map((visit) => ({ visit }));
  for (const [index, payor] of seatPayors.entries()) {
    const seat = newSeat(team, index);
    const supervisionDay = supervisionDays[Math.floor(index / SEATS_PER_TECHNICIAN)] ?? 1;
    const seatWeek = seatVisits(random, seat, { supervisionDay, assessmentDay, speechDay });
    // One client of the practice is half way through a pool of units that is for the whole coverage.
    const isHalfWay = number === 1 && payor === POOL_IN_TOTAL;
    const newClients = seatClients(random, calendar, {
      number: firstClient + clients.length,
      seat,
      visits: seatWeek,
      payor,
      startDate: isHalfWay ? halfWayStart(calendar) : anyStart(random, calendar),
    });
    const coverages = newClients.flatMap((client) => client.coverages);
    visits.push(...seatWeek.map((visit) => ({ visit, coverages })));
    clients.push(...newClients);
  }
  return { ...team, clients, week: byWeekday(visits) };
}

function newSeat(team: Omit<Team, "clients" | "week">, index: number): Seat {
  const { number, locationId, clinicianId, technicianIds } = team;
  const therapist = speechTherapistId(Math.ceil(number / TEAMS_PER_SPEECH_THERAPIST));
  return {
    index,
    isMorning: index % 2 === 0,
    locationId,
    clinicianId,
    technicianId: technicianIds[Math.floor(index / SEATS_PER_TECHNICIAN)] ?? "",
    ...(SPEECH_SEATS.includes(index) && { speechTherapistId: therapist }),
  };
}

function byWeekday(visits: TeamVisit[]): TeamVisit[][] {
  return [0, ...WEEKDAYS].map((weekday) =>
    visits
      .filter(({ visit }) => visit.weekday === weekday)
      .sort((a, b) => a.visit.startMinute - b.visit.startMinute),
  );
}

/** A visit that is due, and what covers it; a visit without client needs no coverage. */
export interface DueVisit {
  visit: Visit;
  coverage: Coverage | undefined;
}

/** What the team does on a day. */
export function visitsOn(team: Team, { date, weekday, week }: WorkDay): DueVisit[] {
  const due: DueVisit[] = [];
  for (const { visit, coverages } of team.week[weekday] ?? []) {
    if (visit.parityOfWeek !== undefined && visit.parityOfWeek !== week % 2) continue;
    const coverage = coverages?.find((candidate) => isCovered(candidate, date));
    if (coverages !== undefined && coverage === undefined) continue;
    if (visit.isReassessment && !isReassessed(coverage, date)) continue;
    due.push({ visit, coverage });
  }
  return due;
}

function isCovered({ startDate, endDate }: Coverage, date: CalendarDate): boolean {
  return startDate <= date && date <= endDate;
}

function isReassessed(coverage: Coverage | undefined, date: CalendarDate): boolean {
  return coverage !== undefined && coverage.reassessFrom <= date && date <= coverage.reassessTo;
}
