import type { SessionStatus } from "../sessions/model.ts";
import { DayFinder } from "../lib/day-finder.ts";
import type { Instant } from "../lib/instant.ts";
import { instantsOf, type InstantRange, localDateTime } from "../lib/time-zone.ts";
import {
  type CountedAuthorization,
  type EncounterRecord,
  isWithin,
  type PeriodGrid,
  periodFinder,
  type SessionRecord,
} from "./unit-counter.ts";
import type { LedgerEntry } from "./models/ledger.ts";
import {
  countsAsScheduled,
  elapsedMinutes,
  fromMillionths,
  scheduledUnits,
  toMillionths,
} from "./units.ts";

export type LedgerEncounter = EncounterRecord & { publicId: string };
export type LedgerSession = Omit<SessionRecord, "isOpen"> & { publicId: string };

export type LedgerRecord = LedgerEncounter | LedgerSession;

/**
 * Explains every record of some authorizations, ordered by authorization, then start; one after the other, since an
 * authorization may have hundreds of thousands.
 *
 * It follows `UnitCounter`: the units of a period's entries add up to the sums of that period. Unlike there, every start
 * is converted to local time, for display.
 *
 * @param records by the id of their authorization, in any order.
 */
export function* ledger(
  grid: PeriodGrid,
  authorizations: readonly CountedAuthorization[],
  records: ReadonlyMap<string, readonly LedgerRecord[]>,
): Generator<LedgerEntry> {
  for (const authorization of authorizations) {
    const entryOf = entriesOf(grid, authorization);
    const own = records.get(authorization.publicId) ?? [];
    for (const record of own.toSorted(byStart)) yield entryOf(record);
  }
}

/** Makes a function that explains the records of an authorization. */
function entriesOf(
  grid: PeriodGrid,
  { dates, billingUnitMinutes }: CountedAuthorization,
): (record: LedgerRecord) => LedgerEntry {
  const { timeZone } = grid;
  const indexOf = periodFinder(grid);
  const days = new DayFinder();
  const term = instantsOf(dates, timeZone);
  return (record) => {
    const { publicId, authorizationId, startTime } = record;
    const reason = reasonNotCounted(record, term, grid.span);
    const index = reason === null ? indexOf(startTime) : undefined;
    return {
      type: "units" in record ? "encounter" : "session",
      ...{ publicId, authorizationId, startTime },
      localStart: localDateTime(startTime, timeZone),
      day: days.dayOf(startTime, timeZone),
      ...("units" in record ? delivered(record) : scheduled(record, billingUnitMinutes)),
      period: index === undefined ? null : (grid.periods[index] ?? null),
      reason,
    };
  };
}

function byStart(a: LedgerRecord, b: LedgerRecord): number {
  if (a.startTime !== b.startTime) return a.startTime < b.startTime ? -1 : 1;
  return a.publicId < b.publicId ? -1 : 1;
}

function delivered({ units }: LedgerEncounter) {
  return {
    minutes: null,
    status: null,
    rule: "as delivered",
    units: fromMillionths(toMillionths(units)),
  };
}

function scheduled(session: LedgerSession, billingUnitMinutes: number | null) {
  const { startTime, endTime, status } = session;
  const minutes = elapsedMinutes(startTime, endTime);
  return {
    minutes,
    status: status as SessionStatus,
    rule:
      billingUnitMinutes === null ? "a visit" : `${minutes} min / ${billingUnitMinutes}, rounded`,
    units: scheduledUnits(startTime, endTime, billingUnitMinutes),
  };
}

/** Sessions that hold no slot, in the words of an office. */
const NOT_HELD: Record<string, string> = {
  DECLINED: "a cancelled session",
  PATIENT_NO_SHOW: "a no-show",
};

/** Why a record does not count for an authorization with a term, in the periods of a span; null if it counts. */
export function reasonNotCounted(
  record: { startTime: Instant; status?: string },
  term: InstantRange,
  span: InstantRange | undefined,
): string | null {
  if (record.status !== undefined && !countsAsScheduled(record.status))
    return `${NOT_HELD[record.status] ?? "this"} does not hold the slot`;
  if (record.startTime < term.from) return "it starts before the authorization does";
  if (record.startTime > term.to) return "it starts after the authorization has ended";
  if (span === undefined || !isWithin(record.startTime, span))
    return "it is in no period of the window";
  return null;
}
