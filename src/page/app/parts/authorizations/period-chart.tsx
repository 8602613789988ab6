import { addDays, type CalendarDate } from "../../lib/base/dates.ts";
import { dateText, rangeText } from "../../lib/base/format.ts";
import { isCut, periodOf } from "../../lib/authorizations/periods.ts";
import { dayScale, unitScale } from "../../lib/base/scale.ts";
import { balanceText, unitsOf } from "../../lib/authorizations/units.ts";
import type { Frequency, SummarySeries } from "../../lib/base/wire.ts";
import { Chart } from "../base/chart.tsx";
import { useWidth } from "../base/width.ts";

/** A chart of periods over time: delivered and booked units, and the authorized units. */

const HEIGHT = 290;
/** Space above the bars for `cut`, and above that for `Today`. */
const MARGIN = { top: 38, right: 14, bottom: 30, left: 46 };

/** Minimum width of a period with its gap; more periods than fit are scrolled. */
const NARROWEST = 5;

/** Minimum width of a cut period to be labeled, in pixels. */
const ROOM_FOR_CUT = 22;

type ShownPeriod = SummarySeries["periods"][number];

export function PeriodChart(properties: {
  series: SummarySeries;
  frequency: Frequency;
  today: CalendarDate;
}) {
  const { series, frequency, today } = properties;
  const [frame, space] = useWidth();
  const { periods } = series;
  const first = periods[0]?.startDate ?? today;
  const end = addDays(periods.at(-1)?.endDate ?? today, 1);
  const width = Math.max(space, MARGIN.left + MARGIN.right + periods.length * NARROWEST);
  const x = dayScale(first, end, MARGIN.left, width - MARGIN.right);
  const highest = Math.max(
    1,
    ...periods.map(({ unitsCommitted, unitsAuthorized }) =>
      Math.max(unitsCommitted, unitsAuthorized ?? 0),
    ),
  );
  const y = unitScale(highest, HEIGHT - MARGIN.bottom, MARGIN.top);
  const isTodayShown = today >= first && today < end;

  return (
    <div ref={frame} class="scroller" tabIndex={0} role="region" aria-label="Chart of the periods">
      <Chart
        {...{ x, y, width }}
        height={HEIGHT}
        margin={MARGIN}
        today={isTodayShown ? (x(today) + x(addDays(today, 1))) / 2 : undefined}
        label={summary(series, today)}
      >
        <defs>
          <pattern
            id="over"
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect class="chart-over" width="6" height="6" />
            <rect class="chart-over-line" width="2" height="6" />
          </pattern>
        </defs>
        {periods.map((period) => (
          <PeriodBar
            key={period.startDate}
            period={period}
            isCut={isCut(period, frequency)}
            left={x(period.startDate)}
            right={x(addDays(period.endDate, 1))}
            y={y}
          />
        ))}
      </Chart>
    </div>
  );
}

function PeriodBar(properties: {
  period: ShownPeriod;
  isCut: boolean;
  left: number;
  right: number;
  y: (units: number) => number;
}) {
  const { period, left, right, y } = properties;
  const units = unitsOf(period);
  const committed = units.delivered + units.booked;
  const gap = Math.min(4, (right - left) * 0.15);
  const box = { x: left + gap / 2, width: Math.max(right - left - gap, 1) };
  /** From one number of units to another. */
  const part = (name: string, from: number, to: number) =>
    to > from && <rect class={name} {...box} y={y(to)} height={y(from) - y(to)} />;
  const { authorized } = units;
  const within = Math.min(committed, authorized ?? committed);
  return (
    <g class={properties.isCut ? "chart-cut" : undefined}>
      <title>
        {rangeText(period.startDate, period.endDate)}
        {properties.isCut ? " (cut short)" : ""}: {balanceText(units)}
      </title>
      {part("chart-left", 0, authorized ?? 0)}
      {part("chart-delivered", 0, Math.min(units.delivered, within))}
      {part("chart-booked", Math.min(units.delivered, within), within)}
      {part("chart-beyond", within, committed)}
      {properties.isCut && part("chart-outline", 0, Math.max(committed, authorized ?? 0))}
      {properties.isCut && box.width >= ROOM_FOR_CUT && (
        <text
          class="chart-cut-text"
          x={box.x + box.width / 2}
          y={y(Math.max(committed, authorized ?? 0)) - 5}
          text-anchor="middle"
        >
          cut
        </text>
      )}
      {authorized !== null && (
        <line
          class="chart-authorized"
          x1={box.x}
          x2={box.x + box.width}
          y1={y(authorized)}
          y2={y(authorized)}
        />
      )}
    </g>
  );
}

function summary({ periods }: SummarySeries, today: CalendarDate): string {
  const over = periods.filter(
    ({ unitsAuthorized, unitsCommitted }) =>
      unitsAuthorized !== null && unitsCommitted > unitsAuthorized,
  ).length;
  const current = periodOf(periods, today);
  const parts = [
    `${periods.length} ${periods.length === 1 ? "period" : "periods"}`,
    `${over} over what is authorized`,
    current === undefined
      ? `none includes today, ${dateText(today)}`
      : `today's has ${balanceText(unitsOf(current))}`,
  ];
  return `${parts.join("; ")}. The table has every number.`;
}
