import { describe, expect, test } from "bun:test";
import type { Issue } from "../../src/lib/errors.ts";
import type { ResponseObject } from "../../src/http/document/error-responses.ts";
import { errorExamples } from "../support/contract.ts";
import { document } from "../support/endpoints.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { unknownParameter, validationBody } from "../support/list-rules.ts";
import { filled, operations } from "../support/operations.ts";

/** Every operation refuses query parameters that it does not have. */

const service = await newService();
const key = await newApiKey(service.database, await newOrganization(service.database));

/** The error body of a list of issues, in the shape of the endpoint. */
function refused(errorStyle: string, ...issues: Issue[]): object {
  return errorStyle === "goal"
    ? { error: "Validation error", details: issues }
    : validationBody(...issues);
}

describe.each(operations)("$operation", ({ method, path, body, errorStyle, example }) => {
  const { line } = filled(example, () => "goal_none");
  const good = `${line}${line.includes("?") ? "&" : "?"}`;
  const mediaType = body?.type === "Uint8Array" ? "application/x-ndjson" : "application/json";
  const send = (target: string) =>
    service.call(target, {
      key,
      ...(body !== undefined && { raw: "{", headers: { "Content-Type": mediaType } }),
    });

  test("responds 400 with each unknown parameter once, before issues of the body", async () => {
    const { status, body } = await send(`${good}updatedSince=2026-03-01&patient=x&patient=y`);
    expect([status, body]).toEqual([
      400,
      refused(errorStyle, unknownParameter("updatedSince"), unknownParameter("patient")),
    ]);
  });

  test("responds with the document's example of a 400", async () => {
    const { body } = await send(`${good}updatedSince=2026-03-01`);
    const response = document.paths[path]?.[method.toLowerCase()]?.responses[400];
    expect(errorExamples(response as ResponseObject).map(([, example]) => example)).toEqual([body]);
  });
});

test("names are compared exactly, and reported in the order of the query", async () => {
  const query =
    "nope=%00&Page=1&&page%20=1&7=1&page[]=1&page=1&nope&constructor=1&__proto__=2&=3&%FF=4";
  const { status, body } = await service.call(`GET /api/v1/users?${query}`, { key });
  const names = [
    ...["nope", "Page", "page ", "7", "page[]", "constructor", "__proto__", "", "\uFFFD"],
  ];
  expect([status, body]).toEqual([400, validationBody(...names.map(unknownParameter))]);
});

test("issues of unknown parameters follow those of known parameters", async () => {
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

test("at most 50 issues are reported", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
  const { body } = await service.call(`GET /api/v1/users?${names.join("&")}`, { key });
  expect(body).toEqual(validationBody(...names.slice(0, 50).map(unknownParameter)));
});

test("HEAD responds 400 as well; unknown paths still respond 404 and unknown methods 405", async () => {
  expect((await service.call("HEAD /api/v1/users?nope=1", { key })).status).toBe(400);
  expect((await service.call("GET /api/v1/none?nope=1", { key })).status).toBe(404);
  expect((await service.call("PUT /api/v1/users?nope=1", { key })).status).toBe(405);
});
