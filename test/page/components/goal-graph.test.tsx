import { expect, test } from "bun:test";
import { addDays, today } from "../../../src/page/app/lib/base/dates.ts";
import type { GoalProgress } from "../../../src/page/app/lib/base/wire.ts";
import { useDocument } from "./dom.ts";

const { render } = await useDocument();
const { GoalGraph } = await import("../../../src/page/app/parts/goals/goal-graph.tsx");
const { pointText } = await import("../../../src/page/app/lib/goals/goals.ts");

/** The graph of a goal. */

const dayAgo = (days: number) => addDays(today("UTC" as never), -days);
const phase = (status: string, days: number) => ({
  ...{ status, since: `${dayAgo(days)}T10:00:00.000Z`, isAutomatic: false },
});
const pointAgo = (days: number, value: number) => ({
  ...{ startDate: dayAgo(days), endDate: dayAgo(days), state: "COUNTS", value, count: 1 },
  ...{ total: 1, sessions: 1, meets: true, providerIds: [] },
});
const goal = {
  ...{ type: "opportunity", status: "IN_PROGRESS", timezone: "UTC", pointUnit: "DAY" },
  ...{ valueUnit: "PERCENT", valuePer: null, baseline: null, baselineDate: null, targetDate: null },
  ...{ isMet: null, inARow: 1, metSince: null, metWith: [], next: null, steps: null },
  criterion: { purpose: "success", value: 80, criteria: "GREATER_THAN_OR_EQUAL_TO", points: 3 },
  points: [pointAgo(40, 20), pointAgo(5, 90)],
};

/** Draws a goal; the numbers of an attribute of what a selector finds. */
function drawn(more: object, selector: string, attribute: string): number[] {
  const { container } = render(
    <GoalGraph goal={{ ...goal, ...more } as unknown as GoalProgress} name={(id) => id} />,
  );
  const found = [...container.querySelectorAll(selector)];
  return found.map((each) =>
    Number(/[\d.-]+/.exec(each.getAttribute(attribute) ?? "")?.[0] ?? Number.NaN),
  );
}

const [LEFT, RIGHT] = [46, 96];

test.each([
  ["all phases have one purpose", [phase("BASELINE", 40), phase("IN_PROGRESS", 20)], undefined],
  [
    "a hold interrupts what is taught",
    [phase("IN_PROGRESS", 40), phase("ON_HOLD", 20), phase("IN_PROGRESS", 10)],
    undefined,
  ],
  [
    "it is taught once more",
    [
      phase("BASELINE", 40),
      phase("IN_MAINTENANCE", 30),
      phase("ON_HOLD", 20),
      phase("IN_PROGRESS", 10),
    ],
    1,
  ],
])("the criterion's line is over what it judges: %s", (_, phases, place) => {
  const [x1] = drawn({ phases }, ".goal-criterion line", "x1");
  const lines = drawn({ phases }, ".goal-phase", "transform");
  expect(x1).toBe(place === undefined ? LEFT : (lines[place] as number));
});

test("it begins with the first point or phase, whenever the baseline was taken", () => {
  const phases = [phase("BASELINE", 42), phase("IN_PROGRESS", 20)];
  const [first] = drawn({ phases }, "circle", "cx");
  const beginning = (more: object) => drawn(more, "circle", "cx")[0] as number;
  expect(beginning({ phases, baselineDate: dayAgo(150) })).toBe(first as number);
  expect(beginning({ phases: [phase("BASELINE", 100)] })).not.toBe(first as number);
});

test("what is above 100 % is on the graph", () => {
  const phases = [phase("IN_PROGRESS", 40)];
  const ys = drawn({ phases, points: [pointAgo(5, 250), pointAgo(4, 90)] }, "circle", "cy");
  expect(ys.every((y) => y >= 64)).toBe(true);
});

test.each(["WEEK", "MONTH"])(
  "the point of a %s that has just begun is on the graph",
  (pointUnit) => {
    const running = { ...pointAgo(0, 50), endDate: dayAgo(-27), state: "RUNNING" };
    const more = { pointUnit, points: [running], phases: [phase("IN_PROGRESS", 0)] };
    const [width] = drawn(more, "svg", "width") as [number];
    const [x] = drawn(more, "circle", "cx") as [number];
    // Where nothing is laid out, the axis goes to the left.
    const [least, most] = [LEFT, width - RIGHT].sort((a, b) => a - b) as [number, number];
    expect([least < x, x < most]).toEqual([true, true]);
  },
);

test("ratings below 0 are on the graph", () => {
  const more = {
    ...{ type: "rating", valueUnit: "RATING", criterion: null },
    phases: [phase("IN_PROGRESS", 40)],
    points: [pointAgo(5, -2), pointAgo(4, 2)],
  };
  const [height] = drawn(more, "svg", "height") as [number];
  const ys = drawn(more, "circle", "cy");
  expect(ys.every((y) => y >= 64 && y <= height - 34)).toBe(true);
});

test("a run that was met before what is shown has no mark beside the graph", () => {
  const more = { isMet: true, metSince: dayAgo(300), phases: [phase("IN_PROGRESS", 300)] };
  expect(drawn(more, ".goal-met", "x")).toEqual([]);
  expect(drawn({ ...more, metSince: dayAgo(5) }, ".goal-met", "x").length).toBe(1);
});

test("a point without an entry says how many sessions it had", () => {
  const silent = { ...pointAgo(5, 0), state: "SILENT", value: null };
  const text = pointText(silent as never, goal as never, (id) => id);
  expect(text).toEndWith(": nothing recorded in 1 session");
});
