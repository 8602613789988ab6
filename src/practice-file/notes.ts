import { setImmediate as endOfTurn } from "node:timers/promises";
import { fromBit } from "../../db/schema.ts";
import type { Db } from "../../db/database.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { dayOf, parseTimeZone, type TimeZone, UTC } from "../lib/time-zone.ts";
import { findOrganization } from "../organizations/repository.ts";
import { countsAsScheduled, scheduledUnits } from "../utilization/units.ts";
import {
  findEncounters,
  findSessions,
  findSharedSessions,
  findUsers,
  type NotedEncounter,
  type NotedSession,
  type NotedUser,
} from "./notes-repository.ts";
import { pieces } from "./pieces.ts";
import type { PracticeFile } from "./read-file.ts";

/** Limit of records named in a note. */
const MAX_NAMED = 3;

const DAY = 24 * 60 * 60 * 1000;

/** The notes in order, each for one record and for several. */
const sentences = {
  sessionOutside: [
    "session is outside the dates of its authorization",
    "sessions are outside the dates of their authorization",
  ],
  encounterOutside: [
    "encounter is outside the dates of its authorization",
    "encounters are outside the dates of their authorization",
  ],
  unbound: [
    "billable session of a client has no authorization",
    "billable sessions of a client have no authorization",
  ],
  notHeld: [
    "encounter belongs to a session that was declined or missed",
    "encounters belong to sessions that were declined or missed",
  ],
  shared: ["encounter shares its session with another", "encounters share their session"],
  otherDay: [
    "encounter is on another day than its session",
    "encounters are on another day than their session",
  ],
  tooManyUnits: [
    "encounter has more units than its session is long",
    "encounters have more units than their session is long",
  ],
  noTime: ["session takes no time", "sessions take no time"],
  tooLong: ["session is longer than 24 hours", "sessions are longer than 24 hours"],
  unborn: ["patient has a birth date in the future", "patients have a birth date in the future"],
  noEmail: ["user has no email", "users have no email"],
  noZone: [
    "patient has no timezone, nor has the practice",
    "patients have no timezone, nor has the practice",
  ],
} as const;

type Note = keyof typeof sentences;

/** Notes on valid but possibly unintended data in a written file (practice-file.md). */
export async function notesOn(
  trx: Db,
  { organizationId, records }: PracticeFile,
  now: Instant,
): Promise<string[]> {
  const organization = await findOrganization(trx, { organizationId });
  const notes = new Notes(parseTimeZone(organization?.time_zone ?? ""), now);
  /** In pieces, between which other requests run and the rows of the last piece are freed. */
  async function* idsOf(type: "user" | "session" | "encounter") {
    for (const ids of pieces([...(records.get(type)?.keys() ?? [])])) {
      yield ids;
      await endOfTurn();
    }
  }
  for await (const ids of idsOf("session"))
    for (const session of await findSessions(trx, organizationId, ids)) notes.addSession(session);
  for await (const ids of idsOf("encounter")) {
    const encounters = await findEncounters(trx, organizationId, ids);
    const sessionIds = encounters.flatMap(({ sessionId }) => sessionId ?? []);
    const shared = await findSharedSessions(trx, organizationId, sessionIds);
    for (const encounter of encounters)
      notes.addEncounter(encounter, shared.has(encounter.sessionId ?? ""));
  }
  for await (const ids of idsOf("user"))
    for (const user of await findUsers(trx, organizationId, ids)) notes.addUser(user);
  return notes.sentences();
}

class Notes {
  readonly #noted = new Map<Note, { count: number; ids: string[] }>();
  #first: Instant | undefined;
  #last: Instant | undefined;

  /** @param zone the practice's time zone, if it has one. */
  constructor(
    private readonly zone: TimeZone | undefined,
    private readonly now: Instant,
  ) {}

