import { describe, expect, test } from "bun:test";
import type { JsonSchema } from "../../src/http/document/schema-components.ts";
import { document } from "../support/endpoints.ts";

/**
 * Constructs that client generators do not handle well are not in the OpenAPI document.
 * `test/programs/clients` runs the generators.
 */

const components = Object.entries(document.components.schemas);

/** A schema in the document and its place: `Goal.status`, or `Goal` for a component. */
interface Found {
  place: string;
  schema: JsonSchema;
  isComponent: boolean;
}

function* within(schema: JsonSchema, place: string, isComponent = false): Generator<Found> {
  yield { place, schema, isComponent };
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* within(property, `${place}.${name}`);
  if (schema.items !== undefined) yield* within(schema.items, `${place}[]`);
  if (schema.additionalProperties !== undefined)
    yield* within(schema.additionalProperties as JsonSchema, `${place}{}`);
  for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    yield* within(choice, `${place}|`);
}

/** The schemas of bodies, responses and parameters. */
function* operationSchemas(): Generator<Found> {
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, { responses, requestBody, parameters }] of Object.entries(operations)) {
      const answers = Object.values(responses).flatMap((response) =>
        "content" in response ? Object.values(response.content) : [],
      );
      const bodies = Object.values(requestBody?.content ?? {});
      for (const { schema } of [...answers, ...bodies]) yield* within(schema, `${method} ${path}`);
      for (const parameter of parameters as { name?: string; schema?: JsonSchema }[])
        if (parameter.schema !== undefined)
          yield* within(parameter.schema, `${method} ${path} ?${parameter.name}`);
    }
}

const all = [
  ...components.flatMap(([name, schema]) => [...within(schema, name, true)]),
  ...operationSchemas(),
];

function places(isFault: (found: Found) => boolean): string[] {
  return all.filter(isFault).map(({ place }) => place);
}

/** The names of the components that a schema refers to, directly or indirectly. */
function reached(schema: JsonSchema, names = new Set<string>()): Set<string> {
  for (const { schema: part } of within(schema, "")) {
    const name = part.$ref?.replace("#/components/schemas/", "");
    if (name === undefined || names.has(name)) continue;
    names.add(name);
    reached(document.components.schemas[name] ?? {}, names);
  }
  return names;
}

describe("for client generators", () => {
  test("no schema of an update has a default, which they would send", () => {
    const updates = Object.values(document.paths).flatMap(({ patch }) => patch?.requestBody ?? []);
    const names = updates.flatMap(({ content }) =>
      Object.values(content).flatMap(({ schema }) => [...reached(schema)]),
    );
    expect(names).toContain("OpportunityGoalUpdate");
    expect(names).toContain("AddedChildGoal");
    const inUpdate = places(
      ({ place, schema }) => "default" in schema && names.includes(place.replace(/\W.*/, "")),
    );
    expect(inUpdate).toEqual([]);
  });

  test("a constant boolean has no type beside it, which they would take for a string", () => {
    const constants = all.filter(({ schema }) => typeof schema.const === "boolean");
    expect(constants.map(({ place }) => place).toSorted()).toEqual([
      "BillableSession.isBillable",
      "GoalDeletion.success",
      "GoalEntryDeletion.success",
      "NonBillableSession.isBillable",
      "PracticeFileBillableSession.isBillable",
      "PracticeFileDeletion.deleted",
      "PracticeFileNonBillableSession.isBillable",
      "Removal.success",
    ]);
    expect(constants.filter(({ schema }) => schema.type !== undefined)).toEqual([]);
  });

  test("a constant is required: Go writes an optional one as null, and Python's client would be invalid", () => {
    const optional = places(({ schema: { properties = {}, required = [] } }) =>
      Object.entries(properties).some(([name, one]) => "const" in one && !required.includes(name)),
    );
    expect(optional).toEqual([]);
  });

  test("every object is a component, so that they do not invent names", () => {
    expect(places(({ schema, isComponent }) => "properties" in schema && !isComponent)).toEqual([]);
  });

  test("different schemas have different names", () => {
    const { IntakeLeadCreation, NewIntakeLead } = document.components.schemas;
    const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(IntakeLeadCreation?.properties).toMatchObject({
      client: reference("UserReference"),
      caregiver: reference("UserReference"),
    });
    expect(NewIntakeLead?.properties?.client).toMatchObject(reference("NewIntakeClient"));
    expect(NewIntakeLead?.properties?.caregiver).toMatchObject(reference("NewIntakeCaregiver"));
  });

  test("a schema has one type, null excepted", () => {
    const isSeveral = ({ schema: { type } }: Found) =>
      Array.isArray(type) && type.filter((each) => each !== "null").length > 1;
    expect(places(isSeveral)).toEqual([]);
    expect(document.components.schemas.IssuePathStep).toEqual({
      description: "The name of a property, or an array index.",
      oneOf: [{ type: "string" }, { type: "integer" }],
    });
  });

  test("no schema has the name of a pydantic class", () => {
    expect(components.map(([name]) => name)).not.toContain("ValidationError");
  });

  test("a nullable enumeration is a component, so that they generate one type", () => {
    expect(places(({ schema }) => schema.enum?.includes(null) === true)).toEqual([]);
  });

  test("responses with two shapes have a name", () => {
    const unnamed = [...operationSchemas()].filter(
      ({ place, schema }) => schema.anyOf !== undefined && !place.includes("?"),
    );
    expect(unnamed.map(({ place }) => place)).toEqual([]);
  });
});
