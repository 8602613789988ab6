import { clinician, patient, ratingGoal, session, skillGoal } from "../full-practice.ts";
import type { Fields } from "../practice-file.ts";
import {
  CELLS_ARE_TEXTS,
  FORBIDDEN_CHARACTER,
  NO_DATE,
  NO_FIELD,
  NO_LIST,
  NO_TEXT,
  NO_TIME,
  noColumn,
  READ_BY_COLUMN,
  REQUIRED,
  ROLES,
  type Rule,
  rule,
  without,
  YES_OR_NO,
} from "./rule.ts";

/** Fields that a record does not have, lacks, or has with a value that they do not take. */

const location: Fields = { type: "location", publicId: "loc_new", name: "New" };
const stage: Fields = { type: "intakeStage", publicId: "stage_lead" };
const serviceLine: Fields = { type: "serviceLine", publicId: "svc_97153" };
const kid: Fields = { type: "user", publicId: "usr_kid" };
const tech: Fields = { type: "user", publicId: "usr_tech" };
const visit: Fields = { type: "session", publicId: "apt_1" };
const delivered: Fields = { type: "encounter", publicId: "enc_1" };
const pool: Fields = { type: "authorizationPool", publicId: "apool_1" };
const granted: Fields = { type: "authorization", publicId: "auth_1" };
const lead: Fields = { type: "intakeLead", publicId: "lead_1" };
const goal: Fields = { type: "goal", publicId: "goal_behavior" };
const rating: Fields = { type: "goal", publicId: "goal_rating" };
const interval: Fields = { type: "goal", publicId: "goal_interval" };
const [insurance] = patient.payors as [Fields];
const [credential] = clinician.credentials as [Fields];
const [, soap] = skillGoal.childGoals as [Fields, Fields];

const FREQUENCIES = "DAILY, WEEKLY, MONTHLY, YEARLY, TOTAL";
const STATUSES = "CONFIRMED, UNCONFIRMED, DECLINED, PATIENT_NO_SHOW, REQUESTED_TO_CANCEL";
const GOAL_STATUSES =
  "BASELINE, IN_MAINTENANCE, MASTERED, ARCHIVED, IN_PROGRESS, DISCONTINUED, FUTURE, ON_HOLD";
const NO_CODE = "must be 1 to 10 letters in upper case or digits";
const NO_MODIFIER = "must be two letters in upper case or digits";
const TOO_EARLY = "must not be before 1900";
const NOT_EMPTY = "must not be empty";
const ELSEWHERE = { cannot: "an empty cell of another kind's field is nothing" };

