import { type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { roles } from "../callers/roles.ts";
import { parseJson } from "../lib/json.ts";
import type { Issue } from "../lib/errors.ts";
import { remembered } from "../lib/remembered.ts";
import { EnumField, GoalIdField, PublicIdField } from "../schema/fields.ts";
import { isRecordType, type RecordType, recordTypes } from "../schema/record-types.ts";
import { parse, type Parsed, type ParseOptions } from "../schema/validation.ts";
import type { Line } from "./lines.ts";
import { variantOf, variantsOf } from "./model.ts";
import type { Problem } from "./kinds/problem.ts";
import { type Variants, valuesOf } from "./kinds/record-kind.ts";
import { OFFICE_MESSAGES } from "./words.ts";

/** A line that identifies its record, and its mistakes. Despite mistakes, the rest of the line is checked. */
interface IdentifiedLine {
  line: number;
  type: RecordType;
  publicId: string;
  problems: readonly Problem[];
}

/** A line that creates or changes a record. */
export interface RecordLine extends IdentifiedLine {
  /** The fields that are present and not null; normalized if `isWhole`, otherwise as in the line. */
  fields: Fields;
  /** The fields to be cleared; only of complete lines. */
  nulls: readonly string[];
  /** Whether the line is a complete, valid record by itself. */
  isWhole: boolean;
  /** Whether it is a CSV row. Its empty cells are ignored for fields that the variant does not have. */
  isRow: boolean;
}

export interface Deletion extends IdentifiedLine {
  isDeletion: true;
}

/** A line that does not identify a record. */
interface Unreadable {
  line: number;
  /** Undefined if the line has no valid type. */
  type: RecordType | undefined;
  publicId?: undefined;
  /** The fields of a record without a valid id, as in the line. */
  fields: Fields;
  nulls: readonly never[];
  problems: Problem[];
}

export type ReadLine = RecordLine | Deletion | Unreadable;

export type Fields = Record<string, unknown>;

const OPTIONS: ParseOptions = { nulls: "absent", unknownKeys: "rejected" };

const Typed = Type.Object({ type: EnumField(recordTypes) });
const Id = PublicIdField();
const GoalId = GoalIdField();
/** Shared by all records that have none: an import holds hundreds of thousands in memory. */
const NONE: readonly never[] = [];

export type ParsedLine = Exclude<Line, { text: string }> | { number: number; json: unknown };

export function parseLine(line: Line): ParsedLine {
  if (!("text" in line)) return line;
  const { number, text } = line;
  try {
    return { number, json: parseJson(text) };
  } catch {
    return { number, problem: "is not valid JSON" };
  }
}

/**
 * Reads a record (an object with a known type and an id), and checks its fields as far as possible without the database.
 *
 * @param isTold whether mistakes are told: to find all in a record without an id takes long.
 */
export function readRecord(line: ParsedLine, isTold = true): ReadLine {
  const { number } = line;
  const reason = "not_json";
  if ("problem" in line)
    return unreadable(number, undefined, [{ path: [], message: line.problem, reason }]);
  const input = "input" in line ? line.input : line.json;
  if (!isFields(input))
    return unreadable(number, undefined, [
      { path: [], message: "is not a record: {…} is expected", reason },
    ]);
  const { type } = input;
  if (!Object.hasOwn(input, "type") || !isRecordType(type))
    return unreadable(
      number,
      undefined,
      problemsOf(issuesOf(Typed, { type }), input).map((problem) => ({
        ...problem,
        reason: problem.reason ?? "unknown_type",
      })),
    );
  // As exports before 1.0.0 have what was handed over of an encounter: one thing, where there is a list.
  if (type === "encounter" && isFields(input.billed)) input.billed = [input.billed];
  const isDeletion = Object.hasOwn(input, "deleted");
  const idSchema = type === "goal" ? GoalId : Id;
  const id = parse(idSchema, input.publicId);
  if ("issues" in id && isDeletion) {
    const ofId = issuesOf(Type.Object({ publicId: idSchema }), { publicId: input.publicId });
    const problems = [...problemsOf(ofId, input), ...problemsOfDeletion(type, input)];
    return unreadable(number, type, problems, input);
  }
  if ("issues" in id)
    return unreadable(number, type, isTold ? checkRecord(type, input).problems : [], input);
  const place = { line: number, type, publicId: id.value };
  if (isDeletion) return { ...place, isDeletion, problems: problemsOfDeletion(type, input) };
  const isRow = "input" in line;
  const rowProblems = isRow ? line.problems : NONE;
  const checked = checkRecord(type, isRow ? withoutOthersNulls(type, input) : input);
  if (checked.record !== undefined && rowProblems.length === 0) {
    const fields: Fields = checked.record;
    const absent = Object.keys(input).filter((name) => !(name in fields));
    const nulls = absent.length === 0 ? NONE : absent;
    return { ...place, fields, nulls, isWhole: true, isRow, problems: NONE };
  }
  const problems = [
    ...rowProblems,
    ...checked.problems.filter((one) => isCertain(one, input) && isNew(one, rowProblems)),
  ];
  return { ...place, fields: input, nulls: NONE, isWhole: false, isRow, problems };
}

/** Removes null values of fields that the variant does not have. */
function withoutOthersNulls(type: RecordType, input: Fields): Fields {
  const variant = variantOf(type, input);
  return variant === undefined ? input : withoutUnknownNulls(variant, input);
}

function withoutUnknownNulls({ properties }: TObject, fields: Fields): Fields {
  const kept: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    const schema: TSchema | undefined = properties[name];
    if (value === null && schema === undefined) continue;
    const isObject = schema?.type === "object" && isFields(value);
    kept[name] = isObject ? withoutUnknownNulls(schema as TObject, value) : value;
  }
  return kept;
}

