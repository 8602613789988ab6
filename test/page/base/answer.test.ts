import { expect, test } from "bun:test";
import { isOwnAnswer } from "../../../src/page/app/lib/base/answer.ts";

const answer = (status: number, body: unknown, requestId: string | null = "req_1") => ({
  ...{ status, body, requestId },
});
const issues = { message: "Validation Error", statusCode: 400, validationErrors: [{}] };

test.each([
  ["what was asked for", answer(200, { data: [] })],
  ["lines", answer(200, "{}\n")],
  ["a refusal", answer(412, { error: "Precondition Failed", statusCode: 412 }, null)],
  ["a refusal of a goal", answer(400, { error: "Validation error", details: [] }, null)],
  ["issues", answer(400, issues, null)],
  ["its own 503", answer(503, { error: "Service temporarily unavailable", statusCode: 503 })],
  ["its own 500", answer(500, { error: "Internal server error", statusCode: 500 })],
])("%s is the API's", (_, given) => {
  expect(isOwnAnswer(given)).toBe(true);
});

test.each([
  ["a proxy's page of a 504", answer(504, undefined)],
  ["a gateway's JSON of a 504", answer(504, { error: "Endpoint request timed out" })],
  ["a gateway's JSON of a 500", answer(500, { message: "Internal Server Error" }, null)],
  ["a proxy's page of a 502 with an id of its own", answer(502, undefined, "proxy-1")],
  ["a proxy's 403", answer(403, undefined, null)],
  ["a portal's page", answer(200, undefined, null)],
  ["a portal's {}", answer(200, {}, null)],
  ["an answer that was cut off", answer(200, undefined)],
  ["a text", answer(404, "not found")],
  ["null", answer(404, null)],
])("%s is not", (_, given) => {
  expect(isOwnAnswer(given)).toBe(false);
});