const unknownFields: Rule[] = [
  rule(
    "a record has the fields of its type",
    { ...location, city: "Burlington" },
    [[2, "location loc_new", "city", NO_FIELD]],
    noColumn("location.csv", "city"),
  ),
  rule(
    "an entry has the fields of its list",
    { ...kid, payors: [{ ...insurance, payorName: "Acme" }] },
    [[2, "user usr_kid", "payors.0.payorName", NO_FIELD]],
    noColumn("user.payors.csv", "payorName"),
  ),
  rule(
    "an attribution has the fields of the specification",
    { ...lead, attribution: { utm_id: "1" } },
    [[2, "intakeLead lead_1", "attribution.utm_id", NO_FIELD]],
    noColumn("intakeLead.csv", "attribution.utm_id"),
  ),
  rule("a technician has no birth date", { ...tech, birthDate: "1990-01-01" }, [
    [2, "user usr_tech", "birthDate", NO_FIELD],
  ]),
  rule("a technician has no care team", { ...tech, careTeamTechnicianIds: ["usr_tech2"] }, [
    [2, "user usr_tech", "careTeamTechnicianIds", NO_FIELD],
  ]),
  rule(
    "a technician's leads are the care teams of clinicians",
    { ...tech, careTeamLeadIds: ["usr_bcba"] },
    [[2, "user usr_tech", "careTeamLeadIds", NO_FIELD]],
    noColumn("user.csv", "careTeamLeadIds"),
  ),
  rule("a patient has no primary location", { ...kid, primaryLocationId: "loc_main" }, [
    [2, "user usr_kid", "primaryLocationId", NO_FIELD],
  ]),
  rule(
    "an administrator has no credentials",
    { type: "user", publicId: "usr_admin", credentials: [] },
    [[2, "user usr_admin", "credentials", NO_FIELD]],
    ELSEWHERE,
  ),
  rule(
    "a caregiver has no locations",
    { type: "user", publicId: "usr_care", locationIds: ["loc_main"] },
    [[2, "user usr_care", "locationIds", NO_FIELD]],
  ),
  rule(
    "a session that is not billable has no service line",
    { type: "session", publicId: "apt_3", services: "svc_97153" },
    [[2, "session apt_3", "services", NO_FIELD]],
  ),
  rule("a billable session has no code", { ...visit, nonBillableCode: "nbc_meeting" }, [
    [2, "session apt_1", "nonBillableCode", NO_FIELD],
  ]),
  rule("a goal has the fields of its kind", { ...rating, goalStatement: "Calm." }, [
    [2, "goal goal_rating", "goalStatement", NO_FIELD],
  ]),
  rule(
    "a field that is null must be one, too",
    { ...location, city: null },
    [[2, "location loc_new", "city", NO_FIELD]],
    noColumn("location.csv", "city"),
  ),
  rule(
    "the name of a field may be anything, and is only shown if it is a column",
    { ...location, "Leo Park\u0007": 1 },
    [[2, "location loc_new", "?", NO_FIELD]],
    noColumn("location.csv", "Leo Park\u0007"),
  ),
  rule(
    "a field of every object is none of a record",
    '{"type":"location","publicId":"loc_new","name":"New","__proto__":{}}',
    [[2, "location loc_new", "__proto__", NO_FIELD]],
    {
      files: { "location.csv": "publicId,name,__proto__\nloc_new,New,1\n" },
      reports: [],
      ...noColumn("location.csv", "__proto__"),
    },
  ),
  rule(
    "a percentage has no frequency",
    {
      ...goal,
      baselineMetric: {
        publicId: "metric_1",
        value: 1,
        unit: "PERCENTAGE",
        frequencyUnit: "DAYS",
        observationPeriod: 1,
        observationPeriodUnit: "DAYS",
      },
    },
    [
      [
        2,
        "goal goal_behavior",
        "baselineMetric.frequencyUnit",
        "is no field of a PERCENTAGE metric",
        "",
      ],
      [
        2,
        "goal goal_behavior",
        "baselineMetric.observationPeriod",
        "is no field of a PERCENTAGE metric",
        "",
      ],
      [
        2,
        "goal goal_behavior",
        "baselineMetric.observationPeriodUnit",
        "is no field of a PERCENTAGE metric",
        "",
      ],
    ],
  ),
  rule(
    "the metric of an opportunity has no frequency",
    {
      type: "goal",
      publicId: "goal_hands",
      baselineMetric: { publicId: "metric_1", value: 1, unit: "FREQUENCY", frequencyUnit: "DAYS" },
    },
    [[2, "goal goal_hands", "baselineMetric.frequencyUnit", NO_FIELD]],
  ),
];

/** Fields that a new record needs; one is left out at a time. */
const needed: Rule[] = [
  ["location", "name"],
  ["payor", "name"],
  ["serviceLine", "name billingUnitMinutes"],
  ["nonBillableCode", "name"],
  ["specialization", "name"],
  ["intakeStage", "name position"],
  ["intakeLabel", "name"],
  ["user", "role firstName lastName"],
  ["authorizationPool", "patientId payorId totalUnits unitFrequency isUnlimited"],
  [
    "authorization",
    "patientId authorizationNumber authorizationStatus serviceLineId authorizationDate authorizationExpirationDate",
  ],
  [
    "session",
    "isBillable title status startTime endTime isSupervision isClientPresent placeOfService locationId",
  ],
  ["encounter", "authorizationId startTime units"],
  ["intakeLead", "clientId caregiverId relationship"],
  ["treatmentPlan", "patientId"],
  ["goal", "goalType treatmentPlanId"],
].map(([type = "", fields = ""]) => {
  const publicId = type === "goal" ? "goal_new" : "new";
  return rule(
    `a new ${type} needs its fields`,
    { type, publicId },
    fields.split(" ").map((field) => [2, `${type} ${publicId}`, field, REQUIRED]),
  );
});

