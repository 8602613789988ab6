import { describe, expect, test } from "bun:test";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";

/**
 * Deeply nested bodies, which would exhaust the stack of a recursive validation, are refused
 * everywhere.
 */

const { app, database } = await newService();
const key = await newApiKey(database, await newOrganization(database));

const listsOf = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
/** Some levels are the body's own. */
const DEPTH = 990;
const lists = listsOf(DEPTH);
const objects = `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`;
const children = `${'[{"childGoals":'.repeat(DEPTH / 2)}[]${"}]".repeat(DEPTH / 2)}`;

/**
 * The status and the number of issues of a response. Does not use `call`, which parses what it
 * sends.
 */
async function send(line: string, body: string): Promise<[number, number]> {
  const [method = "", path = ""] = line.split(" ");
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const request = new Request(`http://localhost/api/v1${path}`, { method, headers, body });
  const response = await app.handle(request);
  const answer = (await response.json()) as { validationErrors?: []; details?: [] };
  return [response.status, (answer.validationErrors ?? answer.details ?? []).length];
}

describe("a body nested almost 1,000 levels deep responds 400", () => {
  test.each([
    ["a list", "POST /users", lists, 1],
    ["an object with unknown fields only", "POST /users", objects, 2],
    [
      "in fields of other types",
      "POST /users",
      `{"firstName":"A","lastName":${lists},"email":${objects},"specializations":${lists}}`,
      3,
    ],
    ["with an unknown type", "POST /goals", `{"type":"none","title":${lists}}`, 1],
    ["in the type", "POST /goals", `{"type":${objects}}`, 1],
    ["as the body of an update", "PATCH /goals/goal_1", lists, 1],
  ])("%s", async (_, line, body, issues) => {
    expect(await send(line, body)).toEqual([400, issues]);
  });

  test("nested deeper, it is not parsed at all, which would take long", async () => {
    const request = new Request("http://localhost/api/v1/users", {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: listsOf(500_000),
    });
    const message = "Request body must be valid JSON in UTF-8";
    expect(await (await app.handle(request)).json()).toMatchObject({
      validationErrors: [{ code: "custom", message, path: [] }],
    });
  });

  test("child goals nested beyond the maximum depth", async () => {
    const body = `{"type":"opportunity","childGoals":${children}}`;
    const [status, issues] = await send("POST /goals", body);
    expect([status, issues > 1]).toEqual([400, true]);
  });
});

test("PATCH /v1/goals/{goalId} of an unknown goal responds 404 without parsing the body", async () => {
  expect(await send("PATCH /goals/goal_1", `{"childGoals":${children}}`)).toEqual([404, 0]);
});
