import { describe } from "bun:test";
import {
  behaviorGoal,
  clinician,
  encounter,
  intervalGoal,
  lead,
  nonBillableSession,
  patient,
  pool,
  ratingGoal,
  session,
  skillGoal,
  technician,
} from "../support/practice-file/full-practice.ts";
import { type Fields } from "../support/practice-file/practice-file.ts";
import { databaseOfFullPractice, refused, without } from "../support/practice-file/refusals.ts";

/** Fields that a record does not have, and values that a field does not take. */

const database = await databaseOfFullPractice();

const location = { type: "location", publicId: "loc_new", name: "New" };
const TEXT = "Must not contain U+0000 or an unpaired surrogate";
const DATE = "Must be a calendar date that exists, written YYYY-MM-DD";
const INSTANT =
  "Must be an ISO 8601 timestamp with Z or an offset, such as 2025-03-01T14:00:00.000Z";

describe("a field", () => {
  refused(database, [
    [
      "that the type does not have",
      { ...location, city: "Burlington" },
      "location loc_new: city: Is no field of this record",
    ],
    [
      "that a nested entry does not have",
      { ...patient, payors: [{ ...(patient.payors as Fields[])[0], payorName: "Acme" }] },
      "user usr_kid: payors[0].payorName: Is no field of this record",
    ],
    [
      "that an attribution does not have",
      { ...lead, attribution: { utm_id: "1" } },
      "intakeLead lead_1: attribution.utm_id: Is no field of this record",
    ],
    [
      "of patients on a technician",
      { ...technician, birthDate: "1990-01-01" },
      "user usr_tech: birthDate: Is no field of this record",
    ],
    [
      "of clinicians on a technician",
      { ...technician, careTeamTechnicianIds: [] },
      "user usr_tech: careTeamTechnicianIds: Is no field of this record",
    ],
    [
      "of the API on a technician",
      { ...technician, careTeamLeadIds: [] },
      "user usr_tech: careTeamLeadIds: Is no field of this record",
    ],
    [
      "of providers on a patient",
      { ...patient, primaryLocationId: "loc_main" },
      "user usr_kid: primaryLocationId: Is no field of this record",
    ],
    [
      "of billable sessions on another",
      { ...nonBillableSession, services: "svc_97153" },
      "session apt_3: services: Is no field of this record",
    ],
    [
      "of other sessions on a billable one",
      { ...session, nonBillableCode: "nbc_meeting" },
      "session apt_1: nonBillableCode: Is no field of this record",
    ],
    [
      "of another kind of goal",
      { ...ratingGoal, goalStatement: "Calm." },
      "goal goal_rating: goalStatement: Is no field of this record",
    ],
    [
      "whose name is no word",
      { ...location, "Leo Park\u0007": 1 },
      "location loc_new: ?: Is no field of this record",
    ],
    [
      "that every object inherits",
      '{"type":"location","publicId":"loc_new","name":"New","__proto__":{}}',
      "location loc_new: __proto__: Is no field of this record",
    ],
    ["that is required and missing", without(session, "title"), "session apt_1: title: Required"],
    [
      "that is required and null",
      { ...location, name: null },
      "location loc_new: name: Expected string, received null",
    ],
    [
      "that must have something in it",
      { ...location, name: "" },
      "location loc_new: name: String must contain at least 1 character(s)",
    ],
    [
      "of a name that is blank",
      { ...patient, firstName: " " },
      "user usr_kid: firstName: String must contain at least 1 character(s)",
    ],
    ["with U+0000", { ...location, name: "a\0b" }, `location loc_new: name: ${TEXT}`],
    [
      "with half of a surrogate pair",
      '{"type":"location","publicId":"loc_new","name":"\\ud800"}',
      `location loc_new: name: ${TEXT}`,
    ],
    [
      "with U+0000 in a nested text",
      { ...lead, attribution: { referrer: "\0" } },
      `intakeLead lead_1: attribution.referrer: ${TEXT}`,
    ],
    [
      "of the wrong type",
      { ...session, isSupervision: "false" },
      "session apt_1: isSupervision: Expected boolean, received string",
    ],
    [
      "that is no text of its set",
      { ...session, status: "confirmed" },
      "session apt_1: status: Invalid enum value. Expected 'CONFIRMED' | 'UNCONFIRMED' | 'DECLINED' | 'PATIENT_NO_SHOW' | 'REQUESTED_TO_CANCEL'",
    ],
    [
      "that is no date",
      { ...patient, birthDate: "2019-02-30" },
      `user usr_kid: birthDate: ${DATE}`,
    ],
    [
      "that is no instant",
      { ...encounter, startTime: "2026-01-08" },
      `encounter enc_1: startTime: ${INSTANT}`,
    ],
    [
      "that is no instant, in a list",
      {
        ...clinician,
        credentials: [{ ...(clinician.credentials as Fields[])[0], expiresAt: "2027" }],
      },
      `user usr_bcba: credentials[0].expiresAt: ${INSTANT}`,
    ],
    [
      "several of a line",
      { type: "encounter", publicId: "enc_9", units: -1, note: "x" },
      "encounter enc_9: authorizationId: Required",
      "encounter enc_9: startTime: Required",
      "encounter enc_9: units: Number must be greater than or equal to 0",
      "encounter enc_9: note: Is no field of this record",
    ],
  ]);
});

