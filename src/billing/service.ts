import type { Db } from "../../db/database.ts";
import { addDays, type CalendarDate, type DateRange } from "../lib/calendar-date.ts";
import { compare } from "../lib/compare.ts";
import { DayFinder, possibleInstants } from "../lib/day-finder.ts";
import type { Instant } from "../lib/instant.ts";
import { remembered } from "../lib/remembered.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { reportWindow } from "../schema/report-window.ts";
import { PracticeCalendar } from "../utilization/calendar.ts";
import type { AuthorizationRow } from "../utilization/subject.ts";
import { type Authorized, handedOverLine, type Knowledge, readKnowledge } from "./knowledge.ts";
import type { HandedOver, HandedOverField, StoredBilled } from "./line.ts";
import type { BillingLine, BillingReport } from "./model.ts";
import { problemsOf } from "./line-problems.ts";
import { type ProblemName, problemNames } from "./problems.ts";
import { type DeliveredEncounter, listEncounters, streamEncounters } from "./repository.ts";
import { changedFields, stateOf, storedBilled } from "./state.ts";
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
  timezone?: TimeZone | undefined;
}

export interface BillingLines extends Pick<BillingReport, "totals" | "batches"> {
  window: DateRange;
  /** The number of lines on all pages. */
  count: number;
  /** The lines from one position to another, in order. */
  slice(from: number, to: number): Promise<BillingLine[]>;
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
  const { organizationId, now, patientId } = request;
  const organization = await getOrganization(db, organizationId);
  const own = new PracticeCalendar({ now }, organization);
  const today = own.dateIn(own.timeZoneOf(null));
  const window = reportWindow(request, {
    startDate: addDays(today, -DAYS_BEFORE_TODAY),
    endDate: today,
  });
  const calendar = new PracticeCalendar(request, organization);
  const scope = { organizationId, patientId, ...possibleInstants(window) };
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
  return {
    window,
    ...tally.result(),
    count: places.count,
    async slice(from, to) {
      const ids = places.slice(from, to);
      const encounters = await listEncounters(db, organizationId, ids);
      const lines = new Map(
        encounters.map((one) => [one.publicId, presentLine(maker.assess(one))]),
      );
      return ids.map((id) => lines.get(id) as BillingLine);
    },
  };
}

/** Whether a line matches the filters that also narrow the totals. */
function isWanted(
  { line, billed }: Assessed,
  { providerId, payorId, batch }: BillingRequest,
): boolean {
  return (
    (providerId === undefined || line.renderedById === providerId) &&
    (payorId === undefined || line.payorId === payorId) &&
    (batch === undefined || billed?.batch === batch)
  );
}

function isShown(line: Assessed, { states, problems }: BillingRequest): boolean {
  return (
    (states === undefined || states.includes(line.state)) &&
    (problems === undefined || line.problems.some((name) => problems.includes(name)))
  );
}

/** A line with what is wrong with it, and what became of it. */
interface Assessed {
  encounter: DeliveredEncounter;
  authorization: Authorized;
  line: HandedOver;
  problems: ProblemName[];
  state: LineState;
  changed: HandedOverField[];
  billed: StoredBilled | null;
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
    const { authorizations, credentials, over } = this.knowledge;
    const authorization = authorizations.get(encounter.authorizationId) as Authorized;
    const { patientTimeZone, startDate, endDate } = authorization.row;
    const timezone = this.calendar.timeZoneOf(patientTimeZone);
    const line = this.#lineIn(timezone, encounter, authorization);
    const problems = problemsOf({
      encounter,
      line,
      authorizedFrom: startDate,
      authorizedTo: endDate,
      isOver: over.has(encounter.publicId),
      credentialsEnd: credentials.get(line.renderedById ?? "")?.at(-1)?.expiresAt,
    });
    const ownZone = this.own.timeZoneOf(patientTimeZone);
    const current = ownZone === timezone ? line : this.#lineIn(ownZone, encounter, authorization);
    const billed = encounter.billed === null ? null : storedBilled(encounter.billed, current);
    const changed = billed === null ? [] : changedFields(billed.line, current);
    const state = stateOf(billed, { problems: problems.length, changed: changed.length });
    return { encounter, authorization, line, problems, state, changed, billed };
  }

  #lineIn(timezone: TimeZone, encounter: DeliveredEncounter, authorization: Authorized) {
    const date = this.#days.dayOf(encounter.startTime, timezone);
    return handedOverLine(encounter, authorization, this.knowledge, { date, timezone });
  }
}

function presentLine({ encounter, line, changed, ...rest }: Assessed): BillingLine {
  const { problems, state, billed } = rest;
  return {
    encounterId: encounter.publicId,
    ...line,
    ...{ problems, state, changedFields: changed, billed },
  };
}

/** The numbers of lines, and the batches of those that are billed. */
class Tally {
  #lines = 0;
  readonly #states = zeros(stateNames);
  readonly #problems = zeros(problemNames);
  readonly #batches = new Map<string, BillingReport["batches"][number]>();

  add({ state, problems, billed }: Assessed): void {
    this.#lines += 1;
    this.#states[state] += 1;
    for (const name of problems) this.#problems[name] += 1;
    if (billed === null) return;
    const { batch, at } = billed;
    const sum = remembered(this.#batches, batch, () => ({
      ...{ batch, lines: 0, firstAt: at, lastAt: at },
    }));
    sum.lines += 1;
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
