import type { Static, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import type { Issue } from "../lib/errors.ts";
import { cleaned, type CleaningOptions } from "./cleaning.ts";
import { explain, type Messages } from "./explanation.ts";

/** Validation of values that Elysia's routes do not validate: records of a practice file, and updates of goals. */

export type ParseOptions = CleaningOptions;

export type Parsed<Value> = { value: Value } | { issues: Issue[] };

/** For requests other than updates. */
export const REQUEST: ParseOptions = { nulls: "absent", unknownKeys: "stripped" };

/** For updates, where null clears a field if its model is nullable. */
export const UPDATE: ParseOptions = { ...REQUEST, nulls: "rejected" };

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** Compiles a schema's check on first use. */
function checkOf(schema: TSchema): TypeCheck<TSchema> {
  const check = checks.get(schema) ?? TypeCompiler.Compile(schema);
  checks.set(schema, check);
  return check;
}

/** Cleans and checks a value. Returns it, or its issues. */
export function parse<Schema extends TSchema>(
  schema: Schema,
  input: unknown,
  options: ParseOptions = REQUEST,
  messages?: Messages,
): Parsed<Static<Schema>> {
  const { value, hasUnknownKeys } = cleaned(schema, input, options);
  if (!hasUnknownKeys && checkOf(schema).Check(value)) return { value: value as Static<Schema> };
  return { issues: explain(schema, value, messages) };
}