const ofKinds: Rule[] = [
  rule(
    "a new billable session needs its fields",
    { ...without(session, "services", "isTelehealth"), publicId: "apt_new" },
    [
      [2, "session apt_new", "isTelehealth", REQUIRED],
      [2, "session apt_new", "services", REQUIRED],
    ],
  ),
  rule(
    "a session that is no longer billable needs its code",
    { ...visit, isBillable: false, authorizationId: null },
    [
      [2, "session apt_1", "authorizationId", NO_FIELD],
      [2, "session apt_1", "nonBillableCode", REQUIRED],
    ],
    {
      reports: ["F/session.csv:2: session apt_1: nonBillableCode: is required"],
    },
  ),
  rule("a goal of another kind needs its fields", { ...rating, goalType: "interval" }, [
    [2, "goal goal_rating", "intervalDuration", REQUIRED],
    [2, "goal goal_rating", "intervalQuantity", REQUIRED],
    [2, "goal goal_rating", "sets", REQUIRED],
    [2, "goal goal_rating", "intervalRecordingType", REQUIRED],
  ]),
  rule("a required field is not null", { type: "location", publicId: "loc_main", name: null }, [
    [2, "location loc_main", "name", REQUIRED],
  ]),
  rule("the role of a user is not null", { ...kid, role: null }, [
    [2, "user usr_kid", "role", REQUIRED],
  ]),
  rule("a session is billable or not", { ...visit, isBillable: null }, [
    [2, "session apt_1", "isBillable", REQUIRED],
  ]),
  rule(
    "a child goal says its kind",
    {
      type: "goal",
      publicId: "goal_hands",
      childGoals: [without(soap, "goalType")],
    },
    [[2, "goal goal_hands", "childGoals.0.goalType", REQUIRED]],
  ),
  rule("an entry needs its fields", { ...kid, payors: [{ payorId: "pay_acme" }] }, [
    [2, "user usr_kid", "payors.0.priority", REQUIRED],
    [2, "user usr_kid", "payors.0.relationshipToPatient", REQUIRED],
    [2, "user usr_kid", "payors.0.insuredBirthDate", REQUIRED],
    [2, "user usr_kid", "payors.0.insuredAddress", REQUIRED],
    [2, "user usr_kid", "payors.0.memberId", REQUIRED],
    [2, "user usr_kid", "payors.0.planHolder", REQUIRED],
    [2, "user usr_kid", "payors.0.effectiveStartDate", REQUIRED],
  ]),
];

