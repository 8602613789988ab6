import type { Fields } from "./practice-file.ts";

/** The table of the practice file, in its order: the fields of each variant of a record. */
const base =
  "type publicId role firstName lastName email phoneNumber isActive createdAt updatedAt npiNumber shouldSendSMS recertificationDate";
const provider =
  "credentials complianceCredentials specializationIds locationIds primaryLocationId providerPayorIds";
const admin = `${base} locationIds primaryLocationId`;
const goal = "type publicId treatmentPlanId goalType status phases";
const session =
  "type publicId title status startTime endTime isSupervision isClientPresent placeOfService locationId technicianId clientId isBillable";
const opportunity =
  "goalStatement skillAcquisitionGoalType shortDescription instructions skillCategory baselineDate targetAchievementDate progressSummary minTrialsCount enabledOutcomes autoProgressToMaintenanceEnabled autoProgressToMasteredEnabled baselineMetric successMetric maintenanceMetric childGoals skillTrials";

export const fieldTable: Record<string, string> = {
  organization: "type publicId name timezone weekStartsOn ownPatientsOnly goalDaysInARow",
  location: "type publicId name",
  payor: "type publicId name",
  serviceLine: "type publicId name billingUnitMinutes code modifiers recordsData isGroup kind",
  nonBillableCode: "type publicId name",
  specialization: "type publicId name isActive",
  intakeStage: "type publicId key name position isActive",
  intakeLabel: "type publicId name",
  PATIENT: `${base} userStatus sex birthDate caregiverId addressLine1 addressLine2 city state postalCode country timezone internalRecordId payors locationIds clinicianIds primaryClinicianId`,
  CLINICIAN: `${base} ${provider} careTeamTechnicianIds`,
  CLINICAL_ADMIN: `${base} ${provider} careTeamTechnicianIds`,
  CLINICAL_SUPERADMIN: `${base} ${provider} careTeamTechnicianIds`,
  TECHNICIAN: `${base} ${provider}`,
  ADMIN: admin,
  BILLING_MANAGER: admin,
  SCHEDULING_MANAGER: admin,
  PAYROLL_ADMIN: admin,
  CAREGIVER: base,
  authorizationPool: "type publicId patientId payorId totalUnits unitFrequency isUnlimited",
  authorization:
    "type publicId patientId authorizationPoolId payorId authorizationNumber authorizationStatus authorizedUnitsQuantity authorizedUnitFrequency serviceLineId authorizationDate authorizationExpirationDate",
  "session true": `${session} isTelehealth clinicianId providerLocationId services authorizationId`,
  "session false": `${session} nonBillableCode`,
  encounter: "type publicId authorizationId sessionId startTime units billed",
  intakeLead:
    "type publicId clientId caregiverId relationship stageId labelIds attribution source channel campaign createdAt",
  treatmentPlan: "type publicId patientId name",
  "goal frequency_duration": `${goal} dataCollectionType addedToTreatmentPlanAt goalStatement targetMaladaptiveBehaviorName definition instructions progressSummary baselineDate targetAchievementDate autoProgressToMaintenanceEnabled autoProgressToMasteredEnabled isBehavior baselineMetric successMetric maintenanceMetric behaviorInstances`,
  "goal opportunity": `${goal} ${opportunity}`,
  "goal rating": `${goal} title description instructions measurementType ratingInstances baselineDate targetAchievementDate`,
  "goal interval": `${goal} title description instructions measurementType intervalDuration intervalQuantity sets intervalRecordingType window intervalSets baselineDate targetAchievementDate`,
};

/** The fields of entries in lists and objects, by the field's name. */
const entryTable: Record<string, string> = {
  payors:
    "payorId priority relationshipToPatient insuredBirthDate insuredAddress memberId groupId planHolder effectiveStartDate effectiveEndDate",
  insuredAddress: "addressLine1 addressLine2 city state postalCode",
  credentials:
    "credentialType practiceArea credentialNumber expiresAt credentialStatus payorCredentialing",
  billed: "batch at takenBackAt line",
  payorCredentialing: "publicId payorId status startDate endDate notes",
  behaviorInstances: "publicId quantity happenedAt antecedent consequence durationSeconds",
  phases: "status since isAutomatic",
  childGoals: `publicId goalType status phases ${opportunity}`,
  "opportunity metric": "publicId value unit successCriteria",
  "frequency_duration metric":
    "publicId value unit frequencyUnit observationPeriod observationPeriodUnit successCriteria",
};

const LISTS = new Set(
  "payors billed modifiers locationIds clinicianIds credentials payorCredentialing complianceCredentials specializationIds providerPayorIds careTeamTechnicianIds labelIds childGoals skillTrials behaviorInstances ratingInstances intervalSets".split(
    " ",
  ),
);

/** The table's row for a record. */
export function rowOf(record: Fields): string {
  if (record.type === "user") return String(record.role);
  if (record.type === "session") return `session ${record.isBillable}`;
  if (record.type === "goal") return `goal ${record.goalType}`;
  return String(record.type);
}

/** Completes a record as an export writes it: all fields of its variant, null or an empty list without a value. */
export function exported(record: Fields): Fields {
  return filled(record, fieldTable[rowOf(record)] ?? "", record.goalType);
}

function filled(fields: Fields, names: string, kind: unknown): Fields {
  const known = names.split(" ");
  const others = Object.keys(fields).filter((name) => !known.includes(name));
  return Object.fromEntries(
    [...known, ...others].map((name) => [
      name,
      filledValue(name, fields[name] ?? noValue(name, fields), kind),
    ]),
  );
}

/** Nobody knows since when a goal without phases is in its status. */
function noValue(name: string, { status }: Fields): unknown {
  if (name === "recordsData" || name === "isGroup") return false;
  if (name === "phases") return [{ status, since: null, isAutomatic: false }];
  return LISTS.has(name) ? [] : null;
}

function filledValue(name: string, value: unknown, kind: unknown): unknown {
  const names = entryTable[name.endsWith("Metric") ? `${String(kind)} metric` : name];
  if (names === undefined || value === null) return value;
  if (!Array.isArray(value)) return filled(value as Fields, names, kind);
  return value.map((entry) => filled(entry as Fields, names, "opportunity"));
}
