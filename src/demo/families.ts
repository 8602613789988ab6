import { addDays, type CalendarDate, daysBetween } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import { instantAt } from "./calendar.ts";
import type { Client } from "./client.ts";
import type { Clinic } from "./clinic.ts";
import { type Address, newAddress, newPhoneNumber } from "./contacts.ts";
import { newRelatives, type Person } from "./names.ts";
import { type Payor, payors } from "./payors.ts";
import { Random } from "./random.ts";

/** A patient and the caregiver, in therapy or only on the intake board so far. */
export interface Family {
  number: number;
  child: Person;
  parent: Person;
  address: Address;
  phoneNumber: string;
  birthDate: CalendarDate;
  inquiredAt: Instant;
  /** When something about them last changed. */
  changedAt: Instant;
  stageId: string;
  userStatus: string;
  isActive: boolean;
  /** Absent before therapy. */
  client?: Client;
  /** Absent before the benefits are verified. */
  payor?: Payor;
}

/** Where families stand who are not in therapy yet. The second stage is the practice's own and has no key. */
const INTAKE = [
  { stageId: "stage_new", userStatus: "LEAD", isVerified: false },
  { stageId: "stage_tour", userStatus: "LEAD", isVerified: false },
  { stageId: "stage_waitlist", userStatus: "WAITLIST", isVerified: false },
  { stageId: "stage_benefits", userStatus: "VERIFIED_BENEFITS", isVerified: true },
  { stageId: "stage_requested", userStatus: "AUTH_REQUESTED", isVerified: true },
  { stageId: "stage_approved", userStatus: "AUTH_APPROVED", isVerified: true },
] as const;

const INQUIRIES_PER_TEAM = 2;
const MORNING_AGES = { youngest: 2, oldest: 5 };
const AFTERNOON_AGES = { youngest: 6, oldest: 13 };
const ALL_AGES = { youngest: 2, oldest: 11 };

/** All families, in the order of their numbers. They are made anew each time, the same ones. */
export function* families(clinic: Clinic): Generator<Family> {
  for (const client of clinic.clients) yield familyOf(clinic, client);
  const inquiries = INQUIRIES_PER_TEAM * clinic.teams.length;
  for (let index = 0; index < inquiries; index += 1) yield inquiringFamily(clinic, index);
}

export function familyOf({ seed, calendar }: Clinic, client: Client): Family {
  const { number, seat, startDate, endDate } = client;
  const random = new Random(seed, "family", number);
  const inquiredOn = addDays(startDate, -random.whole(40, 120));
  const ages = seat.isMorning ? MORNING_AGES : AFTERNOON_AGES;
  const isOver = endDate < calendar.today;
  return {
    number,
    ...newHousehold(random, startDate, ages),
    ...times(
      random,
      inquiredOn,
      isOver ? endDate : dateBetween(random, inquiredOn, calendar.today),
    ),
    ...progressOf(client, calendar.today),
    isActive: !isOver,
    client,
    payor: client.payor,
  };
}

function progressOf({ startDate, endDate }: Client, today: CalendarDate) {
  if (endDate < today) return { stageId: "stage_discharged", userStatus: "DISCHARGED" };
  if (startDate > today) return { stageId: "stage_therapy", userStatus: "THERAPY_SCHEDULED" };
  return { stageId: "stage_active", userStatus: "ACTIVE" };
}

function inquiringFamily({ seed, calendar, clients }: Clinic, index: number): Family {
  const number = clients.length + index + 1;
  const random = new Random(seed, "family", number);
  const { stageId, userStatus, isVerified } = INTAKE[index % INTAKE.length] ?? INTAKE[0];
  const inquiredOn = addDays(calendar.today, -random.whole(1, 75));
  return {
    number,
    ...newHousehold(random, calendar.today, ALL_AGES),
    ...times(random, inquiredOn, dateBetween(random, inquiredOn, calendar.today)),
    stageId,
    userStatus,
    isActive: true,
    ...(isVerified && { payor: random.pick(payors) }),
  };
}

function newHousehold(
  random: Random,
  date: CalendarDate,
  { youngest, oldest }: { youngest: number; oldest: number },
) {
  const age = 365 * random.whole(youngest, oldest) + random.whole(0, 364);
  return {
    ...newRelatives(random),
    birthDate: addDays(date, -age),
    address: newAddress(random),
    phoneNumber: newPhoneNumber(random),
  };
}

/** In the morning of the one day, and in the afternoon of the other, which may be the same. */
function times(random: Random, inquiredOn: CalendarDate, changedOn: CalendarDate) {
  return {
    inquiredAt: instantAt(inquiredOn, random.whole(9 * 60, 12 * 60)),
    changedAt: instantAt(changedOn, random.whole(13 * 60, 17 * 60)),
  };
}

/** A day before `to`, not before `from`. */
function dateBetween(random: Random, from: CalendarDate, to: CalendarDate): CalendarDate {
  return addDays(from, random.whole(0, daysBetween(from, to) - 1));
}
