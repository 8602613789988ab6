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

/** Unknown fields and invalid values. */

const database = await databaseOfFullPractice();

const location = { type: "location", publicId: "loc_new", name: "New" };
const TEXT = "must not contain U+0000 or half of a character";
const DATE = "must be a date that exists, such as 2026-03-01";
const INSTANT = "must be a time with Z or an offset, such as 2026-03-01T14:00:00Z";

describe("a field", () => {
  refused(database, [
    [
      "that the type does not have",
      { ...location, city: "Burlington" },
      "location loc_new: city: is no field of this record",
    ],
    [
      "that a nested entry does not have",
      { ...patient, payors: [{ ...(patient.payors as Fields[])[0], payorName: "Acme" }] },
      "user usr_kid: payors[0].payorName: is no field of this record",
    ],
    [
      "that an attribution does not have",
      { ...lead, attribution: { utm_id: "1" } },
      "intakeLead lead_1: attribution.utm_id: is no field of this record",
    ],
    [
      "of patients on a technician",
      { ...technician, birthDate: "1990-01-01" },
      "user usr_tech: birthDate: is no field of this record",
    ],
    [
      "of clinicians on a technician",
      { ...technician, careTeamTechnicianIds: [] },
      "user usr_tech: careTeamTechnicianIds: is no field of this record",
    ],
    [
      "of the API on a technician",
      { ...technician, careTeamLeadIds: [] },
      "user usr_tech: careTeamLeadIds: is no field of this record",
    ],
    [
      "of providers on a patient",
      { ...patient, primaryLocationId: "loc_main" },
      "user usr_kid: primaryLocationId: is no field of this record",
    ],
    [
      "of billable sessions on another",
      { ...nonBillableSession, services: "svc_97153" },
      "session apt_3: services: is no field of this record",
    ],
    [
      "of other sessions on a billable one",
      { ...session, nonBillableCode: "nbc_meeting" },
      "session apt_1: nonBillableCode: is no field of this record",
    ],
    [
      "of another kind of goal",
      { ...ratingGoal, goalStatement: "Calm." },
      "goal goal_rating: goalStatement: is no field of this record",
    ],
    [
      "whose name is no word",
      { ...location, "Leo Park\u0007": 1 },
      "location loc_new: ?: is no field of this record",
    ],
    [
      "that every object inherits",
      '{"type":"location","publicId":"loc_new","name":"New","__proto__":{}}',
      "location loc_new: __proto__: is no field of this record",
    ],
    [
      "that is required and missing",
      { ...without(session, "title"), publicId: "apt_new" },
      "session apt_new: title: is required",
    ],
    [
      "that is required and null",
      { ...location, name: null },
      "location loc_new: name: is required",
    ],
    [
      "that must have something in it",
      { ...location, name: "" },
      "location loc_new: name: must not be empty",
    ],
    [
      "of a name that is blank",
      { ...patient, firstName: " " },
      "user usr_kid: firstName: must not be empty",
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
      "session apt_1: isSupervision: must be yes or no",
    ],
    [
      "that is no text of its set",
      { ...session, status: "confirmed" },
      "session apt_1: status: is no status: CONFIRMED, UNCONFIRMED, DECLINED, PATIENT_NO_SHOW, REQUESTED_TO_CANCEL",
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
      "encounter enc_9: units: must be 0 or more",
      "encounter enc_9: note: is no field of this record",
      "encounter enc_9: authorizationId: is required",
      "encounter enc_9: startTime: is required",
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
      "serviceLine svc_new: billingUnitMinutes: is required",
    ],
    [
      "a billing unit of 0 minutes",
      { ...serviceLine, billingUnitMinutes: 0 },
      "serviceLine svc_new: billingUnitMinutes: must be 1 or more",
    ],
    [
      "a billing unit of half a minute",
      { ...serviceLine, billingUnitMinutes: 0.5 },
      "serviceLine svc_new: billingUnitMinutes: must be a whole number",
    ],
    [
      "a billing unit beyond what is counted exactly",
      { ...serviceLine, billingUnitMinutes: 1e16 },
      "serviceLine svc_new: billingUnitMinutes: must be 9007199254740991 or less",
    ],
    ["a stage without a position", stage, "intakeStage stage_new: position: is required"],
    [
      "a position beyond what is counted exactly",
      { ...stage, position: -1e300 },
      "intakeStage stage_new: position: must be -9007199254740991 or more",
    ],
    ["units below 0", { ...encounter, units: -0.1 }, "encounter enc_1: units: must be 0 or more"],
    [
      "more units than a number holds",
      JSON.stringify(encounter).replace("7.25", "1e999"),
      "encounter enc_1: units: must be a number",
    ],
    [
      "an unknown frequency",
      { ...pool, unitFrequency: "HOURLY" },
      "authorizationPool apool_1: unitFrequency: is no unitFrequency: DAILY, WEEKLY, MONTHLY, YEARLY, TOTAL",
    ],
    [
      "an unknown role",
      { ...patient, role: "INTERNAL_ADMIN" },
      "user usr_kid: role: is no role: ADMIN, BILLING_MANAGER, SCHEDULING_MANAGER, CLINICIAN, TECHNICIAN, PATIENT, CAREGIVER, CLINICAL_ADMIN, PAYROLL_ADMIN, CLINICAL_SUPERADMIN",
    ],
    [
      "a session that does not say whether it is billable",
      { ...without(session, "isBillable"), publicId: "apt_new" },
      "session apt_new: isBillable: is required",
    ],
    [
      "a session that does not say whether it is billable, and has other mistakes",
      {
        ...without(session, "isBillable", "title"),
        publicId: "apt_new",
        startTime: "today",
        color: "red",
      },
      "session apt_new: startTime: must be a time with Z or an offset, such as 2026-03-01T14:00:00Z",
      "session apt_new: color: is no field of this record",
      "session apt_new: isBillable: is required",
      "session apt_new: title: is required",
    ],
    [
      "a session that is billable in another way",
      { ...session, isBillable: "yes", endTime: 5 },
      "session apt_1: isBillable: must be yes or no",
      "session apt_1: endTime: must be a text",
    ],
    [
      "a user without a role, and with other mistakes",
      {
        ...without(patient, "role", "firstName"),
        publicId: "usr_new",
        email: null,
        birthDate: "2019",
        color: "red",
      },
      "user usr_new: birthDate: must be a date that exists, such as 2026-03-01",
      "user usr_new: color: is no field of this record",
      "user usr_new: role: is required",
      "user usr_new: firstName: is required",
    ],
    [
      "a goal without its kind, and with other mistakes",
      { ...without(ratingGoal, "goalType"), status: "OPEN", baselineMetric: 5 },
      "goal goal_rating: status: is no status: BASELINE, IN_MAINTENANCE, MASTERED, ARCHIVED, IN_PROGRESS, DISCONTINUED, FUTURE, ON_HOLD",
      "goal goal_rating: baselineMetric: is no field of this record",
    ],
    [
      "a goal of an unknown kind",
      { ...ratingGoal, goalType: "RATING" },
      "goal goal_rating: goalType: is no goalType: frequency_duration, opportunity, rating, interval",
    ],
    [
      "a child goal without its kind",
      {
        ...skillGoal,
        childGoals: [without((skillGoal.childGoals as Fields[])[1] as Fields, "goalType")],
      },
      "goal goal_hands: childGoals[0].goalType: is required",
    ],
    [
      "a measurement type of another kind",
      { ...ratingGoal, measurementType: "INTERVAL" },
      "goal goal_rating: measurementType: must be RATING",
    ],
    [
      "an interval of no duration",
      { ...intervalGoal, intervalDuration: 0 },
      "goal goal_interval: intervalDuration: must be more than 0",
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
      "goal goal_behavior: baselineMetric.frequencyUnit: is no field of a PERCENTAGE metric",
      "goal goal_behavior: baselineMetric.observationPeriod: is no field of a PERCENTAGE metric",
      "goal goal_behavior: baselineMetric.observationPeriodUnit: is no field of a PERCENTAGE metric",
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
      "goal goal_hands: baselineMetric.frequencyUnit: is no field of this record",
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
      "goal goal_hands: skillTrials[1].publicId: is in this list twice",
    ],
  ]);
});
