import { describe, expect, test } from "bun:test";
import SwaggerParser from "@apidevtools/swagger-parser";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { document, endpoints } from "../support/endpoints.ts";
import type { JsonSchema } from "../../src/http/document/schema-components.ts";
import type { ResponseObject } from "../../src/http/document/error-responses.ts";
import { newRateLimits } from "../../src/http/limits/rate-limits.ts";
import { errorExamples, mismatch } from "../support/contract.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { unknownParameter, validationBody } from "../support/list-rules.ts";
import { operations } from "../support/operations.ts";

/** The OpenAPI document as JSON, as clients get it. */
const json = JSON.stringify(document);

describe("the OpenAPI document is valid", () => {
  test("every property and parameter has a description", () => {
    const undescribed = (schema: JsonSchema, place: string): string[] => [
      ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
        ...("description" in property ? [] : [`${place}.${name}`]),
        ...undescribed(property, `${place}.${name}`),
      ]),
      ...[schema.items, schema.additionalProperties, ...(schema.anyOf ?? [])]
        .filter((part) => typeof part === "object")
        .flatMap((part) => undescribed(part as JsonSchema, place)),
    ];
    const { schemas, parameters } = document.components;
    const inSchemas = Object.entries(schemas).flatMap(([name, schema]) =>
      undescribed(schema, name),
    );
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const all = [...Object.values(parameters), ...operations.flatMap((one) => one.parameters)];
    expect(inSchemas).toEqual([]);
    expect(all.filter((one) => !("$ref" in one || "description" in one))).toEqual([]);
  });

  test("every response of success has an example from the demo practice, which its schema allows", () => {
    for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path)))
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) >= 300 || !("content" in response)) continue;
        for (const [mediaType, { schema, example }] of Object.entries(response.content)) {
          if (example === undefined)
            throw new Error(`${operation.operationId}: run "bun run examples"`);
          const fault = mediaType === "application/json" ? mismatch(schema, example) : undefined;
          expect([operation.operationId, fault]).toEqual([operation.operationId, undefined]);
        }
      }
  });

  test("every error has examples, which its schema allows", () => {
    for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path)))
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        const examples = errorExamples(response);
        expect([operation.operationId, status, examples.length]).not.toContain(0);
        for (const [schema, example] of examples)
          expect([operation.operationId, status, mismatch(schema, example)]).toEqual([
            operation.operationId,
            status,
            undefined,
          ]);
      }
  });

  test("redocly's recommended rules give no warning", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: json, absoluteRef: "/openapi.json", config });
    expect(problems.map(({ ruleId, message }) => ({ ruleId, message }))).toEqual([]);
  });

  test("swagger-parser validates it", async () => {
    const parsed = await SwaggerParser.validate(JSON.parse(json));
    expect(Object.keys(parsed.paths ?? {})).toEqual(Object.keys(document.paths));
  });

  test("it has no keywords that only our validation uses", () => {
    expect(json).not.toMatch(/"(\$id|trim|visible|x-[^"]*)":/);
  });
});

/** All schemas of a format in a body, with their paths. */
function datesIn(schema: object, path: string): { path: string; schema: { pattern?: string } }[] {
  const { $ref, format } = schema as { $ref?: string; format?: string };
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return path.includes(`${name}/`)
      ? []
      : datesIn(document.components.schemas[name] as object, `${path}/${name}/`);
  }
  if (format === "date" || format === "date-time") return [{ path, schema }];
  return Object.entries(schema).flatMap(([name, part]) =>
    typeof part === "object" && part !== null ? datesIn(part as object, `${path}.${name}`) : [],
  );
}

test("a date that is written is not before 1900", () => {
  const bodies = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    // What would be is asked, and not written. Lines are compared with what is stored.
    .filter(({ operationId }) => !/WhatIf|importPractice/i.test(operationId))
    .flatMap((operation) => datesIn(operation.requestBody ?? {}, operation.operationId));
  expect(bodies.length).toBeGreaterThan(5);
  const any = bodies.filter(({ schema }) => schema.pattern !== "^(19|[2-9][0-9])");
  expect(any.map(({ path }) => path)).toEqual([]);
});

