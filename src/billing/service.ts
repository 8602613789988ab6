import type { Db } from "../../db/database.ts";
import { addDays, type CalendarDate, type DateRange } from "../lib/calendar-date.ts";
import { compare } from "../lib/compare.ts";
import { DayFinder, possibleInstants } from "../lib/day-finder.ts";
import type { Instant } from "../lib/instant.ts";
import { remembered } from "../lib/remembered.ts";
import { dayOf, type TimeZone, UTC } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { reportWindow } from "../schema/report-window.ts";
import { PracticeCalendar } from "../utilization/calendar.ts";
import type { AuthorizationRow } from "../utilization/subject.ts";
import { type Authorized, handedOverLine, type Knowledge, readKnowledge } from "./knowledge.ts";
import {
  isCounting,
  presentHandOvers,
  type Standing,
  standingOf,
  storedHandOvers,
} from "./hand-overs.ts";
import type { KnownLine, StoredHandOver } from "./line.ts";
import type { BillingLine, BillingReport } from "./model.ts";
import { problemsOf } from "./line-problems.ts";
import { type ProblemName, problemNames } from "./problems.ts";
import { type DeliveredEncounter, listEncounters, spanOf, streamEncounters } from "./repository.ts";
import { type LineState, stateNames } from "./states.ts";

export interface BillingRequest {
  organizationId: string;
  now: Instant;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  /** Default: all. */
  states?: readonly LineState[] | undefined;
  /** Lines that have any of them. Default: all. */
  problems?: readonly ProblemName[] | undefined;
  patientId?: string | undefined;
  providerId?: string | undefined;
  payorId?: string | undefined;
  batch?: string | undefined;
  /** One line alone; of all days, if none are given. */
  encounterId?: string | undefined;
  timezone?: TimeZone | undefined;
  /** Whether all hand-overs have their lines. */
  isWhole?: boolean;
}

export interface BillingLines extends Pick<BillingReport, "totals" | "batches"> {
  window: DateRange;
  /** The number of lines on all pages. */
  count: number;
  /** The lines from one position to another, in order. */
  slice(from: number, to: number): Promise<BillingLine[]>;
  /** The same with all that is known of them. */
  assessed(from: number, to: number): Promise<Assessed[]>;
  knowledge: Knowledge;
  calendar: PracticeCalendar;
}

/** The default window: this many days before today, and today. */
const DAYS_BEFORE_TODAY = 90;

const MAX_BATCHES = 100;

/**
 * The billing lines of a window, one for each encounter, of active and inactive patients (docs/billing.md). Encounters are
 * streamed: of each only its place in the order is kept, and the lines of a page are made when they are asked for.
 *
 * @throws InvalidInput for a window that is out of order or longer than 366 days.
 */
export async function readBillingLines(db: Db, request: BillingRequest): Promise<BillingLines> {
  const { organizationId, now, patientId, batch, encounterId } = request;
  const organization = await getOrganization(db, organizationId);
  const own = new PracticeCalendar({ now }, organization);
  const today = own.dateIn(own.timeZoneOf(null));
  const defaults = { startDate: addDays(today, -DAYS_BEFORE_TODAY), endDate: today };
  const whole = await wholeSpan(db, request);
  const window = whole ?? reportWindow(request, defaults);
  const calendar = new PracticeCalendar(request, organization);
  const scope = { organizationId, patientId, batch, encounterId, ...possibleInstants(window) };
  const knowledge = await readKnowledge(db, scope, { window, calendar });
  const maker = new LineMaker(knowledge, calendar, own);

  const tally = new Tally();
  const places = new Places();
  for await (const encounters of streamEncounters(db, scope))
    for (const encounter of encounters) {
      const assessed = maker.assess(encounter);
      const { date } = assessed.line;
      if (date < window.startDate || window.endDate < date) continue;
      if (!isWanted(assessed, request)) continue;
      tally.add(assessed);
      if (isShown(assessed, request))
        places.add(date, {
          encounterId: encounter.publicId,
          patient: assessed.authorization.row,
        });
    }
  const assessed = async (from: number, to: number): Promise<Assessed[]> => {
    const ids = places.slice(from, to);
    const encounters = await listEncounters(db, organizationId, ids);
    const byId = new Map(encounters.map((one) => [one.publicId, one]));
    return ids.map((id) => maker.assess(byId.get(id) as DeliveredEncounter));
  };
  return {
    window: whole === undefined ? window : (tally.days ?? defaults),
    ...tally.result(),
    count: places.count,
    ...{ assessed, knowledge, calendar },
    slice: async (from, to) => (await assessed(from, to)).map((one) => presentLine(one, request)),
  };
}

/** Days that have all lines of a batch, or one, where no days are asked for; undefined where some are, or none has any. */
async function wholeSpan(db: Db, request: BillingRequest): Promise<DateRange | undefined> {
  const { organizationId, batch, encounterId, startDate, endDate } = request;
  if ((batch ?? encounterId) === undefined || (startDate ?? endDate) !== undefined)
    return undefined;
  const span = await spanOf(db, { organizationId, batch, encounterId });
  return span && { startDate: dateAround(span.from, -1), endDate: dateAround(span.to, 1) };
}

/** A day that is no later, or no earlier, than an instant's in any zone. */
function dateAround(instant: Instant, days: number): CalendarDate {
  return addDays(dayOf(instant, UTC), days);
}

/** Whether a line matches the filters that also narrow the totals. */
function isWanted(
  { line, billed }: Assessed,
  { patientId, providerId, payorId, batch }: BillingRequest,
): boolean {
  return (
    (patientId === undefined || line.patientId === patientId) &&
    (providerId === undefined || line.renderedById === providerId) &&
    (payorId === undefined || line.payorId === payorId) &&
    (batch === undefined || billed.some((one) => one.batch === batch))
  );
}

