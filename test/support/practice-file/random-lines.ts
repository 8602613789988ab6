import fc, { type GeneratorValue } from "fast-check";
import { fieldTable, rowOf } from "./fields.ts";
import { fullPractice, patient, clinician, skillGoal } from "./full-practice.ts";
import { applied, fits, type Missing, type Model, targetOf } from "./model.ts";
import { type Fields, keyOf } from "./practice-file.ts";

/**
 * Random files over a practice: lines that create, change and delete records of every type. Most fit the practice; some
 * break a rule.
 */

export interface RandomFile {
  lines: Fields[];
  missing: Missing | undefined;
}

type Random = GeneratorValue;

const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[random(fc.nat, { max: items.length - 1 })] as Item;
const chance = (random: Random, percent: number): boolean => random(fc.nat, { max: 99 }) < percent;
const some = <Item>(random: Random, items: readonly Item[]): Item[] => [
  ...new Set(Array.from({ length: random(fc.nat, { max: 3 }) }, () => pick(random, items))),
];

const TYPES = [...new Set(fullPractice.map(({ type }) => String(type)))].filter(
  (type) => type !== "organization",
);
/** Types with more rules than others come more often. */
const OFTEN = ["user", "user", "user", "authorization", "session", "session", "goal"];
const ROLES = Object.keys(fieldTable).filter((row) => /^[A-Z]/.test(row));
const GOAL_TYPES = ["frequency_duration", "opportunity", "rating", "interval"];

/** The ids that records of a type may have: those of the full practice, and others. */
const ids = new Map(
  TYPES.map((type) => [
    type,
    [
      ...fullPractice
        .filter((record) => record.type === type)
        .map(({ publicId }) => String(publicId)),
      ...(type === "goal"
        ? ["goal_z_tap", "goal_handle", "goal_a_soap", "goal_new"]
        : [`${type}_new`, "same"]),
    ],
  ]),
);

const idsOf = (type: string) => ids.get(type) ?? [];

/** Fields that a new record of each row of the table needs, besides type, id and what selects the row. */
const required: Record<string, string> = {
  location: "name",
  payor: "name",
  serviceLine: "name billingUnitMinutes",
  nonBillableCode: "name",
  specialization: "name",
  intakeStage: "name position",
  intakeLabel: "name",
  ...Object.fromEntries(ROLES.map((role) => [role, "firstName lastName"])),
  authorizationPool: "patientId payorId totalUnits unitFrequency isUnlimited",
  authorization:
    "patientId authorizationNumber authorizationStatus serviceLineId authorizationDate authorizationExpirationDate",
  "session true":
    "title status startTime endTime isSupervision isClientPresent placeOfService locationId isTelehealth services",
  "session false":
    "title status startTime endTime isSupervision isClientPresent placeOfService locationId nonBillableCode",
  encounter: "authorizationId startTime units",
  intakeLead: "clientId caregiverId relationship",
  treatmentPlan: "patientId",
  "goal frequency_duration":
    "treatmentPlanId goalStatement baselineMetric successMetric maintenanceMetric",
  "goal opportunity":
    "treatmentPlanId goalStatement skillAcquisitionGoalType enabledOutcomes baselineMetric successMetric maintenanceMetric",
  "goal rating": "treatmentPlanId title",
  "goal interval":
    "treatmentPlanId title intervalDuration intervalQuantity sets intervalRecordingType",
};

const FREQUENCIES = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY", "TOTAL"];
const DATES = ["2026-01-07", "2026-03-01", "2026-07-06"];
const INSTANTS = DATES.map((date) => `${date}T14:00:00.000Z`);
const EMAILS = [..."abcdefgh"].map((letter) => `${letter}@maple.example`);
const [, soap] = skillGoal.childGoals as [Fields, Fields];

