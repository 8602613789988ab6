import { describe, expect, test } from "bun:test";
import type { Issue } from "../../src/lib/errors.ts";
import type { JsonSchema } from "../../src/http/openapi-schemas.ts";
import { document, type Endpoint, jsonEndpoints } from "../support/endpoints.ts";
import { goalTypes, type Json, publicIdOf } from "../support/goals/bodies.ts";
import { newPractice } from "../support/goals/practice.ts";
import { newApiKey } from "../support/factories.ts";

/**
 * Every field of every documented body refuses values of each other JSON type: 400 with an issue at
 * the field's path, in the error shape of the endpoint. Other invalid values are tested by
 * endpoint.
 */

const { service, organization, bodyOf, create } = await newPractice();
const key = await newApiKey(service.database, organization);

type Path = (string | number)[];

/** A documented body and its endpoint. */
interface Body {
  name: string;
  request: string;
  schema: JsonSchema;
  example: Json;
}

/** The bodies of an endpoint: one, or one per goal type. */
async function bodiesOf({ operationId, method, path, examples = {} }: Endpoint): Promise<Body[]> {
  const operation = document.paths[path]?.[method.toLowerCase()];
  const schema = resolved(operation?.requestBody?.content["application/json"]?.schema);
  const [example] = Object.values(examples);
  const kinds: JsonSchema[] | undefined = schema.oneOf ?? schema.anyOf;
  if (kinds === undefined)
    return [
      {
        name: operationId,
        request: request(method, path),
        schema,
        example: example?.value as Json,
      },
    ];
  return Promise.all(
    kinds.map(async (kind, index) => {
      const type = goalTypes[index] ?? "rating";
      const goalId = method === "PATCH" ? publicIdOf(await create(bodyOf(type))) : "";
      return {
        name: `${operationId}, ${type}`,
        request: request(method, path, goalId),
        schema: resolved(kind),
        example: method === "PATCH" ? {} : bodyOf(type),
      };
    }),
  );
}

function request(method: string, path: string, id = "auth_1"): string {
  return `${method} /api${path.replace(/\{\w+\}/, id)}`;
}

function resolved(schema: JsonSchema = {}): JsonSchema {
  const { $ref } = schema as { $ref?: string };
  const name = $ref?.replace("#/components/schemas/", "");
  return name === undefined ? schema : resolved(document.components.schemas[name]);
}

/** A schema without the parts around it: null, or a description of this place. */
function valueOf(schema: JsonSchema): JsonSchema {
  const { allOf, anyOf } = schema;
  const [only, ...others] = (allOf ?? anyOf ?? []).filter(({ type }) => type !== "null");
  return only === undefined || others.length > 0 ? schema : valueOf(resolved(only));
}

/** Children of children have the same fields as children. */
const DEEPEST = 6;

/** Every field of a schema with its path. For a list, the fields of its first element. */
function* fieldsOf(schema: JsonSchema, path: Path = []): Generator<[Path, JsonSchema]> {
  const own = resolved(schema);
  if (path.length > 0) yield [path, valueOf(own)];
  if (path.length >= DEEPEST) return;
  if (own.items !== undefined) yield* fieldsOf(own.items, [...path, 0]);
  // Of an element with two variants, the one without an id.
  const kinds: JsonSchema[] = (own.anyOf ?? own.oneOf ?? []).map(resolved);
  const plain = kinds.find(({ required = [] }) => !required.includes("publicId"));
  const { properties = {} } = plain ?? own;
  for (const [name, property] of Object.entries<JsonSchema>(properties))
    yield* fieldsOf(property, [...path, name]);
}

/** A value of each JSON type. */
const samples: Record<string, unknown> = {
  string: "5",
  number: 5,
  boolean: true,
  array: [],
  object: {},
};

/** The JSON types that a field accepts; empty if the document does not state them. */
function typesOf({ type, anyOf, oneOf, properties, const: only }: JsonSchema): string[] {
  if (only !== undefined) return [typeof only];
  const types: string[] = [type ?? []].flat().filter((each) => each !== "null");
  if (types.length > 0) return types.map((each) => (each === "integer" ? "number" : each));
  if (properties !== undefined) return ["object"];
  return [...new Set<string>((anyOf ?? oneOf ?? []).map(resolved).flatMap(typesOf))];
}

/** A copy of a body with a value at a path. Adds missing objects and lists on the path. */
function withValue(body: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list = Array.isArray(body) ? [...body] : [];
    list[step] = withValue(list[step], rest, value);
    return list;
  }
  const object = typeof body === "object" && body !== null ? (body as Json) : {};
  return { ...object, [step]: withValue(object[step], rest, value) };
}

function issuesIn(body: unknown): Issue[] {
  const { details, validationErrors } = body as { details?: Issue[]; validationErrors?: Issue[] };
  return details ?? validationErrors ?? [];
}

const bodies = (
  await Promise.all(jsonEndpoints.filter(({ body }) => body !== undefined).map(bodiesOf))
).flat();

describe.each(bodies.map((body) => [body.name, body] as const))("%s", (_, body) => {
  const fields = [...fieldsOf(body.schema)];

  test(`each of ${fields.length} fields refuses values of other JSON types`, async () => {
    expect(fields.length).toBeGreaterThan(1);
    for (const [path, schema] of fields) {
      const types = typesOf(schema);
      expect(`${path}: ${types.length}`).toBe(`${path}: 1`);
      for (const [received, value] of Object.entries(samples)) {
        if (types.includes(received)) continue;
        const json = withValue(body.example, path, value);
        const answer = await service.call(body.request, { key, json });
        expect(answer.status).toBe(400);
        const issue = issuesIn(answer.body).find((each) => each.path.join() === path.join());
        expect(issue).toEqual(refusalOf(path, schema, received));
      }
    }
  });
});

/** The issue of a value with another JSON type. */
function refusalOf(path: Path, schema: JsonSchema, received: string): Issue {
  const { const: only, type } = valueOf(schema);
  if (only !== undefined)
    return { path, code: "invalid_union_discriminator", message: expect.any(String) as string };
  const expected = [type].flat().find((each) => each !== "null");
  const message = `Expected ${expected ?? "object"}, received ${received}`;
  return { path, code: "invalid_type", message };
}
