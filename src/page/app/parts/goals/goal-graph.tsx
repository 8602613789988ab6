import type { JSX } from "preact";
import { addDays, type CalendarDate, dateOf, today } from "../../lib/base/dates.ts";
import { shortDateText, unitsText } from "../../lib/base/format.ts";
import { axisText, metText, phaseText, pointText } from "../../lib/goals/goals.ts";
import { dayScale, unitScale } from "../../lib/base/scale.ts";
import type { GoalPoint, GoalProgress } from "../../lib/base/wire.ts";
import type { TimeZone } from "../../../../lib/time-zone.ts";
import { useWidth } from "../base/width.ts";

/** The equal-interval line graph of a goal, as the field draws it. */

const MARGIN = { top: 64, right: 96, bottom: 34, left: 46 };
/** Dots are joined over so many days without one. */
const GAP = { DAY: 14, WEEK: 21, MONTH: 62 } as const;
const ROOM_FOR_LABEL = 58;

interface PhaseChange {
  day: CalendarDate;
  name: string;
}

/** The changes of a goal's status, the last one of each day; none on a day that ends as it began. */
function phaseChanges({ phases, timezone }: GoalProgress): PhaseChange[] {
  const days = new Map<CalendarDate, { from: string | undefined; index: number }>();
  for (const [index, { since }] of phases.entries()) {
    if (since === null || index === 0) continue;
    const day = dateOf(since, timezone as TimeZone);
    days.set(day, { from: days.get(day)?.from ?? phases[index - 1]?.status, index });
  }
  return [...days].flatMap(([day, { from, index }]) => {
    const { status, isAutomatic } = phases[index] as GoalProgress["phases"][number];
    return status === from ? [] : [{ day, name: phaseText(status, isAutomatic) }];
  });
}

/** The statuses of goals that are met already, which are held to another criterion. */
const KEPT_UP = ["IN_MAINTENANCE", "MASTERED", "ARCHIVED"];

/** The day behind which the phases begin that a goal's criterion judges; undefined where it judges all. */
function judgedFrom({ phases, status, timezone }: GoalProgress): CalendarDate | undefined {
  const isOther = ({ status: each }: GoalProgress["phases"][number]) =>
    KEPT_UP.includes(each) !== KEPT_UP.includes(status);
  const before = phases.findLastIndex(isOther);
  const since = before === -1 ? undefined : phases[before + 1]?.since;
  return since == null ? undefined : dateOf(since, timezone as TimeZone);
}

/** The points that are joined: within a phase, and over no gap. */
export function pathsOf(goal: GoalProgress): GoalPoint[][] {
  const changes = phaseChanges(goal).map(({ day }) => day);
  const paths: GoalPoint[][] = [];
  let last: GoalPoint | undefined;
  for (const point of goal.points) {
    if (point.state === "SILENT" || point.value === null) {
      last = undefined;
      continue;
    }
    const before = last;
    const isJoined =
      before !== undefined &&
      addDays(before.startDate as CalendarDate, GAP[goal.pointUnit]) >= point.startDate &&
      // A phase begins behind the day of its change.
      !changes.some((day) => before.startDate <= day && day < point.startDate);
    if (isJoined) paths.at(-1)?.push(point);
    else paths.push([point]);
    last = point;
  }
  return paths;
}

/** The lines between points, by their places. */
function linesOf(
  goal: GoalProgress,
  x: (point: GoalPoint) => number,
  y: (value: number) => number,
): JSX.Element[] {
  return pathsOf(goal).map((path) => (
    <polyline
      key={path[0]?.startDate}
      class="goal-path"
      points={path.map((point) => `${x(point)},${y(point.value ?? 0)}`).join(" ")}
    />
  ));
}

/** A value beside an axis that says its unit. */
function shortValue(value: number, { valueUnit }: GoalProgress): string {
  return valueUnit === "PERCENT" ? `${unitsText(value)} %` : unitsText(value);
}

/** The points of the run that meets the criterion. */
function metPoints({ points, isMet, metSince, inARow }: GoalProgress): ReadonlySet<GoalPoint> {
  if (isMet !== true || metSince === null) return new Set();
  const counting = points.filter(({ state }) => state === "COUNTS");
  const place = counting.findIndex(({ endDate }) => endDate === metSince);
  return new Set(counting.slice(Math.max(0, place + 1 - (inARow ?? 0))));
}

