import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { InvalidInput, type Issue } from "../lib/errors.ts";
import { cleaned } from "../schema/cleaning.ts";
import { explain, MAX_ISSUES } from "../schema/explanation.ts";
import { parse, REQUEST, UPDATE } from "../schema/validation.ts";
import { parseBody, receiveBody } from "./body.ts";
import { queryInput } from "./query.ts";

export interface InputSchemas {
  params?: TObject | undefined;
  query?: TObject | undefined;
  body?: TSchema | undefined;
}

export interface Input {
  schemas: InputSchemas;
  /** The bytes of the body; undefined if the route has none. */
  bytes: Uint8Array | undefined;
  /** The normalized query; undefined if the route has none. */
  query: unknown;
}

/** The values that Elysia validates. */
export interface InputValues {
  params: unknown;
  query: unknown;
  body: unknown;
}

/**
 * Reads and normalizes the input of a route, after authentication and authorization.
 *
 * @param receivedBytes waits for the bytes of the body.
 * @throws PlainError 413 and 415. @throws InvalidInput for unknown query parameters and invalid JSON.
 */
export async function readInput(
  request: Request,
  pathParameters: Record<string, string | null> | undefined,
  schemas: InputSchemas,
  receivedBytes: (body: TSchema) => Promise<Uint8Array>,
): Promise<{ input: Input; values: InputValues }> {
  const { body } = schemas;
  const bytes = body && (await receivedBytes(body));
  const { values, unknown } = urlInput(request.url, pathParameters, schemas);
  // Elysia also validates path and query, but after parsing the body, and it ignores unknown parameters.
  if (bytes !== undefined || unknown.length > 0) requireGoodUrl(schemas, values, unknown);
  if (body !== undefined && bytes !== undefined)
    values.body = bodyValue(body, parseBody(bytes, body), request);
  return { input: { schemas, bytes, query: values.query }, values };
}

/**
 * Reads the body of a route outside the API, which Elysia does not validate and which has no parameters.
 *
 * @throws PlainError 413 and 415. @throws InvalidInput
 */
export async function readBody<Schema extends TSchema>(
  request: Request,
  schema: Schema,
): Promise<Static<Schema>> {
  const bytes = async () => (await receiveBody(request, schema, () => {})).bytes();
  const { values } = await readInput(request, undefined, { body: schema }, bytes);
  const parsed = parse(schema, values.body);
  if ("issues" in parsed) throw new InvalidInput(parsed.issues);
  return parsed.value;
}

/** @throws InvalidInput for any query parameter. */
export function requireNoParameters({ url }: Request): void {
  const { unknown } = queryInput(url, undefined);
  if (unknown.length > 0)
    throw new InvalidInput(unknown.slice(0, MAX_ISSUES).map(unrecognizedParameter));
}

/** The input of a read. @throws InvalidInput */
export function readUrl(...asked: Parameters<typeof urlInput>): InputValues {
  const { values, unknown } = urlInput(...asked);
  requireGoodUrl(asked[2], values, unknown);
  return values;
}

/** The normalized values of a URL, and its unknown parameters. */
function urlInput(
  url: string,
  pathParameters: Record<string, string | null> | undefined,
  { params, query }: InputSchemas,
): { values: InputValues; unknown: string[] } {
  const { parameters, unknown } = queryInput(url, query);
  const values: InputValues = {
    params: params && cleaned(params, withoutNulls(pathParameters ?? {}), REQUEST).value,
    query: query && cleaned(query, parameters, REQUEST).value,
    body: undefined,
  };
  return { values, unknown };
}

/** @throws InvalidInput for the path; if it is valid, for the query and its unknown parameters. */
function requireGoodUrl(schemas: InputSchemas, values: InputValues, unknown: string[]): void {
  const inPath = schemas.params === undefined ? [] : explain(schemas.params, values.params);
  if (inPath.length > 0) throw new InvalidInput(inPath);
  const inQuery = schemas.query === undefined ? [] : explain(schemas.query, values.query);
  const issues = [...inQuery, ...unknown.map(unrecognizedParameter)].slice(0, MAX_ISSUES);
  if (issues.length > 0) throw new InvalidInput(issues);
}

export function unrecognizedParameter(name: string): Issue {
  return {
    code: "unrecognized_keys",
    message: "Is no parameter of this operation",
    path: [name],
  };
}

function bodyValue(schema: TSchema, value: unknown, request: Request): unknown {
  if (value instanceof Uint8Array) return value;
  // The handler validates objects. Anything else is refused by its type, so the elements of a list are not needed.
  if (checksItself(schema)) return Array.isArray(value) ? [] : value;
  return cleaned(schema, value, request.method === "PATCH" ? UPDATE : REQUEST).value;
}

/** The router passes null for a parameter that cannot be decoded; an empty text is reported as a malformed id. */
function withoutNulls(parameters: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, text ?? ""]));
}

const AnyObject = Type.Object({}, { additionalProperties: true });

/** Whether the handler validates the body, because its schema depends on stored data. */
function checksItself(body: TSchema): boolean {
  return body.noValidate === true;
}

/** The body schema to be validated by Elysia. */
export function checkedBody(body: TSchema): TSchema {
  if (checksItself(body)) return AnyObject;
  return body.type === "object" ? withoutDefaults(body as TObject) : body;
}

/** Without defaults: Elysia would apply them even to a body that is not an object, and turn it into one. */
function withoutDefaults(schema: TObject): TObject {
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const { default: _, ...rest } = property;
    return [name, rest as TSchema] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
