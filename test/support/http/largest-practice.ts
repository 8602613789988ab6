import { toInstant } from "../../../src/lib/instant.ts";
import type { PracticeRecord } from "../../../src/practice-file/model.ts";

/** Practices with the longest lists that a practice file can store, each at least once. */

export const ORGANIZATION = "org_largest";

const MAX_LIST = 500;
const MAX_RECORDED = 100_000;
/** People of a page, each with lists of their own. */
const PEOPLE = 100;
const BUSY = 40_000;
const START = Date.parse("2026-03-02T14:00:00Z");
const MINUTE = 60_000;

const ids = (name: string, count = MAX_LIST) =>
  Array.from({ length: count }, (_, index) => `${name}_${index + 1}`);
const lasting = (start: number, minutes: number) => ({
  startTime: toInstant(start),
  endTime: toInstant(start + minutes * MINUTE),
});

export function* largestPractice(): Generator<PracticeRecord> {
  for (const record of records()) yield record as PracticeRecord;
}

function* records(): Generator<object> {
  yield* beginning(ORGANIZATION);
  const locationIds = ids("loc");
  for (const publicId of locationIds) yield { type: "location", publicId, name: "A location" };
  const payorIds = ids("pay");
  for (const publicId of payorIds) yield { type: "payor", publicId, name: "A payor of some name" };
  for (const publicId of ids("label")) yield { type: "intakeLabel", publicId, name: "A label" };
  yield* people(locationIds, payorIds);
  yield* authorizations(payorIds);
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

function* people(locationIds: string[], payorIds: string[]): Generator<object> {
  for (const publicId of ids("usr_patient", PEOPLE))
    yield {
      ...{ type: "user", publicId, role: "PATIENT", ...name, locationIds },
      payors: payorIds.map((payorId) => ({
        ...{ payorId, priority: "PRIMARY", relationshipToPatient: "SELF" },
        ...{ insuredBirthDate: "1990-01-01", insuredAddress: {}, memberId: "M-1" },
        ...{ planHolder: "Leo Park", effectiveStartDate: "2026-01-01" },
      })),
    };
  for (const [index, publicId] of ids("usr_clinician", PEOPLE).entries())
    yield {
      ...{ type: "user", publicId, role: "CLINICIAN", ...name, locationIds },
      ...{ providerPayorIds: payorIds, careTeamTechnicianIds: ["usr_tech"] },
      credentials: payorIds.map((_, credential) => ({
        ...{ credentialType: "BCBA", practiceArea: "ABA", credentialNumber: `C-${credential}` },
        ...{ expiresAt: "2027-01-01T00:00:00.000Z", credentialStatus: "active" },
        payorCredentialing: payorIds.slice(0, 2).map((payorId) => ({
          ...{ publicId: `cred_${index}_${credential}_${payorId}`, payorId },
          ...{ status: "approved", startDate: "2026-01-01" },
        })),
      })),
    };
  yield { type: "intakeStage", publicId: "stage_1", name: "New", position: 1, isActive: true };
  yield { type: "user", publicId: "usr_caregiver", role: "CAREGIVER", ...name };
  for (const publicId of ids("lead", PEOPLE))
    yield {
      ...{ type: "intakeLead", publicId, clientId: "usr_leo", caregiverId: "usr_caregiver" },
      ...{ relationship: "GUARDIAN", stageId: "stage_1", labelIds: ids("label") },
      ...{ source: "google", channel: "Paid Search", createdAt: "2026-01-01T00:00:00.000Z" },
    };
}

function* authorizations(payorIds: string[]): Generator<object> {
  const authorization = {
    ...{ type: "authorization", authorizationNumber: "A-1", authorizationStatus: "AUTHORIZED" },
    ...{ serviceLineId: "svc_1", authorizationDate: "2026-01-01" },
    authorizationExpirationDate: "2026-12-31",
  };
  const units = { authorizedUnitsQuantity: 100, authorizedUnitFrequency: "DAILY" };
  yield {
    ...{ ...authorization, ...units, publicId: "auth_busy", patientId: "usr_leo" },
    payorId: payorIds[0],
  };
  for (const [index, patientId] of ids("usr_patient", PEOPLE).entries()) {
    const poolId = `apool_${index + 1}`;
    yield {
      ...{ type: "authorizationPool", publicId: poolId, patientId, payorId: payorIds[0] },
      ...{ totalUnits: 100, unitFrequency: "DAILY", isUnlimited: false },
    };
    for (const [place, publicId] of ids(`auth_${index + 1}`).entries()) {
      yield { ...authorization, ...units, publicId, patientId, payorId: payorIds[place] };
      yield {
        ...{ ...authorization, publicId: `${publicId}_pooled`, patientId },
        authorizationPoolId: poolId,
      };
    }
  }
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
