import { describe, expect, test } from "bun:test";
import type { Issue } from "../../src/lib/errors.ts";
import type { ResponseObject } from "../../src/http/document/error-responses.ts";
import { errorExamples } from "../support/contract.ts";
import { document } from "../support/endpoints.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { unknownParameter, validationBody } from "../support/list-rules.ts";
import { filled, operations } from "../support/operations.ts";
import { transcripts, whole } from "../support/transcript.ts";

/** Every operation refuses query parameters that it does not have. */

const practice = await transcripts();
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

const query =
  "nope=%00&Page=1&&page%20=1&7=1&page[]=1&page=1&nope&constructor=1&__proto__=2&=3&%FF=4";
const names = ["nope", "Page", "page ", "7", "page[]", "constructor", "__proto__", "", "\uFFFD"];
const many = Array.from({ length: 60 }, (_, index) => `n${index}`);
const unknown = (...names: string[]) => names.map((name) => whole(unknownParameter(name)));
practice([])("names are compared exactly, and the first 50 are told in order, after known ones", [
  [`GET users?${query}`, 400, whole(validationBody(...unknown(...names)))],
  [
    ...(["GET sessions?updatedSince=1&pageSize=0&nope=1&startDate=x", 400] as const),
    {
      validationErrors: [
        ...[{ path: ["pageSize"] }, { path: ["startDate"] }],
        ...unknown("updatedSince", "nope"),
      ],
    },
  ],
  [`GET users?${many.join("&")}`, 400, whole(validationBody(...unknown(...many.slice(0, 50))))],
  ["HEAD users?nope=1", 400],
  ["GET none?nope=1", 404],
  ["PUT users?nope=1", 405],
]);
