import { addDays, daysBetween } from "./dates.ts";
import type { Values } from "./form-values.ts";
import { authorizationsIn, termOf } from "./authorizations.ts";
import type { SummarySeries, UtilizationSummary } from "./wire.ts";

/** The next authorization or pool: what a form of it begins with. */

/** What a new authorization has before anything is typed. */
export const NEW_AUTHORIZATION: Values = { authorizationStatus: "AUTHORIZED" };

/**
 * The same service, payor and quantity, as long as before from the day after the end; the payor gives it another number.
 * Of a pool, its members are the same way.
 */
export function renewalOf(summary: UtilizationSummary): Values {
  const { payorId, unitFrequency, unitsAuthorized, series, subject } = summary;
  const term = termOf(summary);
  const start = term && addDays(term.endDate, 1);
  const dates = term &&
    start && {
      authorizationDate: start,
      authorizationExpirationDate: addDays(start, daysBetween(term.startDate, term.endDate)),
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
