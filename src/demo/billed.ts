import { addDays, type CalendarDate, daysBetween, startOfWeek } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import type { EncounterRecord } from "../practice-file/model.ts";
import { instantAt } from "./calendar.ts";
import { type Client, type Clinic, patientId } from "./clinic.ts";

/**
 * What was handed over for billing: week by week until two weeks ago, and before that by the system that the practice had
 * before. Two encounters were changed since. However large the practice is, only of its first patients.
 */

const PATIENTS = 60;

export function isHandedOver({ number }: Client): boolean {
  return number <= PATIENTS;
}

/** The last week that was handed over, by the number of weeks before this one. */
const LAST_WEEK = 2;

/** The days before the first session whose deliveries nobody has handed over, of the first patient. */
const FORGOTTEN_DAYS = 7;

/** When the office hands over a week: on the Monday after it, in minutes of the day. */
const HANDING_OVER = 10 * 60;

const EARLIER = "Before Caseload";

interface Delivery {
  client: Client;
  date: CalendarDate;
  /** Undefined for a delivery without a session. */
  session?: { startTime: Instant; endTime: Instant; minutes: number } | undefined;
  authorizationId: string;
  units: number;
  /** Whether something is wrong with it that somebody has seen, so that it was left out. */
  isWrong: boolean;
  /** Whether it is the first one of its patient in its week. */
  isFirst: boolean;
}

/** What was handed over of a delivery; undefined if nothing was. */
export function billedOf({ calendar }: Clinic, delivery: Delivery): EncounterRecord["billed"] {
  const { client, date, session, authorizationId, units, isWrong, isFirst } = delivery;
  if (session === undefined) {
    const isForgotten = client.number === 1 && date >= addDays(calendar.firstDay, -FORGOTTEN_DAYS);
    const at = instantAt(calendar.firstDay, HANDING_OVER);
    return isForgotten ? undefined : { batch: EARLIER, at };
  }
  const monday = startOfWeek(date, "MONDAY");
  const weeksAgo = daysBetween(monday, startOfWeek(calendar.today, "MONDAY")) / 7;
  if (weeksAgo < LAST_WEEK || isWrong) return undefined;
  const wasMore = weeksAgo === LAST_WEEK && client.number <= 2 && isFirst;
  return {
    batch: `Week of ${monday}`,
    at: instantAt(addDays(monday, 7), HANDING_OVER),
    line: {
      date,
      ...session,
      patientId: patientId(client.number),
      authorizationId,
      units: wasMore ? units + 1 : units,
    },
  };
}
