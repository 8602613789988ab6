import { addDays, addMonths, type DateRange, daysBetween } from "./dates.ts";
import type { Values } from "./form-values.ts";
import { authorizationsIn, termOf } from "./authorizations.ts";
import type { SummarySeries, UtilizationSummary } from "./wire.ts";

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
  return months > 0 && addMonths(startDate, months) === next ? months : undefined;
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
