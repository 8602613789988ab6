import type { ComponentChildren } from "preact";
import type { CalendarDate } from "../lib/dates.ts";
import { shortDateText, unitsText } from "../lib/format.ts";
import type { DayScale, UnitScale } from "../lib/scale.ts";

/** A chart over days, with a line across for each number of units on its axis. */
export function Chart(properties: {
  x: DayScale;
  y: UnitScale;
  width: number;
  height: number;
  margin: { left: number; right: number };
  label: string;
  children: ComponentChildren;
}) {
  const { x, y, width, height, margin, label, children } = properties;
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