describe("every operation", () => {
  const documented = endpoints.map((endpoint) => ({
    endpoint,
    operation: document.paths[endpoint.path]?.[endpoint.method.toLowerCase()],
  }));

  test("is documented once, and no others are", () => {
    const described = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(described.map(({ operationId }) => operationId).toSorted()).toEqual(
      endpoints.map(({ operationId }) => operationId).toSorted(),
    );
    expect(new Set(endpoints.map(({ operationId }) => operationId)).size).toBe(endpoints.length);
  });

  test("requires an API key", () => {
    for (const { operation } of documented) expect(operation?.security).toEqual([{ apiKey: [] }]);
    expect(document.components.securitySchemes.apiKey).toMatchObject({
      type: "http",
      scheme: "bearer",
    });
  });

  test("has a tag with a description", () => {
    for (const { name, description } of document.tags) expect(description).not.toBe(name);
  });

  test("has the responses of its endpoint and those of the service", () => {
    const statuses = documented.map(({ endpoint, operation }) => [
      `${endpoint.method} ${endpoint.path}`,
      Object.keys(operation?.responses ?? {}).map(Number),
    ]);
    const expected = operations.map(({ operation, statuses, path, body, method, operationId }) => {
      const own = [
        ...(statuses.includes(201) ? [] : [200]),
        ...(path.includes("{") ? [404] : []),
        ...(body === undefined ? [] : [408, 413, 415]),
        ...(method === "POST" && body !== undefined && operationId !== "createCalendar"
          ? [422]
          : []),
      ];
      const all = [400, 401, 403, 405, 414, 429, 500, 503, ...own, ...statuses];
      return [operation, all.toSorted((a, b) => a - b)];
    });
    expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(expected));
  });
});

test("an operation is documented completely", () => {
  const common = {
    "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
    "Cache-Control": { $ref: "#/components/headers/Cache-Control" },
    "X-Content-Type-Options": { $ref: "#/components/headers/X-Content-Type-Options" },
  };
  const plainErrorOf = (name: string, error: string, statusCode: number) => ({
    "application/json": {
      schema: { $ref: "#/components/schemas/PlainError" },
      examples: { [name]: { summary: error, value: { error, statusCode } } },
    },
  });
  expect(document.paths["/v1/sessions/{sessionId}"]).toEqual({
    get: {
      operationId: "getSession",
      summary: "Read one session",
      description: "One session.",
      tags: ["Sessions"],
      security: [{ apiKey: [] }],
      parameters: [
        {
          name: "sessionId",
          in: "path",
          required: true,
          description: "The session's public id.",
          example: "apt_00000001",
          schema: {
            ...{ type: "string", format: "public-id", pattern: "^[A-Za-z0-9_-]{1,128}$" },
            examples: ["apt_00000001"],
          },
        },
        { $ref: "#/components/parameters/RequestId" },
      ],
      responses: {
        200: {
          description: "Done.",
          headers: {
            ...common,
            "Caseload-Sequence": { $ref: "#/components/headers/Caseload-Sequence" },
          },
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/Session" },
              example: expect.objectContaining({ isBillable: true }),
            },
          },
          links: {
            readSessionUtilization: {
              operationId: "readSessionUtilization",
              parameters: { sessionId: "$response.body#/publicId" },
            },
            getUser: {
              operationId: "getUser",
              parameters: { userId: "$response.body#/clientId" },
            },
          },
        },
        400: {
          description: "Malformed input; invalid fields are listed.",
          headers: common,
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/ValidationFailure" },
              example: validationBody(unknownParameter("updatedSince")),
            },
          },
        },
        401: { $ref: "#/components/responses/Unauthorized" },
        403: {
          description:
            "The key's role does not allow this. Allowed roles: ADMIN, BILLING_MANAGER, SCHEDULING_MANAGER, CLINICIAN, TECHNICIAN, CLINICAL_ADMIN, PAYROLL_ADMIN, CLINICAL_SUPERADMIN. Keys of agents and calendars are not allowed.",
          headers: common,
          content: plainErrorOf("access-denied", "Access denied", 403),
        },
        404: {
          description: "The organization has no session with this id.",
          headers: common,
          content: plainErrorOf("session-not-found", "Session not found", 404),
        },
        405: { $ref: "#/components/responses/MethodNotAllowed" },
        414: { $ref: "#/components/responses/UriTooLong" },
        429: { $ref: "#/components/responses/TooManyRequests" },
        500: { $ref: "#/components/responses/InternalServerError" },
        503: { $ref: "#/components/responses/ServiceUnavailable" },
      },
    },
  });
});

