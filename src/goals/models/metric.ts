import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { EnumField, Nullable } from "../../schema/fields.ts";

/** The metrics of a goal: baseline, success and maintenance. */

export const metricUnits = ["FREQUENCY", "DURATION", "COUNT", "PERCENTAGE"] as const;

/** Values of `frequencyUnit` and `observationPeriodUnit`. */
export const timeUnits = ["SECONDS", "MINUTES", "HOURS", "DAYS", "WEEKS", "MONTHS"] as const;

export const successCriteria = [
  "EQUAL_TO",
  "LESS_THAN",
  "LESS_THAN_OR_EQUAL_TO",
  "GREATER_THAN",
  "GREATER_THAN_OR_EQUAL_TO",
] as const;

export type SuccessCriteria = (typeof successCriteria)[number];

/** The purposes of a goal's three metrics. Each is the prefix of its field's name. */
export const metricPurposes = ["baseline", "success", "maintenance"] as const;

export type MetricPurpose = (typeof metricPurposes)[number];

/** The fields for the three metrics of a goal. */
export function metrics<Metric extends TSchema>(metric: Metric) {
  return { baselineMetric: metric, successMetric: metric, maintenanceMetric: metric };
}

const Unit = EnumField(metricUnits);
const Time = EnumField(timeUnits, { $id: "MetricTimeUnit" });
const Criteria = EnumField(successCriteria, { $id: "SuccessCriteria" });

/** A length of time, in the unit of the accompanying `…Unit` field. */
const Period = Type.Number({ minimum: 0 });

export const NewMetric = Type.Object(
  {
    value: Type.Number(),
    unit: Unit,
    frequencyUnit: Type.Optional(Time),
    observationPeriod: Type.Optional(Period),
    observationPeriodUnit: Type.Optional(Time),
    successCriteria: Type.Optional(Criteria),
  },
  {
    $id: "NewMetric",
    description: "Of a `PERCENTAGE`, the frequency and observation fields are not kept.",
  },
);

export const MetricUpdate = Type.Object(
  {
    value: Type.Optional(Type.Number()),
    unit: Type.Optional(Unit),
    frequencyUnit: Type.Optional(Nullable(Time)),
    observationPeriod: Type.Optional(Nullable(Period)),
    observationPeriodUnit: Type.Optional(Nullable(Time)),
    successCriteria: Type.Optional(Nullable(Criteria)),
  },
  { $id: "MetricUpdate", description: "Fields that are left out stay as they are." },
);

export const Metric = Type.Object(
  {
    publicId: Type.String(),
    value: Type.Number(),
    unit: Unit,
    frequencyUnit: Type.Optional(Nullable(Time)),
    observationPeriod: Type.Optional(Nullable(Period)),
    observationPeriodUnit: Type.Optional(Nullable(Time)),
    successCriteria: Nullable(Criteria),
  },
  {
    $id: "Metric",
    description: "A `PERCENTAGE` comes without the frequency and observation fields.",
  },
);

/** Metrics of opportunity goals have no frequency and no observation period. */
export const NewOpportunityMetric = Type.Object(
  {
    value: Type.Number(),
    unit: Unit,
    // Nullable, because clients send child goals back in updates as they received them.
    successCriteria: Type.Optional(Nullable(Criteria)),
  },
  { $id: "NewOpportunityMetric" },
);

export const OpportunityMetricUpdate = Type.Object(
  {
    value: Type.Optional(Type.Number()),
    unit: Type.Optional(Unit),
    successCriteria: Type.Optional(Nullable(Criteria)),
  },
  { $id: "OpportunityMetricUpdate", description: "Fields that are left out stay as they are." },
);

export const OpportunityMetric = Type.Object(
  {
    publicId: Type.String(),
    value: Type.Number(),
    unit: Unit,
    successCriteria: Nullable(Criteria),
  },
  { $id: "OpportunityMetric" },
);

export type Metric = Static<typeof Metric>;
export type OpportunityMetric = Static<typeof OpportunityMetric>;
export type NewMetric = Static<typeof NewMetric>;
export type MetricUpdate = Static<typeof MetricUpdate>;
