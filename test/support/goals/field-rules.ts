import type { GoalType } from "../../../src/goals/models/common.ts";
import type { Issue, IssueCode } from "../../../src/lib/errors.ts";
import type { Json } from "./bodies.ts";

/** The values that each field of a goal refuses, with the issues. Used for creates and updates. */

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

/** A field's JSON type, and the values of that type that it refuses. */
interface FieldRule {
  expected: string;
  refused: [value: unknown, code: IssueCode, message: string][];
}

const FORBIDDEN = "Must not contain U+0000 or an unpaired surrogate";

const text: FieldRule = {
  expected: "string",
  refused: [
    ["a\0b", "custom", FORBIDDEN],
    ["\ud800", "custom", FORBIDDEN],
    ["a\udc00b", "custom", FORBIDDEN],
  ],
};

const filled: FieldRule = {
  expected: "string",
  refused: [...text.refused, ["", "too_small", "String must contain at least 1 character(s)"]],
};

const instant: FieldRule = {
  expected: "string",
  refused: [
    ...["", "2026-03-01", "2024-02-30T00:00:00Z", "2026-03-01T09:00:00", "tomorrow"].map(
      (value): [unknown, IssueCode, string] => [
        value,
        "invalid_date",
        "Must be an ISO 8601 timestamp with Z or an offset, such as 2025-03-01T14:00:00.000Z",
      ],
    ),
    ["2026-03-01T09:00:00Z\0", "custom", FORBIDDEN],
  ],
};

const oneOf = (values: string[]): FieldRule => ({
  expected: "string",
  refused: [
    ...["", "NOPE", values[0]?.toLowerCase(), ` ${values[0]}`].map(
      (value): [unknown, IssueCode, string] => [
        value,
        "invalid_enum_value",
        `Invalid enum value. Expected ${values.map((one) => `'${one}'`).join(" | ")}`,
      ],
    ),
    ["\0", "custom", FORBIDDEN],
  ],
});

const toggle: FieldRule = { expected: "boolean", refused: [] };
const number: FieldRule = { expected: "number", refused: [] };

const positive: FieldRule = {
  expected: "number",
  refused: [0, -0.001, -1].map((value) => [value, "too_small", "Number must be greater than 0"]),
};

const notNegative: FieldRule = {
  expected: "number",
  refused: [[-0.001, "too_small", "Number must be greater than or equal to 0"]],
};

const largest = Number.MAX_SAFE_INTEGER;
const noFraction: FieldRule["refused"] = [
  [1.5, "invalid_type", "Expected integer, received float"],
  [largest + 1, "too_big", `Number must be less than or equal to ${largest}`],
  [1e300, "too_big", `Number must be less than or equal to ${largest}`],
];

const count: FieldRule = {
  expected: "integer",
  refused: [...noFraction, [-1, "too_small", "Number must be greater than or equal to 0"]],
};

const positiveCount: FieldRule = {
  expected: "integer",
  refused: [
    ...noFraction,
    [0.5, "invalid_type", "Expected integer, received float"],
    ...[0, -1].map((value): [unknown, IssueCode, string] => [
      value,
      "too_small",
      "Number must be greater than 0",
    ]),
  ],
};

const order: FieldRule = {
  expected: "integer",
  refused: [
    ...noFraction,
    [-largest - 1, "too_small", `Number must be greater than or equal to ${-largest}`],
  ],
};

const list: FieldRule = { expected: "array", refused: [] };
const object: FieldRule = { expected: "object", refused: [] };

/** By the path of the field, joined with dots. */
export type FieldRules = Record<string, FieldRule>;

export const commonRules: FieldRules = {
  treatmentPlanId: filled,
  status: oneOf(statuses),
  targetAchievementDate: instant,
  baselineDate: instant,
};

const metricRules = (names: string[], rules: FieldRules): FieldRules =>
  Object.fromEntries(
    names.flatMap((name) => [
      [name, object] as const,
      ...Object.entries(rules).map(([field, rule]) => [`${name}.${field}`, rule] as const),
    ]),
  );

