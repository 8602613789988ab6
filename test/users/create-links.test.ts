import { describe, expect, test } from "bun:test";
import { assignableRoles, isClinician, isProvider, roles } from "../../src/callers/roles.ts";
import { plainBody } from "../support/body-rules.ts";
import {
  newApiKey,
  newOrganization,
  newPayor,
  newSpecialization,
  newUser,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { validationBody } from "../support/list-rules.ts";
import { statementsOf, withoutBoundaries } from "../support/statements.ts";

/** POST /v1/users: specializations, payors and care teams (specification, section 4.6). */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const other = await newOrganization(database);
const key = await newApiKey(database, organization);

for (const public_id of ["spec_b", "spec_a"])
  await newSpecialization(database, organization, { public_id, name: `Name of ${public_id}` });
await newSpecialization(database, organization, { public_id: "spec_old", is_active: 0 });
await newSpecialization(database, other, { public_id: "spec_theirs" });
for (const public_id of ["pay_b", "pay_a"]) await newPayor(database, organization, { public_id });
await newPayor(database, other, { public_id: "pay_theirs" });
for (const role of roles) {
  await newUser(database, organization, { public_id: `usr_${role}`, role });
  await newUser(database, other, { public_id: `usr_their_${role}`, role });
}
await newUser(database, organization, {
  public_id: "usr_former",
  role: "TECHNICIAN",
  is_active: 0,
});

const create = (json: object) =>
  service.call("POST /api/v1/users", {
    key,
    json: { firstName: "Ana", lastName: "Ruiz", ...json },
  });
const userIn = (body: unknown) =>
  (body as { user: { publicId: string; specializations: { publicId: string }[] } }).user;
const countUsers = () =>
  database.read(async (db) => (await db.selectFrom("users").select("public_id").execute()).length);

describe("specializations", () => {
  const refused = (ids: string) => plainBody(400, `Unknown or inactive specializations: ${ids}`);

  test.each([
    ["unknown", ["spec_none"], "'spec_none'"],
    ["inactive", ["spec_old"], "'spec_old'"],
    ["another organization's", ["spec_theirs"], "'spec_theirs'"],
    ["known in another letter case", ["SPEC_A"], "'SPEC_A'"],
    ["empty", [""], "''"],
    ["not an id", ["a', 'b\" %_"], "'a', 'b\" %_'"],
    [
      "one of several invalid ones; each is named once, in the given order",
      ["spec_b", "spec_z", "spec_a", "spec_old", "spec_z"],
      "'spec_z', 'spec_old'",
    ],
  ])(
    "a specialization that is %s: 400, and no user is created",
    async (_, specializations, named) => {
      const before = await countUsers();
      const answer = await create({ role: "CLINICIAN", specializations });
      expect([answer.status, answer.body]).toEqual([400, refused(named)]);
      expect(await countUsers()).toBe(before);
    },
  );

  test("are at most 50", async () => {
    const ids = Array.from({ length: 51 }, (_, index) => `spec_many_${index}`);
    for (const public_id of ids) await newSpecialization(database, organization, { public_id });
    const of = async (specializations: string[]) => {
      const { status, body } = await create({ role: "CLINICIAN", specializations });
      return [status, body];
    };
    expect(await of(ids.slice(1))).toEqual([200, expect.anything()]);
    const message = "A provider has at most 50 specializations";
    const refusal = validationBody({ code: "custom", message, path: ["specializations"] });
    expect(await of(ids)).toEqual([400, refusal]);
  });

  test.each(assignableRoles.filter((role) => !isProvider(role)))(
    "are ignored for the role %s, unknown ids included",
    async (role) => {
      const { status, body } = await create({ role, specializations: ["spec_a", "spec_none"] });
      expect([status, userIn(body).specializations]).toEqual([200, []]);
    },
  );

  test("duplicates are ignored; an empty list means none", async () => {
    const twice = await create({ specializations: ["spec_a", "spec_a"] });
    expect(userIn(twice.body).specializations).toEqual([
      { publicId: "spec_a", name: "Name of spec_a" } as never,
    ]);
    const none = await create({ specializations: [] });
    expect([none.status, userIn(none.body).specializations]).toEqual([200, []]);
  });
});

describe("payors", () => {
  const payorsOf = (publicId: string) =>
    database.read(async (db) => {
      const rows = await db
        .selectFrom("provider_payors")
        .select("payor_id")
        .where("organization_id", "=", organization)
        .where("user_id", "=", publicId)
        .orderBy("payor_id")
        .execute();
      return rows.map((row) => row.payor_id);
    });
  const providerPayors = ["pay_b", "pay_none", "pay_theirs", "pay_a", "pay_b", ""];

  test.each(assignableRoles)(
    "are stored for the role %s if it is a provider; unknown ids are skipped",
    async (role) => {
      const { status, body } = await create({ role, providerPayors });
      expect([status, await payorsOf(userIn(body).publicId)]).toEqual([
        200,
        isProvider(role) ? ["pay_a", "pay_b"] : [],
      ]);
    },
  );
});

describe("care teams", () => {
  const everyone = [
    ...roles.flatMap((role) => [`usr_${role}`, `usr_their_${role}`, `usr_${role}`]),
    "usr_former",
    "usr_none",
    "",
  ];
  const linksOf = (publicId: string) =>
    database.read((db) =>
      db
        .selectFrom("care_team_links")
        .select(["clinician_id", "technician_id"])
        .where("organization_id", "=", organization)
        .where((where) =>
          where.or([where("clinician_id", "=", publicId), where("technician_id", "=", publicId)]),
        )
        .orderBy("clinician_id")
        .orderBy("technician_id")
        .execute(),
    );

  test.each(assignableRoles)(
    "of %s contain the users whose roles may be in them, and no others",
    async (role) => {
      const { status, body } = await create({
        role,
        careTeamTechnicianIds: everyone,
        careTeamLeadIds: everyone,
      });
      const me = userIn(body).publicId;
      const technicians = ["usr_TECHNICIAN", "usr_former"];
      const leads = ["usr_CLINICAL_ADMIN", "usr_CLINICAL_SUPERADMIN", "usr_CLINICIAN"];
      expect([status, await linksOf(me)]).toEqual([
        200,
        isClinician(role)
          ? technicians.map((technician_id) => ({ clinician_id: me, technician_id }))
          : role === "TECHNICIAN"
            ? leads.map((clinician_id) => ({ clinician_id, technician_id: me }))
            : [],
      ]);
    },
  );

  test("are shown for both users", async () => {
    const { body } = await create({ role: "CLINICIAN", careTeamTechnicianIds: ["usr_former"] });
    const me = userIn(body).publicId;
    const list = await service.call("GET /api/v1/users?role=TECHNICIAN&isActive=false", { key });
    const [former] = (list.body as { data: { careTeamLeadIds: string[] }[] }).data;
    expect(former?.careTeamLeadIds).toContain(me);
  });
});

describe("the number of SQL statements", () => {
  const idsOf = (count: number, known: string[]) => [
    ...known,
    ...Array.from({ length: count }, (_, index) => `id_${index}`),
  ];
  const createWith = (count: number, role: string) =>
    statementsOf(() =>
      create({
        role,
        email: `many.${role}.${count}@maple.example`,
        specializations: ["spec_a", "spec_b"],
        providerPayors: idsOf(count, ["pay_a"]),
        careTeamTechnicianIds: idsOf(count, ["usr_TECHNICIAN"]),
        careTeamLeadIds: idsOf(count, ["usr_CLINICIAN"]),
      }),
    );

  test.each(["CLINICIAN", "TECHNICIAN"])(
    "is the same for 1 and for 499 ids: role %s",
    async (role) => {
      const few = await createWith(1, role);
      const many = await createWith(499, role);
      expect([few.result.status, many.result.status]).toEqual([200, 200]);
      expect(withoutBoundaries(many.statements)).toEqual(withoutBoundaries(few.statements));
    },
  );

  test("500 links to technicians, the maximum of a list, are written", async () => {
    await database.write(
      async (trx) => {
        const template = await trx
          .selectFrom("users")
          .selectAll()
          .where("public_id", "=", "usr_TECHNICIAN")
          .executeTakeFirstOrThrow();
        for (let start = 0; start < 500; start += 100)
          await trx
            .insertInto("users")
            .values(
              Array.from({ length: 100 }, (_, index) => ({
                ...template,
                public_id: `usr_t${start + index}`,
                email: null,
                email_key: null,
              })),
            )
            .execute();
      },
      { organizationId: organization },
    );
    const careTeamTechnicianIds = Array.from({ length: 500 }, (_, index) => `usr_t${index}`);
    const { status, body } = await create({ role: "CLINICIAN", careTeamTechnicianIds });
    const links = await database.read((db) =>
      db
        .selectFrom("care_team_links")
        .select("technician_id")
        .where("clinician_id", "=", userIn(body).publicId)
        .execute(),
    );
    expect([status, links.length]).toEqual([200, 500]);
  });
});
