import { describe, expect, test } from "bun:test";
import type { GoalType } from "../../src/goals/models/common.ts";
import { newPractice } from "../support/goals/practice.ts";
import { type Json, publicIdOf, step } from "../support/goals/bodies.ts";
import { newApiKey } from "../support/factories.ts";
import { newCaregiver, newLead } from "../support/intake-leads/practice.ts";

/**
 * Maximum lengths of texts, lists and goal trees in requests. Practice files have the same limits.
 */

const { service, database, organization, bodyOf, create, update } = await newPractice();
const key = await newApiKey(database, organization);

const text = (length: number): string => "x".repeat(length);
const list = (length: number): string[] => Array.from({ length }, (_, index) => `id_${index}`);
const email = (length: number): string =>
  `${"l".repeat(60)}@${`${"d".repeat(62)}.`.repeat(4)}`.slice(0, length - 6) + "d.test";

const user = (more: Json): Json => ({
  firstName: "Ana",
  lastName: "Ruiz",
  role: "CLINICIAN",
  ...more,
});
const users = (field: string) => (value: unknown) => ["POST users", user({ [field]: value })];
const client = (field: string) => (value: unknown) => [
  "POST intake-leads",
  newLead({ [field]: value }),
];
const caregiver = (field: string) => (value: unknown) => [
  "POST intake-leads",
  { ...newLead(), caregiver: newCaregiver({ [field]: value }) },
];
const attribution = (field: string) => (value: unknown) => [
  "POST intake-leads",
  { ...newLead(), attribution: { [field]: value } },
];
const goal = (type: GoalType, field: string) => (value: unknown) => [
  "POST goals",
  bodyOf(type, { [field]: value }),
];
const updates: Record<string, string> = {};
for (const type of ["frequency_duration", "opportunity", "rating", "interval"] as const)
  updates[type] = publicIdOf(await create(bodyOf(type)));
const goalUpdate = (type: GoalType, field: string) => (value: unknown) => [
  `PATCH goals/${updates[type]}`,
  { [field]: value },
];

/**
 * The path of a field, its maximum length, a request with a value, and a value of a given length.
 */
type Case = [
  path: (string | number)[],
  most: number,
  request: (value: unknown) => unknown[],
  ofLength: (length: number) => unknown,
];

const bodies: Case[] = [
  ...["firstName", "lastName", "phoneNumber", "npiNumber"].map((field): Case => [
    [field],
    200,
    users(field),
    text,
  ]),
  [["email"], 254, users("email"), email],
  ...["providerPayors", "specializations", "careTeamTechnicianIds", "careTeamLeadIds"].flatMap(
    (field): Case[] => [
      [[field], 500, users(field), list],
      [[field, 0], 200, users(field), (length) => [text(length)]],
    ],
  ),
  ...["firstName", "lastName", "city", "state", "zip", "country", "intakeStatusPublicId"].map(
    (field): Case => [["client", field], 200, client(field), text],
  ),
  [["client", "address"], 254, client("address"), text],
  ...["selectedLocations", "labelPublicIds"].flatMap((field): Case[] => [
    [["client", field], 500, client(field), list],
    [["client", field, 0], 200, client(field), (length) => [text(length)]],
  ]),
  ...["firstName", "lastName"].map((field): Case => [
    ["caregiver", field],
    200,
    caregiver(field),
    text,
  ]),
  [["caregiver", "email"], 254, caregiver("email"), email],
  ...["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "gclid", "gbraid"].map(
    (field): Case => [["attribution", field], 200, attribution(field), text],
  ),
  ...["wbraid", "fbclid"].map((field): Case => [
    ["attribution", field],
    200,
    attribution(field),
    text,
  ]),
  // Tags are limited because the URL of a page contains all of them.
  ...["referrer", "landingPage"].map((field): Case => [
    ["attribution", field],
    10_000,
    attribution(field),
    text,
  ]),
  [["treatmentPlanId"], 200, goal("rating", "treatmentPlanId"), text],
  ...[goal, goalUpdate].flatMap((request): Case[] => [
    ...(["rating", "interval"] as const).flatMap((type): Case[] => [
      [["title"], 200, request(type, "title"), text],
      [["description"], 10_000, request(type, "description"), text],
      [["instructions"], 10_000, request(type, "instructions"), text],
    ]),
    ...["goalStatement", "definition", "instructions", "progressSummary"].map((field): Case => [
      [field],
      10_000,
      request("frequency_duration", field),
      text,
    ]),
    [
      ["targetMaladaptiveBehaviorName"],
      200,
      request("frequency_duration", "targetMaladaptiveBehaviorName"),
      text,
    ],
    ...["goalStatement", "shortDescription", "instructions"].map((field): Case => [
      [field],
      10_000,
      request("opportunity", field),
      text,
    ]),
    [["skillCategory"], 200, request("opportunity", "skillCategory"), text],
    [
      ["enabledOutcomes"],
      500,
      request("opportunity", "enabledOutcomes"),
      (length) => list(length).map(() => "SUCCESS"),
    ],
    [
      ["childGoals", 0, "goalStatement"],
      10_000,
      request("opportunity", "childGoals"),
      (length) => [step(text(length))],
    ],
  ]),
  [["progressSummary"], 10_000, goalUpdate("opportunity", "progressSummary"), text],
];

async function issuesOf(line: string, json: unknown): Promise<unknown[]> {
  const [method, path] = line.split(" ", 2);
  const { body } = await service.call(`${method} /api/v1/${path}`, {
    key,
    ...(json !== undefined && { json }),
  });
  const { validationErrors, details } = body as Record<string, unknown[] | undefined>;
  return validationErrors ?? details ?? [];
}

const tooBig = (path: Case[0], most: number, kind: "String" | "Array") => ({
  code: "too_big",
  message: `${kind} must contain at most ${most} ${kind === "String" ? "character" : "element"}(s)`,
  path,
});

describe("maximum length of a field of a body", () => {
  const named = bodies.map((all): [string, ...Case] => [
    `${String(all[2](undefined)[0]).replace(/\/.*/, "")} ${all[0].join(".")}`,
    ...all,
  ]);
  test.each(named)("%s", async (_, path, most, request, ofLength) => {
    const [line, body] = request(ofLength(most));
    const atMost = JSON.stringify(await issuesOf(String(line), body));
    expect(atMost).not.toContain("too_big");
    const [, longer] = request(ofLength(most + 1));
    const kind = most === 500 ? "Array" : "String";
    expect(await issuesOf(String(line), longer)).toEqual([tooBig(path, most, kind)]);
  });
});

test("a list of 200,000 elements responds 400 without a validation of each element", async () => {
  const long = user({ specializations: Array(200_000).fill("x") });
  const request = new Request("http://localhost/api/v1/users", {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(long),
  });
  const started = performance.now();
  const response = await service.app.handle(request);
  // Validation of every element took a second, during which the server answered no other request.
  expect(performance.now() - started).toBeLessThan(800);
  expect(((await response.json()) as Json).validationErrors).toEqual([
    tooBig(["specializations"], 500, "Array"),
  ]);
});

describe("maximum length of a query parameter", () => {
  test.each([
    ["sessions", "clientId", 200],
    ["sessions", "technicianId", 200],
    ["sessions", "clinicianId", 200],
    ["users", "email", 254],
    ["users", "search", 200],
  ])("%s %s", async (path, name, most) => {
    const ask = (length: number) => issuesOf(`GET ${path}?${name}=${text(length)}`, undefined);
    expect(await ask(most)).toEqual([]);
    expect(await ask(most + 1)).toEqual([tooBig([name], most, "String")]);
  });
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
