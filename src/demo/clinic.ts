import type { CalendarDate } from "../lib/calendar-date.ts";
import { type Calendar, demoCalendar, type WorkDay, workDays } from "./calendar.ts";
import type { Client } from "./client.ts";
import {
  newTeam,
  type Team,
  type TeamPlace,
  TEAMS_PER_LOCATION,
  TECHNICIANS,
  visitsOn,
} from "./team.ts";

/** Some forty patients, a month back and three weeks ahead. */
export const DEFAULT_SESSIONS = 2000;
export const DEFAULT_SEED = 1;

export interface DemoOptions {
  /** Another seed is another practice: other people, and another organization id. */
  seed: number;
  /** How many sessions there are, exactly. People and time grow with it. */
  sessions: number;
  /** The day around which the practice lives. */
  today: CalendarDate;
}

/**
 * Who is in the practice and what its weeks look like: all that its records are made from. It grows with the
 * number of people; the sessions are never held.
 */
export interface Clinic extends DemoOptions {
  calendar: Calendar;
  teams: Team[];
  clients: Client[];
  locations: number;
  /** Visits that the calendar has room for: at least as many as there are sessions. */
  visits: number;
}

/** As many teams as the sessions need: the first is whole, the last no larger than it has to be. */
export function newClinic(options: DemoOptions): Clinic {
  const { seed, sessions, today } = options;
  const calendar = demoCalendar(today, sessions);
  const days = workDays(calendar.firstDay, calendar.lastDay);
  const teams: Team[] = [];
  const clients: Client[] = [];
  let visits = 0;
  while (teams.length === 0 || visits < sessions) {
    const team = nextTeam(sessions - visits, days, {
      seed,
      calendar,
      number: teams.length + 1,
      firstClient: clients.length + 1,
    });
    teams.push(team);
    clients.push(...team.clients);
    visits += countVisits(team, days);
  }
  const locations = Math.ceil(teams.length / TEAMS_PER_LOCATION);
  return { ...options, calendar, teams, clients, locations, visits };
}

function nextTeam(visitsMissing: number, days: WorkDay[], place: TeamPlace): Team {
  const whole = newTeam(place, TECHNICIANS);
  if (place.number === 1 || countVisits(whole, days) < visitsMissing) return whole;
  const smaller = [1, 2, 3].map((technicians) => newTeam(place, technicians));
  return smaller.find((team) => countVisits(team, days) >= visitsMissing) ?? whole;
}

function countVisits(team: Team, days: WorkDay[]): number {
  return days.reduce((count, day) => count + visitsOn(team, day).length, 0);
}