const purposes = ["baselineMetric", "successMetric", "maintenanceMetric"];
const opportunityMetric = {
  value: number,
  unit: oneOf(units),
  successCriteria: oneOf(criteria),
};
const metric = {
  value: number,
  unit: oneOf(units),
  frequencyUnit: oneOf(timeUnits),
  observationPeriod: notNegative,
  observationPeriodUnit: oneOf(timeUnits),
  successCriteria: oneOf(criteria),
};

const childRules = (child: string): FieldRules => ({
  [child]: object,
  [`${child}.skillAcquisitionGoalType`]: oneOf(skillTypes),
  [`${child}.goalStatement`]: filled,
  [`${child}.enabledOutcomes`]: list,
  [`${child}.enabledOutcomes.0`]: oneOf(outcomes),
  ...metricRules(
    purposes.map((purpose) => `${child}.${purpose}`),
    opportunityMetric,
  ),
  [`${child}.childGoals`]: list,
});

/** The fields of each type that creates and updates share. */
export const kindRules: Record<GoalType, FieldRules> = {
  frequency_duration: {
    goalStatement: filled,
    ...metricRules(purposes, metric),
    targetMaladaptiveBehaviorName: text,
    definition: text,
    instructions: text,
    progressSummary: text,
    autoProgressToMaintenanceEnabled: toggle,
    autoProgressToMasteredEnabled: toggle,
    isBehavior: toggle,
    dataCollectionType: oneOf(dataCollectionTypes),
  },
  opportunity: {
    skillAcquisitionGoalType: oneOf(skillTypes),
    goalStatement: filled,
    enabledOutcomes: list,
    "enabledOutcomes.0": oneOf(outcomes),
    "enabledOutcomes.2": oneOf(outcomes),
    ...metricRules(purposes, opportunityMetric),
    shortDescription: text,
    instructions: text,
    skillCategory: text,
    minTrialsCount: count,
    autoProgressToMaintenanceEnabled: toggle,
    autoProgressToMasteredEnabled: toggle,
    childGoals: list,
    ...childRules("childGoals.1"),
    ...childRules("childGoals.0.childGoals.0"),
  },
  rating: { title: filled, description: text, instructions: text },
  interval: {
    title: filled,
    description: text,
    instructions: text,
    intervalDuration: positive,
    intervalQuantity: positiveCount,
    sets: positiveCount,
    intervalRecordingType: oneOf(recordingTypes),
    window: positive,
  },
};

/** The fields of each type that only updates have, or validate more strictly. */
export const updateRules: Record<GoalType, FieldRules> = {
  frequency_duration: {},
  opportunity: { progressSummary: text, orderAmongSiblings: order },
  rating: { description: filled, instructions: filled },
  interval: { description: filled, instructions: filled },
};

/**
 * All refused values of every field, with the issue. Values of other JSON types are tested in
 * `test/documentation/json-types.test.ts`.
 */
export function refusals(rules: FieldRules): [path: string, value: unknown, issue: Issue][] {
  return Object.entries(rules).flatMap(([name, { refused }]) =>
    refused.map(([value, code, message]): [string, unknown, Issue] => [
      name,
      value,
      { code, message, path: pathOf(name) },
    ]),
  );
}

export function pathOf(name: string): (string | number)[] {
  return name.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** The type that a field expects, for the message about null. */
export function expectedAt(rules: FieldRules, name: string): string {
  return rules[name]?.expected ?? "";
}

/** Copies a body with another value at a path; undefined removes the field. */
export function withValue(body: Json, name: string, value: unknown): Json {
  const copy = structuredClone(body);
  const path = pathOf(name);
  let target = copy as Record<string | number, unknown>;
  for (const part of path.slice(0, -1)) target = target[part] as typeof target;
  target[path.at(-1) ?? ""] = value;
  return copy;
}
