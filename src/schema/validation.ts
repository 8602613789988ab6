import type { Static, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import type { Issue } from "../lib/errors.ts";
import { cleaned, type CleaningOptions } from "./cleaning.ts";
import { explain, type Words } from "./explanation.ts";

/** Checks values that do not come to a route of their own: records of a practice file, and updates of goals. */

export type ParseOptions = CleaningOptions;

export type Parsed<Value> = { value: Value } | { issues: Issue[] };

/** Requests of every kind but updates. */
export const REQUEST: ParseOptions = { nulls: "absent", unknownKeys: "stripped" };

/** Updates, which clear a field by null where its model allows it. */
export const UPDATE: ParseOptions = { ...REQUEST, nulls: "refused" };

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** Compiled when a value is first checked. */
function checkOf(schema: TSchema): TypeCheck<TSchema> {
  const check = checks.get(schema) ?? TypeCompiler.Compile(schema);
  checks.set(schema, check);
  return check;
}

/** The cleaned and checked value, or all that is wrong with it. */
export function parse<Schema extends TSchema>(
  schema: Schema,
  input: unknown,
  options: ParseOptions = REQUEST,
  words?: Words,
): Parsed<Static<Schema>> {
  const { value, hasUnknownKeys } = cleaned(schema, input, options);
  if (!hasUnknownKeys && checkOf(schema).Check(value)) return { value: value as Static<Schema> };
  return { issues: explain(schema, value, words) };
}
