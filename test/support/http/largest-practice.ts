import { toInstant } from "../../../src/lib/instant.ts";
import type { PracticeRecord } from "../../../src/practice-file/model.ts";
import { exported } from "../practice-file/fields.ts";
import type { Fields } from "../practice-file/practice-file.ts";

/**
 * Practices with the longest lists and texts that a practice file can store, each at least once. Pages of 100 patients
 * and of 100 technicians are the largest that can be: users have all bytes that they may have, and names that are
 * repeated are as long as they may be.
 */

export const ORGANIZATION = "org_largest";

const MAX_LIST = 500;
/** An export also writes nulls, of which these records have some hundreds. */
const MAX_BYTES = 256 * 1024 - 6_000;
const MAX_AUTHORIZATIONS = 200;
const MAX_POOLS = 100;
const MAX_CREDENTIALING = 200;
/** Of each of a user's other lists. */
const MAX_OF_USER = 50;
/** 600 bytes. */
const LONGEST_NAME = "\u6f22".repeat(200);
/** A byte each. */
const shortText = (bytes: number) => "x".repeat(Math.min(bytes, 200));
const MAX_RECORDED = 100_000;
/** People of a page, each with lists of their own. */
const PEOPLE = 100;
const BUSY = 40_000;
const START = Date.parse("2026-03-02T14:00:00Z");
const MINUTE = 60_000;

const ids = (name: string, count = MAX_LIST) =>
  Array.from({ length: count }, (_, index) => `${name}_${index + 1}`);
const longId = (id: string) => id.padEnd(128, "_");
const longIds = (name: string, count: number) => ids(name, count).map(longId);
const bytesOf = (records: readonly object[]) =>
  records.reduce(
    (sum, record) => sum + Buffer.byteLength(JSON.stringify(exported(record as Fields))),
    0,
  );
const lasting = (start: number, minutes: number) => ({
  startTime: toInstant(start),
  endTime: toInstant(start + minutes * MINUTE),
});

export function* largestPractice(): Generator<PracticeRecord> {
  for (const record of records()) yield record as PracticeRecord;
}

function* records(): Generator<object> {
  yield* beginning(ORGANIZATION);
  for (const [type, all] of Object.entries(listed))
    for (const publicId of all) yield { type, publicId, name: LONGEST_NAME };
  yield {
    ...{ type: "serviceLine", publicId: LONG_SERVICE_LINE, name: LONGEST_NAME },
    billingUnitMinutes: 15,
  };
  for (const publicId of ids("label")) yield { type: "intakeLabel", publicId, name: "A label" };
  yield* people();
  yield* goals();
  yield* sessions();
}

function* beginning(organization: string): Generator<object> {
  yield { type: "organization", publicId: organization, name: "Largest", timezone: "UTC" };
  yield { type: "location", publicId: "loc_main", name: "Main clinic" };
  yield { type: "serviceLine", publicId: "svc_1", name: "Therapy", billingUnitMinutes: 15 };
  yield { type: "nonBillableCode", publicId: "nbc_1", name: "Meeting" };
  yield { type: "user", publicId: "usr_tech", role: "TECHNICIAN", ...name };
  yield { type: "user", publicId: "usr_leo", role: "PATIENT", ...name };
}

const name = { firstName: "Leo", lastName: "Park" };

/** What the longest lists of users refer to. */
const listed = {
  location: longIds("loc", MAX_OF_USER),
  payor: longIds("pay", MAX_CREDENTIALING),
  specialization: longIds("spec", MAX_OF_USER),
};
const LONG_SERVICE_LINE = longId("svc_long");
const technicianIds = longIds("usr_technician", PEOPLE);

