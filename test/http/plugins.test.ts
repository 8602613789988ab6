import { describe, expect, test } from "bun:test";
import { permissions } from "../../src/callers/permissions.ts";
import { api } from "../../src/app.ts";
import { declaredRoutes } from "../../src/http/document/openapi.ts";
import { newService } from "../support/harness.ts";

/** Properties of the Elysia app: its routes and the hooks that run for each request. */

const service = await newService();
const { app } = service;

describe("every route of the API", () => {
  test.each(declaredRoutes(api))("$method $path declares a permission", ({ permission }) => {
    expect(Object.keys(permissions)).toContain(permission);
  });

  test("declares a response schema for 401, 429, 500 and 503", () => {
    for (const { response } of declaredRoutes(api))
      expect(Object.keys(response)).toEqual(expect.arrayContaining(["401", "429", "500", "503"]));
  });
});

/**
 * Elysia reads the source of hooks to find out which parts of a request they need. A hook that
 * passes on or spreads its context needs all parts. Cookies, headers and query would then be parsed
 * for every request.
 */
describe("no hook and no handler passes on its whole context", () => {
  const functions = app.routes.flatMap(({ handler, hooks }) => [
    handler as unknown,
    ...[hooks.parse, hooks.transform, hooks.beforeHandle, hooks.afterHandle, hooks.error].flatMap(
      (list) => [list ?? []].flat().map(({ fn }: { fn: unknown }) => fn),
    ),
  ]);
  const sources = new Set(
    functions.filter((each) => typeof each === "function").map((each) => each.toString()),
  );

  test("in this app", () => {
    expect(sources.size).toBeGreaterThan(20);
    expect([...sources].filter(passesContextOn)).toEqual([]);
  });

  test.each([
    "async (context) => work(context)",
    "(context) => { Object.assign(context, read()) }",
    "({ set, ...rest }) => log(rest)",
    "async transform(context) { return { ...context } }",
  ])("is detected in: %s", (source) => {
    expect(passesContextOn(source)).toBe(true);
  });
});

/** Whether a function passes on or spreads its only parameter. */
function passesContextOn(source: string): boolean {
  const parameter = /^(?:async\s+)?(?:\w+\s*)?\(?\s*(\w+)\s*\)?\s*(?:=>|\{)/.exec(source)?.[1];
  const rest = /^[^)]*\.\.\.(\w+)/.exec(source)?.[1];
  const name = rest ?? parameter;
  if (name === undefined || name === "async") return false;
  return new RegExp(`[(,]\\s*${name}\\s*[,)]|\\.\\.\\.${name}\\b`).test(
    source.replace(/^[^=]*=>|^[^{]*\{/, ""),
  );
}

test("two apps in one process have separate services", async () => {
  const other = await newService();
  await other.call("GET /livez");
  expect([service.log.length, other.log.length]).toEqual([0, 1]);
});
