import { addDays, addMonths, type CalendarDate, earlier } from "../lib/calendar-date.ts";
import { type Calendar, demoCalendar, type WorkDay, workDays } from "./calendar.ts";
import {
  idsOf,
  locationId,
  type Payor,
  payors,
  POOL_IN_TOTAL,
  WITHOUT_POOL,
} from "./organization.ts";
import { Random } from "./random.ts";
import { type Seat, seatVisits, technicianVisits, type Visit, WEEKDAYS } from "./week.ts";

/** About forty patients, with sessions one month back and three weeks ahead. */
export const DEFAULT_SESSIONS = 1500;
export const DEFAULT_SEED = 1;

export interface DemoOptions {
  /** Another seed makes a different practice: other people, and another organization id. */
  seed: number;
  /** The minimum number of sessions. The numbers of people and weeks follow from it. */
  sessions: number;
  /** The reference date: sessions before it are past. */
  today: CalendarDate;
}

/**
 * The people and weekly schedule of the practice, from which all records are generated. Memory grows with the number of
 * people, not of sessions, which are generated on the fly.
 */
export interface Clinic extends DemoOptions {
  calendar: Calendar;
  teams: Team[];
  clients: Client[];
  locations: number;
}

/** Creates as many teams as the sessions need. */
export function newClinic(options: DemoOptions): Clinic {
  const { seed, sessions, today } = options;
  const calendar = demoCalendar(today, sessions);
  const days = workDays(calendar.firstDay, calendar.lastDay);
  const teams: Team[] = [];
  const clients: Client[] = [];
  for (let visits = 0; teams.length === 0 || visits < sessions;) {
    const team = newTeam({ seed, calendar }, teams.length + 1, clients.length + 1);
    teams.push(team);
    clients.push(...team.clients);
    for (const day of days) visits += visitsOn(team, day).length;
  }
  const locations = Math.ceil(teams.length / TEAMS_PER_LOCATION);
  return { ...options, calendar, teams, clients, locations };
}

/** A care team: a clinician and four technicians, each with one morning and one afternoon client. */
export interface Team {
  number: number;
  locationId: string;
  clinicianId: string;
  technicianIds: string[];
  /** Clients by seat, including former and future ones. */
  clients: Client[];
  /** By weekday, 1 to 5, in the order of the day. */
  week: TeamVisit[][];
}

interface TeamVisit {
  visit: Visit;
  /** Coverages of the clients, in order. Absent for visits without a client. */
  coverages?: Coverage[];
}

const TECHNICIANS = 4;
const SEATS_PER_TECHNICIAN = 2;
/** The first two morning clients of each team have speech visits. A therapist serves five teams, one per weekday. */
const SPEECH_SEATS = [0, 2];
export const TEAMS_PER_SPEECH_THERAPIST = 5;
const TEAMS_PER_LOCATION = 2;

export const clinicianId = idsOf("usr_clinician_");
export const technicianId = idsOf("usr_technician_");
export const speechTherapistId = idsOf("usr_speech_");
export const patientId = idsOf("usr_patient_");
export const caregiverId = idsOf("usr_caregiver_");

/** Former technicians are numbered from 0 and have ids behind the others. */
export function formerTechnicianId({ teams }: Pick<Clinic, "teams">, index: number): string {
  return technicianId(teams.length * TECHNICIANS + index + 1);
}

