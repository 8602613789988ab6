import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { document } from "./endpoints.ts";
import {
  describedError,
  type HeaderObject,
  type Reference,
  type ResponseObject,
} from "../../src/http/document/error-responses.ts";
import type { JsonSchema } from "../../src/http/document/schema-components.ts";
import { API_BASE, SIGN_IN_BASE } from "../../src/http/paths.ts";

/**
 * Checks responses against the OpenAPI document. Every response in every test is checked, so omissions and errors of
 * the document fail the test that reveals them.
 */

/** A request and its response. */
export interface Exchange {
  method: string;
  /** The request's path with `/api`, with or without query. */
  path: string;
  status: number;
  headers: Headers;
  /** The parsed JSON body; undefined if empty. */
  body: unknown;
}

/**
 * Checks the status, headers and body of a response. Properties that the document does not have are errors.
 *
 * @throws Error that describes the difference. Responses outside the API are ignored.
 */
export function checkAgainstDocument(exchange: Exchange): void {
  const { method, status } = exchange;
  const path = exchange.path.replace(/[?#].*$/, "");
  if (path !== API_BASE && !path.startsWith(`${API_BASE}/`)) return;
  // For the page alone, and in no document.
  if (path.startsWith(SIGN_IN_BASE)) return;
  // Preflight responses are defined by the Fetch standard, not by the document.
  if (method === "OPTIONS" && status === 204) return;

  const template = templateOf(path.slice(API_BASE.length));
  const response = documentedResponse(method, template, status);
  if (response === undefined)
    throw new Error(`${method} ${template ?? path} answered ${status}, which is not documented`);
  const problem = headerProblem(response, exchange.headers) ?? bodyProblem(response, exchange);
  if (problem !== undefined)
    throw new Error(
      `${method} ${template ?? path} answered ${status} unlike documented: ${problem}`,
    );
}

/** The document's template for a path; templates without parameters take precedence. */
function templateOf(path: string): string | undefined {
  if (path in document.paths) return path;
  const segments = path.split("/");
  return Object.keys(document.paths).find((template) => {
    const expected = template.split("/");
    return (
      expected.length === segments.length &&
      expected.every((segment, index) =>
        segment.startsWith("{") ? segments[index] !== "" : segment === segments[index],
      )
    );
  });
}

/** The document's response; also for unknown methods of a known path, and for unknown paths. */
function documentedResponse(
  method: string,
  template: string | undefined,
  status: number,
): ResponseObject | undefined {
  if (template === undefined) return unknownPath[status];
  const operations = document.paths[template] ?? {};
  const operation = operations[method === "HEAD" ? "get" : method.toLowerCase()];
  if (operation !== undefined) return resolved(operation.responses[status]);
  const isOfPath = WRONG_METHOD.has(status);
  return isOfPath ? resolved(Object.values(operations)[0]?.responses[status]) : undefined;
}

const WRONG_METHOD = new Set([401, 405, 414, 429, 500, 503]);

const { responses } = document.components;

/** Paths that are not in the document also require a key. */
const unknownPath: Record<number, ResponseObject | undefined> = {
  401: responses.Unauthorized,
  404: {
    ...describedError(404, "standard", {
      description: "There is no such path.",
      messages: ["Not found"],
    }),
    headers: {},
  },
  414: responses.UriTooLong,
  429: responses.TooManyRequests,
  500: responses.InternalServerError,
  503: responses.ServiceUnavailable,
};

function resolved(response: ResponseObject | Reference | undefined): ResponseObject | undefined {
  if (response === undefined || !("$ref" in response)) return response;
  return responses[response.$ref.replace("#/components/responses/", "")];
}

const headerComponents: Record<string, HeaderObject> = document.components.headers;

/** Describes a missing or malformed header, if any. */
function headerProblem({ headers, content }: ResponseObject, given: Headers): string | undefined {
  const type = given.get("content-type");
  const types = Object.keys(content).map((name) =>
    name === "application/json" ? "application/json; charset=utf-8" : name,
  );
  if (!types.includes(type ?? "")) return `the media type is ${type}`;
  for (const [name, { $ref }] of Object.entries(headers)) {
    const header = headerComponents[$ref.replace("#/components/headers/", "")];
    const text = given.get(name);
    if (text === null && header?.required === true) return `the header ${name} is missing`;
    if (text === null || header === undefined) continue;
    const value = header.schema.type === "integer" ? Number(text) : text;
    const problem = mismatch(header.schema, value);
    if (problem !== undefined) return `the header ${name}: ${problem}`;
  }
  return undefined;
}

function bodyProblem(
  { content }: ResponseObject,
  { method, status, body }: Exchange,
): string | undefined {
  if (method === "HEAD" && body === undefined) return undefined;
  const [{ schema, examples } = { schema: {} }] = Object.values(content);
  const problem = mismatch(schema, body) ?? orderProblem(body);
  const isExample = Object.values(examples ?? {}).some(({ value }) => Bun.deepEquals(value, body));
  if (problem !== undefined || isExample || !FIXED_MESSAGES.has(status)) return problem;
  return `no example is ${JSON.stringify(body)}`;
}

/** The members of an issue stand in one order in every response. */
function orderProblem(body: unknown): string | undefined {
  const { validationErrors, details } = (body ?? {}) as Record<string, object[] | undefined>;
  const orders = (validationErrors ?? details ?? []).map((issue) => Object.keys(issue).join());
  return orders.find((order) => !"code,message,path,reason".startsWith(order));
}

/** Statuses whose messages are fixed, so that the document has each of them as an example. */
const FIXED_MESSAGES = new Set([404, 405, 408, 409, 413, 414, 415, 422, 429, 503]);

function componentOf({ $ref = "" }: JsonSchema): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

/** The examples of an error, with their schema; one of a shape that has its own. */
export function errorExamples(response: ResponseObject | Reference): [JsonSchema, unknown][] {
  return Object.values(resolved(response)?.content ?? {}).flatMap(
    ({ schema, example, examples = {} }) => {
      const { examples: ofShape = [] } = document.components.schemas[componentOf(schema)] ?? {};
      const own = Object.values(examples).map(({ value }) => value);
      const all = [...(example === undefined ? own : [example]), ...(ofShape as unknown[])];
      return all.map((each): [JsonSchema, unknown] => [schema, each]);
    },
  );
}

/** The formats of responses, where each has only one form. */
const formats = {
  date: /^\d{4}-\d\d-\d\d$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  "time-zone": /^[A-Z]/,
};

const DOCUMENT = "document";

/** Not strict, because `discriminator` is an OpenAPI keyword that JSON Schema does not have. */
const ajv = new Ajv2020({ strict: false, formats });
ajv.addSchema(closed({ components: { schemas: document.components.schemas } }), DOCUMENT);

const validators = new WeakMap<JsonSchema, ValidateFunction>();

/** Describes how a value violates a schema of the document, if it does. */
export function mismatch(schema: JsonSchema, value: unknown): string | undefined {
  const validate = validators.get(schema) ?? ajv.compile(closed(schema));
  validators.set(schema, validate);
  if (validate(value)) return undefined;
  const problems = validate.errors?.map(
    ({ instancePath, message, params }) =>
      `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
  );
  return `${problems?.slice(0, 10).join("; ")}\nin ${String(JSON.stringify(value)).slice(0, 2000)}`;
}

/**
 * Closes all objects of a schema. In the document they are open, since clients must tolerate new properties; but in
 * tests, properties that are not documented are errors.
 */
function closed(value: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(value), (key, part) => {
    if (key === "$ref") return `${DOCUMENT}${part}`;
    const isObject = part?.type === "object" && part.properties !== undefined;
    return isObject ? { additionalProperties: false, ...part } : part;
  });
}
