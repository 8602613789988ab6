import { authorization, importRecords, session } from "./imported-practices.ts";

/** A practice in which every name has 200 letters, without a place to break. */

export const LONG_ORGANIZATION = "org_long";

const LENGTH = 200;

const long = (start: string): string => start + "o".repeat(LENGTH - start.length);

const metric = (place: number): object => ({
  ...{ publicId: `metric_${place}`, value: 80, unit: "PERCENTAGE" },
  successCriteria: "GREATER_THAN_OR_EQUAL_TO",
});

export function importLongNames(folder: string): Promise<void> {
  const today = Temporal.Now.plainDateISO("UTC");
  const places = { timezone: "UTC", name: long("Practice") };
  const user = (publicId: string, role: string) => ({
    ...{ type: "user", publicId, role, firstName: long("First"), lastName: long("Last") },
    email: `${publicId}@example.org`,
  });
  return importRecords(folder, [
    { type: "organization", publicId: LONG_ORGANIZATION, ...places },
    { type: "location", publicId: "loc_1", name: long("Location") },
    { type: "payor", publicId: "pay_1", name: long("Payor") },
    {
      ...{ type: "serviceLine", publicId: "svc_1", name: long("Service") },
      ...{ billingUnitMinutes: 15, code: "97153" },
    },
    { type: "intakeStage", publicId: "stage_1", name: long("Stage"), position: 1 },
    { type: "intakeLabel", publicId: "lbl_1", name: long("Label") },
    user("usr_admin", "ADMIN"),
    { ...user("usr_technician", "TECHNICIAN"), phoneNumber: "+12125550123" },
    user("usr_caregiver", "CAREGIVER"),
    {
      ...user("usr_patient", "PATIENT"),
      ...{ userStatus: "ACTIVE", caregiverId: "usr_caregiver", city: long("City") },
      addressLine1: long("Street"),
    },
    {
      ...{ type: "intakeLead", publicId: "lead_1", clientId: "usr_patient" },
      ...{ caregiverId: "usr_caregiver", relationship: "MOTHER", stageId: "stage_1" },
      ...{ labelIds: ["lbl_1"], source: long("Source") },
    },
    {
      ...authorization({
        ...{ publicId: "auth_1", patientId: "usr_patient" },
        authorizationNumber: long("Number"),
        ...{ authorizedUnitsQuantity: 4, authorizedUnitFrequency: "WEEKLY" },
        authorizationDate: String(today.subtract({ days: 40 })),
        authorizationExpirationDate: String(today.add({ days: 20 })),
      }),
      payorId: "pay_1",
    },
    { type: "treatmentPlan", publicId: "tp_1", patientId: "usr_patient" },
    {
      ...{ type: "goal", publicId: "goal_1", treatmentPlanId: "tp_1", goalType: "opportunity" },
      ...{ status: "IN_PROGRESS", shortDescription: long("Goal"), goalStatement: long("Goal") },
      ...{ skillAcquisitionGoalType: "SINGLE_TARGET_GOAL", enabledOutcomes: ["SUCCESS"] },
      ...{ baselineMetric: metric(1), successMetric: metric(2), maintenanceMetric: metric(3) },
      targetAchievementDate: `${today.subtract({ days: 1 })}T00:00:00.000Z`,
      skillTrials: [-2, -1].map((days) => ({
        ...{ publicId: `trial_${days + 2}`, outcome: "SUCCESS" },
        happenedAt: `${today.add({ days })}T09:10:00.000Z`,
      })),
    },
    ...[-2, -1, 0, 1].map((days) =>
      session({
        ...{ publicId: `apt_${days + 2}`, title: long("Title"), authorizationId: "auth_1" },
        startTime: `${today.add({ days })}T09:00:00.000Z`,
        endTime: `${today.add({ days })}T09:30:00.000Z`,
        ...{ technicianId: "usr_technician", clientId: "usr_patient" },
      }),
    ),
  ]);
}
