import { describe, expect, test } from "bun:test";
import { kindOfRecord, type RecordType, recordTypes } from "../../src/practice-file/model.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";

/** The table of the practice file, in its own order. */
const base =
  "type publicId role firstName lastName email phoneNumber isActive createdAt updatedAt npiNumber shouldSendSMS recertificationDate";
const provider =
  "credentials complianceCredentials specializationIds locationIds primaryLocationId providerPayorIds";
const admin = `${base} locationIds primaryLocationId`;
const goal = "type publicId treatmentPlanId goalType status";
const session =
  "type publicId title status startTime endTime isSupervision isClientPresent placeOfService locationId technicianId clientId isBillable";

const table: Record<string, string> = {
  organization: "type publicId name timezone weekStartsOn",
  location: "type publicId name",
  payor: "type publicId name",
  serviceLine: "type publicId name billingUnitMinutes",
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
    "type publicId patientId authorizationPoolId authorizationNumber authorizationStatus authorizedUnitsQuantity authorizedUnitFrequency serviceLineId authorizationDate authorizationExpirationDate",
  "session true": `${session} isTelehealth clinicianId providerLocationId services authorizationId`,
  "session false": `${session} nonBillableCode`,
  encounter: "type publicId authorizationId sessionId startTime units",
  intakeLead:
    "type publicId clientId caregiverId relationship stageId labelIds attribution source channel campaign createdAt",
  treatmentPlan: "type publicId patientId name",
  "goal frequency_duration": `${goal} dataCollectionType addedToTreatmentPlanAt goalStatement targetMaladaptiveBehaviorName definition instructions progressSummary baselineDate targetAchievementDate autoProgressToMaintenanceEnabled autoProgressToMasteredEnabled isBehavior baselineMetric successMetric maintenanceMetric behaviorInstances`,
  "goal opportunity": `${goal} goalStatement skillAcquisitionGoalType shortDescription instructions skillCategory baselineDate targetAchievementDate progressSummary minTrialsCount enabledOutcomes autoProgressToMaintenanceEnabled autoProgressToMasteredEnabled baselineMetric successMetric maintenanceMetric childGoals skillTrials`,
  "goal rating": `${goal} title description instructions measurementType ratingInstances baselineDate targetAchievementDate`,
  "goal interval": `${goal} title description instructions measurementType intervalDuration intervalQuantity sets intervalRecordingType window intervalSets baselineDate targetAchievementDate`,
};

/** The row of the table that a record belongs to. */
function rowOf(record: Fields): string {
  if (record.type === "user") return String(record.role);
  if (record.type === "session") return `session ${record.isBillable}`;
  if (record.type === "goal") return `goal ${record.goalType}`;
  return String(record.type);
}

/** The fields that each schema takes, in its order. */
function schemaRows(): [string, string][] {
  return Object.keys(table).map((row) => {
    const [type = "", kind] = row.split(" ");
    const schema =
      type === type.toUpperCase()
        ? kindOfRecord("user", { role: type })
        : kindOfRecord(type as RecordType, { isBillable: kind === "true", goalType: kind });
    return [row, Object.keys(schema?.properties ?? {}).join(" ")];
  });
}

describe("the fields of a practice file", () => {
  test("are those of its table, in the table's order", () => {
    expect(Object.fromEntries(schemaRows())).toEqual(table);
    const types = new Set(fullPractice.map((record) => record.type));
    expect([...types]).toEqual([...recordTypes]);
  });

  test("are all in the full practice of these tests", () => {
    const missing = Object.entries(table).flatMap(([row, fields]) => {
      // Roles of one kind have the same fields; one of them shows them all.
      const given = fullPractice.filter((record) => table[rowOf(record)] === fields);
      const names = new Set(given.flatMap(Object.keys));
      return fields.split(" ").flatMap((field) => (names.has(field) ? [] : `${row} ${field}`));
    });
    expect(missing).toEqual([]);
  });
});