/** The values of fields, by name; of others a short text. */
const values: Record<string, (random: Random, line: Fields) => unknown> = {
  ...always("billingUnitMinutes", [15, 60, null]),
  ...always("position sets intervalQuantity minTrialsCount", [1, 2, 3]),
  ...always("totalUnits units authorizedUnitsQuantity intervalDuration window", [1, 2.5, 80]),
  ...always(
    "isActive recordsData isGroup shouldSendSMS isUnlimited isSupervision isClientPresent isTelehealth isBehavior autoProgressToMaintenanceEnabled autoProgressToMasteredEnabled",
    [true, false],
  ),
  ...always("unitFrequency authorizedUnitFrequency", FREQUENCIES),
  ...always("birthDate authorizationDate authorizationExpirationDate", DATES),
  ...always(
    "startTime endTime createdAt updatedAt recertificationDate baselineDate targetAchievementDate addedToTreatmentPlanAt",
    INSTANTS,
  ),
  ...always("key", ["LEAD", "WAITLIST"]),
  email: (random) => {
    const email = pick(random, EMAILS);
    return chance(random, 20) ? email.toUpperCase() : email;
  },
  ...always("placeOfService", ["OFFICE", "HOME"]),
  ...always("kind", ["THERAPY", "FAMILY", null]),
  ...always("relationship", ["MOTHER", "OTHER"]),
  ...always("dataCollectionType", ["FREQUENCY_ONLY", "DURATION_ONLY"]),
  ...always("skillAcquisitionGoalType", ["CHAINED_GOAL"]),
  ...always("enabledOutcomes", [["SUCCESS"], ["FAILURE", "PROMPTED"]]),
  ...always("intervalRecordingType", ["MOMENTARY", "PARTIAL"]),
  ...always("attribution", [{ utm_source: "google" }, { referrer: "https://maple.example" }]),
  complianceCredentials: (random) => some(random, ["BLS", "CPR", "HIPAA"]).sort(),
  status: (random, { type }) =>
    pick(random, type === "session" ? ["CONFIRMED", "DECLINED"] : ["MASTERED", "FUTURE"]),
  measurementType: (_, { goalType }) => String(goalType).toUpperCase(),
  phases: (random, { status }) => [
    ...(chance(random, 50) ? [{ status: "BASELINE" }] : []),
    { status: status ?? "FUTURE", since: pick(random, INSTANTS), isAutomatic: chance(random, 50) },
  ],
  modifiers: (random) => some(random, ["HO", "95"]),
  code: (random) => pick(random, ["97153", "H2019"]),
  // Mostly longer than what is stored, or with another end that is taken back or not.
  billed: (random, { billed }) => {
    const stored = ((billed ?? []) as Fields[]).map((one, index, { length }) =>
      index === length - 1 && chance(random, 30)
        ? { ...one, takenBackAt: pick(random, [...INSTANTS, null]) }
        : one,
    );
    const added = some(random, ["W1", "W2", null]).map((batch) => ({
      batch,
      ...(chance(random, 50) && { at: pick(random, INSTANTS) }),
      ...(chance(random, 30) && { takenBackAt: pick(random, [...INSTANTS, null]) }),
      ...(chance(random, 50) && { line: { units: 2, payorId: null, modifiers: ["HO"] } }),
    }));
    return chance(random, 90) ? [...stored, ...added] : added;
  },
  payors: (random) => some(random, patient.payors as Fields[]),
  credentials: (random) => some(random, clinician.credentials as Fields[]),
  childGoals: (random, { publicId }) => children(random, [String(publicId)]),
  goalDaysInARow: (random) => pick(random, [1, 60]),
  behaviorInstances: (random) =>
    recorded(random, (publicId, happenedAt) => ({ publicId, quantity: 1, happenedAt })),
  skillTrials: (random) =>
    recorded(random, (publicId, happenedAt) => ({ publicId, outcome: "SUCCESS", happenedAt })),
  ratingInstances: (random) =>
    recorded(random, (publicId, happenedAt) => ({ publicId, value: 2.5, happenedAt })),
  intervalSets: (random) =>
    recorded(random, (publicId, startedAt) => ({ publicId, startedAt, intervals: [true] })),
  ...Object.fromEntries(
    ["baseline", "success", "maintenance"].map((purpose) => [
      `${purpose}Metric`,
      (random: Random, { goalType }: Fields) => metric(random, purpose, goalType),
    ]),
  ),
};

function always(names: string, items: readonly unknown[]): typeof values {
  const value = (random: Random) => pick(random, items);
  return Object.fromEntries(names.split(" ").map((name) => [name, value]));
}

function metric(random: Random, purpose: string, goalType: unknown): Fields {
  const plain = { publicId: `metric_${purpose}`, value: pick(random, [1, 80]), unit: "FREQUENCY" };
  const frequency = {
    frequencyUnit: "DAYS",
    observationPeriod: 14,
    observationPeriodUnit: "WEEKS",
  };
  return goalType === "frequency_duration" && chance(random, 50)
    ? { ...plain, ...frequency }
    : plain;
}

function recorded(random: Random, entry: (publicId: string, time: string) => Fields): Fields[] {
  return INSTANTS.slice(random(fc.nat, { max: 3 })).map((time, index) =>
    entry(`entry_${index}`, time),
  );
}

