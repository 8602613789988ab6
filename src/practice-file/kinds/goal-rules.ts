import { goalsIn, recordedOn } from "../../goals/document.ts";
import { metricPurposes } from "../../goals/models/metric.ts";
import { MAX_GOALS_OF_TREE } from "../../goals/models/opportunity.ts";
import { type ChildGoalEntry, type GoalRecord, MAX_RECORDED } from "../../goals/models/records.ts";
import type { Path } from "./problem.ts";
import type { Refuse } from "./record-kind.ts";

type AnyGoal = GoalRecord | ChildGoalEntry;

/** Checks rules of goal records that involve several fields. */
export function checkGoalTree(record: GoalRecord, refuse: Refuse): void {
  const goals = [...goalsIn<AnyGoal>(record)];
  if (goals.length > MAX_GOALS_OF_TREE)
    refuse({
      path: ["childGoals"],
      message: `must be at most ${MAX_GOALS_OF_TREE - 1} goals, including those below them`,
    });
  let recorded = 0;
  for (const { goal, path } of goals) {
    checkPhases(goal, path, refuse);
    checkPercentages(goal, path, refuse);
    recorded += checkRecordedData(goal, path, refuse);
  }
  if (recorded > MAX_RECORDED)
    refuse({
      path: [],
      message: "has more than 100,000 recorded data points, including those of its child goals",
    });
}

/** Phases rise, and only of the first one nobody may know when it began. */
function checkPhases({ phases }: AnyGoal, path: Path, refuse: Refuse): void {
  let last = "";
  for (const [index, { since }] of (phases ?? []).entries()) {
    const place = [...path, "phases", index, "since"];
    if (since === undefined && index > 0)
      refuse({
        path: place,
        message: "is required in all phases but the first",
        reason: "required",
      });
    if (since !== undefined && since < last)
      refuse({ path: place, message: "is before the phase before it", value: since });
    last = since ?? last;
  }
}

/** Percentages have no frequency and no observation period. */
function checkPercentages(goal: AnyGoal, path: Path, refuse: Refuse): void {
  if (goal.goalType !== "frequency_duration") return;
  for (const purpose of metricPurposes) {
    const metric = goal[`${purpose}Metric`];
    if (metric.unit !== "PERCENTAGE") continue;
    for (const field of ["frequencyUnit", "observationPeriod", "observationPeriodUnit"] as const)
      if (metric[field] !== undefined)
        refuse({
          path: [...path, `${purpose}Metric`, field],
          message: "is no field of a PERCENTAGE metric",
          reason: "unknown_field",
        });
  }
}

/** Checks that the ids of recorded data are unique. Returns their number. */
function checkRecordedData(goal: AnyGoal, path: Path, refuse: Refuse): number {
  const { field, entries } = recordedOn(goal);
  const seen = new Set<unknown>();
  for (const [index, { publicId }] of entries.entries()) {
    if (seen.has(publicId))
      refuse({
        path: [...path, field, index, "publicId"],
        message: "is in this list twice",
        reason: "duplicate",
        value: publicId,
      });
    seen.add(publicId);
  }
  return entries.length;
}
