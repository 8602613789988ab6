/** Enumerations of goals (specification, section 4.8). */

export const statuses = [
  ...["BASELINE", "IN_MAINTENANCE", "MASTERED", "ARCHIVED"],
  ...["IN_PROGRESS", "DISCONTINUED", "FUTURE", "ON_HOLD"],
];
export const dataCollectionTypes = ["FREQUENCY_ONLY", "DURATION_ONLY", "FREQUENCY_AND_DURATION"];
export const units = ["FREQUENCY", "DURATION", "COUNT", "PERCENTAGE"];
export const timeUnits = ["SECONDS", "MINUTES", "HOURS", "DAYS", "WEEKS", "MONTHS"];
export const criteria = [
  "EQUAL_TO",
  ...["LESS_THAN", "LESS_THAN_OR_EQUAL_TO", "GREATER_THAN", "GREATER_THAN_OR_EQUAL_TO"],
];
export const skillTypes = ["SINGLE_TARGET_GOAL", "CHAINED_GOAL", "CHAINED_GOAL_TARGET"];
export const outcomes = ["SUCCESS", "FAILURE", "PROMPTED", "NO_RESPONSE"];
export const recordingTypes = ["WHOLE", "PARTIAL", "MOMENTARY"];
