import { describe, expect, test } from "bun:test";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";

/** Bodies that nest so deeply that whoever walks them without looking runs out of stack: refused, wherever they do. */

const { app, database } = await newService();
const key = await newApiKey(database, await newOrganization(database));

const DEPTH = 100_000;
const lists = `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`;
const objects = `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`;
const children = `${'[{"childGoals":'.repeat(DEPTH / 2)}[]${"}]".repeat(DEPTH / 2)}`;

/** The status of the answer, and how many issues it lists. Not by `call`, which looks into what it sends. */
async function send(line: string, body: string): Promise<[number, number]> {
  const [method = "", path = ""] = line.split(" ");
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const request = new Request(`http://localhost/api/v1${path}`, { method, headers, body });
  const response = await app.handle(request);
  const answer = (await response.json()) as { validationErrors?: []; details?: [] };
  return [response.status, (answer.validationErrors ?? answer.details ?? []).length];
}

describe("a body that nests without end is a 400", () => {
  test.each([
    ["a list", "POST /users", lists, 1],
    ["an object, which has nothing that is known", "POST /users", objects, 2],
    [
      "in fields of other types",
      "POST /users",
      `{"firstName":"A","lastName":${lists},"email":${objects},"specializations":${lists}}`,
      3,
    ],
    ["beside an unknown kind", "POST /goals", `{"type":"none","title":${lists}}`, 1],
    ["as the kind", "POST /goals", `{"type":${objects}}`, 1],
    ["as an update", "PATCH /goals/goal_1", lists, 1],
  ])("%s", async (_, line, body, issues) => {
    expect(await send(line, body)).toEqual([400, issues]);
  });

  test("where nesting is allowed, as too deep", async () => {
    const body = `{"type":"opportunity","childGoals":${children}}`;
    const [status, issues] = await send("POST /goals", body);
    expect([status, issues > 1]).toEqual([400, true]);
  });
});

test("an update of an unknown goal is not parsed", async () => {
  expect(await send("PATCH /goals/goal_1", `{"childGoals":${children}}`)).toEqual([404, 0]);
});
