import type { TObject } from "@sinclair/typebox";
import type { Endpoint } from "./endpoint.ts";
import { REQUEST_ID } from "./exchange.ts";
import { IDEMPOTENCY_KEY } from "./idempotency.ts";
import {
  errorSchemas,
  headerComponents,
  type Reference,
  responseComponents,
  type ResponseObject,
} from "./openapi-errors.ts";
import { acceptsIdempotencyKey, responsesOf } from "./openapi-responses.ts";
import { type JsonSchema, SchemaComponents } from "./openapi-schemas.ts";
import { API_BASE } from "./router.ts";

/** The OpenAPI 3.1 document, written from the declarations of the endpoints and nothing else. */

const DESCRIPTION = `
The records of a clinical practice: its users, sessions, authorizations, intake leads and treatment goals.

## Authentication
Every request carries an API key: \`Authorization: Bearer <API key>\`. A key belongs to one organization and has a
role. It reads and writes the data of its organization only; a record of another organization is answered like one
that does not exist. What a role may do is said with each operation's 403.

## Requests
Bodies are JSON in UTF-8, up to 1 MiB. Parameters and fields that an operation does not name are ignored. Every
\`GET\` can be asked as \`HEAD\`. Ids are opaque texts. Dates are \`YYYY-MM-DD\`; instants are ISO 8601 with \`Z\` or an
offset, and come back in UTC with milliseconds.

## Lists
Lists come in pages, by \`page\` and \`pageSize\`, in an order that does not change between pages. \`pagination\` says
how many items and pages there are. A page past the end is empty.

## Errors
A refusal is JSON with a status. Malformed input lists every offending field (\`validationErrors\`, on goals
\`details\`) by code, message and path; everything else is one sentence (\`error\`). When you report a problem, give the
\`X-Request-Id\` of the answer; you may also choose it.

## Retries
Give each \`POST\` an \`Idempotency-Key\` of your own making, and a retry is safe: the same key with the same body within
24 hours does nothing again and gets the first answer. Try again after a 429 or 503 when \`Retry-After\` seconds have passed.
`.trim();

const tagDescriptions: Record<string, string> = {
  Users: "Patients, caregivers, providers and administrators of the practice.",
  Specializations: "The categories that providers specialize in.",
  Sessions: "Scheduled appointments, billable and not.",
  "Authorization utilization": "Units delivered and scheduled against what a payor has authorized.",
  "Intake leads": "Draft patients with a caregiver, from marketing forms and other systems.",
  Goals: "Treatment goals of four kinds, on a patient's treatment plan.",
};

const securityScheme = {
  type: "http",
  scheme: "bearer",
  bearerFormat: "API key",
  description: "An API key of the organization, as `caseload keys create` prints it.",
};

/** Headers of requests, which `#/components/parameters` holds. */
const headerParameters = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    description: "An id of your own for the exchange; one of another form is replaced.",
    schema: { type: "string", pattern: REQUEST_ID.source },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: "The same for every retry of one request: visible ASCII characters.",
    schema: { type: "string", pattern: IDEMPOTENCY_KEY.source },
  },
};

interface RequestBody {
  required: boolean;
  content: { "application/json": { schema: JsonSchema; examples?: Endpoint["examples"] } };
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

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

/** Describes endpoints in OpenAPI 3.1: equal endpoints, equal documents. */
export function openApiDocument(endpoints: readonly Endpoint[]) {
  const schemas = new SchemaComponents();
  const paths = pathsOf(endpoints, schemas);
  const tags = new Set(endpoints.map(({ tag }) => tag));
  return {
    openapi: "3.1.0",
    info: {
      title: "Caseload API",
      version: "1.0.0",
      summary: "A REST API for clinical practices.",
      description: DESCRIPTION,
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: API_BASE, description: "This service." }],
    tags: [...tags].map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    paths,
    components: {
      securitySchemes: { apiKey: securityScheme },
      parameters: headerParameters,
      headers: headerComponents,
      responses: responseComponents,
      schemas: sorted({ ...schemas.schemas, ...errorSchemas }),
    },
  };
}

function pathsOf(
  endpoints: readonly Endpoint[],
  schemas: SchemaComponents,
): Record<string, Record<string, Operation>> {
  const answers = new Map(endpoints.map((endpoint) => [endpoint, schemas.add(endpoint.answer)]));
  // Bodies of creates come last, as `addToCreate` asks.
  const withBody = [...endpoints.filter(isUpdate), ...endpoints.filter(isCreate)];
  const bodies = new Map(withBody.map((endpoint) => [endpoint, requestBody(endpoint, schemas)]));
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {});
    const body = bodies.get(endpoint);
    path[endpoint.method.toLowerCase()] = {
      operationId: endpoint.operationId,
      summary: endpoint.summary,
      description: endpoint.description,
      tags: [endpoint.tag],
      security: [{ apiKey: [] }],
      parameters: parameters(endpoint, schemas),
      ...(body !== undefined && { requestBody: body }),
      responses: responsesOf(endpoint, answers.get(endpoint) ?? {}),
    };
  }
  return paths;
}

function isCreate({ method, body }: Endpoint): boolean {
  return body !== undefined && method === "POST";
}

function isUpdate({ method, body }: Endpoint): boolean {
  return body !== undefined && method !== "POST";
}

function parameters(endpoint: Endpoint, schemas: SchemaComponents): object[] {
  return [
    ...declaredParameters("path", endpoint.params, schemas),
    ...declaredParameters("query", endpoint.query, schemas),
    ...(acceptsIdempotencyKey(endpoint)
      ? [{ $ref: "#/components/parameters/IdempotencyKey" }]
      : []),
    { $ref: "#/components/parameters/RequestId" },
  ];
}

function declaredParameters(
  place: "path" | "query",
  model: TObject | undefined,
  schemas: SchemaComponents,
): object[] {
  return Object.entries(model?.properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = schemas.add(property);
    const required = model?.required?.includes(name) ?? false;
    return { name, in: place, required, ...(description !== undefined && { description }), schema };
  });
}

function requestBody(endpoint: Endpoint, schemas: SchemaComponents): RequestBody {
  const { body = {}, examples } = endpoint;
  const schema = isCreate(endpoint) ? schemas.addToCreate(body) : schemas.add(body);
  const media = examples === undefined ? { schema } : { schema, examples };
  return { required: true, content: { "application/json": media } };
}

function sorted(components: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(components).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
