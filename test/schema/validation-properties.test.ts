import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import fc from "fast-check";
import { endpoints } from "../support/endpoints.ts";
import { MAX_ISSUES } from "../../src/schema/explanation.ts";
import { type ParseOptions, parse } from "../../src/schema/validation.ts";
import { inputsOf } from "../support/model-inputs.ts";
import { runs } from "../support/runs.ts";

/** Properties of `parse` for the model of every request and random input. */

const models = endpoints.flatMap(({ operationId, method, params, query, body }) =>
  Object.entries({ params, query, body })
    .filter((entry): entry is [string, TSchema] => entry[1] !== undefined)
    // The lines of a practice file are validated one by one.
    .filter(([, model]) => model.type !== "Uint8Array")
    // Input that the endpoint validates itself has more in its schema than `parse` reads.
    .filter(([, model]) => model.anyOf === undefined || model.discriminator !== undefined)
    .map(([part, model]) => ({ name: `${part} of ${operationId}`, model, method })),
);

const numRuns = runs(300);

describe.each(models)("$name", ({ model, method }) => {
  const nulls: ParseOptions["nulls"] = method === "PATCH" ? "rejected" : "absent";
  const options: ParseOptions = { nulls, unknownKeys: "stripped" };

  test("parsing is idempotent", () => {
    fc.assert(
      fc.property(inputsOf(model), (input) => {
        const first = parse(model, input, options);
        if ("value" in first) {
          expect(parse(model, first.value, options)).toEqual(first);
          // The result has no field that the model does not name.
          expect(parse(model, first.value, { ...options, unknownKeys: "rejected" })).toEqual(first);
        }
      }),
      { numRuns },
    );
  });

  test("a refusal has 1 to 50 issues, one per field, each with a message", () => {
    fc.assert(
      fc.property(inputsOf(model), (input) => {
        const parsed = parse(model, input, options);
        if ("value" in parsed) return;
        const paths = parsed.issues.map(({ path }) => JSON.stringify(path));
        expect(new Set(paths).size).toBe(paths.length);
        expect(paths.length).toBeWithin(1, MAX_ISSUES + 1);
        expect(parsed.issues.filter(({ message }) => message === "")).toEqual([]);
      }),
      { numRuns },
    );
  });

  test("the input is not modified", () => {
    fc.assert(
      fc.property(inputsOf(model), (input) => {
        const before = Bun.inspect(input, { depth: 20 });
        parse(model, input, options);
        expect(Bun.inspect(input, { depth: 20 })).toBe(before);
      }),
      { numRuns: runs(50) },
    );
  });
});

test("random inputs of a model are mostly valid", () => {
  for (const { model } of models) {
    const inputs = fc.sample(inputsOf(model), { numRuns: 100, seed: 1 });
    const taken = inputs.filter((input) => "value" in parse(model, input));
    expect(taken.length).toBeGreaterThan(60);
  }
});
