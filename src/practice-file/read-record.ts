import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { roles } from "../access/roles.ts";
import { EnumField, PublicIdField } from "../schema/fields.ts";
import { parse, type Parsed, type ParseOptions } from "../schema/validation.ts";
import type { Line } from "./lines.ts";
import { type PracticeRecord, recordSchema, recordTypes, userRecordSchema } from "./model.ts";
import { fieldName, type LineSubject, type Problem } from "./problems.ts";

/** A line's record with its fields checked one by one, or what is wrong with them. */
export type ReadRecord =
  { subject: LineSubject; record: PracticeRecord } | { subject: LineSubject; problems: Problem[] };

const OPTIONS: ParseOptions = { nulls: "absent", unknownKeys: "refused" };

const Typed = Type.Object({ type: EnumField(recordTypes) });
const Identified = Type.Object({ publicId: PublicIdField() });
const WithRole = Type.Object({ role: EnumField(roles) });

/** Reads the record of a line: JSON of a known type, with each field as the type's schema has it. */
export function readRecord(line: Line): ReadRecord {
  if ("problem" in line) return unreadable(line.problem);
  let input: unknown;
  try {
    input = JSON.parse(line.text);
  } catch {
    return unreadable("The line is not valid JSON");
  }
  const typed = parse(Typed, input);
  if ("issues" in typed) return refusal({}, typed);
  const parsed = parseAs(typed.value, input);
  if ("issues" in parsed) return refusal(subjectOf(typed.value, input), parsed);
  return { subject: parsed.value, record: parsed.value };
}

function unreadable(message: string): ReadRecord {
  return { subject: {}, problems: [{ field: "", message }] };
}

function parseAs({ type }: Static<typeof Typed>, input: unknown): Parsed<PracticeRecord> {
  if (type !== "user") return parseRecord(recordSchema(type), input);
  const user = parse(WithRole, input);
  return "issues" in user ? user : parseRecord(userRecordSchema(user.value.role), input);
}

function parseRecord(schema: TSchema, input: unknown): Parsed<PracticeRecord> {
  return parse(schema, input, OPTIONS) as Parsed<PracticeRecord>;
}

function subjectOf({ type }: Static<typeof Typed>, input: unknown): LineSubject {
  const identified = parse(Identified, input);
  return "value" in identified ? { type, publicId: identified.value.publicId } : { type };
}

function refusal(
  subject: LineSubject,
  { issues }: Extract<Parsed<unknown>, { issues: unknown }>,
): ReadRecord {
  return { subject, problems: issues.map(toProblem) };
}

function toProblem(issue: { path: (string | number)[]; message: string }): Problem {
  return { field: fieldName(issue.path), message: issue.message };
}
