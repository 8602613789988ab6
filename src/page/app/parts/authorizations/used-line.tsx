import { addDays, type CalendarDate, coversDay, earlier } from "../../lib/base/dates.ts";
import { dateText, unitsText } from "../../lib/base/format.ts";
import { dayScale, unitScale } from "../../lib/base/scale.ts";
import { usedUp, type Use } from "../../lib/authorizations/outlook.ts";
import { Chart } from "../base/chart.tsx";
import { Legend } from "../base/legend.tsx";
import { useWidth } from "../base/width.ts";

/** A chart of units that are used up over a long period: with its limit, the even pace, and where the usual pace leads. */

const HEIGHT = 260;
/** Space above the limit for how much it is, and above that for `Today`. */
const MARGIN = { top: 38, right: 16, bottom: 30, left: 52 };

export function UsedLine(properties: {
  startDate: CalendarDate;
  endDate: CalendarDate;
  delivered: readonly Use[];
  /** Null without a limit. */
  limit: number | null;
  today: CalendarDate;
  /** Where the usual pace leads: the limit, or the units at the end. */
  projected: Use | undefined;
  label: string;
}) {
  const { startDate, endDate, delivered, limit, today, projected, label } = properties;
  const [frame, width] = useWidth();
  const line = usedUp(delivered);
  const used = line.at(-1)?.units ?? 0;
  const now = earlier(today, endDate);
  const highest = Math.max(1, used, limit ?? 0, projected?.units ?? 0);
  const end = addDays(endDate, 1);
  const x = dayScale(startDate, end, MARGIN.left, width - MARGIN.right);
  const y = unitScale(highest, HEIGHT - MARGIN.bottom, MARGIN.top);
  const at = ({ day, units }: Use): string => `${x(day)},${y(units)}`;
  // Units are used up on a day, so the line has steps.
  const steps = line.flatMap((point, index) => [
    { day: point.day, units: line[index - 1]?.units ?? 0 },
    point,
  ]);
  const current = { day: now, units: used };
  const keys: [string, string][] = [["key-used", "Delivered"]];
  if (limit !== null) keys.push(["key-even", `Even pace to ${dateText(endDate)}`]);
  if (projected) keys.push(["key-projected", "As in the last four full weeks"]);
  const isTodayShown = coversDay({ startDate, endDate }, today);
  // The limit is named where the line of today is not.
  const isLate = x(today) > width / 2;
  return (
    <div ref={frame} class="used-line">
      <Chart
        {...{ x, y, width, label }}
        height={HEIGHT}
        margin={MARGIN}
        today={isTodayShown ? x(today) : undefined}
      >
        {limit !== null && (
          <g>
            <line
              class="used-limit"
              x1={MARGIN.left}
              x2={width - MARGIN.right}
              y1={y(limit)}
              y2={y(limit)}
            />
            <text
              x={isLate ? MARGIN.left : width - MARGIN.right}
              y={y(limit) - 6}
              text-anchor={isLate ? "start" : "end"}
            >
              {unitsText(limit)} authorized
            </text>
            <polyline
              class="used-pace"
              points={[
                { day: startDate, units: 0 },
                { day: end, units: limit },
              ]
                .map(at)
                .join(" ")}
            />
          </g>
        )}
        <polyline
          class="used-steps"
          points={[{ day: startDate, units: 0 }, ...steps, current].map(at).join(" ")}
        />
        {projected && (
          <polyline class="used-projected" points={[current, projected].map(at).join(" ")} />
        )}
      </Chart>
      <Legend keys={keys} />
    </div>
  );
}
