import { expect, test } from "bun:test";
import fc, { type GeneratorValue } from "fast-check";
import { newDatabase, NOW } from "../support/harness.ts";
import { exported } from "../support/practice-file/fields.ts";
import {
  changesAfter,
  exportRecords,
  exportText,
  type Fields,
  importAll,
  type ImportTestOptions,
  RecordMap,
} from "../support/practice-file/practice-file.ts";

/**
 * Random files over random practices, compared with a model: a map of records. Lines set some or
 * all fields of a record, clear some, or delete it, in any order after the first line.
 */

/** A field of the model: its values, and its default for absent and null. */
interface ModelField {
  isRequired?: boolean;
  unlessGiven?: unknown;
  /** The type that it refers to; for users, the role. */
  names?: string;
  value(random: GeneratorValue, ids: (type: string) => string[]): unknown;
}

type Model = Map<string, Fields>;

const text = (random: GeneratorValue) => random(fc.constantFrom, "A", "B", "C", "D");
const oneOf =
  (type: string) =>
  (random: GeneratorValue, ids: (type: string) => string[]): unknown =>
    random(fc.constantFrom, ...ids(type));
const some =
  (type: string) =>
  (random: GeneratorValue, ids: (type: string) => string[]): unknown =>
    [...new Set(random(fc.array, fc.constantFrom(...ids(type)), { maxLength: 3 }))].sort();

/**
 * The fields of each type and role of the model. Lists and other fields are left out if few types
 * need them.
 */
const kinds: Record<string, Record<string, ModelField>> = {
  location: { name: { isRequired: true, value: text } },
  specialization: {
    name: { isRequired: true, value: text },
    isActive: { unlessGiven: true, value: (random) => random(fc.boolean) },
  },
  TECHNICIAN: {
    ...people(),
    specializationIds: {
      unlessGiven: [],
      names: "specialization",
      value: some("specialization"),
    },
    locationIds: { unlessGiven: [], names: "location", value: some("location") },
    primaryLocationId: { unlessGiven: null, names: "location", value: oneOf("location") },
  },
  CAREGIVER: people(),
  PATIENT: {
    ...people(),
    userStatus: { unlessGiven: "LEAD", value: text },
    city: { unlessGiven: null, value: text },
    caregiverId: { unlessGiven: null, names: "CAREGIVER", value: oneOf("CAREGIVER") },
    clinicianIds: { unlessGiven: [], names: "TECHNICIAN", value: some("TECHNICIAN") },
    locationIds: { unlessGiven: [], names: "location", value: some("location") },
  },
  treatmentPlan: {
    patientId: { isRequired: true, names: "PATIENT", value: oneOf("PATIENT") },
    name: { unlessGiven: null, value: text },
  },
  goal: {
    treatmentPlanId: { isRequired: true, names: "treatmentPlan", value: oneOf("treatmentPlan") },
    title: { isRequired: true, value: text },
    status: { unlessGiven: "BASELINE", value: () => "MASTERED" },
    description: { unlessGiven: null, value: text },
  },
};

function people(): Record<string, ModelField> {
  return {
    firstName: { isRequired: true, value: text },
    lastName: { isRequired: true, value: text },
    phoneNumber: { unlessGiven: null, value: text },
    isActive: { unlessGiven: true, value: (random) => random(fc.boolean) },
    shouldSendSMS: { unlessGiven: false, value: (random) => random(fc.boolean) },
  };
}

const ROLES = ["TECHNICIAN", "CAREGIVER", "PATIENT"];
const TYPES = ["location", "specialization", ...ROLES, "treatmentPlan", "goal"];
const own: Fields = { type: "organization", publicId: "org_maple", name: "Maple" };

function idsOf(type: string): string[] {
  const prefix = type === "goal" ? "goal_" : `${type}_`;
  return Array.from({ length: 4 }, (_, index) => `${prefix}${index}`);
}

function typeOf(kind: string): string {
  return ROLES.includes(kind) ? "user" : kind;
}

/** The type or role of an id: users of each role have separate ids. */
function kindOf(id: string): string {
  return TYPES.find((kind) => idsOf(kind).includes(id)) ?? "";
}

/** A line with some fields of a record, or at least the required ones if the record is new. */
function line(id: string, random: GeneratorValue, known: Model, ids: (kind: string) => string[]) {
  const kind = kindOf(id);
  const isNew = !known.has(id);
  const fields: Fields = { type: typeOf(kind), publicId: id };
  if (ROLES.includes(kind) && (isNew || random(fc.boolean))) fields.role = kind;
  if (kind === "goal" && (isNew || random(fc.boolean))) fields.goalType = "rating";
  for (const [name, field] of Object.entries(kinds[kind] ?? {})) {
    const canBeGiven = field.names === undefined || ids(field.names).length > 0;
    const isGiven = (isNew && field.isRequired === true) || random(fc.boolean);
    if (!isGiven || !canBeGiven) continue;
    const isCleared = field.isRequired !== true && random(fc.integer, { min: 0, max: 3 }) === 0;
    fields[name] = isCleared ? null : field.value(random, ids);
  }
  return fields;
}

