import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import packageJson from "../../../package.json" with { type: "json" };
import examples from "./examples.json" with { type: "json" };
import { permissions, type PermissionRule, READ_ONLY } from "../../callers/permissions.ts";
import { roles } from "../../callers/roles.ts";
import { compare } from "../../lib/compare.ts";
import { formatOf } from "../body.ts";
import { InvalidInput } from "../../lib/errors.ts";
import { errorBody, type ErrorStyle, errorStyleOf } from "../errors.ts";
import { IDEMPOTENCY_KEY } from "../idempotency.ts";
import { unrecognizedParameter } from "../input.ts";
import { DESCRIPTION, tagDescriptions } from "./introduction.ts";
import {
  headerComponents,
  type HeaderName,
  headersOf,
  isShared,
  type LinkObject,
  type Reference,
  describedError,
  type Examples,
  responseComponents,
  type ResponseObject,
  sharedResponse,
} from "./error-responses.ts";
import { type JsonSchema, reference, SchemaComponents } from "./schema-components.ts";
import { API_BASE } from "../paths.ts";
import type { Declared } from "../authorized.ts";
import {
  GoalError,
  GoalValidationFailure,
  MalformedGoalRequest,
  MalformedRequest,
  PlainError,
  PreconditionFailure,
  ValidationFailure,
} from "../responses.ts";

/**
 * The OpenAPI 3.1 document, from the declarations of the routes. The swagger plugin would derive operations, too, but
 * not valid ones: here, named schemas become components, null and enumerations follow OpenAPI 3.1, errors shared by all
 * routes are defined once, and responses have headers.
 */

const securityScheme = {
  type: "http",
  scheme: "bearer",
  bearerFormat: "API key",
  description: "An API key, created with `caseload keys create`.",
};

/** Responses of the demo practice by operation, written by `bun run examples`. */
const responseExamples: Record<string, unknown> = examples;

/** Request headers, under `#/components/parameters`. */
const headerParameters = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    description:
      "Your own id for the request: 1 to 128 letters, digits, underscores, full stops or hyphens. Anything else is replaced by a new id.",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A unique key for this request, the same for all its retries: visible ASCII characters.",
    schema: { type: "string", pattern: IDEMPOTENCY_KEY.source },
  },
};

interface RequestBody {
  required: boolean;
  content: Record<string, { schema: JsonSchema; examples?: Examples }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: object[];
  requestBody?: RequestBody;
  responses: Record<number, ResponseObject | Reference>;
}

export interface DeclaredRoute extends Declared {
  method: string;
  /** Relative to `/api`, in Elysia's syntax. */
  path: string;
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  examples?: Examples;
  /** Of the body's further media types. */
  otherExamples?: Record<string, Examples>;
  links?: Links;
  /** Headers of the response, besides the common ones. */
  headers?: HeaderName[];
}

/**
 * Links of a response: operation ids, with JSON pointers into the response for their parameters, such as `{ getSession:
 * { sessionId: "/data/0/publicId" } }`.
 */
export type Links = Record<string, Record<string, string>>;

/** The routes of the API, with their complete declarations. */
export function declaredRoutes(api: AnyElysia): DeclaredRoute[] {
  return api.routes.map(({ method, path, hooks }) => {
    const { declared, ...detail } = hooks.detail;
    return { method, path: path.slice(API_BASE.length), ...declared, ...detail };
  });
}

/**
 * Generates the OpenAPI 3.1 document of an API. Deterministic.
 *
 * @param models those that become components besides those of the routes.
 */
