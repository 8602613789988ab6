import { addDays, addMonths, type CalendarDate, earlier } from "../lib/calendar-date.ts";
import type { Calendar } from "./calendar.ts";
import { numbered } from "./ids.ts";
import type { Payor } from "./payors.ts";
import type { Random } from "./random.ts";
import type { Seat, Visit } from "./week.ts";

/** A patient in therapy, from the first day to the last. */
export interface Client {
  number: number;
  seat: Seat;
  /** What happens for the client every week. */
  visits: readonly Visit[];
  payor: Payor;
  startDate: CalendarDate;
  endDate: CalendarDate;
  /** Those that the calendar meets, in their order. */
  coverages: Coverage[];
}

/** The half year of a client's therapy that one set of authorizations covers. */
export interface Coverage {
  client: Client;
  /** From 1. */
  number: number;
  startDate: CalendarDate;
  endDate: CalendarDate;
  /** In these two weeks the client is assessed anew, for the next authorizations. */
  reassessFrom: CalendarDate;
  reassessTo: CalendarDate;
}

const MONTHS_COVERED = 6;
const DAYS_TO_HALF_OF_UNITS = 110;
const FEWEST_COVERAGES = 2;
const MOST_COVERAGES = 4;

export function patientId(number: number): string {
  return numbered("usr_patient_", number);
}

export function caregiverId(number: number): string {
  return numbered("usr_caregiver_", number);
}

/** The first client of a seat is somewhere in the first year of therapy as the calendar begins. */
export function anyStart(random: Random, calendar: Calendar): CalendarDate {
  return addDays(calendar.firstDay, -random.whole(0, 360));
}

/** So long ago that, with what was called off, half of the first coverage's units have been delivered. */
export function halfWayStart(calendar: Calendar): CalendarDate {
  return addDays(calendar.today, -DAYS_TO_HALF_OF_UNITS);
}

/** The clients who have a seat one after another, each for one to two years, until the calendar ends. */
export function seatClients(
  random: Random,
  calendar: Calendar,
  first: Pick<Client, "number" | "seat" | "visits" | "payor" | "startDate">,
): Client[] {
  const clients: Client[] = [];
  let { number, startDate } = first;
  while (startDate <= calendar.lastDay) {
    const months = MONTHS_COVERED * random.whole(FEWEST_COVERAGES, MOST_COVERAGES);
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
