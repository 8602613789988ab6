import type { Db } from "../../../db/database.ts";
import { isUnheld } from "../../checks/encounter-checks.ts";
import { authorizedDates, includes, lacksAuthorization } from "../../checks/session-checks.ts";
import type { CalendarDate } from "../../lib/calendar-date.ts";
import { epochMilliseconds, type Instant } from "../../lib/instant.ts";
import { remembered } from "../../lib/remembered.ts";
import {
  dayOf,
  localDateTime,
  offsetAt,
  parseTimeZone,
  type TimeZone,
  UTC,
} from "../../lib/time-zone.ts";
import { clientSexes, intakeStageKeys } from "../../intake-leads/model.ts";
import { isPhoneNumber } from "../../lib/phone.ts";
import { findTimeZone } from "../../organizations/repository.ts";
import { scheduledUnits } from "../../utilization/units.ts";
import { pieces } from "../../lib/pieces.ts";
import { inTurns } from "../pieces.ts";
import type { PracticeFile } from "../read-file.ts";
import type { Fields } from "../read-record.ts";
import {
  listEncounters,
  listSessions,
  listUsers,
  type NotedEncounter,
  type NotedSession,
  type NotedUser,
} from "./repository.ts";

/**
 * Notes on valid but possibly unintended data of an import (docs/practice-file.md). What is also a check has the check's
 * rule; a check then looks only at what is current.
 */

/** What the notes of an import depend on besides the record. */
interface Context {
  /** The practice's time zone, if it has one. */
  zone: TimeZone | undefined;
  now: Instant;
  /** The local hours of instants, by their minute: to ask for them is expensive. */
  hours: Map<string, number>;
}

interface Note<Noted> {
  /** What is noted of one record. */
  one: string;
  /** What is noted of several. */
  many: string;
  isDue(noted: Noted, context: Context): boolean;
  /** A number of a record, whose sum is noted, too. */
  amount?(noted: Noted): number;
}

const HOUR = 60 * 60 * 1000;

const sessionOutside: Note<NotedSession> = {
  one: "session is outside the dates of its authorization",
  many: "sessions are outside the dates of their authorization",
  isDue: isOutside,
};

const encounterOutside: Note<NotedEncounter> = {
  one: "encounter is outside the dates of its authorization",
  many: "encounters are outside the dates of their authorization",
  isDue: isOutside,
};

const sessionWithoutAuthorization: Note<NotedSession> = {
  one: "billable session of a client has no authorization",
  many: "billable sessions of a client have no authorization",
  isDue: lacksAuthorization,
};

const otherSessionNotes: readonly Note<NotedSession>[] = [
  {
    one: "session takes no time",
    many: "sessions take no time",
    isDue: ({ startTime, endTime }) => startTime === endTime,
  },
  {
    one: "session is longer than 24 hours",
    many: "sessions are longer than 24 hours",
    isDue: (session) => lengthOf(session) > 24 * HOUR,
  },
  {
    one: "session is longer than 12 hours",
    many: "sessions are longer than 12 hours",
    isDue: (session) => lengthOf(session) > 12 * HOUR && lengthOf(session) <= 24 * HOUR,
  },
  {
    one: "session starts between 10 PM and 6 AM",
    many: "sessions start between 10 PM and 6 AM",
    isDue({ startTime }, context) {
      const hour = localHour(startTime, context);
      return hour !== undefined && (hour >= 22 || hour < 6);
    },
  },
];

const otherEncounterNotes: readonly Note<NotedEncounter>[] = [
  {
    one: "encounter belongs to a session that was declined or missed",
    many: "encounters belong to sessions that were declined or missed",
    isDue: isUnheld,
  },
  {
    one: "encounter shares its session with another",
    many: "encounters share their session",
    isDue: ({ isShared }) => isShared,
  },
  {
    one: "encounter is on another day than its session",
    many: "encounters are on another day than their session",
    isDue({ startTime, sessionStart, timezone }, context) {
      if (sessionStart === null || startTime === sessionStart) return false;
      return dayIn(startTime, timezone, context) !== dayIn(sessionStart, timezone, context);
    },
  },
  {
    one: "encounter has more units than its session is long",
    many: "encounters have more units than their session is long",
    isDue: ({ units, sessionStart, sessionEnd, billingUnitMinutes }) =>
      sessionStart !== null &&
      sessionEnd !== null &&
      units > scheduledUnits(sessionStart, sessionEnd, billingUnitMinutes),
  },
];