function* people(): Generator<object> {
  for (const publicId of ids("usr_patient", PEOPLE)) yield* patientWithAll(publicId);
  for (const publicId of technicianIds) yield provider({ publicId, role: "TECHNICIAN" });
  for (const publicId of ids("usr_clinician", PEOPLE))
    yield provider({ publicId, role: "CLINICIAN", careTeamTechnicianIds: ["usr_tech"] });
  for (const publicId of longIds("usr_lead", MAX_LIST))
    yield {
      ...{ type: "user", publicId, role: "CLINICIAN", ...name },
      careTeamTechnicianIds: technicianIds,
    };
  yield { type: "intakeStage", publicId: "stage_1", name: "New", position: 1, isActive: true };
  yield { type: "user", publicId: "usr_caregiver", role: "CAREGIVER", ...name };
  for (const publicId of ids("lead", PEOPLE))
    yield {
      ...{ type: "intakeLead", publicId, clientId: "usr_leo", caregiverId: "usr_caregiver" },
      ...{ relationship: "GUARDIAN", stageId: "stage_1", labelIds: ids("label") },
      attribution: { referrer: "\u0001".repeat(10_000), landingPage: "\u0001".repeat(10_000) },
      ...{ source: "google", channel: "Paid Search", createdAt: "2026-01-01T00:00:00.000Z" },
    };
  yield {
    ...{ ...authorization, publicId: "auth_busy", patientId: "usr_leo", serviceLineId: "svc_1" },
    ...{ ...daily, payorId: listed.payor[0] },
  };
}

const authorization = {
  ...{ type: "authorization", authorizationNumber: "A-1", authorizationStatus: "AUTHORIZED" },
  ...{ serviceLineId: LONG_SERVICE_LINE, authorizationDate: "2026-01-01" },
  authorizationExpirationDate: "2026-12-31",
};
const daily = { authorizedUnitsQuantity: 100, authorizedUnitFrequency: "DAILY" };

/** A patient with all authorizations, half of them in a pool, all pools, and as many bytes as they may have. */
function* patientWithAll(publicId: string): Generator<object> {
  const number = publicId.split("_").at(-1);
  const pools = ids(`apool_${number}`, MAX_POOLS).map((id, index) => ({
    ...{ type: "authorizationPool", publicId: index === 0 ? `apool_${number}` : longId(id) },
    ...{ patientId: publicId, payorId: listed.payor[0] },
    ...{ totalUnits: 100, unitFrequency: "DAILY", isUnlimited: false },
  }));
  const authorizations = ids(`auth_${number}`, MAX_AUTHORIZATIONS).map((id, index) => ({
    ...{ ...authorization, publicId: longId(id), patientId: publicId },
    ...(index % 2 === 0 ? daily : { authorizationPoolId: pools[0]!.publicId }),
  }));
  const patient = (bytes: number) => {
    let left = bytes;
    const text = (most = 200) => {
      const taken = shortText(Math.min(left, most));
      left -= taken.length;
      return taken;
    };
    return {
      ...{ type: "user", publicId, role: "PATIENT", ...name, locationIds: listed.location },
      payors: listed.payor.slice(0, MAX_OF_USER).map((payorId) => ({
        ...{ payorId, priority: text(), relationshipToPatient: text() },
        ...{ insuredBirthDate: "1990-01-01", memberId: text(), groupId: text() },
        insuredAddress: { addressLine1: text(), addressLine2: text(), city: text(), state: text() },
        ...{ planHolder: text(), effectiveStartDate: "2026-01-01" },
      })),
    };
  };
  const size = (bytes: number) => bytesOf([patient(bytes), ...pools, ...authorizations]);
  yield patient(Math.max(0, MAX_BYTES - size(0)));
  yield* pools;
  yield* authorizations;
}

/** A provider with all credentials and as many bytes as they may have. */
function provider(own: {
  publicId: string;
  role: string;
  careTeamTechnicianIds?: string[];
}): object {
  const record = (bytes: number) => ({
    ...{ type: "user", ...own, ...name, locationIds: listed.location },
    ...{ specializationIds: listed.specialization, providerPayorIds: listed.payor },
    credentials: ids("credential", MAX_OF_USER).map((_, credential) => ({
      ...{ credentialType: "BCBA", practiceArea: "ABA", credentialNumber: `C-${credential}` },
      ...{ expiresAt: "2027-01-01T00:00:00.000Z", credentialStatus: "active" },
      payorCredentialing: listed.payor
        .slice(0, MAX_CREDENTIALING / MAX_OF_USER)
        .map((payorId, index) => ({
          ...{ publicId: `cred_${credential}_${index}_${own.publicId.slice(0, 40)}`, payorId },
          ...{ status: "approved", startDate: "2026-01-01" },
          notes: "x".repeat(Math.floor(bytes / MAX_CREDENTIALING)),
        })),
    })),
  });
  return record(MAX_BYTES - bytesOf([record(0)]));
}

