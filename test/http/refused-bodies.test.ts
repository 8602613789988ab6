import { describe, expect, test } from "bun:test";
import type { JsonSchema } from "../../src/http/document/schema-components.ts";
import type { Issue, IssueCode } from "../../src/lib/errors.ts";
import { withField } from "../support/body-rules.ts";
import { document, jsonEndpoints } from "../support/endpoints.ts";
import { goalTypes } from "../support/goals/bodies.ts";
import { type BodyUnderTest, newBodies } from "../support/inputs/bodies.ts";
import { type Path, type Place, placesIn, placesOf } from "../support/inputs/kinds.ts";

/** Each field of each body refuses values that it does not take, with 400 and the field's path. */

const { service, key, bodies } = await newBodies();

/** A value of each JSON type. */
const samples: Record<string, unknown> = {
  string: "5",
  number: 5,
  boolean: true,
  array: [],
  object: {},
};

const issueAt = (path: Path, code: IssueCode, message: string): Issue => ({
  ...{ code, message, path: [...path] },
});
const invalidType = (path: Path, message: string) => issueAt(path, "invalid_type", message);

describe.each(bodies.map((body) => [[body.operation, body.type].join(" "), body] as const))(
  "%s",
  (_, body) => {
    const { line, fields, newBody, refusal } = body;
    const places = [...placesIn(fields)];
    const send = (path: Path, value: unknown) =>
      service.call(line, { key, json: withField(newBody(), path, value) });
    async function expectRefusal(path: Path, value: unknown, ...issues: Issue[]) {
      const response = await send(path, value);
      const shown = String(JSON.stringify(value)).slice(0, 60);
      expect([shown, response.status, response.body]).toEqual([shown, 400, refusal(...issues)]);
    }

    test("has the fields of the document, and lists issues in their order", async () => {
      const paths = [...pathsIn(documentedBody(body))];
      const inOrder = paths.map((path) =>
        places.find((place) => place.path.join() === path.join()),
      );
      expect(inOrder.map((place) => place?.path)).toEqual(paths);
      expect(places).toHaveLength(paths.length);
      // Each field that has no other fields is replaced.
      const leaves = inOrder.filter(
        (place) => place?.field.fields === undefined && place?.field.item === undefined,
      );
      const refusals = leaves.flatMap((place) => refusalsOf(place!).slice(0, 1));
      const json = refusals.reduce(
        (changed, [value, { path }]) => withField(changed, path, value),
        newBody(),
      );
      const response = await service.call(line, { key, json });
      const issues = refusals.map(([, issue]) => issue);
      expect([response.status, response.body]).toEqual([400, refusal(...issues.slice(0, 50))]);
    });

    test.each(places.map((place) => [place.path.join("."), place] as const))(
      "%s",
      async (_, place) => {
        const { path, field } = place;
        await Promise.all(
          refusalsOf(place).map(([value, issue]) => expectRefusal(path, value, issue)),
        );
        if (field.isRequired === true) {
          // The required fields of a missing object are listed, too.
          const missing = [...placesOf(field, path)].filter(({ field }) => field.isRequired);
          const issues = missing.map(({ path }) => invalidType(path, "Required"));
          await expectRefusal(path, undefined, ...issues);
        }
        if (field.longest !== undefined)
          expect((await send(path, field.longest)).text).not.toMatch(
            /at most \d+ (character|element)/,
          );
      },
    );
  },
);

/** The values that a field refuses: its kind's own, null if it never is, and values of each other JSON type. */
function refusalsOf({ path, field }: Place): (readonly [value: unknown, issue: Issue])[] {
  const { type, refused, isNeverNull } = field;
  const others = Object.entries(samples).filter(
    ([name]) => name !== type.replace("integer", "number"),
  );
  if (isNeverNull === true) others.push(["null", null]);
  return [
    ...refused.map(([value, code, message]) => [value, issueAt(path, code, message)] as const),
    ...others.map(
      ([name, value]) => [value, invalidType(path, `Expected ${type}, received ${name}`)] as const,
    ),
  ];
}

/** The schema of a body in the OpenAPI document; of goals, the one of a type. */
function documentedBody({ operation, type }: BodyUnderTest): JsonSchema {
  const { method, path } = jsonEndpoints.find(({ operationId }) => operationId === operation)!;
  const { requestBody } = document.paths[path]![method.toLowerCase()]!;
  const schema = resolved(requestBody?.content["application/json"]?.schema);
  const kinds: JsonSchema[] = schema.oneOf ?? schema.anyOf ?? [schema];
  return resolved(kinds[type === undefined ? 0 : goalTypes.indexOf(type)]);
}

function resolved(schema: JsonSchema = {}): JsonSchema {
  const { $ref } = schema as { $ref?: string };
  const name = $ref?.replace("#/components/schemas/", "");
  return name === undefined ? schema : resolved(document.components.schemas[name]);
}

/** Children of children have the same fields as children. */
const DEEPEST = 6;

/** The path of each field of a schema but the type of a goal, which has a test of its own. */
function* pathsIn(schema: JsonSchema, path: Path = []): Generator<Path> {
  const own = resolved(schema);
  if (path.length > 0) yield path;
  if (path.length >= DEEPEST) return;
  if (own.items !== undefined) yield* pathsIn(own.items, [...path, 0]);
  // Of an element with two variants, the one without an id.
  const kinds: JsonSchema[] = (own.anyOf ?? own.oneOf ?? []).map(resolved);
  const plain = kinds.find(({ required = [] }) => !required.includes("publicId"));
  for (const [name, property] of Object.entries<JsonSchema>((plain ?? own).properties ?? {}))
    if (name !== "type") yield* pathsIn(property, [...path, name]);
}
