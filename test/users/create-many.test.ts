import { describe, expect, test } from "bun:test";
import { newApiKey, newOrganization, newSpecialization, newUser } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import { statementsOf, withoutBoundaries } from "../support/statements.ts";

/** POST /v1/users: many requests at once, and many ids. */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
for (const public_id of ["spec_a", "spec_b"])
  await newSpecialization(database, organization, { public_id });
for (const role of ["TECHNICIAN", "CLINICIAN"] as const)
  await newUser(database, organization, { public_id: `usr_${role}`, role });

const create = (json: object) =>
  service.call("POST /api/v1/users", {
    key,
    json: { firstName: "Ana", lastName: "Ruiz", ...json },
  });

test("the response has its fields in the documented order", async () => {
  const { body } = await create({});
  const names = "publicId role firstName lastName email phoneNumber npiNumber shouldSendSMS";
  expect(Object.keys((body as { user: object }).user)).toEqual([
    ...[...names.split(" "), "createdAt", "specializations", "organization"],
  ]);
});

test("an email address is given to only one of 20 concurrent requests", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      create({ email: index % 2 === 0 ? "race@maple.example" : "RACE@maple.example" }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const message = "A user with this email already exists";
  const taken = validationBody({ code: "custom", message, path: ["email"] });
  for (const { status, body } of answers)
    if (status !== 200) expect([status, body]).toEqual([400, taken]);
  const { body } = await service.call("GET /api/v1/users", { key });
  expect(body).toMatchObject({ pagination: { totalCount: 4 } });
});

describe("the number of SQL statements", () => {
  const createWith = (count: number, role: string) => {
    const ids = Array.from({ length: count }, (_, index) => `id_${index}`);
    return statementsOf(() =>
      create({
        ...{ role, email: `many.${role}.${count}@maple.example` },
        ...{ specializations: ["spec_a", "spec_b"], providerPayors: ids },
        ...{ careTeamTechnicianIds: ["usr_TECHNICIAN", ...ids] },
        ...{ careTeamLeadIds: ["usr_CLINICIAN", ...ids] },
      }),
    );
  };

  test.each(["CLINICIAN", "TECHNICIAN"])(
    "is the same for 1 and for 499 ids: role %s",
    async (role) => {
      const few = await createWith(1, role);
      const many = await createWith(499, role);
      expect([few.result.status, many.result.status]).toEqual([200, 200]);
      expect(withoutBoundaries(many.statements)).toEqual(withoutBoundaries(few.statements));
    },
  );
});
