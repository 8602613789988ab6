import { describe, expect, test } from "bun:test";
import { creatableRoles } from "../../src/access/permissions.ts";
import { assignableRoles, type Role, roles } from "../../src/access/roles.ts";
import { type CreationUnderTest, describeRandomBodies, plainBody } from "../support/body-rules.ts";
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

const creation: CreationUnderTest = {
  service,
  path: "/api/v1/users",
  key,
  created: 200,
  newBody: () => ({ firstName: "Ana", lastName: "Ruiz" }),
};
const create = (json: unknown, callersKey = key) =>
  service.call("POST /api/v1/users", { key: callersKey, json });

const countUsers = () =>
  database.read(async (db) => (await db.selectFrom("users").select("public_id").execute()).length);

const invalidRole = {
  code: "invalid_enum_value",
  message: `Invalid enum value. Expected ${assignableRoles.map((role) => `'${role}'`).join(" | ")}`,
  path: ["role"],
} as const;

describe("which role may create which", () => {
  const insufficient = plainBody(
    403,
    "Insufficient role hierarchy permissions to create this user role",
  );
  /** The roles that each role may create, written out independently of the code. */
  const table: Record<Role, readonly Role[]> = {
    ADMIN: [
      "ADMIN",
      "BILLING_MANAGER",
      "SCHEDULING_MANAGER",
      "CLINICIAN",
      "TECHNICIAN",
      "PATIENT",
      "CAREGIVER",
      "CLINICAL_ADMIN",
      "PAYROLL_ADMIN",
    ],
    CLINICAL_SUPERADMIN: ["CLINICAL_ADMIN", "CLINICIAN", "TECHNICIAN", "PATIENT", "CAREGIVER"],
    CLINICAL_ADMIN: ["CLINICIAN", "TECHNICIAN", "PATIENT", "CAREGIVER"],
    SCHEDULING_MANAGER: ["CLINICIAN", "TECHNICIAN", "PATIENT", "CAREGIVER"],
    BILLING_MANAGER: ["PATIENT", "CAREGIVER"],
    PAYROLL_ADMIN: [],
    CLINICIAN: [],
    TECHNICIAN: [],
    PATIENT: [],
    CAREGIVER: [],
  };

  describe.each(roles)("caller %s", (caller) => {
    test.each(roles)("creates %s", async (role) => {
      const answer = await create(
        { firstName: "Ana", lastName: "Ruiz", role },
        await newApiKey(database, organization, caller),
      );
      const mayCreateSome = table[caller].length > 0;
      if (mayCreateSome && role === "CLINICAL_SUPERADMIN") {
        expect([answer.status, answer.body]).toEqual([400, validationBody(invalidRole as never)]);
      } else if (table[caller].includes(role)) {
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({ user: { role } });
      } else expect([answer.status, answer.body]).toEqual([403, insufficient]);
    });

    test("creates a user without a role, which is a TECHNICIAN", async () => {
      const callersKey = await newApiKey(database, organization, caller);
      const answer = await create({ firstName: "Ana", lastName: "Ruiz" }, callersKey);
      expect(answer.status).toBe(table[caller].includes("TECHNICIAN") ? 200 : 403);
    });

    test("sends an invalid body: 403 if the role may create nobody, else 400", async () => {
      const callersKey = await newApiKey(database, organization, caller);
      for (const json of [{}, { role: "ADMIN" }, []]) {
        const { status } = await create(json, callersKey);
        expect(status).toBe(creatableRoles[caller].length > 0 ? 400 : 403);
      }
    });
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

describeRandomBodies(creation, [
  ["firstName"],
  ["lastName"],
  ["email"],
  ["role"],
  ["phoneNumber"],
  ["npiNumber"],
  ["shouldSendSMS"],
  ["recertificationDate"],
  ["providerPayors"],
  ["specializations"],
  ["careTeamTechnicianIds"],
  ["careTeamLeadIds"],
  ["__proto__"],
  ["isActive"],
]);