export function openApiDocument(api: AnyElysia, models: readonly TSchema[]) {
  const routes = declaredRoutes(api);
  const schemas = new SchemaComponents();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const schema of [ValidationFailure, PreconditionFailure, PlainError, MalformedRequest])
    schemas.add(schema);
  for (const schema of [GoalValidationFailure, GoalError, MalformedGoalRequest])
    schemas.add(schema);
  for (const model of models) schemas.add(model);
  const responses = routes.map((route) => goodResponse(route, schemas));
  // Bodies of creates are added last, as `addToCreate` requires.
  const updates = routes.map((route) =>
    route.method === "POST" ? undefined : requestBody(route, schemas),
  );
  for (const [index, route] of routes.entries()) {
    const path = (paths[route.path.replaceAll(/:(\w+)/g, "{$1}")] ??= {});
    const body = updates[index] ?? requestBody(route, schemas);
    path[route.method.toLowerCase()] = {
      operationId: route.operationId,
      summary: route.summary,
      description: route.description,
      tags: route.tags,
      security: [{ apiKey: [] }],
      parameters: parameters(route, schemas),
      ...(body !== undefined && { requestBody: body }),
      responses: { ...responses[index], ...errorsOf(route) },
    };
  }
  const tags = new Set(routes.flatMap((route) => route.tags));
  return {
    openapi: "3.1.0",
    info: {
      title: "Caseload API",
      version: packageJson.version,
      summary: "A REST API for clinical practices.",
      description: DESCRIPTION,
      contact: { name: "The operator of this service" },
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: API_BASE, description: "This service." }],
    tags: [...tags].map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    paths,
    components: {
      securitySchemes: { apiKey: securityScheme },
      parameters: headerParameters,
      headers: headerComponents,
      responses: responseComponents,
      schemas: Object.fromEntries(
        Object.entries(schemas.schemas).sort(([one], [other]) => compare(one, other)),
      ),
    },
  };
}

