import type { OpenDatabase } from "../../../db/database.ts";
import { fileWith, newDatabase, openCopy } from "../harness.ts";
import type { Ids } from "../operations.ts";
import { onPostgresql } from "../postgresql/databases.ts";
import { exported } from "./fields.ts";
import { type Fields, mustImport } from "./practice-file.ts";
import {
  authorization,
  billedEncounter,
  encounter,
  lead,
  nonBillableSession,
  plan,
  pool,
  pooledAuthorization,
  session,
} from "./records/care.ts";
import { behaviorGoal, intervalGoal, ratingGoal, skillGoal } from "./records/goals.ts";
import { organization, referenceData } from "./records/reference-data.ts";
import { users } from "./records/users.ts";

export * from "./records/care.ts";
export * from "./records/goals.ts";
export * from "./records/reference-data.ts";
export * from "./records/users.ts";

const records: Fields[] = [
  organization,
  ...referenceData,
  ...users,
  pool,
  authorization,
  pooledAuthorization,
  session,
  {
    ...session,
    publicId: "apt_2",
    services: "svc_visit",
    authorizationId: "auth_2",
    status: "PATIENT_NO_SHOW",
  },
  nonBillableSession,
  {
    type: "session",
    publicId: "apt_4",
    title: "",
    status: "REQUESTED_TO_CANCEL",
    startTime: "2026-01-08T14:00:00.000Z",
    endTime: "2026-01-08T14:15:00.000Z",
    isSupervision: true,
    isClientPresent: false,
    placeOfService: "HOME",
    locationId: "loc_main",
    isBillable: true,
    isTelehealth: true,
    services: "svc_visit",
  },
  encounter,
  billedEncounter,
  lead,
  {
    type: "intakeLead",
    publicId: "lead_2",
    clientId: "usr_kid2",
    caregiverId: "usr_care",
    relationship: "UNKNOWN",
    createdAt: "2025-12-01T10:00:00.000Z",
  },
  plan,
  { type: "treatmentPlan", publicId: "tp_2", patientId: "usr_kid2" },
  behaviorGoal,
  skillGoal,
  intervalGoal,
  ratingGoal,
];

/**
 * A practice with every type of record and every field, as an export writes it: records in the order of the table, then
 * by id, with fields in the documented order.
 */
export const fullPractice = records.map(exported);

let file: Promise<Buffer> | undefined;

/** A database with the full practice: a copy of a file, which takes a tenth of the time of an import. */
export async function databaseOfFullPractice(): Promise<OpenDatabase> {
  if (!onPostgresql) {
    file ??= fileWith((database) => mustImport(database, fullPractice));
    return openCopy(await file);
  }
  const database = await newDatabase();
  await mustImport(database, fullPractice);
  return database;
}

const idOf: Record<string, string> = {
  ...{ patient: "usr_kid", technician: "usr_tech", clinician: "usr_bcba", payor: "pay_acme" },
  ...{ specialization: "spec_early", location: "loc_main", stage: "stage_lead", label: "lbl_web" },
  ...{ authorization: "auth_1", member: "auth_2", pool: "apool_1", plan: "tp_1", lead: "lead_1" },
  ...{ session: "apt_1", encounter: "enc_1", organization: "org_maple" },
  ...{ goal: "goal_behavior", skill: "goal_hands", step: "goal_a_soap", entry: "trial_1" },
};

/** The ids of the records of the full practice. */
export const idsOfFullPractice: Ids = (kind) => idOf[kind] ?? "";
