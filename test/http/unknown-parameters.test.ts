import { describe, expect, test } from "bun:test";
import type { Issue } from "../../src/lib/errors.ts";
import { endpoints } from "../support/endpoints.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { unknownParameter, validationBody } from "../support/list-rules.ts";

/** A parameter of the query that an operation does not have is refused, on every operation, as all input is. */

const service = await newService();
const key = await newApiKey(service.database, await newOrganization(service.database));

const ids: Record<string, string> = { goalId: "goal_none" };

/** A list of issues in the shape of the path. */
function refused(errorStyle: string, ...issues: Issue[]): object {
  return errorStyle === "goal"
    ? { error: "Validation error", details: issues }
    : validationBody(...issues);
}

describe.each(endpoints)("$method $path", ({ method, path, params, body, errorStyle }) => {
  const good = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "none_1");
  const mediaType = body?.type === "Uint8Array" ? "application/x-ndjson" : "application/json";
  const send = (target: string) =>
    service.call(`${method} /api${target}`, {
      key,
      ...(body !== undefined && { raw: "{", headers: { "Content-Type": mediaType } }),
    });

  test("each name once, before mistakes of the body", async () => {
    const { status, body } = await send(`${good}?updatedSince=2026-03-01&patient=x&patient=y`);
    expect([status, body]).toEqual([
      400,
      refused(errorStyle, unknownParameter("updatedSince"), unknownParameter("patient")),
    ]);
  });

  if (params !== undefined)
    test("after an invalid path", async () => {
      const { status, body } = await send(`${path.replaceAll(/\{\w+\}/g, "a.b")}?nope=1`);
      expect([status, body]).toEqual([
        400,
        refused(errorStyle, {
          code: "custom",
          message: expect.any(String) as never,
          path: Object.keys(params.properties),
        }),
      ]);
    });
});

test("behind the issues of the parameters that the operation has", async () => {
  const query = "updatedSince=1&pageSize=0&nope=1&startDate=x";
  const { status, body } = await service.call(`GET /api/v1/sessions?${query}`, { key });
  expect([status, body]).toMatchObject([
    400,
    { validationErrors: [{ path: ["pageSize"] }, { path: ["startDate"] }, {}, {}] },
  ]);
  const { validationErrors } = body as { validationErrors: Issue[] };
  expect(validationErrors.slice(2)).toEqual([
    unknownParameter("updatedSince"),
    unknownParameter("nope"),
  ]);
});

test("at most fifty issues", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
  const { body } = await service.call(`GET /api/v1/users?${names.join("&")}`, { key });
  expect(body).toEqual(validationBody(...names.slice(0, 50).map(unknownParameter)));
});

test("HEAD is refused, too; unknown paths remain a 404", async () => {
  expect((await service.call("HEAD /api/v1/users?nope=1", { key })).status).toBe(400);
  expect((await service.call("GET /api/v1/none?nope=1", { key })).status).toBe(404);
  expect((await service.call("PUT /api/v1/users?nope=1", { key })).status).toBe(405);
});
