import { addDays, addMonths, daysBetween } from "../lib/calendar-date.ts";
import { type Instant, toInstant } from "../lib/instant.ts";
import type { GoalRecord } from "../practice-file/model.ts";
import { instantAt, workDays } from "./calendar.ts";
import type { Client, Clinic } from "./clinic.ts";
import { familyOf } from "./families.ts";
import { goalTexts, type GoalStatus } from "./goal-texts.ts";
import { numbered } from "./organization.ts";
import { Random } from "./random.ts";
import { isAttended } from "./sessions.ts";
import { isDirect } from "./slips.ts";

/** A client, as needed for the treatment plan. */
export interface Learner {
  client: Client;
  firstName: string;
  random: Random;
  isDischarged: boolean;
  daysInTherapy: number;
  /** The child's progress, from 0 to 1. */
  progress: number;
  /** The last sessions with a technician, in order. Data was recorded in these. */
  lessons: Lesson[];
}

interface Lesson {
  /** In epoch milliseconds. */
  start: number;
  minutes: number;
}

const DAYS_OF_DATA = 18;
const DAYS_OF_PROGRESS = 365;

/** All clients whose therapy has begun. */
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
        .filter((visit) => isDirect(visit) && visit.weekday === weekday)
        .map(({ startMinute, minutes }) => ({ start: midnight + startMinute * 60_000, minutes })),
    ),
  };
}

/** Moments at which something was recorded, some in each lesson, in order, with ids. */
export function momentsOf(
  { random, lessons }: Learner,
  prefix: string,
  countInLesson = () => 1,
): { publicId: string; happenedAt: Instant }[] {
  const moments = lessons.flatMap(({ start, minutes }) => {
    const length = countInLesson();
    const seconds = Array.from({ length }, () => random.whole(1, minutes * 60 - 1));
    return seconds.sort((a, b) => a - b).map((second) => toInstant(start + second * 1000));
  });
  return moments.map((happenedAt, index) => ({
    publicId: numbered(prefix, index + 1, 3),
    happenedAt,
  }));
}

const DAYS_OF_BASELINE = 28;
const MONTHS_TO_TARGET = 6;

export function treatmentPlanId({ number }: Client): string {
  return numbered("tp_", number);
}

export function goalFrame<Kind extends GoalRecord["goalType"]>(
  { client }: Learner,
  key: string,
  goalType: Kind,
  status: GoalStatus,
) {
  return {
    type: "goal",
    publicId: `goal_${key}`,
    treatmentPlanId: treatmentPlanId(client),
    goalType,
    status,
  } as const;
}

/** In the first weeks of therapy all goals are in baseline; then their statuses diverge. */
export function newStatus({ random, isDischarged, daysInTherapy }: Learner): GoalStatus {
  if (isDischarged) return random.pick(["MASTERED", "MASTERED", "DISCONTINUED", "ARCHIVED"]);
  if (daysInTherapy < DAYS_OF_BASELINE) return "BASELINE";
  return random.pick([
    "IN_PROGRESS",
    "IN_PROGRESS",
    "IN_PROGRESS",
    "IN_PROGRESS",
    "IN_MAINTENANCE",
    "MASTERED",
    "ON_HOLD",
    "FUTURE",
  ]);
}

/** Whether goals of this status have recent data. */
export function hasData(status: GoalStatus): boolean {
  return status !== "FUTURE" && status !== "ON_HOLD";
}

export function progressSummary(random: Random, status: GoalStatus): { progressSummary?: string } {
  const summaries = goalTexts.summaries[status];
  return summaries === undefined ? {} : { progressSummary: random.pick(summaries) };
}

export function goalDates({ client: { startDate } }: Learner) {
  return {
    baselineDate: instantAt(startDate, 0),
    targetAchievementDate: instantAt(addMonths(startDate, MONTHS_TO_TARGET), 0),
  };
}

/** Inserts the child's name into a text. */
export function withName({ firstName }: Learner, text: string): string {
  return text.replaceAll("{name}", firstName);
}
