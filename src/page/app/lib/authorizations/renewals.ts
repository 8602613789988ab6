import {
  addDays,
  addMonths,
  type CalendarDate,
  type DateRange,
  daysBetween,
} from "../base/dates.ts";
import type { Values } from "../base/form-values.ts";
import { type Authorization, authorizationsIn, termOf } from "./authorizations.ts";
import type { Line } from "../base/lines.ts";
import type { Path } from "../base/mistakes.ts";
import type { SummarySeries, UtilizationSummary } from "../base/wire.ts";

/** The next authorization or pool: what a form of it begins with. */

/** What a new authorization has before anything is typed. */
export const NEW_AUTHORIZATION: Values = { authorizationStatus: "AUTHORIZED" };

/** The months of a term of whole months; undefined for others. */
function monthsOf({ startDate, endDate }: DateRange): number | undefined {
  const next = addDays(endDate, 1);
  const [from, to] = [startDate, next].map(
    (day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)),
  );
  const months = (to ?? 0) - (from ?? 0);
  return addMonths(startDate, months) === next ? months : undefined;
}

/** The term behind another: of the same months, if it has whole ones, else of as many days. */
export function termBehind(term: DateRange): DateRange {
  const startDate = addDays(term.endDate, 1);
  const months = monthsOf(term);
  const endDate =
    months === undefined
      ? addDays(startDate, daysBetween(term.startDate, term.endDate))
      : addDays(addMonths(term.startDate, 2 * months), -1);
  return { startDate, endDate };
}

/** Authorizations of their own that end on one day without one behind them, where they are several, by that day from one on. */
export function endingTogether(
  authorizations: readonly Authorization[],
  from: CalendarDate,
): { endDate: CalendarDate; ids: string[] }[] {
  const open = authorizations.filter(
    ({ poolId, serviceLine, endDate }) =>
      poolId === null &&
      endDate >= from &&
      authorizations.every(
        (other) =>
          other.serviceLine.publicId !== serviceLine.publicId ||
          other.endDate <= endDate ||
          other.startDate > addDays(endDate, 1),
      ),
  );
  const byDay = Map.groupBy(open, ({ endDate }) => endDate);
  return [...byDay]
    .filter(([, some]) => some.length > 1)
    .map(([endDate, some]) => ({ endDate, ids: some.map(({ publicId }) => publicId) }))
    .toSorted((a, b) => (a.endDate < b.endDate ? 1 : -1));
}

/** What the next ones of stored authorizations begin with: their own terms behind each. */
export function renewalsOf(stored: readonly Line[]): Values[] {
  return stored.map((line) => {
    const { startDate, endDate } = termBehind({
      startDate: line.authorizationDate as CalendarDate,
      endDate: line.authorizationExpirationDate as CalendarDate,
    });
    const { serviceLineId, payorId, authorizedUnitsQuantity, authorizedUnitFrequency } = line;
    return {
      ...{ serviceLineId, payorId, authorizedUnitsQuantity, authorizedUnitFrequency },
      ...{ authorizationDate: startDate, authorizationExpirationDate: endDate },
      ...NEW_AUTHORIZATION,
    };
  });
}

/** The lines of authorizations that are entries of one form: the ids are the same each time that it is sent. */
export function entryLines(unique: string, common: Values, entries: unknown): Line[] {
  return ((entries ?? []) as Values[]).map((entry, index) => ({
    ...{ type: "authorization", publicId: `auth_${unique}${index}`, ...common, ...entry },
  }));
}

/** The place in the form of a mistake: the entries are the lines from a number on, behind the practice's own. */
export const pathAmong =
  (name: string, first: number) =>
  ([line, ...path]: Path): Path =>
    Number(line) < first ? path : [name, Number(line) - first, ...path];

/**
 * The same service, payor and quantity, as long as before from the day after the end; the payor gives it another number.
 * Of a pool, its members are the same way.
 */
export function renewalOf(summary: UtilizationSummary): Values {
  const { payorId, unitFrequency, unitsAuthorized, series, subject } = summary;
  const term = termOf(summary);
  const behind = term && termBehind(term);
  const dates = behind && {
    authorizationDate: behind.startDate,
    authorizationExpirationDate: behind.endDate,
  };
  const next = (each: SummarySeries | undefined): Values => ({
    serviceLineId: each?.serviceLinePublicId ?? null,
    ...dates,
    ...NEW_AUTHORIZATION,
  });
  if (subject === "POOL")
    return {
      ...{ payorId, unitFrequency, totalUnits: unitsAuthorized },
      isUnlimited: unitsAuthorized === null,
      members: authorizationsIn(summary).map((each) => next(each.series)),
    };
  return {
    ...next(series[0]),
    payorId,
    authorizedUnitsQuantity: unitsAuthorized,
    authorizedUnitFrequency: unitFrequency,
  };
}
