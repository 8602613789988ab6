import { describe, expect, test } from "bun:test";
import { type TObject, type TSchema, type TUnion, Type } from "@sinclair/typebox";
import { Ajv2020 } from "ajv/dist/2020.js";
import { document, endpoints, jsonEndpoints } from "../support/endpoints.ts";
import type { Endpoint } from "../support/endpoints.ts";
import { textFormats } from "../../src/schema/fields.ts";
import type { JsonSchema } from "../../src/http/openapi-schemas.ts";
import { queryInput } from "../../src/http/query.ts";
import { parse } from "../../src/schema/validation.ts";

/**
 * The OpenAPI document and the validation agree on requests. Every example of a body, every change
 * of one of its values, and every sample text of a parameter is valid in the document if and only
 * if the service accepts it.
 */

const formats = Object.fromEntries(
  Object.entries(textFormats).map(([name, { accepts }]) => [name, accepts]),
);

const ajv = new Ajv2020({ strict: false, formats });
ajv.addSchema(JSON.parse(JSON.stringify(document).replaceAll('"#/', '"document#/')), "document");

/** The values by which a value of a body is replaced. */
const OTHERS: unknown[] = [undefined, null, "", "x", 5, -1, 1.5, true, [], [null], {}];

/** The bodies with one value replaced. */
function* changed(value: unknown): Generator<unknown> {
  yield* OTHERS;
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value))
    for (const other of changed(part))
      yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
}

const withBody = jsonEndpoints.filter(({ body }) => body !== undefined);

describe("a body is valid in the document if and only if the service accepts it", () => {
  test.each(withBody.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    "%s",
    (_, endpoint) => {
      const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
      const media = operation?.requestBody?.content["application/json"];
      const isDocumented = ajv.compile({ $ref: `document${media?.schema.$ref}` });
      const examples = Object.values(endpoint.examples ?? {}).map(({ value }) => value);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        expect(isDocumented(example)).toBe(true);
        for (const body of changed(example)) {
          // As the service receives it: undefined values are not sent.
          const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
          const isTaken = modelsOf(endpoint).some((model) => takes(endpoint, model, sent));
          if (isDocumented(sent) !== isTaken)
            throw new Error(`Taken: ${isTaken}, documented: ${!isTaken}: ${JSON.stringify(sent)}`);
        }
      }
    },
  );
});

/** The documented models of a body. There are several if the right one depends on stored data. */
function modelsOf({ body }: Endpoint): TSchema[] {
  return body?.noValidate === true ? (body as TUnion).anyOf : [body as TSchema];
}

function takes({ method }: Endpoint, model: TSchema, body: unknown): boolean {
  const nulls = method === "PATCH" ? "rejected" : "absent";
  return "value" in parse(model, body, { nulls, unknownKeys: "stripped" });
}

/** Texts that are valid, or nearly valid, for some parameter. */
const TEXTS = [
  ...[
    "",
    " ",
    "0",
    "1",
    "-1",
    "100",
    "101",
    "1000000",
    "1000001",
    "9007199254740991",
    "1.5",
    "1e3",
  ],
  ...["true", "false", "TRUE", "ADMIN", "CLINICAL_SUPERADMIN", "INTERNAL_ADMIN", "a@maple.example"],
  ...["2024-02-29", "2024-02-30", "2024-2-3", "0000-01-01", "2024-02-29T00:00:00.000Z"],
  ...["createdAt_desc", "createdAt_desc,updatedAt_asc", "createdAt_asc,createdAt_desc", "name_asc"],
  ...["America/New_York", "US/Pacific", "america/new_york", "+05:00", "GMT+5", "UTC"],
  ...["CONFIRMED,DECLINED", "CONFIRMED,", "NO_AUTHORIZATION,OVER_AUTHORIZED", "a\0b"],
  ...["apt_1", "goal_1", "goal_", "a b", "a/b", "x".repeat(128), "x".repeat(129), "x".repeat(201)],
];

const parameters = endpoints.flatMap((endpoint) =>
  (["path", "query"] as const).flatMap((place) => {
    const model = place === "path" ? endpoint.params : endpoint.query;
    return Object.keys(model?.properties ?? {}).map((name) => ({ endpoint, place, name, model }));
  }),
);

test("a parameter is valid in the document if and only if the service accepts it", () => {
  expect(parameters.length).toBeGreaterThan(0);
  for (const { endpoint, place, name, model } of parameters) {
    const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
    const parameter = operation?.parameters.find((each) => "name" in each && each.name === name);
    expect(parameter).toMatchObject({
      in: place,
      required: (model as TObject).required?.includes(name) === true,
    });
    const { schema } = parameter as { schema: JsonSchema };
    const isDocumented = ajv.compile({ ...schema, components: document.components });
    // Only this parameter's schema is checked; the others do not matter.
    const alone = Type.Object({ [name]: (model as TObject).properties[name] as TSchema });
    for (const text of TEXTS) {
      const { parameters } = queryInput(`?${name}=${encodeURIComponent(text)}`, alone);
      const isTaken = "value" in parse(alone, parameters);
      const isInteger = schema.type === "integer" && /^-?[0-9]+$/.test(text);
      const elements = schema.type === "array" ? text.split(",") : text;
      const value = isInteger ? Number(text) : elements;
      if (isDocumented(value) !== isTaken)
        throw new Error(`${endpoint.operationId} ${name}: taken ${isTaken}: ${text}`);
    }
  }
});