/** The end of the axis of values. A behavior may last longer than it was watched, and be more than 100 %. */
function highestOf({ valueUnit, criterion }: GoalProgress, values: readonly number[]): number {
  return Math.max(valueUnit === "PERCENT" ? 100 : 1, criterion?.value ?? 0, ...values);
}

export function GoalGraph({ goal, name }: { goal: GoalProgress; name: (id: string) => string }) {
  const [frame, width] = useWidth();
  const { points, baseline, criterion, metSince, timezone } = goal;
  const now = today(timezone as TimeZone);
  const changes = phaseChanges(goal);
  const since = goal.phases.find((phase) => phase.since !== null)?.since;
  const begun = [points[0]?.startDate, since && dateOf(since, timezone as TimeZone)]
    .filter((day) => day != null)
    .sort();
  const first = (begun[0] ?? addDays(now, -28)) as CalendarDate;
  const start =
    first < addDays(now, -182)
      ? ((points[0]?.startDate as CalendarDate) ?? addDays(now, -182))
      : first;
  const shown = points.filter(({ startDate }) => startDate >= start);
  const height = Math.max(240, Math.min(420, Math.round((width * 3) / 5)));
  const x = dayScale(addDays(start, -1), addDays(now, 1), MARGIN.left, width - MARGIN.right);
  // A week or month that goes on ends today.
  const endOf = ({ startDate, endDate }: GoalPoint) =>
    (startDate <= now && now < endDate ? now : endDate) as CalendarDate;
  const middle = (point: GoalPoint) => (x(point.startDate) + x(addDays(endOf(point), 1))) / 2;
  const values = shown.flatMap(({ value }) => value ?? []);
  const highest = highestOf(goal, [baseline ?? 0, ...values]);
  const bottom = height - MARGIN.bottom;
  const y = unitScale(highest, bottom, MARGIN.top, Math.min(0, ...values));
  const right = width - MARGIN.right;
  const visible = changes.filter(({ day }) => day >= start);
  const behind = (day: CalendarDate) => x(addDays(day, 1));
  const judged = judgedFrom(goal);
  const met = metPoints(goal);
  const metPoint = shown.find(({ endDate }) => endDate === metSince);
  const last = shown.slice(-5).map((point) => pointText(point, goal, name));
  return (
    <figure class="goal-graph" ref={frame as never}>
      <svg
        class="chart"
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={[axisText(goal), ...last].join("; ")}
      >
        <text x={4} y={12}>
          {axisText(goal)}
        </text>
        <path class="goal-axis" d={`M${MARGIN.left},${MARGIN.top}V${bottom}H${right}`} />
        {y.ticks.map((value) => (
          <g key={value} transform={`translate(${MARGIN.left},${y(value)})`}>
            <line class="goal-axis" x1={-5} x2={0} />
            <text x={-8} dy="0.32em" text-anchor="end">
              {unitsText(value)}
            </text>
          </g>
        ))}
        {x.ticks(ROOM_FOR_LABEL).map((tick) => (
          <g key={tick} transform={`translate(${x(tick)},${bottom})`}>
            <line class="goal-axis" y1={0} y2={5} />
            <text y={20} text-anchor="middle">
              {shortDateText(tick)}
            </text>
          </g>
        ))}
        {baseline !== null && (
          <g class="goal-baseline">
            <line x1={MARGIN.left} x2={right} y1={y(baseline)} y2={y(baseline)} />
            <text x={right + 6} y={y(baseline)} dy="0.32em">
              baseline {shortValue(baseline, goal)}
            </text>
          </g>
        )}
        {criterion !== null && (
          <g class="goal-criterion">
            <line
              x1={judged === undefined || judged < start ? MARGIN.left : behind(judged)}
              x2={right}
              y1={y(criterion.value)}
              y2={y(criterion.value)}
            />
            <text
              x={right + 6}
              y={
                y(criterion.value) +
                (baseline !== null && Math.abs(y(baseline) - y(criterion.value)) < 14 ? -12 : 0)
              }
              dy="0.32em"
            >
              {shortValue(criterion.value, goal)}
            </text>
          </g>
        )}
        {visible.map(({ day, name: phase }, index) => (
          <g key={day} class="goal-phase" transform={`translate(${behind(day)},0)`}>
            <line y1={MARGIN.top - 26} y2={bottom} />
            <text y={MARGIN.top - 30 - 12 * (index % 2)} x={4}>
              {phase}
            </text>
          </g>
        ))}
        {[goal.baselineDate, goal.targetDate].map(
          (day, index) =>
            day !== null &&
            x(day) >= MARGIN.left &&
            x(day) <= right && (
              <line
                key={index}
                class="goal-mark"
                x1={x(day)}
                x2={x(day)}
                y1={bottom - 6}
                y2={bottom + 6}
              >
                <title>{index === 0 ? "Baseline" : "Target"}</title>
              </line>
            ),
        )}
        {linesOf({ ...goal, points: shown }, middle, y)}
        {shown.map((point) => (
          <Dot
            key={point.startDate}
            {...{ point, bottom, isMet: met.has(point), text: pointText(point, goal, name) }}
            x={middle(point)}
            y={y(point.value ?? 0)}
          />
        ))}
        {metPoint !== undefined && met.size > 0 && (
          <text class="goal-met" x={x(metPoint.endDate) + 6} y={y(metPoint.value ?? 0) - 12}>
            {metText(goal)}
          </text>
        )}
      </svg>
      <figcaption class="hint">{captionOf(goal)}</figcaption>
    </figure>
  );
}

