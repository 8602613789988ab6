/** The types of record, in the order in which an export writes them: each after those that its records name. */
export const recordTypes = [
  "organization",
  "location",
  "payor",
  "serviceLine",
  "nonBillableCode",
  "specialization",
  "intakeStage",
  "intakeLabel",
  "user",
  "authorizationPool",
  "authorization",
  "session",
  "encounter",
  "intakeLead",
  "treatmentPlan",
  "goal",
] as const;

export type RecordType = (typeof recordTypes)[number];

/** The types whose records belong to an organization; all types except the organization itself. */
export type OwnedType = Exclude<RecordType, "organization">;

const types: ReadonlySet<unknown> = new Set(recordTypes);

export function isRecordType(text: unknown): text is RecordType {
  return types.has(text);
}
