import { useResponse } from "../lib/response.ts";
import { get, getAll, withQuery } from "../lib/api.ts";
import { addDays, type CalendarDate, type DateRange, daysBetween, today } from "../lib/dates.ts";
import { countText, dateText, rangeText, unitsText } from "../lib/format.ts";
import { me } from "../lib/me.ts";
import {
  endAtPace,
  ifUsualWeekGoesOn,
  lastFullWeeks,
  type Outlook,
  type Use,
  usualWeek,
} from "../lib/outlook.ts";
import { periodOf } from "../lib/periods.ts";
import type {
  Encounter,
  SummarySeries,
  UtilizationLedger,
  UtilizationSummary,
} from "../lib/wire.ts";
import { UsedLine } from "../parts/used-line.tsx";

/** How an authorization goes on: the units of its days, which only the ledger has. */
export interface Days {
  delivered: Use[];
  /** Booked and not documented: of the last full weeks, and of the days to come. */
  open: Use[];
  /** Periods up to the end of the term. */
  periods: DateRange[];
}

/**
 * The days of a series, from four full weeks before this one to the end of its term. It is a second request of the view,
 * behind the summary, which has no days; and a third one, since only encounters say which sessions were documented.
 */
export function useDays(summary: UtilizationSummary, series: SummarySeries | undefined) {
  const { publicId, patientId, timezone } = summary;
  const day = today(timezone);
  const { authorizationId = null, endDate = null } = series ?? {};
  const weeks = lastFullWeeks(day, me().organization.weekStartsOn);
  const question = endDate === null ? undefined : `${publicId} ${authorizationId} ${timezone}`;
  return useResponse(question, async (signal): Promise<Days> => {
    const end = endDate ?? day;
    const start = weeks.startDate < end ? weeks.startDate : end;
    const path = `authorization-utilization/${encodeURIComponent(publicId)}/ledger`;
    const query = { startDate: start, endDate: end, timezone };
    const [ledger, encounters] = await Promise.all([
      get<UtilizationLedger>(withQuery(path, query), signal),
      getAll<Encounter>("encounters", { patientId, ...weeks, timezone }, signal),
    ]);
    const entries = ledger.ledger.filter(
      (entry) =>
        entry.reason === null &&
        (authorizationId === null || entry.authorizationId === authorizationId),
    );
    // Only an encounter of the session's own authorization documents it.
    const keyOf = (each: { authorizationId: string }, sessionId: string | null): string =>
      `${each.authorizationId} ${sessionId}`;
    const documented = new Set(encounters.map((each) => keyOf(each, each.sessionId)));
    const isOpen = (entry: (typeof entries)[number]): boolean =>
      entry.type === "session" &&
      entry.day >= start &&
      !documented.has(keyOf(entry, entry.publicId));
    const member = ledger.members.find((each) => each.authorizationPublicId === authorizationId);
    return {
      delivered: entries.filter(({ type }) => type === "encounter"),
      open: entries.filter(isOpen),
      periods: (authorizationId === null ? ledger.pool : member)?.periods ?? [],
    };
  }).value;
}

/** The line of units that are used up in the long period that includes today, or in the last one. */
export function LongPeriod(properties: {
  summary: UtilizationSummary;
  series: SummarySeries;
  days: Days;
}) {
  const { summary, series, days } = properties;
  const day = today(summary.timezone);
  const { unitsAuthorized: limit } = series;
  const period = periodOf(series.periods, day) ?? series.periods.at(-1);
  if (period === undefined) return null;
  const { startDate, endDate } = period;
  const delivered = days.delivered.filter((use) => startDate <= use.day && use.day <= endDate);
  const used = delivered.reduce((sum, { units }) => sum + units, 0);
  const perWeek = usualWeekOf(days, day);
  const isOver = endDate < day;
  const usedUpOn = limit === null ? undefined : endAtPace(limit - used, perWeek, day);
  const atEnd = used + (perWeek * daysBetween(day, endDate)) / 7;
  const isUsedUp = usedUpOn !== undefined && usedUpOn <= endDate;
  const projected = isOver
    ? undefined
    : isUsedUp
      ? { day: usedUpOn, units: limit ?? 0 }
      : { day: addDays(endDate, 1), units: atEnd };
  const text = isOver
    ? `${unitsText(used)} units were delivered by ${dateText(endDate)}.`
    : isUsedUp
      ? `At the pace of the last four full weeks, ${perWeekText(perWeek)}, it is used up about ${dateText(usedUpOn)}.`
      : `At the pace of the last four full weeks, ${perWeekText(perWeek)}, about ${roundText(atEnd)} units are used by ${dateText(endDate)}.`;
  return (
    <>
      <UsedLine
        startDate={startDate}
        endDate={endDate}
        delivered={delivered}
        limit={limit}
        today={day}
        projected={projected}
        label={`Delivered units over time, ${rangeText(startDate, endDate)}. ${text}`}
      />
      <p class="outlook">{text}</p>
    </>
  );
}

function usualWeekOf(days: Days, day: CalendarDate): number {
  return usualWeek([...days.delivered, ...days.open], day, me().organization.weekStartsOn);
}

/** Whether it fits if each week that has nothing booked is like the last four full ones. */
export function UsualWeek(properties: {
  summary: UtilizationSummary;
  series: SummarySeries;
  days: Days;
}) {
  const { summary, series, days } = properties;
  const { unitsAuthorized: limit, endDate } = series;
  const day = today(summary.timezone);
  if (limit === null || endDate === null || endDate < day) return null;
  const booked = [...days.open, ...days.delivered].filter((use) => use.day > day);
  // The summary has the committed units of the current period; in later ones nothing is delivered.
  const periods = days.periods
    .filter((period) => period.endDate >= day)
    .map(({ startDate, endDate: last }) => ({
      startDate,
      endDate: last,
      committed:
        series.periods.find((period) => period.startDate === startDate)?.unitsCommitted ??
        booked
          .filter((use) => startDate <= use.day && use.day <= last)
          .reduce((sum, { units }) => sum + units, 0),
    }));
  const perWeek = usualWeekOf(days, day);
  const { weekStartsOn } = me().organization;
  const outlook = ifUsualWeekGoesOn({
    ...{ perWeek, booked, periods, limit, weekStartsOn },
    today: day,
    end: endDate,
  });
  return <p class="outlook">{outlookText(outlook, perWeek, endDate)}</p>;
}

function outlookText({ emptyWeeks, units, over }: Outlook, perWeek: number, end: string): string {
  const usual = `the usual week goes on (${perWeekText(perWeek)}, the mean of the last four full weeks)`;
  if (emptyWeeks === 0) return `Every week until ${dateText(end)} has something booked.`;
  const weeks = countText(emptyWeeks, "week");
  const start = `If ${usual} in the ${weeks} until ${dateText(end)} that ${emptyWeeks === 1 ? "has" : "have"} nothing booked, ${roundText(units)} units are added: `;
  const [first, ...others] = over;
  if (first === undefined) return `${start}✓ it fits.`;
  const more =
    others.length === 0 ? "" : `, and ${countText(others.length, "period")} more would be over`;
  return `${start}✕ ${roundText(first.units)} units over in ${rangeText(first.startDate, first.endDate)}${more}.`;
}

function perWeekText(units: number): string {
  return `${roundText(units)} units a week`;
}

/** A mean needs no more than one decimal. */
function roundText(units: number): string {
  return unitsText(Math.round(units * 10) / 10);
}