function unreadable(
  line: number,
  type: RecordType | undefined,
  problems: Problem[],
  fields: Fields = {},
): Unreadable {
  return { line, type, fields, nulls: NONE, problems };
}

export function isFields(input: unknown): input is Fields {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

/** Whether a problem is independent of the stored record: a missing field may be stored. */
function isCertain({ path }: Problem, input: Fields): boolean {
  const [name = ""] = path;
  return path.length !== 1 || input[name] !== undefined;
}

/** Whether no other problem concerns the same field. */
export function isNew({ path }: Problem, others: readonly Problem[]): boolean {
  const field = JSON.stringify(path);
  return others.every((one) => JSON.stringify(one.path) !== field);
}

const OF_A_DELETION = ["type", "publicId", "deleted"];

function problemsOfDeletion(type: RecordType, input: Fields): Problem[] {
  if (input.deleted !== true)
    return [{ path: ["deleted"], message: "must be true, or be left out", value: input.deleted }];
  if (type === "organization")
    return [
      {
        path: ["deleted"],
        message: "is not possible: an import cannot delete an organization",
        reason: "does_not_fit",
      },
    ];
  return Object.keys(input)
    .filter((name) => !OF_A_DELETION.includes(name))
    .map((name) => ({
      path: [name],
      message: "is no field of a line that deletes its record",
      reason: "unknown_field",
    }));
}

/** Checks the fields of a record by its schema. Returns the record, or else its problems. */
export function checkRecord(
  type: RecordType,
  input: Fields,
): { record?: Fields; problems: Problem[] } {
  const variant = variantOf(type, input);
  const parsed: Parsed<Fields> =
    variant === undefined
      ? { issues: issuesOfAnyVariant(type, input) }
      : (parse(variant, input, OPTIONS, OFFICE_MESSAGES) as Parsed<Fields>);
  return "issues" in parsed
    ? { problems: problemsOf(parsed.issues, input) }
    : { record: parsed.value, problems: [] };
}

function problemsOf(issues: readonly Issue[], input: Fields): Problem[] {
  return issues.map(({ path, message }) => {
    // For unknown fields, the field's name is what is refused.
    if (message === OFFICE_MESSAGES.unknownField) return { path, message, reason: "unknown_field" };
    const problem = { path, message, value: valueAt(input, path) };
    return message === OFFICE_MESSAGES.required ? { ...problem, reason: "required" } : problem;
  });
}

function valueAt(input: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, step) => {
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, step);
    return isThere ? (value as Fields)[step] : undefined;
  }, input);
}

/** The problems of a record whose variant is unknown: those that all variants have in common. */
function issuesOfAnyVariant(type: RecordType, input: Fields): Issue[] {
  const { schema, others } = remembered(commons, type, () => newCommon(variantsOf(type)));
  const judged = { ...input };
  for (const name of others) delete judged[name];
  return issuesOf(schema, judged);
}

/** The fields that all variants of a type have in common, and the names of the others. */
interface Common {
  schema: TObject;
  others: readonly string[];
}

/** One per type: schemas are compiled on first use, which takes longer than to read a line. */
const commons = new Map<RecordType, Common>();

function newCommon({ variants, discriminator = "" }: Variants): Common {
  const values = variants.flatMap((variant) => valuesOf(variant, discriminator));
  // Messages list roles in the order of the specification.
  const kinds = discriminator === "role" ? roles : (values as string[]);
  const properties: TProperties = {
    [discriminator]: values.includes(true) ? Type.Boolean() : EnumField(kinds),
  };
  const others: string[] = [];
  for (const name of new Set(variants.flatMap((variant) => Object.keys(variant.properties)))) {
    if (name === discriminator) continue;
    const having = variants.filter((variant) => name in variant.properties);
    const [schema] = having.map((variant) => variant.properties[name]) as [TSchema];
    if (!having.every((variant) => isSame(variant.properties[name], schema))) others.push(name);
    else if (variants.every(({ required }) => required?.includes(name))) properties[name] = schema;
    else properties[name] = Type.Optional(schema);
  }
  return { schema: Type.Object(properties), others };
}

function issuesOf(schema: TSchema, input: unknown): Issue[] {
  const parsed = parse(schema, input, OPTIONS, OFFICE_MESSAGES);
  return "issues" in parsed ? parsed.issues : [];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Set automatically if a record does not give them; they cannot be cleared. */
const TIMES = ["createdAt", "updatedAt"];

/**
 * Merges a line with the stored record: given fields replace stored ones, null clears. If the variant changes, fields
 * that the new one does not have are dropped.
 */
export function mergedRecord(entry: RecordLine, stored: Fields): Fields {
  const merged = merge(entry, stored);
  return entry.isRow ? withoutOthersNulls(entry.type, merged) : merged;
}

function merge({ type, fields, nulls }: RecordLine, stored: Fields): Fields {
  const merged: Fields = { ...stored, ...fields };
  for (const name of nulls) merged[name] = null;
  for (const name of TIMES) if (name in stored) merged[name] ??= stored[name];
  const variant = variantOf(type, merged);
  if (variant === undefined || variant === variantOf(type, stored)) return merged;
  for (const name of Object.keys(stored)) {
    if (Object.hasOwn(fields, name) || nulls.includes(name)) continue;
    const schema: TSchema | undefined = variant.properties[name];
    // A constant such as measurementType follows the variant.
    if (schema === undefined || "const" in schema) delete merged[name];
    else if (schema.type === "object") merged[name] = fitted(schema as TObject, merged[name]);
  }
  return merged;
}

function fitted({ properties }: TObject, value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name in properties));
}
