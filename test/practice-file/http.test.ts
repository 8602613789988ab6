import { describe, expect, test } from "bun:test";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { type CallOptions, newService } from "../support/harness.ts";
import {
  authorization,
  fullPractice,
  organization,
  patient,
  session,
  skillGoal,
} from "../support/practice-file/full-practice.ts";
import {
  exportText,
  type Fields,
  fileOf,
  mustImport,
} from "../support/practice-file/practice-file.ts";

const own: Fields = { type: "organization", publicId: "org_maple" };
const FORBIDDEN = { error: "Insufficient permissions for this action", statusCode: 403 };
const forbidden = (line: number, type: string) => ({
  ...{ error: `${FORBIDDEN.error}: line ${line}, ${type}`, statusCode: 403 },
});

/**
 * `GET` and `POST /v1/practice-file`: the file of the command line, for the organization of the
 * key.
 */

const PATH = "/api/v1/practice-file";
const MEDIA_TYPE = "application/x-ndjson";
const MIB = 1024 * 1024;

async function setUp(records: readonly Fields[] = fullPractice) {
  const service = await newService();
  await mustImport(service.database, records);
  const key = await newApiKey(service.database, "org_maple");
  const post = (
    file: string | readonly Fields[],
    { headers, ...options }: CallOptions = {},
    query = "",
  ) =>
    service.call(`POST ${PATH}${query}`, {
      key,
      headers: { "Content-Type": MEDIA_TYPE, ...headers },
      raw: typeof file === "string" ? file : fileOf(file),
      ...options,
    });
  const lastRow = async () => {
    const rows = await service.database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select(["method", "route", "status", "patient_ids"])
        .where("organization_id", "=", "org_maple")
        .orderBy("sequence")
        .execute(),
    );
    return rows.at(-1);
  };
  return { service, database: service.database, key, post, lastRow };
}

const none = { created: 0, changed: 0, unchanged: 0, deleted: 0, missing: 0 };

/**
 * The response to a file with the organization and one location in addition to the two existing
 * ones.
 */
const added = (sequence: number | null) => ({
  organizationId: "org_maple",
  dryRun: sequence === null,
  sequence,
  counts: { organization: 1, location: 1 },
  changes: {
    organization: { ...none, unchanged: 1 },
    location: { ...none, created: 1, missing: 2 },
  },
  notes: [],
});
const location = { type: "location", publicId: "loc_new", name: "New clinic" };

test("of more than 500 records that change the first 500 are listed, and all counted", async () => {
  const { post } = await setUp();
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...location, publicId: `loc_new_${index}` }));
  const listed = async (count: number) => {
    const query = "?dryRun=true&changes=true";
    const { body } = await post([own, ...lines(count)], {}, query);
    const { records, recordsTotal } = body as {
      records: { line: number }[];
      recordsTotal: number;
    };
    return [records.length, records.at(-1)?.line, recordsTotal];
  };
  expect(await listed(500)).toEqual([500, 501, 500]);
  expect(await listed(501)).toEqual([500, 501, 501]);
});

describe("GET /v1/practice-file", () => {
  test("responds with the bytes of an export, and writes an audit entry that concerns all patients", async () => {
    const { service, database, key, lastRow } = await setUp();
    const { status, headers, text } = await service.call(`GET ${PATH}`, { key });
    expect([status, headers.get("content-type")]).toEqual([200, MEDIA_TYPE]);
    expect(text).toBe(fileOf(fullPractice));
    expect(text).toBe(await exportText(database, "org_maple"));
    expect(await lastRow()).toMatchObject({
      method: "GET",
      route: "/v1/practice-file",
      status: 200,
      patient_ids: '"*"',
    });
  });

  test("contains nothing of another organization", async () => {
    const { service, database } = await setUp();
    const other = await newOrganization(database, { public_id: "org_other", name: "Other" });
    const { text } = await service.call(`GET ${PATH}`, { key: await newApiKey(database, other) });
    expect(text.trimEnd().split("\n")).toHaveLength(1);
    expect(text).toContain("org_other");
  });
});

