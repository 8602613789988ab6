import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { exportCommand } from "../../src/commands/export.ts";
import { type Role, roles } from "../../src/callers/roles.ts";
import { recordTypes } from "../../src/schema/record-types.ts";
import { captureOutput } from "../support/commands/practice.ts";
import { issueKey, newApiKey } from "../support/factories.ts";
import { newService, temporaryFolder, TestClock, TestService } from "../support/harness.ts";
import {
  fullPractice,
  patient,
  databaseOfFullPractice,
} from "../support/practice-file/full-practice.ts";
import { type Fields, fileOf, mustImport } from "../support/practice-file/practice-file.ts";

/** `types` of an export: what a role may read by a list, it may follow. */

const PATH = "/api/v1/practice-file";
const FORBIDDEN = { error: "Insufficient permissions for this action", statusCode: 403 };
const own: Fields = { type: "organization", publicId: "org_maple" };

const database = await databaseOfFullPractice();
const service = new TestService(database);
const key = await newApiKey(database, "org_maple");

const ofTypes = (...types: string[]) =>
  fileOf(
    fullPractice.filter(({ type }) => type === "organization" || types.includes(type as string)),
  );

const get = (query: string, sender = key) => service.call(`GET ${PATH}?${query}`, { key: sender });

async function rowsOf(database: typeof service.database): Promise<string[]> {
  const rows = await database.read((db) =>
    db.selectFrom("audit_entries").select("patient_ids").orderBy("sequence").execute(),
  );
  return rows.map(({ patient_ids }) => patient_ids);
}

