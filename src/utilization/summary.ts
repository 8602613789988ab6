import type { Db } from "../../db/database.ts";
import {
  type CalendarDate,
  type DateRange,
  earlier,
  FIRST_DATE,
  LAST_DATE,
  later,
} from "../lib/calendar-date.ts";
import { DayFinder } from "../lib/day-finder.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { instantsOf, type InstantRange, type TimeZone, UTC } from "../lib/time-zone.ts";
import { countedRecords, type RecordCounter, readRecords } from "./counting.ts";
import {
  type EncounterRecord,
  type PeriodUnits,
  type SessionRecord,
  UnitCounter,
} from "./unit-counter.ts";
import type { RecordsOutside, SummarySeries, UtilizationSummary } from "./models/summary.ts";
import { knownFrequency } from "./periods.ts";
import { committedPeriod, type Scope } from "./service.ts";
import type { Member } from "./subject.ts";
import { countsAsScheduled } from "./units.ts";

/** All that a view of an authorization or a pool shows: whose it is, its term and limit, its periods with their units. */
export async function readSummary(
  db: Db,
  { request, subject, authorization, grid }: Scope,
): Promise<UtilizationSummary> {
  const { organizationId, publicId } = request;
  const { poolId, unitFrequency } = subject;
  const members = (authorization ? [authorization] : subject.members).toSorted(byId);
  const counter = new UnitCounter(grid, members);
  const outside = members.map(({ dates }) => new Outside(dates, grid.timeZone));
  await readRecords(
    db,
    organizationId,
    countedRecords({ members, grid }, [counter]).map(({ spans, ...rest }, index) => {
      const around = outside[index] as Outside;
      return { ...rest, spans: [...spans, ...around.spans()], counters: [counter, around] };
    }),
  );
  const ofMembers: SummarySeries[] = [];
  for (const [index, member] of members.entries()) {
    const { unitsAuthorized } = member;
    const { before, after } = outside[index] as Outside;
    ofMembers.push({
      authorizationId: member.publicId,
      authorizationNumber: member.authorizationNumber,
      authorizationStatus: member.authorizationStatus,
      serviceLinePublicId: member.serviceLineId,
      serviceLineName: member.serviceLineName,
      ...member.dates,
      unitsAuthorized,
      periods: counter.ofAuthorization(member).map((period) => ({
        ...summaryPeriod(period, unitsAuthorized),
        ...(poolId !== null && { unitsLeft: null }),
      })),
      // Checks leave out inactive patients.
      outside: subject.patientIsActive === 1 ? { before, after } : NONE,
    });
  }
  const ofPool: SummarySeries = {
    authorizationId: null,
    authorizationNumber: null,
    authorizationStatus: null,
    serviceLinePublicId: null,
    serviceLineName: null,
    startDate: subject.term?.startDate ?? null,
    endDate: subject.term?.endDate ?? null,
    unitsAuthorized: subject.unitsAuthorized,
    periods: counter.total().map((period) => summaryPeriod(period, subject.unitsAuthorized)),
    outside: null,
  };
  const own = authorization ? ofMembers[0] : ofPool;
  return {
    subject: authorization ? "AUTHORIZATION" : "POOL",
    publicId,
    poolId: authorization ? poolId : null,
    patientId: subject.patientId,
    patientFirstName: subject.patientFirstName,
    patientLastName: subject.patientLastName,
    payorId: subject.payorId,
    payorName: subject.payorName,
    startDate: own?.startDate ?? null,
    endDate: own?.endDate ?? null,
    timezone: grid.timeZone,
    unitFrequency: knownFrequency(unitFrequency),
    unitsAuthorized: own?.unitsAuthorized ?? null,
    series: authorization ? ofMembers : [ofPool, ...ofMembers],
  };
}

function summaryPeriod(period: PeriodUnits, unitsAuthorized: number | null) {
  const { startDate, endDate, ...units } = committedPeriod(period, unitsAuthorized);
  return { startDate, endDate, unitsAuthorized, ...units };
}

function byId(a: Member, b: Member): number {
  return a.publicId < b.publicId ? -1 : 1;
}

const NONE = { before: null, after: null };

/**
 * What the check `OUTSIDE_AUTHORIZATION` finds of an authorization over all time: encounters, and sessions that hold
 * their slot without an encounter of the same authorization.
 */
class Outside implements RecordCounter {
  before: RecordsOutside | null = null;
  after: RecordsOutside | null = null;
  readonly #term: InstantRange;
  readonly #days = new DayFinder();

  constructor(
    dates: DateRange,
    private readonly timeZone: TimeZone,
  ) {
    this.#term = instantsOf(dates, timeZone);
  }

  /** The times before and after the term. */
  spans(): InstantRange[] {
    const { from, to } = this.#term;
    const before = { from: EVER.from, to: toInstant(epochMilliseconds(from) - 1) };
    const after = { from: toInstant(epochMilliseconds(to) + 1), to: EVER.to };
    return [...(from > EVER.from ? [before] : []), ...(to < EVER.to ? [after] : [])];
  }

  addEncounter({ startTime }: EncounterRecord): void {
    this.#add(startTime);
  }

  addSession({ startTime, status, isOpen }: SessionRecord): void {
    if (isOpen === 1 && countsAsScheduled(status)) this.#add(startTime);
  }

  #add(startTime: Instant): void {
    const day = () => this.#days.dayOf(startTime, this.timeZone);
    if (startTime < this.#term.from) this.before = withDay(this.before, day());
    else if (startTime > this.#term.to) this.after = withDay(this.after, day());
  }
}

const EVER = instantsOf({ startDate: FIRST_DATE, endDate: LAST_DATE }, UTC);

function withDay(outside: RecordsOutside | null, day: CalendarDate): RecordsOutside {
  if (outside === null) return { records: 1, firstDate: day, lastDate: day };
  const { records, firstDate, lastDate } = outside;
  return {
    records: records + 1,
    firstDate: earlier(firstDate, day),
    lastDate: later(lastDate, day),
  };
}
