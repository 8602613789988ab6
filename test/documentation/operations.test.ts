import { describe, expect, test } from "bun:test";
import { operations, parametersOf, unknownOperations } from "../support/operations.ts";

/** `test/support/operations.ts` declares each operation for all tests. One that it lacks fails when it is loaded. */

test("no operation is declared that the application does not have", () => {
  expect(unknownOperations).toEqual([]);
});

describe.each(operations)("$operation", (operation) => {
  const { path, requests, parameters } = operation;

  test("is declared with its parameters, in their order", () => {
    expect(Object.keys(parameters)).toEqual(parametersOf(operation));
  });

  test("has requests with every parameter of a list, except pages", () => {
    const isList = operation.method === "GET" && !path.includes("{");
    const used = requests.flatMap(({ line }) => [
      ...new URL(line.split(" ")[1]!, "http://localhost").searchParams.keys(),
    ]);
    const missing = parametersOf(operation).filter((name) => !used.includes(name));
    if (isList) expect(missing.filter((name) => !/^page(Size)?$/.test(name))).toEqual([]);
  });

  test("has requests with its method and path", () => {
    const pattern = new RegExp(`^/api${path.replaceAll(/\{\w+\}/g, "\\{\\w+\\}")}$`);
    for (const { line } of requests) expect(line.split(/[ ?]/)[1]).toMatch(pattern);
  });
});