  addSession(session: NotedSession): void {
    const { id, startTime, endTime, isBillable, clientId, firstDate } = session;
    if (this.#first === undefined || startTime < this.#first) this.#first = startTime;
    if (this.#last === undefined || startTime > this.#last) this.#last = startTime;
    if (this.#isOutside(session)) this.#note("sessionOutside", id);
    if (fromBit(isBillable) && clientId !== null && firstDate === null) this.#note("unbound", id);
    if (startTime === endTime) this.#note("noTime", id);
    if (epochMilliseconds(endTime) - epochMilliseconds(startTime) > DAY) this.#note("tooLong", id);
  }

  addEncounter(encounter: NotedEncounter, isShared: boolean): void {
    const { id, startTime, units, status, sessionStart, sessionEnd, timezone } = encounter;
    if (this.#isOutside(encounter)) this.#note("encounterOutside", id);
    if (status === null || sessionStart === null || sessionEnd === null) return;
    if (!countsAsScheduled(status)) this.#note("notHeld", id);
    if (isShared) this.#note("shared", id);
    const isSameTime = startTime === sessionStart;
    if (!isSameTime && this.#dayOf(startTime, timezone) !== this.#dayOf(sessionStart, timezone))
      this.#note("otherDay", id);
    if (units > scheduledUnits(sessionStart, sessionEnd, encounter.billingUnitMinutes))
      this.#note("tooManyUnits", id);
  }

  addUser({ id, role, email, timezone, birthDate }: NotedUser): void {
    if (email === null) this.#note("noEmail", id);
    if (role !== "PATIENT") return;
    const mayBeUnborn = birthDate !== null && birthDate >= utcDay(this.now);
    if (mayBeUnborn && birthDate > this.#dayOf(this.now, timezone)) this.#note("unborn", id);
    if (timezone === null && this.zone === undefined) this.#note("noZone", id);
  }

  /** One sentence per kind of note that applies, with the number of records and the first of them. */
  sentences(): string[] {
    const notes = (Object.keys(sentences) as Note[]).flatMap((note) => {
      const { count, ids } = this.#noted.get(note) ?? { count: 0, ids: [] };
      if (count === 0) return [];
      const [one, many] = sentences[note];
      const named = ids.join(", ") + (count > ids.length ? ", …" : "");
      return [`${count.toLocaleString("en-US")} ${count === 1 ? one : many}: ${named}`];
    });
    if (this.#first === undefined || this.#last === undefined) return notes;
    const [first, last] = [this.#first, this.#last].map((time) => localText(time, this.zone));
    return [`Sessions from ${first} to ${last} (${this.zone ?? UTC})`, ...notes];
  }

  #note(note: Note, id: string): void {
    const noted = this.#noted.get(note) ?? { count: 0, ids: [] };
    this.#noted.set(note, noted);
    noted.count += 1;
    if (noted.ids.length < MAX_NAMED) noted.ids.push(id);
  }

  #isOutside({
    startTime,
    firstDate,
    lastDate,
    timezone,
  }: Pick<NotedSession, "startTime" | "firstDate" | "lastDate" | "timezone">): boolean {
    if (firstDate === null || lastDate === null) return false;
    // To ask for the day in a zone is expensive. It is at most one day from the day in UTC.
    if (utcDay(startTime) > firstDate && utcDay(startTime) < lastDate) return false;
    const day = this.#dayOf(startTime, timezone);
    return day < firstDate || day > lastDate;
  }

  /** The day in the patient's zone, else in the practice's, else in UTC. */
  #dayOf(instant: Instant, timezone: string | null): CalendarDate {
    return dayOf(instant, parseTimeZone(timezone ?? "") ?? this.zone ?? UTC);
  }
}

function utcDay(instant: Instant): string {
  return instant.slice(0, "2026-10-01".length);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `Thu, Oct 1, 2026, 3:30 PM`, in the practice's local time. */
function localText(instant: Instant, zone: TimeZone = UTC): string {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      weekday: "short",
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "numeric",
      minute: "2-digit",
    });
    formats.set(zone, format);
  }
  // `Intl` writes a narrow no-break space before AM and PM.
  return format.format(epochMilliseconds(instant)).replaceAll("\u202f", " ");
}
