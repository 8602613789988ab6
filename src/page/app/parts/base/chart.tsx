import type { ComponentChildren } from "preact";
import type { CalendarDate } from "../../lib/base/dates.ts";
import { shortDateText, unitsText } from "../../lib/base/format.ts";
import type { DayScale, UnitScale } from "../../lib/base/scale.ts";

/** A chart over days, with a line across for each number of units on its axis. */
export function Chart(properties: {
  x: DayScale;
  y: UnitScale;
  width: number;
  height: number;
  margin: { top: number; right: number; bottom: number; left: number };
  /** Where today is, if it is shown. */
  today: number | undefined;
  label: string;
  children: ComponentChildren;
}) {
  const { x, y, width, height, margin, today, label, children } = properties;
  const [top, bottom] = [margin.top - 20, height - margin.bottom + 4];
  return (
    <svg
      class="chart"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      {y.ticks.map((value) => (
        <g key={value} transform={`translate(0,${y(value)})`}>
          <line class="chart-grid" x1={margin.left} x2={width - margin.right} />
          <text x={margin.left - 8} dy="0.32em" text-anchor="end">
            {unitsText(value)}
          </text>
        </g>
      ))}
      {x.ticks(ROOM_FOR_LABEL).map((tick) => (
        <text key={tick} x={x(tick)} y={height - 10} text-anchor="middle">
          {tickText(tick)}
        </text>
      ))}
      {children}
      {today !== undefined && (
        <g class="chart-today" transform={`translate(${today},0)`}>
          <line class="chart-halo" y1={top} y2={bottom} />
          <line y1={top} y2={bottom} />
          <text y={top - 5} text-anchor="middle">
            Today
          </text>
        </g>
      )}
    </svg>
  );
}

/** Least distance between labels, in pixels. */
const ROOM_FOR_LABEL = 54;

/** A label of the axis: `Nov 8`, but `Dec` for the first of a month and `2027` for the first of a year. */
function tickText(day: CalendarDate): string {
  if (!day.endsWith("-01")) return shortDateText(day);
  return day.endsWith("-01-01") ? day.slice(0, 4) : (shortDateText(day).split(" ")[0] ?? "");
}
