import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { InvalidInput, type Issue } from "../lib/errors.ts";
import { cleaned, type CleaningOptions } from "../schema/cleaning.ts";
import { explain, MAX_ISSUES } from "../schema/explanation.ts";
import { REQUEST, UPDATE } from "../schema/validation.ts";
import { parseBody, readBody } from "./body.ts";
import { queryInput } from "./query.ts";

/** What a route takes: the schemas of its declaration. */
export interface InputSchemas {
  params?: TObject | undefined;
  query?: TObject | undefined;
  body?: TSchema | undefined;
}

/** What was read of a request. */
export interface Input {
  schemas: InputSchemas;
  /** The bytes of the body; undefined where the route takes none. */
  bytes: Uint8Array | undefined;
  /** What the query says, cleaned; undefined where the route takes none. */
  query: unknown;
}

/** The values that Elysia checks against the schemas. */
export interface InputValues {
  params: unknown;
  query: unknown;
  body: unknown;
}

/**
 * Reads what a request gives of what its route takes, and cleans it: the key and the role are known by now.
 *
 * @param whenWhole is waited for between the body's arrival and the reading of it.
 * @throws PlainError 413 and 415. @throws InvalidInput for parameters of the query that the route does not have, and for
 * a body that is no JSON.
 */
export async function readInput(
  request: Request,
  pathParameters: Record<string, string | null> | undefined,
  schemas: InputSchemas,
  whenWhole: (body: Uint8Array) => Promise<void>,
): Promise<{ input: Input; values: InputValues }> {
  const { params, query, body } = schemas;
  const bytes = body && (await readBody(request, body));
  if (bytes !== undefined) await whenWhole(bytes);
  const { given, unknown } = queryInput(request.url, query);
  const values: InputValues = {
    params: params && cleaned(params, withoutNulls(pathParameters ?? {}), REQUEST).value,
    query: query && cleaned(query, given, REQUEST).value,
    body: undefined,
  };
  // Elysia checks path and query, too, but only once the body is parsed, and does not know of the unknown.
  if (bytes !== undefined || unknown.length > 0) requireGoodUrl(schemas, values, unknown);
  if (body !== undefined && bytes !== undefined)
    values.body = bodyValue(body, parseBody(bytes, body), nullsOf(request));
  return { input: { schemas, bytes, query: values.query }, values };
}

/** @throws InvalidInput for the path, or where that is good, for the query with the parameters that the route does not have. */
function requireGoodUrl(schemas: InputSchemas, values: InputValues, unknown: string[]): void {
  const inPath = schemas.params === undefined ? [] : explain(schemas.params, values.params);
  if (inPath.length > 0) throw new InvalidInput(inPath);
  const inQuery = schemas.query === undefined ? [] : explain(schemas.query, values.query);
  const notParameters = unknown.map((name) => unrecognizedParameter(name));
  const issues = [...inQuery, ...notParameters].slice(0, MAX_ISSUES);
  if (issues.length > 0) throw new InvalidInput(issues);
}

function unrecognizedParameter(name: string): Issue {
  return {
    code: "unrecognized_keys",
    message: "Is no parameter of this operation",
    path: [name],
  };
}

function bodyValue(schema: TSchema, value: unknown, options: CleaningOptions): unknown {
  if (value instanceof Uint8Array) return value;
  return checksItself(schema) ? unread(value) : cleaned(schema, value, options).value;
}

function nullsOf({ method }: Request): CleaningOptions {
  return method === "PATCH" ? UPDATE : REQUEST;
}

/** The router gives null for a parameter that does not decode; as an empty text it is a malformed id. */
function withoutNulls(parameters: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, text ?? ""]));
}

const AnyObject = Type.Object({}, { additionalProperties: true });

/** Whether what the body may be depends on what is stored, and so is checked by the handler. */
function checksItself(body: TSchema): boolean {
  return body.noValidate === true;
}

/** An object as it came; what is none is refused, for which its type is enough. */
function unread(value: unknown): unknown {
  return Array.isArray(value) ? [] : value;
}

/** A route's schema of a body as Elysia is to check it. */
export function checkedBody(body: TSchema): TSchema {
  if (checksItself(body)) return AnyObject;
  return body.type === "object" ? withoutDefaults(body as TObject) : body;
}

/** Elysia would lay the defaults over a body that is no object, and make it one. */
function withoutDefaults(schema: TObject): TObject {
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const { default: _, ...rest } = property;
    return [name, rest as TSchema] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