test("a 400 has both error shapes if the endpoint has both, each in the endpoint's style", () => {
  const described = (method: string, path: string) => {
    const response = document.paths[path]?.[method]?.responses[400];
    const { description, content } = response as ResponseObject;
    return { description, schema: content["application/json"]?.schema };
  };
  const list = "Malformed input; invalid fields are listed.";
  const key = "If the `Idempotency-Key` is malformed, the response is one sentence.";
  const shape = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const { MalformedRequest, MalformedGoalRequest } = document.components.schemas;
  expect(MalformedRequest).toEqual({ anyOf: ["ValidationFailure", "PlainError"].map(shape) });
  expect(MalformedGoalRequest).toEqual({
    anyOf: ["GoalValidationFailure", "GoalError"].map(shape),
  });
  expect(described("post", "/v1/users")).toEqual({
    description: `${list} If a specialization is unknown or inactive, the response is one sentence that names it. ${key}`,
    schema: shape("MalformedRequest"),
  });
  expect(described("post", "/v1/goals")).toEqual({
    description: `${list} ${key}`,
    schema: shape("MalformedGoalRequest"),
  });
  expect(described("delete", "/v1/goals/{goalId}")).toEqual({
    description: list,
    schema: { $ref: "#/components/schemas/GoalValidationFailure" },
  });
});

describe("schemas with several variants", () => {
  const { schemas } = document.components;

  test("the variants of User are discriminated by role; several roles share a variant", () => {
    expect(schemas.User?.discriminator).toEqual({
      propertyName: "role",
      mapping: {
        ADMIN: "#/components/schemas/AdministratorUser",
        BILLING_MANAGER: "#/components/schemas/AdministratorUser",
        SCHEDULING_MANAGER: "#/components/schemas/AdministratorUser",
        PAYROLL_ADMIN: "#/components/schemas/AdministratorUser",
        CLINICIAN: "#/components/schemas/ClinicianUser",
        CLINICAL_ADMIN: "#/components/schemas/ClinicianUser",
        CLINICAL_SUPERADMIN: "#/components/schemas/ClinicianUser",
        TECHNICIAN: "#/components/schemas/TechnicianUser",
        PATIENT: "#/components/schemas/PatientUser",
        CAREGIVER: "#/components/schemas/CaregiverUser",
      },
    });
  });

  test("the variants of Session have no discriminator, since OpenAPI does not support a boolean one", () => {
    expect(schemas.Session).toEqual({
      oneOf: [
        { $ref: "#/components/schemas/BillableSession" },
        { $ref: "#/components/schemas/NonBillableSession" },
      ],
    });
  });
});

describe("the example messages of errors are those of the service", async () => {
  const service = await newService();
  const key = await newApiKey(service.database, await newOrganization(service.database));
  const limited = await newService({ limits: newRateLimits(0) });
  const limitedKey = await newApiKey(limited.database, await newOrganization(limited.database));
  const sentencesOf = (name: string) =>
    Object.values(document.components.responses[name]?.content["application/json"]?.examples ?? {});

  test.each([
    ["Unauthorized", "GET /api/v1/users", {}],
    ["Unauthorized", "GET /api/v1/users", { key: "caseload_wrong" }],
    ["MethodNotAllowed", "PUT /api/v1/users", { key }],
    ["UnsupportedMediaType", "POST /api/v1/users", { key, raw: "{}" }],
    ["PayloadTooLarge", "POST /api/v1/users", { key, json: "x".repeat(1024 * 1024) }],
    ["GoalMethodNotAllowed", "PUT /api/v1/goals", { key }],
    ["GoalUnsupportedMediaType", "POST /api/v1/goals", { key, raw: "{}" }],
    ["GoalPayloadTooLarge", "POST /api/v1/goals", { key, json: "x".repeat(1024 * 1024) }],
  ])("%s: %s", async (name, line, options) => {
    const { body } = await service.call(line, options);
    expect(sentencesOf(name)).toContainEqual(expect.objectContaining({ value: body }));
  });

  test("TooManyRequests", async () => {
    const { body } = await limited.call("GET /api/v1/users", { key: limitedKey });
    expect(sentencesOf("TooManyRequests")).toEqual([{ summary: "Too many requests", value: body }]);
  });
});
