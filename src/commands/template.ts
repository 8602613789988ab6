import { fileOfList, fileOfType, userListNames } from "../practice-file/csv-columns.ts";
import { fillFolder } from "../practice-file/csv-write.ts";
import type { CredentialEntry, PayorEntry, PracticeRecord } from "../practice-file/model.ts";
import type { Instant } from "../lib/instant.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import type { Output } from "./output.ts";

/** A small example practice, with a comment on each record. */
const practice: [record: PracticeRecord, comment: string][] = [
  [
    {
      type: "organization",
      publicId: "org_example",
      name: "Example Street ABA",
      timezone: "America/New_York" as TimeZone,
    },
    "the practice itself, first and once; keys are made for its id",
  ],
  [
    { type: "location", publicId: "loc_main", name: "Main clinic" },
    "a place; bring the ids of your own system, they stay as they are",
  ],
  [{ type: "payor", publicId: "pay_acme", name: "Acme Health" }, "who pays"],
  [
    {
      type: "serviceLine",
      publicId: "svc_97153",
      name: "Adaptive behavior treatment (97153)",
      billingUnitMinutes: 15,
    },
    "what is billed, in units of so many minutes; null for a visit",
  ],
  [
    { type: "nonBillableCode", publicId: "nbc_meeting", name: "Team meeting" },
    "what time is called that nobody pays for",
  ],
  [
    { type: "specialization", publicId: "spec_early", name: "Early intervention" },
    "what providers specialize in",
  ],
  [
    { type: "intakeStage", publicId: "stage_new", key: "LEAD", name: "New lead", position: 1 },
    "a column of the intake board; new leads begin on the first",
  ],
  [
    { type: "intakeLabel", publicId: "lbl_web", name: "From the website" },
    "a label of the intake board",
  ],
  [
    {
      type: "user",
      publicId: "usr_tech",
      role: "TECHNICIAN",
      firstName: "Ana",
      lastName: "Ruiz",
      email: "ana@example.com",
      specializationIds: ["spec_early"],
      locationIds: ["loc_main"],
    },
    "somebody who works for the practice; the role says what else there may be",
  ],
  [
    {
      type: "user",
      publicId: "usr_parent",
      role: "CAREGIVER",
      firstName: "Kim",
      lastName: "Park",
      email: "kim@example.com",
    },
    "a parent",
  ],
  [
    {
      type: "user",
      publicId: "usr_child",
      role: "PATIENT",
      firstName: "Leo",
      lastName: "Park",
      userStatus: "ACTIVE",
      birthDate: "2019-04-02" as CalendarDate,
      caregiverId: "usr_parent",
      timezone: "America/New_York" as TimeZone,
      locationIds: ["loc_main"],
      clinicianIds: ["usr_tech"],
    },
    "a patient; without a timezone utilization asks for one, without a userStatus it is LEAD",
  ],
  [
    {
      type: "authorizationPool",
      publicId: "apool_1",
      patientId: "usr_child",
      payorId: "pay_acme",
      totalUnits: 160,
      unitFrequency: "MONTHLY",
      isUnlimited: false,
    },
    "units that several authorizations of a patient share",
  ],
  [
    {
      type: "authorization",
      publicId: "auth_1",
      patientId: "usr_child",
      authorizationPoolId: "apool_1",
      authorizationNumber: "A-100",
      authorizationStatus: "AUTHORIZED",
      serviceLineId: "svc_97153",
      authorizationDate: "2026-01-07" as CalendarDate,
      authorizationExpirationDate: "2026-12-31" as CalendarDate,
    },
    "what the payor allows; without a pool it has authorizedUnitsQuantity and authorizedUnitFrequency",
  ],
  [
    {
      type: "session",
      publicId: "apt_1",
      title: "Direct therapy",
      status: "CONFIRMED",
      startTime: "2026-03-02T14:00:00.000Z" as Instant,
      endTime: "2026-03-02T16:00:00.000Z" as Instant,
      isSupervision: false,
      isClientPresent: true,
      placeOfService: "OFFICE",
      locationId: "loc_main",
      technicianId: "usr_tech",
      clientId: "usr_child",
      isBillable: true,
      isTelehealth: false,
      services: "svc_97153",
      authorizationId: "auth_1",
    },
    "an appointment; one that is not billable has a nonBillableCode and none of the last fields",
  ],
  [
    {
      type: "encounter",
      publicId: "enc_1",
      authorizationId: "auth_1",
      sessionId: "apt_1",
      startTime: "2026-03-02T14:00:00.000Z" as Instant,
      units: 8,
    },
    "units that were delivered",
  ],
  [
    {
      type: "intakeLead",
      publicId: "lead_1",
      clientId: "usr_child",
      caregiverId: "usr_parent",
      relationship: "MOTHER",
      stageId: "stage_new",
      labelIds: ["lbl_web"],
    },
    "how the family came",
  ],
  [
    {
      type: "treatmentPlan",
      publicId: "tp_1",
      patientId: "usr_child",
      name: "Plan of spring",
    },
    "what goals are on",
  ],
  [
    {
      type: "goal",
      publicId: "goal_calm",
      treatmentPlanId: "tp_1",
      goalType: "rating",
      title: "Calm transitions",
    },
    "a goal; the goalType says what else it has",
  ],
];