/** The metrics of a goal, with ids of their own. */
function metricsOf(goalId: string) {
  const names = ["baseline", "success", "maintenance"];
  const metric = { value: 80, unit: "PERCENTAGE", successCriteria: "GREATER_THAN" };
  return Object.fromEntries(
    names.map((name) => [`${name}Metric`, { publicId: `${name}_${goalId}`, ...metric }]),
  );
}

const step = {
  ...{ goalType: "opportunity", status: "BASELINE", skillAcquisitionGoalType: "CHAINED_GOAL" },
  ...{ goalStatement: "x".repeat(10_000), enabledOutcomes: ["SUCCESS"] },
};

function* goals(): Generator<object> {
  yield { type: "treatmentPlan", publicId: "tp_1", patientId: "usr_leo" };
  const goal = {
    ...{ type: "goal", treatmentPlanId: "tp_1", goalType: "frequency_duration" },
    ...{
      dataCollectionType: "FREQUENCY_ONLY",
      status: "BASELINE",
      goalStatement: "x".repeat(10_000),
    },
    ...{ targetMaladaptiveBehaviorName: "Shouting", isBehavior: true },
  };
  for (const publicId of ids("goal_text", PEOPLE))
    yield { ...goal, publicId, ...metricsOf(publicId) };
  yield {
    ...{ ...goal, publicId: "goal_recorded", ...metricsOf("goal_recorded") },
    behaviorInstances: ids("behavior", MAX_RECORDED).map((publicId) => ({
      ...{ publicId, quantity: 1, happenedAt: "2026-02-01T10:00:00.000Z" },
    })),
  };
  yield {
    ...{ type: "goal", publicId: "goal_tree", treatmentPlanId: "tp_1", ...step },
    ...metricsOf("goal_tree"),
    childGoals: ids("goal_step", MAX_LIST - 1).map((publicId) => ({
      ...{ ...step, publicId, ...metricsOf(publicId) },
    })),
  };
}

/** Sessions of one technician on one day, with an encounter each, and supervisions beside them. */
function* sessions(): Generator<object> {
  for (let index = 0; index < BUSY; index += 1) {
    const publicId = `apt_busy_${index}`;
    yield {
      ...{ ...session(publicId), ...lasting(START + (index % 600) * MINUTE, 60) },
      ...{ clientId: "usr_leo", isBillable: true, isTelehealth: false, services: "svc_1" },
      authorizationId: "auth_busy",
    };
  }
  for (let index = 0; index < BUSY; index += 1)
    yield {
      ...{ type: "encounter", publicId: `enc_busy_${index}`, authorizationId: "auth_busy" },
      ...{ sessionId: `apt_busy_${index}`, startTime: toInstant(START), units: 4 },
    };
  for (let index = 0; index < BUSY / 10; index += 1)
    yield {
      ...{ ...session(`apt_super_${index}`), ...lasting(START + index * 10 * MINUTE, 5) },
      ...{ clientId: "usr_leo", isSupervision: true, technicianId: undefined },
      ...{ isBillable: false, nonBillableCode: "nbc_1" },
    };
}

function session(publicId: string) {
  return {
    ...{ type: "session", publicId, title: "Therapy", status: "CONFIRMED" },
    ...{ isSupervision: false, isClientPresent: true, placeOfService: "OFFICE" },
    ...{ locationId: "loc_main", technicianId: "usr_tech" },
  };
}

/**
 * Sessions of one technician, each so many minutes after the one before: at once, they have a finding of an overlap each;
 * one after the other, of a missing authorization.
 */
export function* overlappingSessions(
  organization: string,
  minutes: number,
  count = 8_000,
): Generator<PracticeRecord> {
  yield* beginning(organization) as Generator<PracticeRecord>;
  for (let index = 0; index < count; index += 1)
    yield {
      ...{
        ...session(`apt_${index}`),
        ...lasting(START - 50 * 86_400_000 + index * minutes * MINUTE, 60),
      },
      ...(minutes === 0
        ? { isBillable: false, nonBillableCode: "nbc_1" }
        : { isBillable: true, isTelehealth: false, services: "svc_1", clientId: "usr_leo" }),
    } as unknown as PracticeRecord;
}