/** A record of the model after a line. */
function changed(stored: Fields | undefined, given: Fields): Fields {
  const kind = kindOf(String(given.publicId));
  const record: Fields = { ...stored, ...given };
  if (typeOf(kind) === "user") record.role = kind;
  for (const [name, { unlessGiven }] of Object.entries(kinds[kind] ?? {}))
    record[name] ??= unlessGiven;
  if (kind === "goal")
    Object.assign(record, { goalType: "rating", measurementType: "RATING", ratingInstances: [] });
  if (typeOf(kind) === "user") {
    record.createdAt ??= NOW;
    const isChanged = !Bun.deepEquals(
      without({ ...stored }, "updatedAt"),
      without(exported({ ...record }), "updatedAt"),
    );
    record.updatedAt = isChanged ? NOW : stored?.updatedAt;
  }
  return exported(record);
}

function without(record: Fields, name: string): Fields {
  const { [name]: _, ...rest } = record;
  return rest;
}

/** The ids that a record refers to. */
function namedBy(record: Fields): string[] {
  const fields = Object.entries(kinds[kindOf(String(record.publicId))] ?? {});
  return fields.flatMap(([name, { names }]) =>
    names === undefined ? [] : ([record[name] ?? []].flat() as string[]),
  );
}

/** A file over a practice: its lines, and the practice after it. */
function fileOver(model: Model, random: GeneratorValue) {
  const lines: Fields[] = [];
  const after = new Map(model);
  for (const kind of TYPES)
    for (const id of idsOf(kind)) {
      const isThere = [...after.keys()];
      const ids = (named: string) => idsOf(named).filter((each) => isThere.includes(each));
      const needs = Object.values(kinds[kind] ?? {}).filter(({ isRequired }) => isRequired);
      if (needs.some(({ names }) => names !== undefined && ids(names).length === 0)) continue;
      if (random(fc.integer, { min: 0, max: 2 }) === 0) continue;
      const given = line(id, random, after, ids);
      lines.push(given);
      after.set(id, changed(after.get(id), given));
    }
  // Records to which no record refers may be deleted; the last first, since it refers to the
  // others.
  const written = new Set(lines.map(({ publicId }) => publicId));
  for (const kind of TYPES.toReversed())
    for (const id of idsOf(kind)) {
      const isNamed = [...after.values()].some((record) => namedBy(record).includes(id));
      if (written.has(id) || isNamed || random(fc.integer, { min: 0, max: 2 }) > 0) continue;
      lines.push({ type: typeOf(kind), publicId: id, deleted: true });
      after.delete(id);
    }
  const shuffled = random(fc.shuffledSubarray, lines, { minLength: lines.length });
  return { lines: [own, ...shuffled], after };
}

/** The counts of an import for each type in the file. */
function talliesOf(before: Model, after: Model, lines: readonly Fields[]) {
  const types = [...new Set(lines.slice(1).map(({ type }) => String(type)))];
  return Object.fromEntries(
    types.map((type) => {
      const ofType = lines.filter((each) => each.type === type);
      const given = ofType
        .filter(({ deleted }) => deleted !== true)
        .map(({ publicId }) => publicId);
      const idsIn = (model: Model) =>
        [...model.keys()].filter((id) => typeOf(kindOf(id)) === type) as unknown[];
      const isSame = (id: unknown) => Bun.deepEquals(before.get(String(id)), after.get(String(id)));
      return [
        type,
        {
          created: given.filter((id) => !before.has(String(id))).length,
          changed: given.filter((id) => before.has(String(id)) && !isSame(id)).length,
          unchanged: given.filter((id) => before.has(String(id)) && isSame(id)).length,
          deleted: idsIn(before).filter((id) => !after.has(String(id))).length,
          missing: idsIn(after).filter((id) => !given.includes(id)).length,
        },
      ];
    }),
  );
}

test("an import gives what a map of records gives for the same lines, and a copy follows the changes", async () => {
  const options: ImportTestOptions = {};
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (random) => {
      const database = await newDatabase();
      let model: Model = new Map();
      const copy = new RecordMap();
      let sequence = 0;
      for (let round = 0; round < 4; round += 1) {
        const { lines, after } = fileOver(model, random);
        const outcome = await importAll(database, lines, options);
        if ("mistakes" in outcome) throw new Error(outcome.mistakes.report("f").join("\n"));
        const [, ...records] = await exportRecords(database, "org_maple");
        const expected = [...after.values()];
        expect(new Map(records.map((record) => [record.publicId, record]))).toEqual(
          new Map(expected.map((record) => [record.publicId, record])),
        );
        const { organization: _, ...tallies } = Object.fromEntries(outcome.tallies);
        expect(tallies as object).toEqual(talliesOf(model, after, lines));
        model = after;
        const changes = await changesAfter(database, sequence);
        copy.apply(changes.file);
        copy.expectToEqual(await exportText(database, "org_maple"));
        ({ sequence } = changes);
      }
    }),
    { numRuns: 30, endOnFailure: true, includeErrorInReport: true },
  );
}, 120_000);