function parameters(route: DeclaredRoute, schemas: SchemaComponents): object[] {
  return [
    ...parametersIn("path", route.params, schemas),
    ...parametersIn("query", route.query, schemas),
    ...(acceptsIdempotencyKey(route) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    { $ref: "#/components/parameters/RequestId" },
  ];
}

function parametersIn(
  place: "path" | "query",
  { properties, required = [] }: TObject = Type.Object({}),
  schemas: SchemaComponents,
): object[] {
  return Object.entries<TSchema>(properties).map(([name, { description, example, ...schema }]) => {
    const isRequired = required.includes(name);
    const common = { name, in: place, required: isRequired, description };
    const item = schema["x-item"] as JsonSchema | undefined;
    // Swagger UI fills in this one alone, and not those of the schema.
    const filledIn = (example ?? (isRequired ? schema.examples?.[0] : undefined)) as
      string | undefined;
    if (item === undefined)
      return { ...common, ...exampleOf(filledIn), schema: schemas.add(schema) };
    // Separated by commas.
    const once = schema["x-once"] === true && { uniqueItems: true };
    const list = { type: "array", items: schemas.add(item), minItems: 1, ...once };
    const shown = exampleOf(filledIn?.split(","));
    return { ...common, ...shown, style: "form", explode: false, schema: list };
  });
}

function exampleOf(example: unknown): { example?: unknown } {
  return example === undefined ? {} : { example };
}

/** Whether an operation supports the `Idempotency-Key` header. */
function acceptsIdempotencyKey({ method, body }: DeclaredRoute): boolean {
  return method === "POST" && body !== undefined;
}

function requestBody(
  { method, body, examples, otherExamples = {} }: DeclaredRoute,
  schemas: SchemaComponents,
): RequestBody | undefined {
  if (body === undefined) return undefined;
  const schema = method === "POST" ? schemas.addToCreate(body) : schemas.add(body);
  const media = (content: JsonSchema, shown: Examples | undefined) =>
    shown === undefined ? { schema: content } : { schema: content, examples: shown };
  const { mediaType, otherMediaTypes = [] } = formatOf(body);
  const others = otherMediaTypes.map((other) => [
    other,
    media({ type: "string" }, otherExamples[other]),
  ]);
  return {
    required: true,
    content: { [mediaType]: media(schema, examples), ...Object.fromEntries(others) },
  };
}

function goodResponse(
  route: DeclaredRoute,
  schemas: SchemaComponents,
): Record<number, ResponseObject> {
  const status = route.response[200] === undefined ? 201 : 200;
  const model = route.response[status] as TSchema;
  const schema = schemas.add(model);
  return {
    [status]: {
      description: status === 201 ? "Created." : "Done.",
      headers: headersOf(
        ...(acceptsIdempotencyKey(route) ? (["Idempotency-Replayed"] as const) : []),
        ...(route.headers ?? []),
      ),
      content: {
        [formatOf(model).mediaType]: {
          schema,
          example: responseExamples[route.operationId],
        },
      },
      ...(route.links !== undefined && { links: documentedLinks(route.links) }),
    },
  };
}

function documentedLinks(links: Links): Record<string, LinkObject> {
  const documented = Object.entries(links).map(([operationId, values]) => {
    const parameters = Object.entries(values).map(([name, place]) => [
      name,
      `$response.body#${place}`,
    ]);
    return [operationId, { operationId, parameters: Object.fromEntries(parameters) }];
  });
  return Object.fromEntries(documented);
}

function errorsOf(route: DeclaredRoute): Record<number, ResponseObject | Reference> {
  const style = errorStyleOf(route.path);
  const responses: Record<number, ResponseObject | Reference> = {};
  for (const [key, schema] of Object.entries(route.response)) {
    const status = Number(key);
    const response = status < 400 ? undefined : errorOf(route, status, schema, style);
    if (response !== undefined) responses[status] = response;
  }
  return responses;
}

function errorOf(
  route: DeclaredRoute,
  status: number,
  schema: TSchema,
  style: ErrorStyle,
): ResponseObject | Reference | undefined {
  const { description, examples = [] } = schema as { description?: string; examples?: string[] };
  const isOwn = schema.$id === undefined;
  if (status === 400) return malformedInput(isOwn ? description : undefined, style);
  if (status === 403) return forbidden(route, isOwn ? description : undefined, style);
  if (!isOwn && isShared(status)) return sharedResponse(status, style);
  if (!isOwn)
    return {
      description: description ?? "",
      headers: headersOf(),
      content: { "application/json": { schema: reference(schema.$id as string) } },
    };
  return describedError(status, style, { description: description ?? "", messages: examples });
}

/** The example of every 400, since no operation has this parameter. */
const UNKNOWN_PARAMETER = new InvalidInput([unrecognizedParameter("updatedSince")]);

/** The 400: a list of issues or, where applicable, a message. */
function malformedInput(message: string | undefined, style: ErrorStyle): ResponseObject {
  const [issues, both] =
    style === "goal"
      ? ["GoalValidationFailure", "MalformedGoalRequest"]
      : ["ValidationFailure", "MalformedRequest"];
  const list = "Malformed input; invalid fields are listed.";
  const schema = reference(message === undefined ? issues : both);
  return {
    description: message === undefined ? list : `${list} ${message}`,
    headers: headersOf(),
    content: { "application/json": { schema, example: errorBody(UNKNOWN_PARAMETER, style) } },
  };
}

/** The 403; it names the allowed roles, unless these are all. */
function forbidden(
  { permission }: DeclaredRoute,
  more: string | undefined,
  style: ErrorStyle,
): ResponseObject {
  const rule: PermissionRule = permissions[permission];
  const description = [
    ...(rule.roles.length === roles.length
      ? []
      : [`The key's role does not allow this. Allowed roles: ${rule.roles.join(", ")}.`]),
    ...(rule.withUser === undefined
      ? []
      : [`With a key that is tied to a user, also ${rule.withUser.join(", ")}.`]),
    ...(rule.writes === true ? ["Read-only keys are not allowed."] : []),
    "Keys of agents and calendars are not allowed.",
    ...(more === undefined ? [] : [more]),
  ].join(" ");
  const messages = rule.writes === true ? [rule.message, READ_ONLY] : [rule.message];
  return describedError(403, style, { description, messages: [...new Set(messages)] });
}