/** A second record of some types, for CSV: with only one row, it is easily mistaken for the header. */
const seconds: PracticeRecord[] = [
  { type: "location", publicId: "loc_north", name: "North clinic" },
  { type: "payor", publicId: "pay_birch", name: "Birch Mutual" },
  {
    type: "serviceLine",
    publicId: "svc_visit",
    name: "Assessment visit",
    billingUnitMinutes: null,
  },
  { type: "nonBillableCode", publicId: "nbc_travel", name: "Travel" },
  { type: "specialization", publicId: "spec_feeding", name: "Feeding" },
  { type: "intakeStage", publicId: "stage_waiting", name: "Waiting list", position: 2 },
  { type: "intakeLabel", publicId: "lbl_urgent", name: "Urgent" },
  {
    type: "user",
    publicId: "usr_second",
    role: "PATIENT",
    firstName: "Mia",
    lastName: "Park",
    userStatus: "ACTIVE",
    caregiverId: "usr_parent",
    timezone: "America/New_York" as TimeZone,
    locationIds: ["loc_main", "loc_north"],
    payors: [insured("pay_acme", "PRIMARY"), insured("pay_birch", "SECONDARY")],
  },
  {
    type: "user",
    publicId: "usr_lead",
    role: "CLINICIAN",
    firstName: "Noor",
    lastName: "Haddad",
    careTeamTechnicianIds: ["usr_tech"],
    credentials: [credential("BCBA", "C-1"), credential("LBA", "C-2")],
  },
  {
    type: "authorizationPool",
    publicId: "apool_2",
    patientId: "usr_second",
    payorId: "pay_acme",
    totalUnits: 0,
    unitFrequency: "TOTAL",
    isUnlimited: true,
  },
  {
    type: "authorization",
    publicId: "auth_2",
    patientId: "usr_second",
    authorizationNumber: "A-101",
    authorizationStatus: "AUTHORIZED",
    authorizedUnitsQuantity: 40,
    authorizedUnitFrequency: "WEEKLY",
    serviceLineId: "svc_97153",
    authorizationDate: "2026-01-07" as CalendarDate,
    authorizationExpirationDate: "2026-12-31" as CalendarDate,
  },
  {
    type: "session",
    publicId: "apt_2",
    title: "Team meeting",
    status: "CONFIRMED",
    startTime: "2026-03-03T14:00:00.000Z" as Instant,
    endTime: "2026-03-03T15:00:00.000Z" as Instant,
    isSupervision: false,
    isClientPresent: false,
    placeOfService: "OFFICE",
    locationId: "loc_main",
    technicianId: "usr_tech",
    isBillable: false,
    nonBillableCode: "nbc_meeting",
  },
  {
    type: "encounter",
    publicId: "enc_2",
    authorizationId: "auth_2",
    startTime: "2026-03-04T14:00:00.000Z" as Instant,
    units: 4,
  },
  {
    type: "intakeLead",
    publicId: "lead_2",
    clientId: "usr_second",
    caregiverId: "usr_parent",
    relationship: "MOTHER",
  },
  { type: "treatmentPlan", publicId: "tp_2", patientId: "usr_second", name: "Plan of spring" },
  {
    type: "goal",
    publicId: "goal_wait",
    treatmentPlanId: "tp_2",
    goalType: "interval",
    title: "Waiting",
    intervalDuration: 30,
    intervalQuantity: 10,
    sets: 1,
    intervalRecordingType: "WHOLE",
  },
];

function insured(payorId: string, priority: string): PayorEntry {
  return {
    payorId,
    priority,
    relationshipToPatient: "CHILD",
    insuredBirthDate: "1990-05-06" as CalendarDate,
    insuredAddress: { addressLine1: "1 Example Street", city: "Albany", state: "NY" },
    memberId: "M-100",
    groupId: "G-1",
    planHolder: "Kim Park",
    effectiveStartDate: "2026-01-01" as CalendarDate,
  };
}

function credential(credentialType: string, credentialNumber: string): CredentialEntry {
  return {
    credentialType,
    practiceArea: "ABA",
    credentialNumber,
    expiresAt: "2028-01-01T00:00:00.000Z" as Instant,
    credentialStatus: "ACTIVE",
  };
}

/**
 * Writes the example as a practice file, with comments on standard error; or as CSV into a new folder, mostly with two
 * rows per file.
 *
 * @throws Refused if the folder is not empty, or cannot be written.
 */
export async function templateCommand(
  output: Output,
  { csv: folder }: { csv?: string } = {},
): Promise<void> {
  if (folder !== undefined) return writeTables(folder, output);
  for (const [index, [record, comment]] of practice.entries()) {
    output.result(JSON.stringify(record));
    output.words(`line ${index + 1}: ${record.type}: ${comment}`);
  }
  output.words("docs/practice-file.md says all fields; lines that you do not need may go.");
}

async function writeTables(folder: string, output: Output): Promise<void> {
  await fillFolder(folder, async (writer) => {
    for (const record of [...practice.map(([first]) => first), ...seconds])
      writer.write(record.type, record);
  });
  const told = new Set<string>();
  for (const [{ type }, comment] of practice) {
    if (!told.has(type)) output.words(`${fileOfType(type)}: ${comment}`);
    told.add(type);
  }
  output.words(
    `${userListNames.map(fileOfList).join(", ")}: entries of a user, whose id is their publicId`,
  );
  output.words(
    `Wrote these files into ${folder}. docs/practice-file.md says all columns; files and columns that you do not need may go.`,
  );
}