function isShown(
  { standing, problems: found }: Assessed,
  { states, problems }: BillingRequest,
): boolean {
  return (
    (states === undefined || states.includes(standing.state)) &&
    (problems === undefined || found.some((name) => problems.includes(name)))
  );
}

/** A line with what is wrong with it, and what became of it. */
export interface Assessed {
  encounter: DeliveredEncounter;
  authorization: Authorized;
  line: KnownLine;
  problems: ProblemName[];
  billed: StoredHandOver[];
  standing: Standing;
}

/** Makes lines of encounters. */
class LineMaker {
  readonly #days = new DayFinder();

  /** @param own the calendar without the zone of the request, in which lines are handed over. */
  constructor(
    private readonly knowledge: Knowledge,
    private readonly calendar: PracticeCalendar,
    private readonly own: PracticeCalendar,
  ) {}

  assess(encounter: DeliveredEncounter): Assessed {
    const { authorizations, credentials, over, unrecorded } = this.knowledge;
    const authorization = authorizations.get(encounter.authorizationId) as Authorized;
    const { patientTimeZone, startDate, endDate } = authorization.row;
    const timezone = this.calendar.timeZoneOf(patientTimeZone);
    const line = this.#lineIn(timezone, encounter, authorization);
    const ownZone = this.own.timeZoneOf(patientTimeZone);
    const current = ownZone === timezone ? line : this.#lineIn(ownZone, encounter, authorization);
    const billed = storedHandOvers(encounter.billed, current);
    const problems = problemsOf({
      encounter,
      line,
      authorizedFrom: startDate,
      authorizedTo: endDate,
      isOver: over.has(encounter.publicId),
      isUnrecorded: unrecorded.has(encounter.publicId),
      isBilled: billed.some(isCounting),
      credentialsEnd: credentials.get(line.renderedById ?? "")?.at(-1)?.expiresAt,
    });
    const standing = standingOf(billed, current, problems.length > 0);
    return { encounter, authorization, line, problems, billed, standing };
  }

  #lineIn(timezone: TimeZone, encounter: DeliveredEncounter, authorization: Authorized) {
    const date = this.#days.dayOf(encounter.startTime, timezone);
    return handedOverLine(encounter, authorization, this.knowledge, { date, timezone });
  }
}

export function presentLine(
  { encounter, line, problems, billed, standing }: Assessed,
  { isWhole = false }: Pick<BillingRequest, "isWhole">,
): BillingLine {
  const { state, changed: changedFields, next } = standing;
  const shown = isWhole ? billed : standing.shown;
  return {
    ...{ encounterId: encounter.publicId, ...line, ...next },
    ...{ problems, state, changedFields, billed: presentHandOvers(billed, shown) },
  };
}

/** The numbers of lines, their days, and the batches of which they have hand-overs. */
class Tally {
  days: DateRange | undefined;
  #lines = 0;
  readonly #states = zeros(stateNames);
  readonly #problems = zeros(problemNames);
  readonly #batches = new Map<string, BillingReport["batches"][number]>();

  add({ line: { date }, standing, problems, billed }: Assessed): void {
    this.#lines += 1;
    this.#states[standing.state] += 1;
    for (const name of problems) this.#problems[name] += 1;
    for (const one of billed) this.#addHandOver(one);
    this.days ??= { startDate: date, endDate: date };
    if (date < this.days.startDate) this.days.startDate = date;
    if (date > this.days.endDate) this.days.endDate = date;
  }

  #addHandOver({ batch, at, takenBackAt }: StoredHandOver): void {
    if (batch === null) return;
    const sum = remembered(this.#batches, batch, () => ({
      ...{ batch, lines: 0, takenBack: 0, firstAt: at, lastAt: at },
    }));
    sum.lines += 1;
    if (takenBackAt !== null) sum.takenBack += 1;
    if (at < sum.firstAt) sum.firstAt = at;
    if (at > sum.lastAt) sum.lastAt = at;
  }

  result(): Pick<BillingReport, "totals" | "batches"> {
    const batches = [...this.#batches.values()].sort(
      (a, b) => compare(b.lastAt, a.lastAt) || compare(a.batch, b.batch),
    );
    return {
      totals: { lines: this.#lines, states: this.#states, problems: this.#problems },
      batches: batches.slice(0, MAX_BATCHES),
    };
  }
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

/** What decides where a line stands within its day: the id of the encounter, and the patient's names. */
interface Place {
  encounterId: string;
  patient: AuthorizationRow;
}

/** The order of lines: by date, patient's name, then encounter. Only the days of a page are sorted. */
class Places {
  count = 0;
  readonly #byDate = new Map<CalendarDate, Place[]>();

  add(date: CalendarDate, place: Place): void {
    this.count += 1;
    remembered(this.#byDate, date, () => []).push(place);
  }

  /** The ids of the encounters from one position to another. */
  slice(from: number, to: number): string[] {
    const ids: string[] = [];
    let position = 0;
    for (const date of [...this.#byDate.keys()].sort()) {
      const places = this.#byDate.get(date) ?? [];
      const [first, last] = [from - position, to - position];
      position += places.length;
      if (first >= places.length || last <= 0) continue;
      const shown = places.toSorted(comparePlaces).slice(Math.max(first, 0), last);
      ids.push(...shown.map(({ encounterId }) => encounterId));
    }
    return ids;
  }
}

function comparePlaces(a: Place, b: Place): number {
  return (
    compare(a.patient.patientLastName, b.patient.patientLastName) ||
    compare(a.patient.patientFirstName, b.patient.patientFirstName) ||
    compare(a.encounterId, b.encounterId)
  );
}
