import { describe, expect, test } from "bun:test";
import { isProvider, roles } from "../../src/callers/roles.ts";
import { newOrganization, newPatient, newUser } from "../support/factories.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import type { Issue } from "../../src/lib/errors.ts";
import { validationBody } from "../support/list-rules.ts";
import { newPractice } from "../support/users/practice.ts";

/** `GET /v1/names`: who the people of other records are, without their personal data. */

const { service, key, database, organization_id } = await newPractice();
const technician = await newUser(database, organization_id, {
  ...{ public_id: "usr_tech", role: "TECHNICIAN", first_name: "Yuna", last_name: "Park" },
  ...{ email: "yuna@maple.example", phone_number: "+14155552671" },
});
const patient = await newPatient(database, organization_id, {
  ...{ public_id: "usr_kid", first_name: "Ana", last_name: "Muñoz", is_active: 0 },
  ...{
    birth_date: "2019-05-04" as CalendarDate,
    address_line1: "1 Elm Street",
    internal_record_id: "R-1",
  },
});
const theirs = await newPatient(database, await newOrganization(database));

const names = (query: string) => service.call(`GET /api/v1/names?${query}`, { key });

const yuna = {
  ...{ publicId: technician, firstName: "Yuna", lastName: "Park" },
  ...{ role: "TECHNICIAN", isActive: true },
};
const ana = {
  ...{ publicId: patient, firstName: "Ana", lastName: "Muñoz" },
  ...{ role: "PATIENT", isActive: false },
};

test("answers in the order of the query, each once, without unknown ids and those of others", async () => {
  const ids = [technician, "usr_none", patient, theirs, technician];
  const { status, body } = await names(`ids=${ids.join()}`);
  expect([status, body]).toEqual([200, { data: [yuna, ana] }]);
  expect((await names(`ids=${patient},${technician}`)).body).toEqual({ data: [ana, yuna] });
  expect((await names("ids=usr_none")).body).toEqual({ data: [] });
});

test("the audit row names the patients among them, and nobody else", async () => {
  const shownFor = async (ids: string) => {
    await names(`ids=${ids}`);
    const entry = await database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select("patient_ids")
        .where("organization_id", "=", organization_id)
        .orderBy("sequence", "desc")
        .executeTakeFirst(),
    );
    return entry?.patient_ids;
  };
  expect(await shownFor(`${technician},${patient},usr_none,${theirs}`)).toBe(
    JSON.stringify([patient]),
  );
  expect(await shownFor(`${technician},${theirs}`)).toBe("[]");
});

test("takes 100 different ids, and no more", async () => {
  const ids = Array.from({ length: 100 }, (_, index) => `usr_${index}`);
  expect((await names(`ids=${[...ids, ...ids.slice(0, 20), "usr_1"].join()}`)).status).toBe(200);
  const refused = await names(`ids=${[...ids, "usr_x"].join()}`);
  const message = "Must have at most 100 different ids";
  expect([refused.status, refused.body]).toEqual([
    400,
    validationBody({ code: "too_big", message, path: ["ids"] }),
  ]);
});

test.each(["", "ids=", "ids", "ids=&providers=true", "providers=false"])(
  "requires ids: %p",
  async (query) => {
    const { status, body } = await names(query);
    const issue = { code: "invalid_type", message: "Required", path: ["ids"] } satisfies Issue;
    expect([status, body]).toEqual([400, validationBody(issue)]);
  },
);

describe("with providers=true", async () => {
  const practice = await newPractice();
  const add = (public_id: string, row: Parameters<typeof newUser>[2]) =>
    newUser(practice.database, practice.organization_id, { public_id, ...row });
  await add("usr_zoe", { role: "CLINICIAN", first_name: "Zoe", last_name: "Adair" });
  await add("usr_b", { role: "TECHNICIAN", first_name: "Ben", last_name: "Ödman" });
  await add("usr_a", { role: "CLINICAL_ADMIN", first_name: "Ben", last_name: "Odman" });
  await add("usr_c", { role: "CLINICAL_SUPERADMIN", first_name: "Al", last_name: "odman" });
  await add("usr_left", { role: "TECHNICIAN", last_name: "Aaron", is_active: 0 });
  for (const role of roles.filter((each) => !isProvider(each)))
    await add(`usr_${role.toLowerCase()}`, { role, last_name: "Aaron" });
  await newUser(practice.database, await newOrganization(practice.database), {});

  const idsFor = async (query: string, { service, key } = practice) => {
    const { status, body } = await service.call(`GET /api/v1/names?${query}`, { key });
    expect(status).toBe(200);
    return (body as { data: { publicId: string }[] }).data.map(({ publicId }) => publicId);
  };

  test("the active providers of all four roles come by last name, first name and id", async () => {
    expect(await idsFor("ids=usr_none&providers=true")).toEqual([
      "usr_zoe",
      "usr_c",
      "usr_a",
      "usr_b",
    ]);
  });

  test("they come behind those of ids, each once", async () => {
    expect(await idsFor("ids=usr_patient,usr_b,usr_left&providers=true")).toEqual([
      ...["usr_patient", "usr_b", "usr_left"],
      ...["usr_zoe", "usr_c", "usr_a"],
    ]);
    expect(await idsFor("ids=usr_b&providers=false")).toEqual(["usr_b"]);
  });

  test("there are at most 1,000 of them", async () => {
    const large = await newPractice();
    const numbers = Array.from({ length: 1_001 }, (_, index) => String(index).padStart(4, "0"));
    await Promise.all(
      numbers.map((number) =>
        newUser(large.database, large.organization_id, {
          ...{ public_id: `usr_${number}`, last_name: `Lee ${number}` },
        }),
      ),
    );
    const shown = numbers.slice(0, 1_000).map((number) => `usr_${number}`);
    expect(await idsFor("ids=usr_none&providers=true", large)).toEqual(shown);
    expect(await idsFor("ids=usr_1000&providers=true", large)).toEqual(["usr_1000", ...shown]);
  });
});