const userNotes: readonly Note<NotedUser>[] = [
  {
    one: "patient has a birth date in the future",
    many: "patients have a birth date in the future",
    isDue: ({ role, birthDate, timezone }, context) =>
      role === "PATIENT" &&
      birthDate !== null &&
      birthDate >= utcDay(context.now) &&
      birthDate > dayIn(context.now, timezone, context),
  },
  {
    one: "user has no email",
    many: "users have no email",
    isDue: ({ email }) => email === null,
  },
  {
    one: "patient has no timezone, nor has the practice",
    many: "patients have no timezone, nor has the practice",
    isDue: ({ role, timezone }, { zone }) =>
      role === "PATIENT" && timezone === null && zone === undefined,
  },
  {
    one: "user who is made inactive still has sessions from now on",
    many: "users who are made inactive still have sessions from now on",
    isDue: ({ comingSessions }) => comingSessions > 0,
    amount: ({ comingSessions }) => comingSessions,
  },
];

/** Notes on what a line of a user says, whatever was stored before. */
const userLineNotes: readonly Note<Fields>[] = [
  {
    one: "patient has a userStatus that is none of the known words",
    many: "patients have a userStatus that is none of the known words",
    isDue: ({ userStatus }) => isOtherWord(userStatus, intakeStageKeys),
  },
  {
    one: "patient has a sex that is none of the known words",
    many: "patients have a sex that is none of the known words",
    isDue: ({ sex }) => isOtherWord(sex, clientSexes),
  },
  {
    one: "patient has a payor with a priority that is none of the known words",
    many: "patients have a payor with a priority that is none of the known words",
    isDue: ({ payors }) =>
      ((payors ?? []) as Fields[]).some(({ priority }) => isOtherWord(priority, PRIORITIES)),
  },
  {
    one: "user has a phone number that is none",
    many: "users have a phone number that is none",
    isDue: ({ phoneNumber: text }) =>
      typeof text === "string" && text !== "" && !isPhoneNumber(text),
  },
];

const PRIORITIES = ["PRIMARY", "SECONDARY", "TERTIARY"];

/** Whether a text is none of the words that have a meaning, such as `Active` beside `ACTIVE`. */
function isOtherWord(text: unknown, known: readonly string[]): boolean {
  return typeof text === "string" && !known.includes(text);
}

const textNote: Note<unknown> = {
  one: "record has a number in exponents in a text, as spreadsheets shorten long numbers",
  many: "records have numbers in exponents in a text, as spreadsheets shorten long numbers",
  isDue: hasExponent,
};

const sessionNotes = [sessionOutside, sessionWithoutAuthorization, ...otherSessionNotes];
const encounterNotes = [encounterOutside, ...otherEncounterNotes];

/** In the order in which they are told. */
const inOrder = [
  sessionOutside,
  encounterOutside,
  sessionWithoutAuthorization,
  ...otherEncounterNotes,
  ...otherSessionNotes,
  ...userNotes,
  ...userLineNotes,
  textNote,
];

/**
 * Notes on the records of a written file.
 *
 * @param deactivated the ids of users whom the file makes inactive.
 */
export async function notesOn(
  trx: Db,
  { organizationId, records }: PracticeFile,
  { now, deactivated }: { now: Instant; deactivated: ReadonlySet<string> },
): Promise<string[]> {
  const zone = await findTimeZone(trx, organizationId);
  const notes = new Notes({ zone, now, hours: new Map() });
  /** In pieces, so that the rows of the last piece are freed. */
  const idsOf = (type: "user" | "session" | "encounter") =>
    inTurns(pieces([...(records.get(type)?.keys() ?? [])]));
  const starts = { first: "9999" as Instant, last: "" as Instant };
  for await (const ids of idsOf("session"))
    for (const session of await listSessions(trx, organizationId, ids)) {
      if (session.startTime < starts.first) starts.first = session.startTime;
      if (session.startTime > starts.last) starts.last = session.startTime;
      notes.add(session.id, session, sessionNotes);
    }
  for await (const ids of idsOf("encounter"))
    for (const encounter of await listEncounters(trx, organizationId, ids))
      notes.add(encounter.id, encounter, encounterNotes);
  for await (const ids of idsOf("user"))
    for (const user of await listUsers(trx, organizationId, ids, { now, deactivated }))
      notes.add(user.id, user, userNotes);
  for (const { publicId, fields } of records.get("user")?.values() ?? [])
    notes.add(publicId, fields, userLineNotes);
  for (const ofType of records.values())
    for (const { publicId, fields } of ofType.values()) notes.add(publicId, fields, [textNote]);
  return starts.last === ""
    ? notes.sentences()
    : [
        `Sessions from ${localText(starts.first, zone)} to ${localText(starts.last, zone)} (${zone ?? UTC})`,
        ...notes.sentences(),
      ];
}