/** @param number of the team, and `firstClient` of its first client: they continue from the teams before, from 1. */
function newTeam(
  { seed, calendar }: Pick<Clinic, "seed" | "calendar">,
  number: number,
  firstClient: number,
): Team {
  const random = new Random(seed, "team", number);
  const firstTechnician = (number - 1) * TECHNICIANS + 1;
  const team = {
    number,
    locationId: locationId(Math.ceil(number / TEAMS_PER_LOCATION)),
    clinicianId: clinicianId(number),
    technicianIds: Array.from({ length: TECHNICIANS }, (_, index) =>
      technicianId(firstTechnician + index),
    ),
  };
  // The clinician joins each technician on a different day, and none on the remaining day.
  const [assessmentDay = 5, ...supervisionDays] = random.shuffled(WEEKDAYS);
  const speechDay = ((number - 1) % TEAMS_PER_SPEECH_THERAPIST) + 1;

  const clients: Client[] = [];
  const visits: TeamVisit[] = technicianVisits(team).map((visit) => ({ visit }));
  for (const [index, payor] of random.shuffled(payors).entries()) {
    const seat = newSeat(team, index);
    const supervisionDay = supervisionDays[Math.floor(index / SEATS_PER_TECHNICIAN)] ?? 1;
    const seatWeek = seatVisits(random, seat, { supervisionDay, assessmentDay, speechDay });
    const newClients = seatClients(random, calendar, {
      number: firstClient + clients.length,
      seat,
      visits: seatWeek,
      payor,
      startDate: (number === 1 && startInFirstTeam(payor, calendar)) || anyStart(random, calendar),
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

/** A scheduled visit and its coverage. Visits without a client need none. */
export interface DueVisit {
  visit: Visit;
  coverage: Coverage | undefined;
}

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

/** A patient in therapy, from the first to the last day. */
export interface Client {
  number: number;
  seat: Seat;
  /** The client's weekly visits. */
  visits: readonly Visit[];
  payor: Payor;
  startDate: CalendarDate;
  endDate: CalendarDate;
  /** Coverages within the period of the calendar, in order. */
  coverages: Coverage[];
}

/** Six months of a client's therapy, covered by one set of authorizations. */
export interface Coverage {
  client: Client;
  /** From 1. */
  number: number;
  startDate: CalendarDate;
  endDate: CalendarDate;
  /** The client is reassessed in these two weeks, for the next authorizations. */
  reassessFrom: CalendarDate;
  reassessTo: CalendarDate;
}

const MONTHS_COVERED = 6;
const DAYS_TO_HALF_OF_UNITS = 110;
const DAYS_TO_END = 17;
const MIN_COVERAGES = 2;
const MAX_COVERAGES = 4;

/** When the calendar begins, the first client of a seat is somewhere in the first year of therapy. */
function anyStart(random: Random, calendar: Calendar): CalendarDate {
  return addDays(calendar.firstDay, -random.whole(0, 360));
}

/**
 * The first day of two clients of the practice: allowing for cancellations, half of the units of one's first coverage
 * have been delivered; the other's coverage ends soon.
 */
function startInFirstTeam(payor: Payor, { today }: Calendar): CalendarDate | undefined {
  if (payor === POOL_IN_TOTAL) return addDays(today, -DAYS_TO_HALF_OF_UNITS);
  if (payor === WITHOUT_POOL) return addMonths(addDays(today, DAYS_TO_END), -MONTHS_COVERED);
  return undefined;
}

/** Fills a seat with successive clients, each for one to two years, until the end of the calendar. */
function seatClients(
  random: Random,
  calendar: Calendar,
  first: Pick<Client, "number" | "seat" | "visits" | "payor" | "startDate">,
): Client[] {
  const clients: Client[] = [];
  let { number, startDate } = first;
  while (startDate <= calendar.lastDay) {
    const months = MONTHS_COVERED * random.whole(MIN_COVERAGES, MAX_COVERAGES);
    const next = addMonths(startDate, months);
    const endDate = addDays(next, -1);
    const client: Client = { ...first, number, startDate, endDate, coverages: [] };
    client.coverages = coveragesOf(client, calendar);
    clients.push(client);
    number += 1;
    startDate = next;
  }
  return clients;
}

function coveragesOf(client: Client, calendar: Calendar): Coverage[] {
  const coverages: Coverage[] = [];
  const lastStart = earlier(client.endDate, calendar.lastDay);
  let startDate = client.startDate;
  for (let number = 1; startDate <= lastStart; number += 1) {
    const next = addMonths(client.startDate, number * MONTHS_COVERED);
    const endDate = addDays(next, -1);
    if (endDate >= calendar.firstDay)
      coverages.push({
        client,
        number,
        startDate,
        endDate,
        reassessFrom: addDays(endDate, -27),
        reassessTo: addDays(endDate, -14),
      });
    startDate = next;
  }
  return coverages;
}