function children(random: Random, above: readonly string[]): Fields[] {
  const others = idsOf("goal")
    .slice(4)
    .filter((id) => !above.includes(id));
  if (others.length === 0 || above.length > 2) return [];
  return some(random, others).map((publicId) => {
    const { phases, skillTrials, ...rest } = soap;
    return {
      ...rest,
      publicId,
      status: pick(random, ["IN_PROGRESS", "MASTERED"]),
      // What is left out stays as it is stored.
      ...(chance(random, 50) && { phases, skillTrials }),
      goalStatement: text(random),
      childGoals: chance(random, 20) ? children(random, [...above, publicId]) : [],
    };
  });
}

const text = (random: Random): string => pick(random, ["A", "B", "C"]);

/** A value of a field. References are to records that fit, with few exceptions. */
function valueOf(random: Random, line: Fields, name: string, known: Model): unknown {
  const target = targetOf(line.type, name);
  if (target === undefined) return (values[name] ?? text)(random, line);
  const fitting = [...known.values()].filter((record) => fits(record, target));
  const type = /^[A-Z]+$/.test(target) ? "user" : target;
  const named =
    fitting.length > 0 && !chance(random, 2)
      ? fitting.map(({ publicId }) => String(publicId))
      : idsOf(type);
  return name.endsWith("Ids") ? some(random, named).sort() : pick(random, named);
}

/** The fields that select the row of the table, where there are several. */
function selected(random: Random, type: string, stored: Fields | undefined): Fields {
  const isNew = stored === undefined;
  if (!isNew && !chance(random, 10)) return {};
  if (type === "user") return { role: pick(random, ROLES) };
  if (type === "session") return { isBillable: chance(random, 70) };
  return type === "goal" ? { goalType: pick(random, GOAL_TYPES) } : {};
}

function randomLine(random: Random, type: string, publicId: string, known: Model): Fields {
  const stored = known.get(`${type} ${publicId}`);
  const line: Fields = { type, publicId, ...selected(random, type, stored) };
  const whole = { ...stored, ...line };
  const row = rowOf(whole);
  const needed = (required[row] ?? "").split(" ");
  const before = stored === undefined ? [] : (fieldTable[rowOf(stored)] ?? "").split(" ");
  for (const name of (fieldTable[row] ?? "").split(" ")) {
    if (name in line || name === "role" || name === "isBillable" || name === "goalType") continue;
    const isNeeded = needed.includes(name);
    const isMissing = isNeeded && !before.includes(name);
    if (!isMissing && !chance(random, name === "childGoals" ? 70 : 25)) continue;
    const isCleared = !isNeeded && chance(random, 25);
    line[name] = isCleared ? null : valueOf(random, { ...whole, ...line }, name, known);
  }
  return agreeing(line, whole, known);
}

/** Lets a line's fields agree with the records that it refers to. */
function agreeing(line: Fields, stored: Fields, known: Model): Fields {
  const result = { ...stored, ...line };
  const at = (type: string, id: unknown) => known.get(`${type} ${String(id)}`);
  const pool = at("authorizationPool", result.authorizationPoolId);
  if (line.type === "authorization" && pool !== undefined)
    return { ...line, patientId: pool.patientId, payorId: pool.payorId };
  if (line.type === "authorization")
    return { ...line, authorizedUnitsQuantity: 5, authorizedUnitFrequency: "TOTAL" };
  const bound = at("authorization", result.authorizationId);
  if (line.type === "session" && result.isBillable === true && bound !== undefined)
    return { ...line, clientId: bound.patientId, services: bound.serviceLineId };
  const held = at("session", result.sessionId);
  if (line.type === "encounter" && held !== undefined && (held.authorizationId ?? null) !== null)
    return { ...line, authorizationId: held.authorizationId };
  return line;
}

/**
 * A file over a practice, without the organization's line. In most files, lines that break a rule are left out; in the
 * others, lines may be valid only in combination.
 */
export function randomFile(random: Random, practice: Model, now: string): RandomFile {
  const missing = chance(random, 10)
    ? { type: pick(random, TYPES), many: chance(random, 50) }
    : undefined;
  const isValid = chance(random, 80);
  const lines: Fields[] = [];
  let known = practice;
  for (let attempts = random(fc.integer, { min: 1, max: 12 }); attempts > 0; attempts -= 1) {
    const type =
      attempts === 1 && missing !== undefined ? missing.type : pick(random, [...TYPES, ...OFTEN]);
    const publicId = pick(random, idsOf(type));
    if (lines.some((line) => keyOf(line) === `${type} ${publicId}`)) continue;
    const line = chance(random, 20)
      ? { type, publicId, deleted: true }
      : randomLine(random, type, publicId, known);
    const { after, faults } = applied(practice, [...lines, line], { now, missing: undefined });
    if (isValid && faults.length > 0) continue;
    lines.push(line);
    known = after;
  }
  return {
    lines: random(fc.shuffledSubarray, lines, { minLength: lines.length }),
    missing,
  };
}
