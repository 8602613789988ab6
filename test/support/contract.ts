import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { document, endpoints } from "./endpoints.ts";
import type { HeaderObject, Reference, ResponseObject } from "../../src/http/openapi-errors.ts";
import type { JsonSchema } from "../../src/http/openapi-schemas.ts";
import { API_BASE } from "../../src/http/paths.ts";

/**
 * Holds answers to the OpenAPI document: every answer of every test is checked, so what the document leaves
 * out or says wrongly fails the test that shows it.
 */

/** One answer of the service, and the request that it answers. */
export interface Exchange {
  method: string;
  /** The path of the request with its `/api`, a query or not. */
  path: string;
  status: number;
  headers: Headers;
  /** The body as JSON; undefined for an empty one. */
  body: unknown;
}

/**
 * Checks an answer against the document: its status, its headers, and its body, in which no property may be
 * that the document does not name.
 *
 * @throws Error that says where the two differ. Answers outside the API are not the document's.
 */
export function checkAgainstDocument(exchange: Exchange): void {
  const { method, status } = exchange;
  const path = exchange.path.replace(/[?#].*$/, "");
  if (path !== API_BASE && !path.startsWith(`${API_BASE}/`)) return;
  // The answer to a preflight request is the Fetch standard's.
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

/** The path of the document that a request's path is one of; one without parameters goes first. */
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

/** At a path of the document another method is answered, too; elsewhere a path is unknown. */
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

/** A path that the document does not have needs a key all the same. */
const unknownPath: Record<number, ResponseObject | undefined> = {
  401: responses.Unauthorized,
  404: {
    description: "There is no such path.",
    headers: {},
    content: { "application/json": { schema: { $ref: "#/components/schemas/PlainError" } } },
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

/** What is missing among the headers, or has not the documented form. */
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

function bodyProblem({ content }: ResponseObject, { method, body }: Exchange): string | undefined {
  if (method === "HEAD" && body === undefined) return undefined;
  const [{ schema } = { schema: {} }] = Object.values(content);
  return mismatch(schema, body);
}

/** The formats of answers, in the one form that each has there. */
const formats = {
  date: /^\d{4}-\d\d-\d\d$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  "time-zone": /^[A-Z]/,
};

const DOCUMENT = "document";

/** Other than strict, since `discriminator` is a keyword of OpenAPI alone. */
const ajv = new Ajv2020({ strict: false, formats });
ajv.addSchema(closed({ components: { schemas: document.components.schemas } }), DOCUMENT);

const validators = new WeakMap<JsonSchema, ValidateFunction>();

/** How a value differs from a schema of the document, if it does. */
function mismatch(schema: JsonSchema, value: unknown): string | undefined {
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
 * The schema with every object closed. Clients must bear properties that come later, so the document leaves
 * them open; for us a property that it does not name is a mistake.
 */
function closed(value: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(value), (key, part) => {
    if (key === "$ref") return `${DOCUMENT}${part}`;
    const isObject = part?.type === "object" && part.properties !== undefined;
    return isObject ? { additionalProperties: false, ...part } : part;
  });
}
