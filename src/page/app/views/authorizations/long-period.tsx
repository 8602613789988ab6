import { useRemembered } from "../../lib/base/response.ts";
import { get, getAll, withQuery } from "../../lib/base/api.ts";
import {
  addDays,
  type CalendarDate,
  coversDay,
  daysBetween,
  earlier,
  today,
} from "../../lib/base/dates.ts";
import { countText, dateText, rangeText } from "../../lib/base/format.ts";
import { me } from "../../lib/base/me.ts";
import {
  bookedAfter,
  type Days,
  daysIn,
  endAtPace,
  usedUpSince,
  ifUsualWeekGoesOn,
  isOver,
  lastFullWeeks,
  meanText,
  type Outlook,
  periodsAhead,
  shownSums,
  sumText,
  usualWeek,
} from "../../lib/authorizations/outlook.ts";
import { periodOf } from "../../lib/authorizations/periods.ts";
import type {
  Encounter,
  SummarySeries,
  UtilizationLedger,
  UtilizationSummary,
  WhatIf,
} from "../../lib/base/wire.ts";
import { UsedLine } from "../../parts/authorizations/used-line.tsx";

/**
 * The days of a series, from four full weeks before this one to the end of its term. It is a second request of the view,
 * behind the summary, which has no days; and a third one, since only encounters say which sessions were documented.
 */
export function useDays(summary: UtilizationSummary, series: SummarySeries | undefined) {
  const { publicId, patientId, timezone } = summary;
  const day = today(timezone);
  const { authorizationId = null, endDate = null } = series ?? {};
  const weeks = lastFullWeeks(day, me().organization.weekStartsOn);
  const question =
    endDate === null ? undefined : `days of ${publicId} ${authorizationId} ${timezone}`;
  return useRemembered(question, async (reading): Promise<Days> => {
    const end = endDate ?? day;
    const start = earlier(weeks.startDate, end);
    const path = `authorization-utilization/${encodeURIComponent(publicId)}/ledger`;
    const query = { startDate: start, endDate: end, timezone };
    const [ledger, encounters] = await Promise.all([
      get<UtilizationLedger>(withQuery(path, query), reading),
      getAll<Encounter>("encounters", { patientId, ...weeks, timezone }, reading),
    ]);
    return daysIn(ledger, encounters, authorizationId, start);
  }).value;
}

/** A series of an authorization or pool, with its days. */
interface SeriesDays {
  summary: UtilizationSummary;
  series: SummarySeries;
  days: Days;
}

/** The line of units that are used up in the long period that includes today, or in the last one. */
export function LongPeriod({ summary, series, days }: SeriesDays) {
  const day = today(summary.timezone);
  const { unitsAuthorized: limit } = series;
  const period = periodOf(series.periods, day) ?? series.periods.at(-1);
  if (period === undefined) return null;
  const { startDate, endDate } = period;
  const delivered = days.delivered.filter((use) => coversDay(period, use.day));
  const used = delivered.reduce((sum, { units }) => sum + units, 0);
  const perWeek = usualWeekOf(days, day);
  const hasEnded = endDate < day;
  const usedUpOn = limit === null ? undefined : endAtPace(limit - used, perWeek, day);
  const atEnd = used + (perWeek * daysBetween(day, endDate)) / 7;
  const isUsedUp = usedUpOn !== undefined && usedUpOn <= endDate;
  const projected = hasEnded
    ? undefined
    : isUsedUp
      ? { day: usedUpOn, units: limit ?? 0 }
      : { day: addDays(endDate, 1), units: atEnd };
  const since = limit === null ? undefined : usedUpSince(delivered, limit);
  const pace = `At the pace of the last four full weeks, ${perWeekText(perWeek)},`;
  /** Where it leads, with one number for each question: what the usual weeks add to a limit is said below. */
  const textOf = (): string => {
    if (since !== undefined)
      return `All ${countText(limit ?? 0, "unit")} are used up since ${dateText(since)}.`;
    if (hasEnded) return `${countText(used, "unit")} were delivered by ${dateText(endDate)}.`;
    if (isUsedUp) return `${pace} it is used up about ${dateText(usedUpOn)}.`;
    return limit === null
      ? `${pace} about ${meanText(atEnd)} units are used by ${dateText(endDate)}.`
      : `${pace} it is not used up by ${dateText(endDate)}.`;
  };
  const text = textOf();
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

/** How the term goes on if each week that has nothing booked is like the last four full ones. */
export interface UsualWeeks {
  perWeek: number;
  limit: number;
  end: CalendarDate;
  outlook: Outlook;
}

/** That of a series, with what a plan adds to its periods; undefined where nothing limits it, or it has ended. */
export function usualWeeksOf(
  { summary, series, days }: SeriesDays,
  outcome: WhatIf | undefined,
): UsualWeeks | undefined {
  const { unitsAuthorized: limit, endDate: end } = series;
  const day = today(summary.timezone);
  if (limit === null || end === null || end < day) return undefined;
  const booked = bookedAfter(days, day);
  const planned = plannedIn(series, outcome);
  const periods = periodsAhead(days, { known: series.periods, planned, day });
  const perWeek = usualWeekOf(days, day);
  const { weekStartsOn } = me().organization;
  const outlook = ifUsualWeekGoesOn({
    ...{ perWeek, booked, periods, limit, weekStartsOn, end },
    today: day,
  });
  return { perWeek, limit, end, outlook };
}

/** The periods of a series that a plan changes: its own, or of the whole pool. */
function plannedIn(
  { authorizationId }: SummarySeries,
  outcome: WhatIf | undefined,
): WhatIf["periods"] {
  if (authorizationId === null) return outcome?.poolPeriods ?? [];
  return outcome?.authorizationPublicId === authorizationId ? outcome.periods : [];
}

/** Whether it fits if the usual week goes on: the sum of what is booked, added and usual, by period. */
export function UsualWeek({ weeks }: { weeks: UsualWeeks }) {
  const { perWeek, limit, end, outlook } = weeks;
  const { emptyWeeks, units, periods } = outlook;
  if (emptyWeeks === 0)
    return <p class="outlook">Every week until {dateText(end)} has something booked.</p>;
  const { sums, others } = shownSums(outlook);
  const verb = emptyWeeks === 1 ? "has" : "have";
  return (
    <div class="outlook">
      <p>
        If the usual week goes on ({perWeekText(perWeek)}, the mean of the last four full weeks) in
        the {countText(emptyWeeks, "week")} until {dateText(end)} that {verb} nothing booked,{" "}
        {meanText(units)} units are added:{" "}
        {periods.some(isOver) ? "✕ it does not fit." : "✓ it fits."}
      </p>
      <ul>
        {sums.map((sum) => (
          <li key={sum.startDate}>
            {rangeText(sum.startDate, sum.endDate)}: {sumText(sum, limit)}
            {isOver(sum) && <em class="share-over"> {meanText(sum.over)} over</em>}
          </li>
        ))}
        {others > 0 && <li>{countText(others, "period")} more would be over.</li>}
      </ul>
    </div>
  );
}

function perWeekText(units: number): string {
  return `${meanText(units)} units a week`;
}
