import { afterAll, beforeEach, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

await useDocument();
const { changeStatus } = await import("../../../src/page/app/lib/goals/changes.ts");
const { signIn, signOut } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");

/** The act on a finding about a goal, which may have been found hours ago. */

const { fetch } = globalThis;
let stored = "IN_PROGRESS";
let sent: unknown[] = [];

beforeEach(() => {
  sent = [];
  Reflect.set(globalThis, "fetch", async (_: string, { method, body }: RequestInit) => {
    if (method === "PATCH") sent.push(JSON.parse(String(body)));
    return Response.json({ status: stored }, { headers: { "X-Request-Id": "req_1" } });
  });
  const organization = { publicId: "org_1", name: "Maple", timezone: "UTC" };
  signIn("key", { key: { role: "CLINICIAN", userId: "usr_1" }, organization, writes: [] } as never);
});
afterAll(() => {
  signOut("signed-out");
  Reflect.set(globalThis, "fetch", fetch);
});

test.each([
  ["IN_PROGRESS", "IN_MAINTENANCE"],
  ["MASTERED", "IN_PROGRESS"],
])("brings a goal from %s to %s", async (from, to) => {
  stored = from;
  await changeStatus("goal_1", to);
  expect(sent).toEqual([{ status: to }]);
});

test.each([
  ["MASTERED", "IN_MAINTENANCE", "Mastered"],
  ["DISCONTINUED", "IN_PROGRESS", "Discontinued"],
])("leaves one that somebody has brought to %s", async (from, to, name) => {
  stored = from;
  const refused = changeStatus("goal_1", to).catch((error: Error) => error.message);
  expect(await refused).toBe(`Somebody else has changed it meanwhile, to: ${name}.`);
  expect(sent).toEqual([]);
});
