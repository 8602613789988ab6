import { describe, expect, test } from "bun:test";
import { type Role, roles } from "../../src/callers/roles.ts";
import { plainBody } from "../support/body-rules.ts";
import { newApiKey, newOrganization, newSpecialization, newUser } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";

/**
 * POST /v1/users: which roles may create users, and which bodies are refused (specification,
 * section 4.6).
 */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);

const create = (json: unknown, callersKey = key) =>
  service.call("POST /api/v1/users", { key: callersKey, json });

const countUsers = () =>
  database.read(async (db) => (await db.selectFrom("users").select("public_id").execute()).length);

describe("which role may create which, beside the table of docs/decisions.md", () => {
  const insufficient = plainBody(
    403,
    "Insufficient role hierarchy permissions to create this user role",
  );

  test("a user without a role is a TECHNICIAN, whom not everybody may create", async () => {
    const statuses = await Promise.all(
      roles.map(async (caller) => {
        const callersKey = await newApiKey(database, organization, caller);
        return [caller, (await create({ firstName: "Ana", lastName: "Ruiz" }, callersKey)).status];
      }),
    );
    const allowed: Role[] = [
      ...(["ADMIN", "SCHEDULING_MANAGER", "CLINICAL_ADMIN", "CLINICAL_SUPERADMIN"] as const),
    ];
    expect(statuses).toEqual(roles.map((caller) => [caller, allowed.includes(caller) ? 200 : 403]));
  });

  test("the role is refused before an email address that is taken", async () => {
    await newUser(database, organization, { email: "order@maple.example" });
    const callersKey = await newApiKey(database, organization, "SCHEDULING_MANAGER");
    const json = {
      firstName: "Ana",
      lastName: "Ruiz",
      role: "CLINICAL_ADMIN",
      email: "order@maple.example",
      specializations: ["spec_none"],
    };
    const answer = await create(json, callersKey);
    expect([answer.status, answer.body]).toEqual([403, insufficient]);
  });
});

describe("an email address that is taken", () => {
  const taken = validationBody({
    code: "custom",
    message: "A user with this email already exists",
    path: ["email"],
  });
  const newcomer = (email: string) => ({ firstName: "Ana", lastName: "Ruiz", email });

  test.each([
    ["of the same role", { role: "TECHNICIAN" }],
    ["of another role", { role: "PATIENT" }],
    ["who is inactive", { is_active: 0 }],
  ] as const)("by a user %s responds 400, in any letter case", async (description, row) => {
    const email = `${description.replaceAll(" ", ".")}@Maple.example`;
    await newUser(database, organization, { ...row, email });
    const before = await countUsers();
    for (const spelling of [email, email.toLowerCase(), email.toUpperCase()]) {
      const answer = await create(newcomer(spelling));
      expect([answer.status, answer.body]).toEqual([400, taken]);
    }
    expect(await countUsers()).toBe(before);
  });

  test("in another organization is free", async () => {
    const other = await newOrganization(database);
    await newUser(database, other, { email: "elsewhere@maple.example" });
    expect((await create(newcomer("elsewhere@maple.example"))).status).toBe(200);
  });

  test("is given to only one of 20 concurrent requests", async () => {
    const before = await countUsers();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        create(newcomer(index % 2 === 0 ? "race@maple.example" : "RACE@maple.example")),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body]).toEqual([400, taken]);
    expect(await countUsers()).toBe(before + 1);
  });

  test("is reported before unknown specializations", async () => {
    await newSpecialization(database, organization, { public_id: "spec_gone", is_active: 0 });
    await newUser(database, organization, { email: "first@maple.example" });
    const answer = await create({
      ...newcomer("first@maple.example"),
      specializations: ["spec_gone"],
    });
    expect([answer.status, answer.body]).toEqual([400, taken]);
  });
});
