import { describe, expect, test } from "bun:test";
import { newPractice } from "../support/goals/practice.ts";
import { type Json, publicIdOf, step } from "../support/goals/bodies.ts";
import { newApiKey } from "../support/factories.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";

/** Long lists and goal trees in requests, and that the document has a maximum for each text and list. */

const { service, database, organization, bodyOf, create, update, storedGoal } = await newPractice();
const key = await newApiKey(database, organization);

const list = (length: number): string[] => Array.from({ length }, (_, index) => `id_${index}`);

test("a list of 200,000 elements responds 400 without a validation of each element", async () => {
  const long = { firstName: "Ana", lastName: "Ruiz", specializations: Array(200_000).fill("x") };
  const request = new Request("http://localhost/api/v1/users", {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(long),
  });
  const before = process.cpuUsage();
  const response = await service.app.handle(request);
  // Validation of every element took a second of the processor, in which the server answered no other request.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(800);
  expect(((await response.json()) as Json).validationErrors).toEqual([
    {
      code: "too_big",
      message: "Array must contain at most 500 element(s)",
      path: ["specializations"],
    },
  ]);
});

describe("the size of a goal tree", () => {
  const refused = [
    {
      code: "too_big",
      message: "A goal and its descendants may be at most 500 goals",
      path: ["childGoals"],
    },
  ];
  const steps = (length: number): Json[] => list(length).map((name) => step(name));

  test("POST /v1/goals accepts at most 500 goals in one tree", async () => {
    // Ten children with 48 children each, nine more children, and the parent: 500 goals.
    const tree = [...list(10).map((name) => step(name, { childGoals: steps(48) })), ...steps(9)];
    expect((await create(bodyOf("opportunity", { childGoals: tree }))).status).toBe(201);
    const { status, body } = await create(
      bodyOf("opportunity", { childGoals: [...tree, step("one more")] }),
    );
    expect([status, (body as Json).details]).toEqual([400, refused]);
  });

  test("PATCH /v1/goals/{goalId} accepts at most 500 goals in the whole tree, parents and siblings included", async () => {
    const root = await create(
      bodyOf("opportunity", { childGoals: [step("a"), step("b", { childGoals: steps(300) })] }),
    );
    const [a] = (root.body as { childGoals: Json[] }).childGoals;
    const ofA = (length: number) => update(String(a?.publicId), { childGoals: steps(length) });
    const tooMany = await ofA(198);
    expect([tooMany.status, (tooMany.body as Json).details]).toEqual([400, refused]);
    expect(await update(publicIdOf(root), {})).toMatchObject({ body: root.body });
    expect((await ofA(197)).status).toBe(200);
    // Child goals that are replaced do not count.
    expect((await ofA(197)).status).toBe(200);
  });
});

test("PATCH /v1/goals/{goalId} does not take a goal with all below it beyond 12 MiB", async () => {
  const long = "x".repeat(10_000);
  const child = (index: number, texts: object) => ({
    ...{ publicId: `goal_b_${index}`, goalType: "opportunity", goalStatement: long },
    ...{ skillAcquisitionGoalType: "CHAINED_GOAL", enabledOutcomes: ["SUCCESS"], ...texts },
    ...Object.fromEntries(
      ["baseline", "success", "maintenance"].map((name) => [
        `${name}Metric`,
        { publicId: `metric_${name}_${index}`, value: 80, unit: "PERCENTAGE" },
      ]),
    ),
  });
  const childGoals = Array.from({ length: 499 }, (_, index) =>
    child(index, { shortDescription: long, instructions: "x".repeat(3_000) }),
  );
  const { treatmentPlanId } = bodyOf("opportunity");
  const goal = { ...child(499, { type: "goal", treatmentPlanId }), childGoals };
  await mustImport(database, [{ type: "organization", publicId: organization }, goal]);
  const add = async (characters: number) => {
    const progressSummary = "y".repeat(characters);
    const children = childGoals.map(({ publicId }) => ({ publicId, progressSummary }));
    const { status, body } = await update("goal_b_499", { childGoals: children });
    return status === 200 ? 200 : (body as Json).details;
  };
  expect(await add(1)).toBe(200);
  const size = Buffer.byteLength(JSON.stringify(await storedGoal("goal_b_499")));
  const most = 1 + Math.floor((12 * 1024 * 1024 - size) / childGoals.length);
  expect(await add(most)).toBe(200);
  expect(await add(most + 1)).toEqual([
    {
      ...{ code: "too_big", path: ["childGoals"] },
      message: "A goal and its descendants may be at most 12 MiB",
    },
  ]);
  expect(await add(most - 1)).toBe(200);
});

describe("the OpenAPI document has a maximum length", () => {
  interface Node {
    [keyword: string]: unknown;
  }
  const kept = ["maxLength", "enum", "const", "pattern", "format"];

  /** The places in a schema where a text or a list has no maximum length. */
  function withoutMaximum(
    document: Node,
    node: unknown,
    at: string,
    seen = new Set<unknown>(),
  ): string[] {
    if (typeof node !== "object" || node === null || seen.has(node)) return [];
    seen.add(node);
    const { $ref, type, ...rest } = node as { $ref?: string; type?: string | string[] } & Node;
    if ($ref !== undefined) {
      const target = $ref.split("/").slice(1);
      const found = target.reduce<unknown>((part, name) => (part as Node)[name], document);
      return withoutMaximum(document, found, target.at(-1) ?? "", seen);
    }
    const types = [type].flat();
    const isEndless =
      (types.includes("string") && !kept.some((keyword) => keyword in rest)) ||
      (types.includes("array") && !("maxItems" in rest));
    const below = Object.entries(rest).flatMap(([name, part]) =>
      name === "example" || name === "examples" || name === "enum" || name === "discriminator"
        ? []
        : withoutMaximum(document, part, `${at}.${name}`, seen),
    );
    return [...(isEndless ? [at] : []), ...below];
  }

  test("for every text and every list of a request", async () => {
    const document = (await service.call("GET /swagger/json")).body as Node;
    const operations = Object.values(document.paths as Record<string, Node>).flatMap((path) =>
      Object.values(path as Record<string, Node>),
    );
    expect(operations.length).toBeGreaterThan(9);
    for (const { operationId, parameters = [], requestBody = {} } of operations) {
      // A body of another media type is a file, which has a maximum size.
      const { content = {} } = requestBody as { content?: Node };
      // A longer request id is none, and replaced.
      // What a parameter lists, the request line limits.
      const named = (parameters as Node[]).filter(
        ({ $ref, explode }) => $ref !== "#/components/parameters/RequestId" && explode !== false,
      );
      const found = withoutMaximum(document, [named, content["application/json"]], "");
      expect([operationId, found]).toEqual([operationId, []]);
    }
  });
});
