import { addDays, daysBetween } from "../../lib/calendar-date.ts";
import { type Instant, toInstant } from "../../lib/instant.ts";
import { workDays } from "../calendar.ts";
import type { Client } from "../client.ts";
import type { Clinic } from "../clinic.ts";
import { familyOf } from "../families.ts";
import { Random } from "../random.ts";
import { isAttended } from "../schedule.ts";

/** A client as a treatment plan sees it. */
export interface Learner {
  client: Client;
  firstName: string;
  random: Random;
  isDischarged: boolean;
  daysInTherapy: number;
  /** How far the child has come, from 0 to 1. */
  progress: number;
  /** The last sessions with a technician, in their order, which is when data was recorded. */
  lessons: Lesson[];
}

interface Lesson {
  /** In epoch milliseconds. */
  start: number;
  minutes: number;
}

const DAYS_OF_DATA = 18;
const DAYS_OF_PROGRESS = 365;

/** Everybody whose therapy has begun. */
export function* learners(clinic: Clinic): Generator<Learner> {
  for (const client of clinic.clients)
    if (client.startDate < clinic.calendar.today) yield learner(clinic, client);
}

function learner(clinic: Clinic, client: Client): Learner {
  const { today } = clinic.calendar;
  const isDischarged = client.endDate < today;
  const lastDate = isDischarged ? client.endDate : addDays(today, -1);
  const daysInTherapy = daysBetween(client.startDate, lastDate);
  const firstDate = addDays(lastDate, -Math.min(daysInTherapy, DAYS_OF_DATA));
  const attended = workDays(firstDate, lastDate).filter((day) => isAttended(clinic, client, day));
  return {
    client,
    firstName: familyOf(clinic, client).child.firstName,
    random: new Random(clinic.seed, "goals", client.number),
    isDischarged,
    daysInTherapy,
    progress: Math.min(daysInTherapy / DAYS_OF_PROGRESS, 1),
    lessons: attended.flatMap(({ weekday, midnight }) =>
      client.visits
        .filter(({ bills }) => "service" in bills && bills.service === "direct")
        .filter((visit) => visit.weekday === weekday)
        .map(({ startMinute, minutes }) => ({ start: midnight + startMinute * 60_000, minutes })),
    ),
  };
}

/** So many moments of a lesson, in their order. */
export function momentsIn(random: Random, { start, minutes }: Lesson, count: number): Instant[] {
  const seconds = Array.from({ length: count }, () => random.whole(1, minutes * 60 - 1));
  return seconds.sort((a, b) => a - b).map((second) => toInstant(start + second * 1000));
}