const values: Rule[] = [
  rule("a name is not empty", { ...location, name: "" }, [
    [2, "location loc_new", "name", NOT_EMPTY],
  ]),
  rule(
    "a person's name is not blank",
    { ...kid, firstName: " " },
    [[2, "user usr_kid", "firstName", NOT_EMPTY]],
    { reports: ["F/user.csv:2: user usr_kid: firstName: is required"] },
  ),
  rule(
    "a name can be seen",
    [
      { ...location, name: "\u200b\u2800" },
      { ...kid, firstName: "\u3164 \u00ad" },
    ],
    [
      [2, "location loc_new", "name", NOT_EMPTY],
      [3, "user usr_kid", "firstName", NOT_EMPTY],
    ],
  ),
  rule("a text has no U+0000", { ...location, name: "a\0b" }, [
    [2, "location loc_new", "name", FORBIDDEN_CHARACTER],
  ]),
  rule(
    "an email is another's in spite of white space around it",
    { type: "user", publicId: "usr_tech", email: " LEO@park.example " },
    [[2, "user usr_tech", "email", "is already the email of usr_kid"]],
    {
      reports: [
        'F/user.csv:2: user usr_tech: email: "LEO@park.example" is already the email of usr_kid',
      ],
    },
  ),
  rule("an email has no U+0000", { ...kid, email: "\0" }, [
    [2, "user usr_kid", "email", FORBIDDEN_CHARACTER],
  ]),
  rule(
    "a text has no half of a character",
    '{"type":"location","publicId":"loc_new","name":"\\ud800"}',
    [[2, "location loc_new", "name", FORBIDDEN_CHARACTER, "\ud800"]],
    { cannot: "text in UTF-8 has whole characters" },
  ),
  rule("a text within an object has no U+0000", { ...lead, attribution: { referrer: "\0" } }, [
    [2, "intakeLead lead_1", "attribution.referrer", FORBIDDEN_CHARACTER],
  ]),
  rule("a text has an end", { ...location, name: "x".repeat(201) }, [
    [2, "location loc_new", "name", "must have at most 200 characters"],
  ]),
  rule("a list has at most 50 elements", { ...kid, locationIds: Array(51).fill("loc_main") }, [
    [2, "user usr_kid", "locationIds", "must have at most 50 elements"],
  ]),

  rule(
    "a text is no number",
    { ...visit, title: 5 },
    [[2, "session apt_1", "title", NO_TEXT]],
    CELLS_ARE_TEXTS,
  ),
  rule(
    "a time is no number",
    { ...visit, endTime: 5 },
    [[2, "session apt_1", "endTime", NO_TEXT]],
    {
      reports: [
        'F/session.csv:2: session apt_1: endTime: "5" must be a time, such as 2026-10-01 15:30 or 10/1/2026 3:30 PM',
      ],
    },
  ),
  rule("a switch is yes or no, not 1", { ...visit, isSupervision: 1 }, [
    [2, "session apt_1", "isSupervision", YES_OR_NO],
  ]),
  rule(
    "a switch is no text",
    { ...visit, isSupervision: "false" },
    [[2, "session apt_1", "isSupervision", YES_OR_NO]],
    READ_BY_COLUMN,
  ),
  rule("a session is billable or is not", { ...visit, isBillable: "maybe" }, [
    [2, "session apt_1", "isBillable", YES_OR_NO],
  ]),
  rule("a number is no word", { ...delivered, units: "many" }, [
    [2, "encounter enc_1", "units", "must be a number"],
  ]),
  rule("a number has no comma", { ...delivered, units: "1,5" }, [
    [2, "encounter enc_1", "units", "must be a number"],
  ]),
  rule(
    "a list is no text",
    { ...kid, locationIds: "loc_main" },
    [[2, "user usr_kid", "locationIds", NO_LIST]],
    READ_BY_COLUMN,
  ),
  rule("a list of objects is no text", { ...rating, ratingInstances: "2" }, [
    [2, "goal goal_rating", "ratingInstances", NO_LIST],
  ]),
  rule(
    "an object is no text",
    { ...lead, attribution: "google" },
    [[2, "intakeLead lead_1", "attribution", "must be an object"]],
    noColumn("intakeLead.csv", "attribution"),
  ),

  rule("a date exists", { ...kid, birthDate: "2019-02-30" }, [
    [2, "user usr_kid", "birthDate", NO_DATE],
  ]),
  rule("a date is no time", { ...granted, authorizationDate: "2026-01-07T09:00:00Z" }, [
    [2, "authorization auth_1", "authorizationDate", NO_DATE],
  ]),
  rule("a date is not before 1900", { ...kid, birthDate: "0019-04-05" }, [
    [2, "user usr_kid", "birthDate", TOO_EARLY],
  ]),
  rule("a time is not before 1900", { ...delivered, startTime: "0026-12-02T15:00:00.000Z" }, [
    [2, "encounter enc_1", "startTime", TOO_EARLY],
  ]),
  rule(
    "a date of an entry is not before 1900",
    { ...kid, payors: [insurance, { ...insurance, insuredBirthDate: "1899-12-31" }] },
    [[2, "user usr_kid", "payors.1.insuredBirthDate", TOO_EARLY]],
  ),
  rule(
    "what was recorded on a goal is not before 1900",
    {
      ...rating,
      ratingInstances: [{ publicId: "r", value: 1, happenedAt: "0026-01-01T00:00:00Z" }],
    },
    [
      [
        2,
        "goal goal_rating",
        "ratingInstances.0.happenedAt",
        TOO_EARLY,
        "0026-01-01T00:00:00.000Z",
      ],
    ],
  ),
  rule("an encounter has at most a million units", { ...delivered, units: 1_000_000.5 }, [
    [2, "encounter enc_1", "units", "must be 1000000 or less"],
  ]),
  rule(
    "nobody is authorized for more than a milliard of units",
    [
      { ...granted, authorizedUnitsQuantity: 1e300 },
      { ...pool, totalUnits: 1_000_000_001 },
    ],
    [
      [2, "authorization auth_1", "authorizedUnitsQuantity", "must be 1000000000 or less"],
      [3, "authorizationPool apool_1", "totalUnits", "must be 1000000000 or less"],
    ],
  ),
  rule(
    "a date of an entry exists",
    { ...kid, payors: [{ ...insurance, effectiveStartDate: "2026" }] },
    [[2, "user usr_kid", "payors.0.effectiveStartDate", NO_DATE]],
  ),
  rule(
    "a time is no date",
    { ...delivered, startTime: "2026-01-08" },
    [[2, "encounter enc_1", "startTime", NO_TIME]],
    {
      reports: [
        'F/encounter.csv:2: encounter enc_1: startTime: "2026-01-08" is a date without a time of day, such as 2026-10-01 15:30',
      ],
    },
  ),
  rule(
    "a time has Z or an offset",
    { ...delivered, startTime: "2026-01-08T14:00:00" },
    [[2, "encounter enc_1", "startTime", NO_TIME]],
    { cannot: "it is the practice's own time there" },
  ),
  rule(
    "a time of an entry is one",
    {
      type: "user",
      publicId: "usr_bcba",
      credentials: [{ ...credential, expiresAt: "soon" }],
    },
    [[2, "user usr_bcba", "credentials.0.expiresAt", NO_TIME]],
  ),

  rule("a billing unit is more than 0 minutes", { ...serviceLine, billingUnitMinutes: 0 }, [
    [2, "serviceLine svc_97153", "billingUnitMinutes", "must be 1 or more"],
  ]),
  rule("a billing unit is of whole minutes", { ...serviceLine, billingUnitMinutes: 0.5 }, [
    [2, "serviceLine svc_97153", "billingUnitMinutes", "must be a whole number"],
  ]),
  rule("a billing unit is counted exactly", { ...serviceLine, billingUnitMinutes: 1e16 }, [
    [2, "serviceLine svc_97153", "billingUnitMinutes", "must be 9007199254740991 or less"],
  ]),
  rule("a code is in upper case", { ...serviceLine, code: "h2019" }, [
    [2, "serviceLine svc_97153", "code", NO_CODE],
  ]),
  rule("a code has up to ten letters or digits", { ...serviceLine, code: "97153-HO" }, [
    [2, "serviceLine svc_97153", "code", NO_CODE],
  ]),
  rule("a modifier has two letters or digits", { ...serviceLine, modifiers: ["HO", "H"] }, [
    [2, "serviceLine svc_97153", "modifiers.1", NO_MODIFIER],
  ]),
  rule("a modifier is given once", { ...serviceLine, modifiers: ["HO", "HO", "95", "HO"] }, [
    [2, "serviceLine svc_97153", "modifiers.1", "occurs twice"],
    [2, "serviceLine svc_97153", "modifiers.3", "occurs twice"],
  ]),
  rule(
    "a code has up to four modifiers",
    { ...serviceLine, modifiers: ["A1", "A2", "A3", "A4", "A5"] },
    [[2, "serviceLine svc_97153", "modifiers", "must have at most 4 elements"]],
  ),
  rule("a hand-over has a batch, or none", { ...delivered, billed: [{ line: null }] }, [
    [2, "encounter enc_1", "billed.0.batch", REQUIRED],
  ]),
  rule("a batch has a name", { ...delivered, billed: [{ batch: "  " }] }, [
    [2, "encounter enc_1", "billed.0.batch", NOT_EMPTY],
  ]),
  rule(
    "a line has no other fields",
    { ...delivered, billed: [{ batch: "B", line: { unit: 3 } }] },
    [[2, "encounter enc_1", "billed.0.line.unit", NO_FIELD]],
  ),
  rule(
    "a line has no null where there is always a value",
    { ...delivered, billed: [{ batch: "B", line: { units: null, payorId: null } }] },
    [[2, "encounter enc_1", "billed.0.line.units", REQUIRED]],
  ),
  rule(
    "the fields of a line are of their kind",
    {
      ...delivered,
      billed: [{ batch: "B", line: { units: "3", patientId: 5, minutes: 1.5 } }],
    },
    [
      [2, "encounter enc_1", "billed.0.line.minutes", "must be a whole number"],
      [2, "encounter enc_1", "billed.0.line.patientId", NO_TEXT],
      [2, "encounter enc_1", "billed.0.line.units", "must be a number"],
    ],
  ),
  rule("a position is a whole number", { ...stage, position: 1.5 }, [
    [2, "intakeStage stage_lead", "position", "must be a whole number"],
  ]),
  rule("a position is counted exactly", { ...stage, position: -1e300 }, [
    [2, "intakeStage stage_lead", "position", "must be -9007199254740991 or more"],
  ]),
  rule("units are not below 0", { ...delivered, units: -0.1 }, [
    [2, "encounter enc_1", "units", "must be 0 or more"],
  ]),
  rule("the units of a pool are not below 0", { ...pool, totalUnits: -1 }, [
    [2, "authorizationPool apool_1", "totalUnits", "must be 0 or more"],
  ]),
  rule("a quantity is not below 0", { ...granted, authorizedUnitsQuantity: -1 }, [
    [2, "authorization auth_1", "authorizedUnitsQuantity", "must be 0 or more"],
  ]),
  rule(
    "units are what a number holds",
    '{"type":"encounter","publicId":"enc_1","units":1e999}',
    [[2, "encounter enc_1", "units", "must be a number", "Infinity"]],
    {
      files: { "encounter.csv": "publicId,units\nenc_1,1e999\n" },
      reports: ['F/encounter.csv:2: encounter enc_1: units: "Infinity" must be a number'],
    },
  ),
  rule("an interval has a duration", { ...interval, intervalDuration: 0 }, [
    [2, "goal goal_interval", "intervalDuration", "must be more than 0"],
  ]),

  rule("a role is one of the specification", { ...kid, role: "INTERNAL_ADMIN" }, [
    [2, "user usr_kid", "role", `is no role: ${ROLES}`],
  ]),
  rule("a status is one of the specification", { ...visit, status: "HELD" }, [
    [2, "session apt_1", "status", `is no status: ${STATUSES}`],
  ]),
  rule(
    "a status is in the letters of the specification",
    { ...visit, status: "confirmed" },
    [[2, "session apt_1", "status", `is no status: ${STATUSES}`]],
    { cannot: "words are in any letter case there" },
  ),
  rule("a place of service is one of the specification", { ...visit, placeOfService: "MOON" }, [
    [
      2,
      "session apt_1",
      "placeOfService",
      "is no placeOfService: TELEHEALTH_PROVIDED_ELSEWHERE, TELEHEALTH_PROVIDED_IN_PATIENT_HOME, OFFICE, HOME, SCHOOL, OTHER, TEMPORARY_LODGING, PLACE_OF_EMPLOYMENT, COMMUNITY_MENTAL_HEALTH_CENTER",
    ],
  ]),
  rule("a frequency is one of the table", { ...pool, unitFrequency: "HOURLY" }, [
    [2, "authorizationPool apool_1", "unitFrequency", `is no unitFrequency: ${FREQUENCIES}`],
  ]),
  rule(
    "an authorization's frequency is one of the table",
    {
      ...granted,
      authorizedUnitFrequency: "HOURLY",
    },
    [
      [
        2,
        "authorization auth_1",
        "authorizedUnitFrequency",
        `is no authorizedUnitFrequency: ${FREQUENCIES}`,
      ],
    ],
  ),
  rule("the key of a stage is a built-in one", { ...stage, key: "NEW" }, [
    [
      2,
      "intakeStage stage_lead",
      "key",
      "is no key: LEAD, WAITLIST, VERIFIED_BENEFITS, AUTH_REQUESTED, AUTH_APPROVED, ASSESSMENT_SCHEDULED, THERAPY_SCHEDULED, ACTIVE, INACTIVE, SERVICES_PAUSED, DISCHARGED, ARCHIVED",
    ],
  ]),
  rule("a relationship is one of the specification", { ...lead, relationship: "AUNT" }, [
    [
      2,
      "intakeLead lead_1",
      "relationship",
      "is no relationship: MOTHER, STEPMOTHER, FATHER, STEPFATHER, GUARDIAN, GRANDPARENT, SIBLING, OTHER, UNKNOWN",
    ],
  ]),
  rule("the status of a goal is one of the specification", { ...rating, status: "OPEN" }, [
    [2, "goal goal_rating", "status", `is no status: ${GOAL_STATUSES}`],
  ]),
  rule("the kind of a goal is one of the table", { ...rating, goalType: "rate" }, [
    [
      2,
      "goal goal_rating",
      "goalType",
      "is no goalType: frequency_duration, opportunity, rating, interval",
    ],
  ]),
  rule("a measurement type is that of the kind", { ...rating, measurementType: "INTERVAL" }, [
    [2, "goal goal_rating", "measurementType", "must be RATING"],
  ]),
  rule(
    "an outcome is one of the specification",
    {
      type: "goal",
      publicId: "goal_hands",
      enabledOutcomes: ["SUCCESS", "LUCK"],
    },
    [
      [
        2,
        "goal goal_hands",
        "enabledOutcomes.1",
        "is no enabledOutcomes: SUCCESS, FAILURE, PROMPTED, NO_RESPONSE",
      ],
    ],
  ),
  rule(
    "what is recorded stands once in its list",
    {
      type: "goal",
      publicId: "goal_hands",
      skillTrials: [1, 2].map(() => ({
        publicId: "trial_1",
        outcome: "SUCCESS",
        happenedAt: "2026-01-01T00:00:00Z",
      })),
    },
    [[2, "goal goal_hands", "skillTrials.1.publicId", "is in this list twice"]],
  ),
];