const MAX_NAMED = 3;

/** The notes that are due, each with how many records and the first of them. */
class Notes {
  readonly #due = new Map<unknown, { count: number; amount: number; ids: string[] }>();

  constructor(private readonly context: Context) {}

  /** Adds a record to those of its notes that are due. */
  add<Noted>(id: string, noted: Noted, notes: readonly Note<Noted>[]): void {
    for (const note of notes) {
      if (!note.isDue(noted, this.context)) continue;
      const due = remembered(this.#due, note, () => ({ count: 0, amount: 0, ids: [] }));
      due.count += 1;
      due.amount += note.amount?.(noted) ?? 0;
      if (due.ids.length < MAX_NAMED) due.ids.push(id);
    }
  }

  sentences(): string[] {
    return inOrder.flatMap((note) => {
      const due = this.#due.get(note);
      if (due === undefined) return [];
      const { count, amount, ids } = due;
      const what = `${numberText(count)} ${count === 1 ? note.one : note.many}`;
      const sum = note.amount === undefined ? "" : `, ${numberText(amount)} in all`;
      return [`${what}${sum}: ${ids.join(", ")}${count > ids.length ? ", …" : ""}`];
    });
  }
}

function numberText(count: number): string {
  return count.toLocaleString("en-US");
}

type Dated = Pick<NotedSession, "startTime" | "authorizedFrom" | "authorizedTo" | "timezone">;

function isOutside({ startTime, timezone, ...session }: Dated, context: Context): boolean {
  const authorized = authorizedDates(session);
  if (authorized === undefined) return false;
  const { startDate, endDate } = authorized;
  // To ask for the day in a zone is expensive. It is at most one day from the day in UTC.
  if (utcDay(startTime) > startDate && utcDay(startTime) < endDate) return false;
  return !includes(authorized, dayIn(startTime, timezone, context));
}

function lengthOf({ startTime, endTime }: NotedSession): number {
  return epochMilliseconds(endTime) - epochMilliseconds(startTime);
}

/** `5.1856E+09`, which a spreadsheet makes of a long number. */
const EXPONENT = /^-?\d(\.\d+)?E[+-]\d+$/i;

/** Whether a text in a record is a number in exponents. */
function hasExponent(value: unknown): boolean {
  if (typeof value === "string") return value.length < 30 && EXPONENT.test(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasExponent);
}

/** The day in the patient's zone, else in the practice's, else in UTC. */
function dayIn(instant: Instant, timezone: string | null, { zone }: Context): CalendarDate {
  return dayOf(instant, parseTimeZone(timezone ?? "") ?? zone ?? UTC);
}

/** The hour in the practice's zone; undefined if it has none. */
function localHour(instant: Instant, { zone, hours }: Context): number | undefined {
  if (zone === undefined) return undefined;
  const minute = instant.slice(0, "2026-10-01T15:30".length);
  return remembered(hours, minute, () =>
    Number(localDateTime(instant, zone).slice("2026-10-01T".length, "2026-10-01T15".length)),
  );
}

function utcDay(instant: Instant): string {
  return instant.slice(0, "2026-10-01".length);
}

/** `Thu, Oct 1, 2026, 3:30 PM`, in the practice's local time. */
function localText(instant: Instant, zone: TimeZone = UTC): string {
  const moment = epochMilliseconds(instant);
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: "UTC",
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  });
  // `Intl` writes a narrow no-break space before AM and PM.
  return format.format(moment + offsetAt(moment, zone)).replaceAll("\u202f", " ");
}