describe("GET /v1/practice-file?types=", () => {
  test.each([
    ["session", ["session"]],
    ["encounter,session,encounter", ["session", "encounter"]],
    ["organization", []],
    [recordTypes.join(), recordTypes.slice(1)],
  ])(
    "%s: the organization and these types, in the order of practice files",
    async (types, sent) => {
      const { status, text, headers } = await get(`types=${types}`);
      expect([status, text]).toEqual([200, ofTypes(...sent)]);
      expect(headers.get("caseload-sequence")).toBe("1");
    },
  );

  test.each(["", "sessions", "session,", "SESSION"])("refuses types=%s", async (types) => {
    const { status, body } = await get(`types=${types}`);
    const expected = recordTypes.map((type) => `'${type}'`).join(" | ");
    const message = `Invalid enum value. Expected ${expected}, or several with commas between them`;
    expect([status, body]).toEqual([
      400,
      {
        message: "Validation Error",
        statusCode: 400,
        validationErrors: [{ code: "invalid_enum_value", message, path: ["types"] }],
      },
    ]);
  });

  test("with after: changes and deletions of these types", async () => {
    const { service, database, key } = await changed();
    const { text } = await service.call(`GET ${PATH}?after=1&types=encounter,location`, { key });
    expect(
      text
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { type: "location", publicId: "loc_main", name: "Renamed" },
      { type: "encounter", publicId: "enc_1", deleted: true },
    ]);
    expect((await rowsOf(database)).at(-1)).toBe("[]");
  });

  async function changed() {
    const database = await databaseOfFullPractice();
    const service = new TestService(database);
    await mustImport(database, [
      own,
      { type: "location", publicId: "loc_main", name: "Renamed" },
      { type: "session", publicId: "apt_1", title: "Renamed" },
      { type: "encounter", publicId: "enc_1", deleted: true },
    ]);
    return { service, database, key: await newApiKey(database, "org_maple") };
  }

  /** The types that a role may read by lists, written out. */
  const withLeads = [...recordTypes];
  const withoutLeads = recordTypes.filter((type) => type !== "intakeLead");
  const readable: Record<Role, string[]> = {
    ADMIN: withLeads,
    CLINICAL_SUPERADMIN: withLeads,
    CLINICAL_ADMIN: withLeads,
    SCHEDULING_MANAGER: withLeads,
    BILLING_MANAGER: withLeads,
    PAYROLL_ADMIN: withoutLeads,
    CLINICIAN: withoutLeads,
    TECHNICIAN: withoutLeads,
    PATIENT: [],
    CAREGIVER: [],
  };

  test.each(roles)("what %s may export", async (role) => {
    const { key: readOnly } = await issueKey(database, "org_maple", {
      ...{ holder: { role }, isReadOnly: true },
    });
    for (const sender of [await newApiKey(database, "org_maple", role), readOnly]) {
      const all = await get("", sender);
      expect(all.status).toBe(role === "ADMIN" ? 200 : 403);
      for (const type of recordTypes) {
        const { status, body } = await get(`types=${type}`, sender);
        const isAllowed = readable[role].includes(type);
        expect([type, status]).toEqual([type, isAllowed ? 200 : 403]);
        if (!isAllowed) expect(body).toEqual(FORBIDDEN);
      }
      const several = await get("types=session,intakeLead", sender);
      expect(several.status).toBe(readable[role].includes("intakeLead") ? 200 : 403);
      const changes = await get("types=session&changes=true", sender);
      expect(changes.status).toBe(role === "ADMIN" ? 200 : 403);
    }
  });

  test("a technician's own key follows sessions and encounters", async () => {
    const tied = await issueKey(database, "org_maple", { holder: { userId: "usr_tech" } });
    const { status, text } = await get("types=session,encounter&after=0", tied.key);
    expect([status, text]).toEqual([200, ofTypes("session", "encounter")]);
    expect((await get("types=intakeLead", tied.key)).status).toBe(403);
    expect((await get("", tied.key)).status).toBe(403);
  });

  test.each([
    ["location,payor", "[]"],
    ["session", '["usr_kid"]'],
    ["encounter", '["usr_kid"]'],
    ["goal", '["usr_kid"]'],
    ["treatmentPlan", '["usr_kid","usr_kid2"]'],
    ["user", '["usr_kid","usr_kid2"]'],
    ["intakeLead", '["usr_kid","usr_kid2"]'],
  ])("the audit row of types=%s names the patients of what was sent", async (types, patients) => {
    await get(`types=${types}`);
    expect((await rowsOf(database)).at(-1)).toBe(patients);
  });

  test("and all patients beyond a thousand", async () => {
    const other = await newService();
    const many = Array.from({ length: 1_001 }, (_, index) => ({
      ...{ ...patient, publicId: `usr_m${index}`, email: null },
    }));
    await mustImport(other.database, [...fullPractice, ...many]);
    const sender = await newApiKey(other.database, "org_maple");
    await other.call(`GET ${PATH}?types=user`, { key: sender });
    expect((await rowsOf(other.database)).at(-1)).toBe('"*"');
  });

  test("HEAD says the sequence", async () => {
    const { status, headers } = await service.call(`HEAD ${PATH}?types=session`, { key });
    expect([status, headers.get("caseload-sequence")]).toEqual([200, "1"]);
  });
});

describe("export --types", () => {
  async function exported(types: readonly (typeof recordTypes)[number][], csv?: string) {
    const stdout = new PassThrough();
    const text = new Response(stdout as never).text();
    const output = captureOutput();
    const context = { database, clock: new TestClock(), operator: "ana", output, stdout };
    await exportCommand(context, "org_maple", { types, ...(csv !== undefined && { csv }) });
    stdout.end();
    return text;
  }

  test("writes these types, and names their patients in the audit row", async () => {
    expect(await exported(["session", "encounter"])).toBe(ofTypes("session", "encounter"));
    expect((await rowsOf(database)).at(-1)).toBe('["usr_kid"]');
  });

  test("as CSV, too", async () => {
    const folder = join(temporaryFolder(), "csv");
    await exported(["session"], folder);
    expect(readdirSync(folder).sort()).toEqual(["organization.csv", "session.csv"]);
  });
});
