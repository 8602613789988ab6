import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Line } from "../../../src/page/app/lib/base/lines.ts";
import {
  detailsOf,
  listed,
  reordering,
  nextPosition,
  useIn,
} from "../../../src/page/app/lib/practice/practice.ts";

/** The lists of the practice: what is said of their records, their order, and why a record stays. */

const stage = (publicId: string, position: number, name = publicId): Line => ({
  ...{ type: "intakeStage", publicId, position, name },
});

test("stages have their order, other lists that of names", () => {
  const lines = [
    { type: "payor", publicId: "pay_2", name: "Sunrise" },
    stage("stage_2", 7),
    { type: "payor", publicId: "pay_1", name: "Élan" },
    stage("stage_1", -3),
    { type: "payor", publicId: "pay_3", name: "northgate" },
  ];
  const idsOf = (type: "payor" | "intakeStage") => listed(lines, type).map((each) => each.publicId);
  expect(idsOf("payor")).toEqual(["pay_1", "pay_3", "pay_2"]);
  expect(idsOf("intakeStage")).toEqual(["stage_1", "stage_2"]);
});

test.each<[Line, string]>([
  [
    {
      ...{ type: "serviceLine", publicId: "svc_1", billingUnitMinutes: 15 },
      ...{ code: "97153", modifiers: ["HM", "U1"] },
    },
    "15 minutes a unit, 97153 HM U1",
  ],
  [
    { type: "serviceLine", publicId: "svc_2", billingUnitMinutes: null, code: null, modifiers: [] },
    "by visit, no code",
  ],
  [{ ...stage("stage_1", 1), key: "AUTH_REQUESTED" }, "stands for auth requested"],
  [{ type: "specialization", publicId: "spec_1", isActive: false }, "not offered any more"],
  [{ type: "location", publicId: "loc_1" }, ""],
])("beside a name stands what matters", (line, expected) => {
  expect(detailsOf(line)).toBe(expected);
});

test("a new stage stands behind all others", () => {
  expect(nextPosition([stage("a", 3), stage("b", 40), stage("c", -2)])).toBe(41);
  expect(nextPosition([])).toBe(1);
});

describe("a stage moves by one place", () => {
  const positions = fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 1, maxLength: 8 });
  const asked = fc.record({
    positions,
    index: fc.nat({ max: 7 }),
    by: fc.constantFrom<1 | -1>(1, -1),
  });
  const applied = (lines: Line[], changes: readonly Line[]): Line[] =>
    lines.map((line) => ({
      ...line,
      ...changes.find((change) => change.publicId === line.publicId),
    }));

  test("whatever the positions are, also equal ones; the undo brings each back", () => {
    fc.assert(
      fc.property(asked, ({ positions, index, by }) => {
        const stages = listed(
          positions.map((position, at) => stage(`stage_${at}`, position)),
          "intakeStage",
        );
        const id = stages[index]?.publicId ?? "stage_none";
        const { lines, undo } = reordering(stages, id, by);
        const ids = stages.map(({ publicId }) => publicId);
        const expected = ids.toSpliced(index, index < ids.length ? 1 : 0);
        const to = index + by;
        const isMoved = index < ids.length && to >= 0 && to < ids.length;
        if (isMoved) expected.splice(to, 0, id);
        else expect([lines, undo]).toEqual([[], []]);
        const moved = listed(applied(stages, lines), "intakeStage");
        expect(moved.map(({ publicId }) => publicId)).toEqual(isMoved ? expected : ids);
        expect(applied(applied(stages, lines), undo)).toEqual(stages);
      }),
    );
  });

  test("with two lines where the positions differ", () => {
    const stages = [stage("a", 10), stage("b", 20), stage("c", 30)];
    expect(reordering(stages, "c", -1).lines).toEqual([
      { type: "intakeStage", publicId: "c", position: 20 },
      { type: "intakeStage", publicId: "b", position: 30 },
    ]);
  });
});

test.each([
  [
    "payor pay_1: deleted: is named by authorization auth_1 and 3 others",
    ["authorization", "auth_1", "3 others"],
  ],
  ["is named by user usr_kid and 1 other", ["user", "usr_kid", "1 other"]],
  [
    "is named by session apt_7 and more than 1,000 others",
    ["session", "apt_7", "more than 1,000 others"],
  ],
  ["is named by intakeLead lead_1", ["intakeLead", "lead_1", ""]],
])("why a record stays: %s", (message, [type = "", publicId = "", others = ""]) => {
  expect(useIn(message)).toEqual({ type, publicId, others });
});

test("another refusal is none of these", () => {
  expect(useIn("Has changed since 7")).toBeUndefined();
});