describe("POST /v1/practice-file", () => {
  test("imports a file, and reports the changes", async () => {
    const { database, post, lastRow } = await setUp();
    const { status, body } = await post([organization, location]);
    expect([status, body]).toEqual([200, added(2)]);
    expect(await exportText(database, "org_maple")).toContain("New clinic");
    expect(await lastRow()).toMatchObject({
      method: "POST",
      route: "/v1/practice-file",
      status: 200,
      patient_ids: "[]",
    });
  });

  test("names the patients of its records in the audit entry, or all if they are many or a line is invalid", async () => {
    const { database, post, lastRow } = await setUp();
    const file = [
      organization,
      { type: "encounter", publicId: "enc_1", units: 2 },
      { type: "goal", publicId: "goal_hands", deleted: true },
    ];
    expect((await post(file, {}, "?dryRun=true")).status).toBe(200);
    expect(await lastRow()).toMatchObject({ status: 200, patient_ids: '["usr_kid"]' });
    expect((await post(file)).status).toBe(200);
    expect(await lastRow()).toMatchObject({ status: 200, patient_ids: '["usr_kid"]' });
    expect((await post([...file, { ...location, name: "" }])).status).toBe(400);
    expect(await lastRow()).toMatchObject({ status: 400, patient_ids: '"*"' });
    const many = Array.from({ length: 1_001 }, (_, index) => ({
      ...patient,
      publicId: `usr_m${index}`,
      email: null,
    }));
    expect((await post([organization, ...many])).status).toBe(200);
    expect(await lastRow()).toMatchObject({ status: 200, patient_ids: '"*"' });
    expect(await exportText(database, "org_maple")).toContain("usr_m1000");
  });

  test("names the patients from whom it takes records", async () => {
    const { database, post, lastRow } = await setUp();
    const [tap, ...others] = skillGoal.childGoals as Fields[];
    const moving = { ...session, publicId: "apt_moving", authorizationId: null };
    const goal = { ...skillGoal, publicId: "goal_of_kid2", treatmentPlanId: "tp_2" };
    await mustImport(database, [
      organization,
      { ...patient, publicId: "usr_former", email: null },
      { type: "treatmentPlan", publicId: "tp_2", patientId: "usr_kid2" },
      moving,
      { ...goal, childGoals: [] },
    ]);
    const changes: [Fields, string[]][] = [
      [{ ...moving, clientId: "usr_kid2" }, ["usr_kid", "usr_kid2"]],
      [{ ...moving, clientId: null }, ["usr_kid2"]],
      [{ type: "treatmentPlan", publicId: "tp_2", patientId: "usr_kid" }, ["usr_kid", "usr_kid2"]],
      [{ type: "treatmentPlan", publicId: "tp_2", patientId: "usr_kid2" }, ["usr_kid", "usr_kid2"]],
      [{ type: "user", publicId: "usr_former", role: "CAREGIVER" }, ["usr_former"]],
    ];
    for (const [line, patients] of changes) {
      expect((await post([own, line])).status).toBe(200);
      const { patient_ids = "" } = (await lastRow()) ?? {};
      expect([line, (JSON.parse(patient_ids) as string[]).sort()]).toEqual([line, patients]);
    }
    // Another patient's goal loses a child goal.
    const moved = [
      { ...skillGoal, childGoals: others },
      { ...goal, childGoals: [tap] },
    ];
    expect((await post([own, ...moved])).status).toBe(200);
    expect(JSON.parse((await lastRow())?.patient_ids ?? "")).toEqual(["usr_kid", "usr_kid2"]);
  });

  test("has notes on data that may be unintended", async () => {
    const { post } = await setUp();
    const { body } = await post([
      organization,
      { ...session, status: "DECLINED", authorizationId: null },
      { type: "encounter", publicId: "enc_1", sessionId: null },
    ]);
    expect(body).toMatchObject({
      notes: [
        "Sessions from Thu, Jan 8, 2026, 9:00 AM to Thu, Jan 8, 2026, 9:00 AM (America/New_York)",
        "1 billable session of a client has no authorization: apt_1",
      ],
    });
  });

  test("accepts the response of GET and changes nothing", async () => {
    const { service, database, key, post } = await setUp();
    const { text } = await service.call(`GET ${PATH}`, { key });
    const { body } = await post(text);
    expect(body).toMatchObject({ sequence: 1, changes: { session: { ...none, unchanged: 4 } } });
    expect(await exportText(database, "org_maple")).toBe(text);
  });

  test("lists counts in the order of types in a file", async () => {
    const { post } = await setUp();
    const { text } = await post([organization, patient, location]);
    expect(text).toContain('"counts":{"organization":1,"location":1,"user":1}');
  });

  test("with dryRun responds as an import and stores nothing", async () => {
    const { database, post } = await setUp();
    const { status, body } = await post([organization, location], {}, "?dryRun=true");
    expect([status, body]).toEqual([200, added(null)]);
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
    const bad = await post([organization, { ...location, name: "" }], {}, "?dryRun=true");
    expect(bad.status).toBe(400);
  });

  test("imports several files that arrive at the same time", async () => {
    const { database, post } = await setUp();
    const files = ["loc_one", "loc_two", "loc_three"].map((publicId) => [
      organization,
      { ...location, publicId },
    ]);
    const answers = await Promise.all(files.map((file) => post(file)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const exported = await exportText(database, "org_maple");
    for (const id of ["loc_one", "loc_two", "loc_three"]) expect(exported).toContain(id);
  });

  test("imports one of two contradicting files that arrive at the same time, and refuses the other", async () => {
    const { post } = await setUp();
    const free = { ...authorization, publicId: "auth_free" };
    expect((await post([organization, free])).status).toBe(200);
    // Each file is valid without the other.
    const answers = await Promise.all([
      post([organization, { ...free, serviceLineId: "svc_visit" }]),
      post([organization, { ...session, publicId: "apt_9", authorizationId: "auth_free" }]),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe("POST /v1/practice-file refuses", async () => {
  const service = await setUp();

  test("a file with an invalid line: one issue per error, and nothing is written", async () => {
    const { database, post } = service;
    const file = [
      organization,
      { ...location, name: "", color: "red" },
      { ...patient, payors: [{ ...(patient.payors as Fields[])[0], payorId: "pay_none" }] },
    ];
    const { status, body } = await post(`${fileOf(file)}\nno JSON\n`);
    const custom = (path: (string | number)[], message: string, reason: string) => ({
      ...{ code: "custom", message, path, reason },
    });
    expect([status, body]).toEqual([
      400,
      {
        message: "Validation Error",
        statusCode: 400,
        validationErrors: [
          custom([2, "name"], "location loc_new: name: must not be empty", "invalid_value"),
          custom(
            [2, "color"],
            "location loc_new: color: is no field of this record",
            "unknown_field",
          ),
          custom(
            [3, "payors", 0, "payorId"],
            "user usr_kid: payors[0].payorId: is no payor of the file or the database",
            "unknown_record",
          ),
          custom([5], "is not valid JSON", "not_json"),
        ],
      },
    ]);
    expect(await exportText(database, "org_maple")).toBe(fileOf(fullPractice));
  });

  test("with the first hundred of many records that no longer fit", async () => {
    const { database, post } = await setUp();
    const technicians = Array.from({ length: 150 }, (_, index) => ({
      ...{ type: "user", publicId: `usr_fit${index}`, role: "TECHNICIAN" },
      ...{ firstName: "A", lastName: "B" },
    }));
    const held = technicians.map(({ publicId }, index) => ({
      ...{ ...session, publicId: `apt_fit${index}`, authorizationId: null },
      technicianId: publicId,
    }));
    await mustImport(database, [own, ...technicians, ...held]);
    const lines = technicians.map(({ publicId }) => ({
      ...{ type: "user", publicId, role: "CAREGIVER" },
    }));
    const { body } = await post([own, ...lines.reverse()]);
    const { validationErrors } = body as { validationErrors: { path: unknown[] }[] };
    expect(validationErrors.map(({ path }) => path)).toEqual(
      Array.from({ length: 100 }, (_, index) => [index + 2, "role"]),
    );
  });

  test("with at most a hundred issues", async () => {
    const { post } = service;
    const bad = Array.from({ length: 60 }, (_, index) => ({
      ...location,
      publicId: `loc_${index}`,
      name: "",
      color: "red",
    }));
    const { body } = await post([organization, ...bad]);
    const { validationErrors } = body as { validationErrors: { path: unknown[] }[] };
    expect(validationErrors).toHaveLength(100);
    expect(validationErrors.at(-1)?.path).toEqual([51, "color"]);
  });

  test("a first line that is not an organization", async () => {
    const { post } = service;
    for (const file of ["", "\n\n", [location]]) {
      const { status, body } = await post(file);
      const message = expect.stringMatching(/type: must be organization on the first line/);
      const issue = { code: "custom", path: [1, "type"], message };
      expect([status, body]).toMatchObject([400, { validationErrors: [issue] }]);
    }
  });

  test("another organization, known or not, whatever its other lines are: 403", async () => {
    const { database, post } = service;
    await newOrganization(database, { public_id: "org_birch" });
    for (const publicId of ["org_birch", "org_none"]) {
      const { status, body } = await post(
        `\n${JSON.stringify({ ...organization, publicId, timezone: "nowhere" })}\nno JSON`,
      );
      expect([status, body]).toEqual([403, { error: "Access denied", statusCode: 403 }]);
    }
    const known = await database.read((db) =>
      db.selectFrom("organizations").select("public_id").orderBy("public_id").execute(),
    );
    expect(known.map(({ public_id }) => public_id)).toEqual(["org_birch", "org_maple"]);
  });

  test("a line that would change the organization, if the role may not", async () => {
    const { database, post } = service;
    const key = await newApiKey(database, "org_maple", "SCHEDULING_MANAGER");
    for (const line of [own, organization, { ...own, name: "Maple Street ABA" }]) {
      const { status } = await post([line, { type: "session", publicId: "apt_1" }], { key });
      expect(status).toBe(200);
    }
    for (const line of [
      { ...own, name: "Other" },
      { ...own, timezone: null },
      { ...own, timezone: "nowhere" },
      { ...own, deleted: true },
    ]) {
      const { status, body } = await post([line, { type: "session", publicId: "apt_1" }], { key });
      expect([status, body]).toEqual([403, forbidden(1, "organization")]);
    }
    const other = await post([{ ...own, publicId: "org_birch" }], { key });
    expect([other.status, other.body]).toEqual([403, { error: "Access denied", statusCode: 403 }]);
  });

  test("a file at its hundredth invalid line, without reading the rest", async () => {
    const { post } = service;
    const { status, body } = await post(`${JSON.stringify(own)}\n${"{}\n".repeat(2_000_000)}`);
    const { validationErrors } = body as { validationErrors: { path: unknown[] }[] };
    expect([status, validationErrors.length]).toEqual([400, 100]);
    expect(validationErrors.at(-1)?.path).toEqual([101, "type"]);
  });

  test("another media type, more than 8 MiB, and an invalid dryRun, in this order", async () => {
    const { post } = service;
    const large = "\n".repeat(8 * MIB + 1);
    const json = { headers: { "Content-Type": "application/json" } };
    const refusals = [
      await post(large, json, "?dryRun=5"),
      await post("", json, "?dryRun=5"),
      await post("", {}, "?dryRun=5"),
    ];
    expect(refusals.map(({ status, body }) => [status, body])).toEqual([
      [413, { error: "Request body must not be larger than 8 MiB", statusCode: 413 }],
      [415, { error: `Content-Type must be ${MEDIA_TYPE} or text/csv`, statusCode: 415 }],
      [
        400,
        {
          message: "Validation Error",
          statusCode: 400,
          validationErrors: [
            {
              code: "invalid_enum_value",
              message: "Invalid enum value. Expected 'true' | 'false'",
              path: ["dryRun"],
            },
          ],
        },
      ],
    ]);
    expect((await post(`${fileOf([organization])}${"\n".repeat(7 * MIB)}`)).status).toBe(200);
    expect((await post(fileOf([organization]), {}, "?dryRun=true&dryRun=true")).status).toBe(400);
  });
});

describe("an Idempotency-Key", () => {
  test("makes one import of two equal concurrent requests", async () => {
    const { post } = await setUp();
    const options = { headers: { "Idempotency-Key": "at-once" } };
    const file = [organization, location];
    const answers = await Promise.all([post(file, options), post(file, options)]);
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, answers[0].text],
      [200, answers[0].text],
    ]);
    const replayed = answers.map(({ headers }) => headers.get("Idempotency-Replayed"));
    expect(replayed.filter((header) => header === "true")).toHaveLength(1);
  });

  test("covers the file and dryRun", async () => {
    const { database, post } = await setUp();
    const headers = { "Idempotency-Key": "one" };
    const file = [organization, location];
    const first = await post(file, { headers });
    await mustImport(database, [organization, { ...location, name: "Since then" }]);
    const again = await post(file, { headers });
    expect([again.status, again.text, again.headers.get("Idempotency-Replayed")]).toEqual([
      200,
      first.text,
      "true",
    ]);
    expect(await exportText(database, "org_maple")).toContain("Since then");
    const asked = await post(file, { headers }, "?dryRun=false");
    expect([asked.status, asked.headers.get("Idempotency-Replayed")]).toEqual([200, "true"]);
    const others = [
      await post([organization], { headers }),
      await post(file, { headers }, "?dryRun=true"),
    ];
    expect(others.map(({ status, body }) => [status, body])).toEqual(
      ["another request body", "other query parameters"].map((what) => [
        422,
        { error: `Idempotency-Key was used with ${what}`, statusCode: 422 },
      ]),
    );
    const rows = await database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select(["status", "patient_ids"])
        .where("route", "=", "/v1/practice-file")
        .orderBy("sequence")
        .execute(),
    );
    expect(rows.map(({ status, patient_ids }) => [status, patient_ids])).toEqual([
      [200, "[]"],
      [200, "[]"],
      [200, "[]"],
      // The other refusal is summed up with it.
      [422, "[]"],
    ]);
  });

  test("does not show the response to a role that may not write the file", async () => {
    const { database, post } = await setUp();
    const headers = { "Idempotency-Key": "by-role" };
    const key = await newApiKey(database, "org_maple", "SCHEDULING_MANAGER");
    expect((await post([own, location], { headers })).status).toBe(200);
    const { status, body } = await post([own, location], { headers, key });
    expect([status, body]).toEqual([403, forbidden(2, "location")]);
  });

  test("names all patients again if they were many", async () => {
    const { post, lastRow } = await setUp();
    const many = Array.from({ length: 1_001 }, (_, index) => ({
      ...patient,
      publicId: `usr_m${index}`,
      email: null,
    }));
    const headers = { "Idempotency-Key": "many" };
    for (const replayed of [null, "true"]) {
      const answer = await post([own, ...many], { headers });
      expect(answer.headers.get("Idempotency-Replayed")).toBe(replayed);
      expect(await lastRow()).toMatchObject({ status: 200, patient_ids: '"*"' });
    }
  });

  test("stores nothing for a dry run", async () => {
    const { database, post } = await setUp();
    const headers = { "Idempotency-Key": "two" };
    const file = [organization, location];
    expect((await post(file, { headers }, "?dryRun=true")).status).toBe(200);
    const { body } = await post(file, { headers });
    expect(body).toMatchObject({ dryRun: false });
    expect(await exportText(database, "org_maple")).toContain("New clinic");
  });
});
