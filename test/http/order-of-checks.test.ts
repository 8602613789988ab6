import { expect, test } from "bun:test";
import { newKey } from "../../src/callers/key-format.ts";
import type { Issue } from "../../src/lib/errors.ts";
import type { Role } from "../../src/callers/roles.ts";
import { plainBody } from "../support/body-rules.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { type CallOptions, newService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import { refused, transcripts, whole } from "../support/transcript.ts";

/**
 * The order of checks: key 401, path 404, method 405, role 403, size 413 and media type 415, shape
 * 400, meaning.
 */

const practice = await transcripts();
const service = await newService();
const organization = await newOrganization(service.database);

const json = { "Content-Type": "application/json" };
const bodies: Record<string, CallOptions> = {
  broken: { raw: "{", headers: json },
  misshapen: { raw: '{"firstName":5}', headers: json },
  untyped: { raw: new TextEncoder().encode("{") },
  oversized: { raw: "x".repeat(1024 * 1024 + 1), headers: json },
  "oversized, untyped": { raw: new Uint8Array(1024 * 1024 + 1) },
};
const HIERARCHY = "Insufficient role hierarchy permissions to create this user role";

/** Who asks for what with which body, and the status and the error of the response. */
const TABLE = `
no key, before an unknown path   |            | GET none         |                    | 401 API key required
no key, before a wrong method    |            | DELETE users     |                    | 401 API key required
no key, before a malformed query |            | GET users?page=0 |                    | 401 API key required
no key, before a malformed id    |            | GET sessions/%00 |                    | 401 API key required
no key, before an oversized body |            | POST users       | oversized          | 401 API key required
no key, before a media type      |            | POST users       | untyped            | 401 API key required
no key, before a broken body     |            | POST users       | broken             | 401 API key required
no key, on goals too             |            | POST goals       | broken             | 401 API key required
an unknown path, before a body   | PATIENT    | POST none        | oversized          | 404 Not found
an unknown path, before a role   | PATIENT    | GET users/       |                    | 404 Not found
a wrong method, before a role    | PATIENT    | DELETE users     |                    | 405 Method not allowed
a wrong method, before a query   | ADMIN      | PUT users?page=0 |                    | 405 Method not allowed
a wrong method, before a body    | ADMIN      | PUT users        | oversized          | 405 Method not allowed
a wrong method, before an id     | ADMIN      | PUT sessions/%00 |                    | 405 Method not allowed
a wrong method of goals          | ADMIN      | PUT goals        |                    | 405 Method not allowed
a role, before a query           | PATIENT    | GET users?page=0 |                    | 403 Access denied
a role, before an id             | CAREGIVER  | GET sessions/%00 |                    | 403 Access denied
a role, before an unknown id     | PATIENT    | GET sessions/a   |                    | 403 Access denied
a role, before a body's size     | PATIENT    | POST users       | oversized          | 403 ${HIERARCHY}
a role, before a media type      | CLINICIAN  | POST users       | untyped            | 403 ${HIERARCHY}
a role, before a broken body     | CLINICIAN  | POST users       | broken             | 403 ${HIERARCHY}
a role, before no body of goals  | CAREGIVER  | POST goals       |                    | 403 Insufficient permissions for this action
a role, before a shape           | TECHNICIAN | POST goals       | misshapen          | 403 Insufficient permissions for this action
a role, before an id of goals    | TECHNICIAN | DELETE goals/x   |                    | 403 Insufficient permissions for this action
the size, before the media type  | ADMIN      | POST users       | oversized, untyped | 413 Request body must not be larger than 1 MiB
the size, before the JSON        | ADMIN      | POST users       | oversized          | 413 Request body must not be larger than 1 MiB
the size, of goals               | ADMIN      | POST goals       | oversized          | 413 Request body must not be larger than 1 MiB
the media type, before the JSON  | ADMIN      | POST users       | untyped            | 415 Content-Type must be application/json
the media type, of goals         | ADMIN      | POST goals       | untyped            | 415 Content-Type must be application/json
`;
const rows = TABLE.trim()
  .split("\n")
  .map((row) => row.split("|").map((cell) => cell.trim()));

test.each(rows as [string, Role | "", string, string, string][])(
  "only the first of two errors is reported: %s",
  async (_, role, request, body, answer) => {
    const [line, status] = [request.replace(" ", " /api/v1/"), Number(answer.slice(0, 3))];
    const key = role && (await newApiKey(service.database, organization, role));
    const response = await service.call(line, { ...bodies[body], ...(key && { key }) });
    // Goals have an error shape of their own, except for 401 and 403.
    const isOfGoals = request.includes("goals") && status > 403;
    const error = answer.slice(4);
    const expected = isOfGoals ? { error } : plainBody(status, error);
    expect([response.status, response.body]).toEqual([status, expected]);
  },
);

test("an invalid key is reported before everything else", async () => {
  for (const line of ["GET /api/v1/none", "DELETE /api/v1/users", "GET /api/v1/users?page=0"]) {
    const { status, body } = await service.call(line, { key: newKey() });
    expect([status, body]).toEqual([401, plainBody(401, "Invalid API key")]);
  }
});

const noJson: Issue = {
  ...{ code: "custom", message: "Request body must be valid JSON in UTF-8", path: [] },
};
const admin = { firstName: "Ana", lastName: "Ruiz", role: "ADMIN" };
const goal = { type: "rating", title: "Calm", treatmentPlanId: "tp_none" };
const reversed = "startDate=2026-03-12&endDate=2026-03-11";
practice([])("JSON, shape and meaning are checked last, in this order", [
  ["POST users", "{", 400, whole(validationBody(noJson))],
  ["POST goals", "{", 400, whole({ error: "Validation error", details: [noJson] })],
  ["BILLING_MANAGER: POST users", { ...admin, firstName: 5 }, 400],
  ["BILLING_MANAGER: POST users", admin, 403, whole(plainBody(403, HIERARCHY))],
  refused(
    ...([`GET sessions?${reversed}&page=0`, "page"] as const),
    ...(["Number must be greater than or equal to 1", "too_small"] as const),
  ),
  ["POST goals", { ...goal, title: 5 }, 400, { details: [{ path: ["title"] }] }],
  ["POST goals", goal, 400, { details: [{ path: ["treatmentPlanId"] }] }],
]);
