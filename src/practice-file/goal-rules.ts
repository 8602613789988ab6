import { metricPurposes } from "../goals/models/metric.ts";
import { MAX_GOALS_OF_TREE, TREE_TOO_BIG } from "../goals/models/opportunity.ts";
import type { ChildGoalEntry, GoalRecord } from "./goals.ts";
import type { RecordLine } from "./record-line.ts";

type AnyGoal = GoalRecord | ChildGoalEntry;
type Path = (string | number)[];

/** The rules of a goal's record that its fields one by one cannot break. */
export function checkGoalTree(record: GoalRecord, line: RecordLine): void {
  if (goalIds(record).length > MAX_GOALS_OF_TREE) line.refuse(["childGoals"], TREE_TOO_BIG);
  for (const { goal, path } of goalsOf(record, [])) {
    // The goal of the record itself has been noted with its line.
    if (path.length > 0) line.standAlone([...path, "publicId"], "goal", goal.publicId);
    checkPercentages(goal, path, line);
    checkRecordedData(goal, path, line);
  }
}

/** The ids of a goal and of all goals below it. */
export function goalIds(record: GoalRecord): string[] {
  return [...goalsOf(record, [])].map(({ goal }) => goal.publicId);
}

function* goalsOf(goal: AnyGoal, path: Path): Generator<{ goal: AnyGoal; path: Path }> {
  yield { goal, path };
  if (goal.goalType !== "opportunity") return;
  for (const [index, child] of (goal.childGoals ?? []).entries())
    yield* goalsOf(child, [...path, "childGoals", index]);
}

/** A percentage has no frequency and no observation period. */
function checkPercentages(goal: AnyGoal, path: Path, line: RecordLine): void {
  if (goal.goalType !== "frequency_duration") return;
  for (const purpose of metricPurposes) {
    const metric = goal[`${purpose}Metric`];
    if (metric.unit !== "PERCENTAGE") continue;
    for (const field of ["frequencyUnit", "observationPeriod", "observationPeriodUnit"] as const)
      if (metric[field] !== undefined)
        line.refuse([...path, `${purpose}Metric`, field], "Is no field of a PERCENTAGE metric");
  }
}

/** Each list of recorded data is found by the goal and an id. */
function checkRecordedData(goal: AnyGoal, path: Path, line: RecordLine): void {
  for (const [field, entries] of recordedLists(goal)) {
    const seen = new Set<string>();
    for (const [index, { publicId }] of entries.entries()) {
      if (seen.has(publicId))
        line.refuse([...path, field, index, "publicId"], "Stands in this list twice");
      seen.add(publicId);
    }
  }
}

function recordedLists(goal: AnyGoal): [string, readonly { publicId: string }[]][] {
  switch (goal.goalType) {
    case "frequency_duration":
      return [["behaviorInstances", goal.behaviorInstances ?? []]];
    case "opportunity":
      return [["skillTrials", goal.skillTrials ?? []]];
    case "rating":
      return [["ratingInstances", goal.ratingInstances ?? []]];
    case "interval":
      return [["intervalSets", goal.intervalSets ?? []]];
  }
}
