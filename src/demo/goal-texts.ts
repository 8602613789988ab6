import type { GoalRecord } from "../practice-file/model.ts";
import texts from "./goals.json";

/** The texts of treatment plans. `{name}` in them is replaced by the child's first name. */
export const goalTexts = texts as Omit<typeof texts, "behaviors" | "intervals" | "summaries"> & {
  behaviors: readonly Behavior[];
  intervals: readonly Observation[];
  /** Of the progress, by the status of a goal. */
  summaries: Partial<Record<GoalStatus, readonly string[]>>;
};

export type GoalStatus = NonNullable<GoalRecord["status"]>;

export type Behavior = Omit<(typeof texts)["behaviors"][number], "dataCollectionType"> & {
  /** In occurrences a week; `DURATION_ONLY` in minutes an hour. Those that are `isBehavior` should decrease. */
  dataCollectionType: "FREQUENCY_ONLY" | "DURATION_ONLY" | "FREQUENCY_AND_DURATION";
};

/** An interval recording: sets of `quantity` intervals of `duration` seconds. */
export type Observation = Omit<(typeof texts)["intervals"][number], "type"> & {
  type: "WHOLE" | "PARTIAL" | "MOMENTARY";
  /** For momentary recording: the number of seconds around the end of an interval. */
  window?: number;
};