/** Mistakes besides a field that decides what the others are. */
const several: Rule[] = [
  rule(
    "all mistakes of a line are reported",
    { type: "encounter", publicId: "enc_9", units: -1, note: "x" },
    [
      [2, "encounter enc_9", "units", "must be 0 or more"],
      [2, "encounter enc_9", "note", NO_FIELD],
      [2, "encounter enc_9", "authorizationId", REQUIRED],
      [2, "encounter enc_9", "startTime", REQUIRED],
    ],
    noColumn("encounter.csv", "note"),
  ),
  rule(
    "a session that does not say whether it is billable is checked as far as possible",
    { ...without(session, "isBillable", "title"), publicId: "apt_new", startTime: "today" },
    [
      [2, "session apt_new", "startTime", NO_TIME],
      [2, "session apt_new", "isBillable", REQUIRED],
      [2, "session apt_new", "title", REQUIRED],
    ],
  ),
  rule(
    "a user without a role is checked as far as possible",
    {
      ...without(patient, "role", "firstName", "payors"),
      publicId: "usr_new",
      email: null,
      birthDate: "2019",
    },
    [
      [2, "user usr_new", "birthDate", NO_DATE],
      [2, "user usr_new", "role", REQUIRED],
      [2, "user usr_new", "firstName", REQUIRED],
    ],
  ),
  rule(
    "a goal of an unknown kind is checked as far as possible",
    { ...without(ratingGoal, "ratingInstances"), goalType: "rate", status: "OPEN" },
    [
      [
        2,
        "goal goal_rating",
        "goalType",
        "is no goalType: frequency_duration, opportunity, rating, interval",
      ],
      [2, "goal goal_rating", "status", `is no status: ${GOAL_STATUSES}`],
    ],
  ),
];

export const fieldRules: Rule[] = [...unknownFields, ...needed, ...ofKinds, ...values, ...several];
