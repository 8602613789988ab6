import { type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { Issue } from "../lib/errors.ts";
import { EnumField, PublicIdField } from "../schema/fields.ts";
import { parse, type Parsed, type ParseOptions } from "../schema/validation.ts";
import type { Line } from "./lines.ts";
import {
  kindOfRecord,
  type PracticeRecord,
  recordKinds,
  type RecordKinds,
  type RecordType,
  recordTypes,
} from "./model.ts";
import type { LineSubject, Problem } from "./problems.ts";

/** A line's record with its fields checked one by one, or what is wrong with them. */
export type ReadRecord =
  { subject: LineSubject; record: PracticeRecord } | { subject: LineSubject; problems: Problem[] };

const OPTIONS: ParseOptions = { nulls: "absent", unknownKeys: "refused" };

const types: ReadonlySet<unknown> = new Set(recordTypes);
const Typed = Type.Object({ type: EnumField(recordTypes) });
const Identified = Type.Object({ publicId: PublicIdField() });

/** Reads the record of a line: JSON of a known type, with each field as the type's schema has it. */
export function readRecord(line: Line): ReadRecord {
  if ("problem" in line) return unreadable(line.problem);
  if ("input" in line) return readInput(line.input);
  let input: unknown;
  try {
    input = JSON.parse(line.text);
  } catch {
    return unreadable("The line is not valid JSON");
  }
  return readInput(input);
}

function readInput(input: unknown): ReadRecord {
  const type = typeOf(input);
  if (typeof type !== "string") return { subject: {}, problems: type };
  const parsed = parseAs(type, input as Record<string, unknown>);
  return "issues" in parsed
    ? { subject: subjectOf(type, input), problems: parsed.issues }
    : { subject: parsed.value, record: parsed.value };
}

/** The type of a record, or what is wrong with it. */
function typeOf(input: unknown): RecordType | Problem[] {
  // A closer look is for what is no record.
  if (typeof input === "object" && input !== null && Object.hasOwn(input, "type")) {
    const { type } = input as { type: unknown };
    if (types.has(type)) return type as RecordType;
  }
  const typed = parse(Typed, input);
  return "issues" in typed ? typed.issues : typed.value.type;
}

function unreadable(message: string): ReadRecord {
  return { subject: {}, problems: [{ path: [], message }] };
}

function parseAs(type: RecordType, input: Record<string, unknown>): Parsed<PracticeRecord> {
  const kind = kindOfRecord(type, input);
  return kind === undefined
    ? { issues: issuesOfAnyKind(recordKinds(type), input) }
    : (parse(kind, input, OPTIONS) as Parsed<PracticeRecord>);
}

/** What is wrong with a record that does not say of which kind it is, as far as its kinds agree on that. */
function issuesOfAnyKind(
  { kinds, discriminator }: RecordKinds,
  input: Record<string, unknown>,
): Issue[] {
  const { name: telling = "", schema: told = Type.Object({}) } = discriminator ?? {};
  const isTold = Object.hasOwn(input, telling) && input[telling] !== undefined;
  const kindIssues: Issue[] = isTold
    ? issuesOf(told, { [telling]: input[telling] })
    : [{ code: "invalid_type", message: "Required", path: [telling] }];

  const properties: TProperties = {};
  const judged = { ...input };
  for (const name of new Set(kinds.flatMap((kind) => Object.keys(kind.properties)))) {
    const having = kinds.filter((kind) => name in kind.properties);
    const [schema] = having.map((kind) => kind.properties[name]) as [TSchema];
    const isOne = having.every((kind) => isSame(kind.properties[name], schema));
    if (name === telling || !isOne) delete judged[name];
    else if (kinds.every(({ required }) => required?.includes(name))) properties[name] = schema;
    else properties[name] = Type.Optional(schema);
  }
  return [...kindIssues, ...issuesOf(Type.Object(properties), judged)];
}

function issuesOf(schema: TSchema, input: unknown): Issue[] {
  const parsed = parse(schema, input, OPTIONS);
  return "issues" in parsed ? parsed.issues : [];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function subjectOf(type: RecordType, input: unknown): LineSubject {
  const identified = parse(Identified, input);
  return "value" in identified ? { type, publicId: identified.value.publicId } : { type };
}