describe("the values of a type", () => {
  const serviceLine = { type: "serviceLine", publicId: "svc_new", name: "New" };
  const stage = { type: "intakeStage", publicId: "stage_new", name: "New" };
  refused(database, [
    [
      "a service line without a billing unit",
      serviceLine,
      "serviceLine svc_new: billingUnitMinutes: Required",
    ],
    [
      "a billing unit of 0 minutes",
      { ...serviceLine, billingUnitMinutes: 0 },
      "serviceLine svc_new: billingUnitMinutes: Number must be greater than or equal to 1",
    ],
    [
      "a billing unit of half a minute",
      { ...serviceLine, billingUnitMinutes: 0.5 },
      "serviceLine svc_new: billingUnitMinutes: Expected integer, received float",
    ],
    [
      "a billing unit beyond what is counted exactly",
      { ...serviceLine, billingUnitMinutes: 1e16 },
      "serviceLine svc_new: billingUnitMinutes: Number must be less than or equal to 9007199254740991",
    ],
    ["a stage without a position", stage, "intakeStage stage_new: position: Required"],
    [
      "a position beyond what is counted exactly",
      { ...stage, position: -1e300 },
      "intakeStage stage_new: position: Number must be greater than or equal to -9007199254740991",
    ],
    [
      "units below 0",
      { ...encounter, units: -0.1 },
      "encounter enc_1: units: Number must be greater than or equal to 0",
    ],
    [
      "more units than a number holds",
      JSON.stringify(encounter).replace("7.25", "1e999"),
      "encounter enc_1: units: Number must be finite",
    ],
    [
      "an unknown frequency",
      { ...pool, unitFrequency: "HOURLY" },
      "authorizationPool apool_1: unitFrequency: Invalid enum value. Expected 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY' | 'TOTAL'",
    ],
    [
      "an unknown role",
      { ...patient, role: "INTERNAL_ADMIN" },
      "user usr_kid: role: Invalid enum value. Expected 'ADMIN' | 'BILLING_MANAGER' | 'SCHEDULING_MANAGER' | 'CLINICIAN' | 'TECHNICIAN' | 'PATIENT' | 'CAREGIVER' | 'CLINICAL_ADMIN' | 'PAYROLL_ADMIN' | 'CLINICAL_SUPERADMIN'",
    ],
    [
      "a session that does not say whether it is billable",
      without(session, "isBillable"),
      "session apt_1: isBillable: Required",
    ],
    [
      "a session that does not say whether it is billable, and has other mistakes",
      { ...without(session, "isBillable", "title"), startTime: "today", color: "red" },
      "session apt_1: isBillable: Required",
      "session apt_1: title: Required",
      "session apt_1: startTime: Must be an ISO 8601 timestamp with Z or an offset, such as 2025-03-01T14:00:00.000Z",
      "session apt_1: color: Is no field of this record",
    ],
    [
      "a session that is billable in another way",
      { ...session, isBillable: "yes", endTime: 5 },
      "session apt_1: isBillable: Invalid discriminator value. Expected 'true' | 'false'",
      "session apt_1: endTime: Expected string, received number",
    ],
    [
      "a user without a role, and with other mistakes",
      { ...without(patient, "role", "firstName"), birthDate: "2019", color: "red" },
      "user usr_kid: role: Required",
      "user usr_kid: firstName: Required",
      "user usr_kid: birthDate: Must be a calendar date that exists, written YYYY-MM-DD",
      "user usr_kid: color: Is no field of this record",
    ],
    [
      "a goal without its kind, and with other mistakes",
      { ...without(ratingGoal, "goalType"), status: "OPEN", baselineMetric: 5 },
      "goal goal_rating: goalType: Required",
      "goal goal_rating: status: Invalid enum value. Expected 'BASELINE' | 'IN_MAINTENANCE' | 'MASTERED' | 'ARCHIVED' | 'IN_PROGRESS' | 'DISCONTINUED' | 'FUTURE' | 'ON_HOLD'",
    ],
    [
      "a goal of an unknown kind",
      { ...ratingGoal, goalType: "RATING" },
      "goal goal_rating: goalType: Invalid discriminator value. Expected 'frequency_duration' | 'opportunity' | 'rating' | 'interval'",
    ],
    [
      "a child goal without its kind",
      {
        ...skillGoal,
        childGoals: [without((skillGoal.childGoals as Fields[])[1] as Fields, "goalType")],
      },
      "goal goal_hands: childGoals[0].goalType: Required",
    ],
    [
      "a measurement type of another kind",
      { ...ratingGoal, measurementType: "INTERVAL" },
      'goal goal_rating: measurementType: Invalid literal value, expected "RATING"',
    ],
    [
      "an interval of no duration",
      { ...intervalGoal, intervalDuration: 0 },
      "goal goal_interval: intervalDuration: Number must be greater than 0",
    ],
    [
      "a frequency of a percentage",
      {
        ...behaviorGoal,
        baselineMetric: {
          publicId: "metric_1",
          value: 1,
          unit: "PERCENTAGE",
          frequencyUnit: "DAYS",
          observationPeriod: 1,
          observationPeriodUnit: "DAYS",
        },
      },
      "goal goal_behavior: baselineMetric.frequencyUnit: Is no field of a PERCENTAGE metric",
      "goal goal_behavior: baselineMetric.observationPeriod: Is no field of a PERCENTAGE metric",
      "goal goal_behavior: baselineMetric.observationPeriodUnit: Is no field of a PERCENTAGE metric",
    ],
    [
      "a frequency of an opportunity's metric",
      {
        ...skillGoal,
        baselineMetric: {
          publicId: "metric_1",
          value: 1,
          unit: "FREQUENCY",
          frequencyUnit: "DAYS",
        },
      },
      "goal goal_hands: baselineMetric.frequencyUnit: Is no field of this record",
    ],
    [
      "a trial twice in one list",
      {
        ...skillGoal,
        skillTrials: [1, 2].map(() => ({
          publicId: "trial_1",
          outcome: "SUCCESS",
          happenedAt: "2026-01-01T00:00:00Z",
        })),
      },
      "goal goal_hands: skillTrials[1].publicId: Stands in this list twice",
    ],
  ]);
});