/** A dot; of what has no value a tick under the axis. */
function Dot(properties: {
  point: GoalPoint;
  x: number;
  y: number;
  bottom: number;
  isMet: boolean;
  text: string;
}) {
  const { point, x, y, bottom, isMet, text } = properties;
  if (point.value === null)
    return (
      <g class="goal-silent" tabIndex={0} role="img" aria-label={text}>
        <title>{text}</title>
        <line x1={x} x2={x} y1={bottom + 7} y2={bottom + 13} />
      </g>
    );
  const isHollow = point.state === "RUNNING" || point.state === "FEW";
  const own = isHollow ? "goal-dot hollow" : isMet ? "goal-dot met" : "goal-dot";
  return (
    <circle class={own} cx={x} cy={y} r={4} tabIndex={0} role="img" aria-label={text}>
      <title>{text}</title>
    </circle>
  );
}

/** How many trials a day, and what the ticks under the axis are. */
function captionOf({ points, type }: GoalProgress): string {
  const totals = points.flatMap(({ total }) => total ?? []);
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  const what = type === "interval" ? "intervals" : "trials";
  const range = least === most ? `${most}` : `${least} to ${most}`;
  const silent = points.some(({ value }) => value === null);
  return [
    ...(totals.length > 0 ? [`${range} ${what} a point.`] : []),
    ...(points.some(({ state }) => state === "RUNNING" || state === "FEW")
      ? ["Hollow: not over, or too few to count."]
      : []),
    ...(silent ? ["A tick under the axis: nothing was measured."] : []),
  ].join(" ");
}

/** The last twelve weeks of a goal as a line, with its criterion as a hairline. */
export function Sparkline({ goal }: { goal: GoalProgress }) {
  const [width, height] = [140, 32];
  const now = today(goal.timezone as TimeZone);
  const start = addDays(now, -84);
  const shown = goal.points.filter(({ startDate }) => startDate >= start);
  const points = shown.filter(({ value }) => value !== null);
  if (points.length === 0) return <span class="hint">–</span>;
  const values = points.map(({ value }) => value ?? 0);
  const { criterion } = goal;
  const highest = highestOf(goal, values);
  const x = dayScale(start, now, 3, width - 4);
  const lowest = Math.min(0, ...values);
  const y = (value: number): number =>
    height - 4 - ((value - lowest) / (highest - lowest)) * (height - 8);
  const last = points.at(-1) as GoalPoint;
  return (
    <svg
      class="sparkline"
      {...{ width, height }}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      {criterion !== null && (
        <line
          class="goal-hairline"
          x1={0}
          x2={width}
          y1={y(criterion.value)}
          y2={y(criterion.value)}
        />
      )}
      {linesOf({ ...goal, points: shown }, ({ startDate }) => x(startDate), y)}
      <circle class="goal-dot" cx={x(last.startDate)} cy={y(last.value ?? 0)} r={3} />
    </svg>
  );
}
