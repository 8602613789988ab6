import { describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { forgetDeletions } from "../../src/organizations/repository.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newApiKey } from "../support/factories.ts";
import { newService, TestService } from "../support/harness.ts";
import { goalTypes, required } from "../support/goals/bodies.ts";
import { newLead } from "../support/intake-leads/practice.ts";
import {
  behaviorGoal,
  fullPractice,
  organization,
  patient,
  session,
  databaseOfFullPractice,
} from "../support/practice-file/full-practice.ts";
import {
  exportText,
  type Fields,
  importFile,
  mustImport,
  RecordMap,
  recordOf,
} from "../support/practice-file/practice-file.ts";
import { statementsOf } from "../support/statements.ts";

/**
 * `GET /v1/practice-file?after=N` gives the changes since a sequence (practice file, Changed
 * since).
 */

const PATH = "/api/v1/practice-file";
const own: Fields = { type: "organization", publicId: "org_maple" };

async function newPractice() {
  const service = new TestService(await databaseOfFullPractice());
  const key = await newApiKey(service.database, "org_maple");
  /** The ids that changed after a sequence, and the sequence up to which the changes go. */
  const changes = async (after: number) => {
    const { status, headers, text } = await service.call(`GET ${PATH}?after=${after}`, { key });
    expect(status).toBe(200);
    const [first, ...records] = linesIn(text);
    expect(first).toMatchObject(own);
    const reported = records.map(({ publicId, deleted }) => (deleted ? `-${publicId}` : publicId));
    return { sequence: Number(headers.get("caseload-sequence")), reported, text };
  };
  return { service, database: service.database, key, changes };
}

function linesIn(text: string): Fields[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Fields);
}

describe("after", () => {
  test("0 or absent gives the whole practice", async () => {
    const { service, database, key, changes } = await newPractice();
    const { text, sequence } = await changes(0);
    expect(sequence).toBe(1);
    expect(text).toBe(await exportText(database, "org_maple"));
    expect((await service.call(`GET ${PATH}`, { key })).text).toBe(text);
  });

  test("the last sequence gives the organization only, found without reading other tables", async () => {
    const { service, key, changes } = await newPractice();
    expect(await changes(1)).toMatchObject({ sequence: 1, reported: [] });
    const { statements } = await statementsOf(() => service.call(`GET ${PATH}?after=1`, { key }));
    const tables = statements.flatMap((text) => /from "(\w+)"/.exec(text)?.[1] ?? []);
    expect(tables.filter((table) => !/^(api_keys|audit_|key_|users$)/.test(table))).toEqual(
      tables.filter((table) => table === "organizations"),
    );
  });

  test("an earlier sequence gives the complete records that were created or changed since, and deletions, in the order of an export", async () => {
    const { database, changes } = await newPractice();
    await mustImport(database, [
      own,
      { type: "session", publicId: "apt_1", title: "Changed" },
      { type: "location", publicId: "loc_new", name: "New" },
      { type: "encounter", publicId: "enc_1", deleted: true },
    ]);
    const { sequence, reported, text } = await changes(1);
    expect({ sequence, reported }).toEqual({
      sequence: 2,
      reported: ["loc_new", "apt_1", "-enc_1"],
    });
    expect(linesIn(text)[2]).toEqual((await recordOf(database, "apt_1")) as Fields);
    expect(linesIn(text)[3]).toEqual({ type: "encounter", publicId: "enc_1", deleted: true });
    expect((await changes(2)).reported).toEqual([]);
  });

  test("does not report a record as deleted that was deleted and created again", async () => {
    const { database, changes } = await newPractice();
    await mustImport(database, [own, { type: "encounter", publicId: "enc_1", deleted: true }]);
    const again = fullPractice.find(({ publicId }) => publicId === "enc_1") as Fields;
    await mustImport(database, [own, again]);
    expect(await changes(1)).toMatchObject({ sequence: 3, reported: ["enc_1"] });
    expect(await changes(2)).toMatchObject({ sequence: 3, reported: ["enc_1"] });
  });

  test.each([
    ["above the last sequence", "2", "custom"],
    ["above any sequence", "9007199254740993", "custom"],
    ["-1", "-1", "too_small"],
    ["a text", "x", "invalid_type"],
  ])("%s responds 400", async (_, after, code) => {
    const { service, key } = await newPractice();
    const { status, body } = await service.call(`GET ${PATH}?after=${after}`, { key });
    expect([status, body]).toMatchObject([400, { validationErrors: [{ code, path: ["after"] }] }]);
  });

  test("a sequence before deletions that are no longer known responds 410, and a later one does not", async () => {
    const { service, database, key, changes } = await newPractice();
    await mustImport(database, [own, { type: "encounter", publicId: "enc_1", deleted: true }]);
    await mustImport(database, [own, { type: "session", publicId: "apt_1", title: "Later" }]);
    const soon = "2027-04-15T15:00:00.000Z" as Instant;
    await database.write((trx) => forgetDeletions(trx, "org_maple", soon), {
      organizationId: "org_maple",
    });
    const { status, body } = await service.call(`GET ${PATH}?after=1`, { key });
    expect([status, body]).toEqual([
      410,
      { error: "Changes since 1 are no longer known; export everything", statusCode: 410 },
    ]);
    expect((await changes(2)).reported).toEqual(["apt_1"]);
    expect((await changes(0)).sequence).toBe(3);
  });
});

describe("a write appears once in the changes", () => {
  test("a created user", async () => {
    const { service, key, changes } = await newPractice();
    const json = { firstName: "Ida", lastName: "Newly", role: "CLINICIAN" };
    const { body } = await service.call("POST /api/v1/users", { key, json });
    const { publicId } = (body as { user: { publicId: string } }).user;
    expect(await changes(1)).toMatchObject({ sequence: 2, reported: [publicId] });
  });

  test("a created technician and the leads of the care team", async () => {
    const { service, key, changes } = await newPractice();
    const json = {
      ...{ firstName: "Ivo", lastName: "Newly", role: "TECHNICIAN" },
      careTeamLeadIds: ["usr_bcba"],
    };
    const { body } = await service.call("POST /api/v1/users", { key, json });
    const { publicId } = (body as { user: { publicId: string } }).user;
    const { reported } = await changes(1);
    expect(reported.sort()).toEqual([publicId, "usr_bcba"].sort());
  });

  test("a lead with its client and its caregiver", async () => {
    const { service, key, changes } = await newPractice();
    const { status } = await service.call("POST /api/v1/intake-leads", { key, json: newLead() });
    expect(status).toBe(201);
    const { sequence, reported } = await changes(1);
    expect([sequence, reported.map((id) => String(id).split("_")[0])]).toEqual([
      2,
      ["usr", "usr", "lead"],
    ]);
  });

  test.each(goalTypes)("a %s goal that is created, changed and deleted", async (type) => {
    const { service, key, changes } = await newPractice();
    const json = { ...required[type], treatmentPlanId: "tp_1" };
    const created = await service.call("POST /api/v1/goals", { key, json });
    const { publicId } = created.body as { publicId: string };
    expect(await changes(1)).toMatchObject({ sequence: 2, reported: [publicId] });
    const path = `/api/v1/goals/${publicId}`;
    await service.call(`PATCH ${path}`, { key, json: { status: "MASTERED" } });
    expect(await changes(2)).toMatchObject({ sequence: 3, reported: [publicId] });
    await service.call(`DELETE ${path}`, { key });
    expect(await changes(3)).toMatchObject({ sequence: 4, reported: [`-${publicId}`] });
  });

  test("a changed child goal, as its top goal", async () => {
    const { service, key, changes, database } = await newPractice();
    const parent = fullPractice.find(({ goalType }) => goalType === "opportunity") as Fields;
    const [child] = parent.childGoals as Fields[];
    const path = `/api/v1/goals/${child?.publicId}`;
    await service.call(`PATCH ${path}`, { key, json: { status: "MASTERED" } });
    const { reported, text } = await changes(1);
    expect(reported).toEqual([parent.publicId]);
    expect(linesIn(text)[1]).toEqual((await recordOf(database, parent.publicId)) as Fields);
    await service.call(`DELETE ${path}`, { key });
    expect((await changes(2)).reported).toEqual([parent.publicId]);
  });

  test("an import without changes, a dry run and a refused import do not increase the sequence", async () => {
    const { database, changes } = await newPractice();
    await mustImport(database, fullPractice);
    await importFile(database, [own, { ...session, title: "Dry" }], { dryRun: true });
    await importFile(database, [own, { ...session, title: 5 }]);
    expect(await changes(1)).toMatchObject({ sequence: 1, reported: [] });
  });
});

test("the changes, completely or twice imported, bring a copy to the same state, byte for byte", async () => {
  const { database, changes } = await newPractice();
  const copy = (await newService()).database;
  await mustImport(copy, (await changes(0)).text);
  await mustImport(
    database,
    [
      own,
      { type: "user", publicId: patient.publicId, addressLine1: null, firstName: "Leonard" },
      { type: "goal", publicId: behaviorGoal.publicId, deleted: true },
      { type: "encounter", publicId: "enc_1", units: 3 },
      { ...organization, name: "Maple Street" },
    ].filter(({ type }, index) => type !== "organization" || index === 0),
  );
  const { text } = await changes(1);
  for (let times = 0; times < 2; times += 1) {
    await mustImport(copy, text);
    expect(await exportText(copy, "org_maple")).toBe(await exportText(database, "org_maple"));
  }
});

describe("the response", () => {
  test("is compressed if the client accepts gzip", async () => {
    const { service, database, key } = await newPractice();
    for (const [accepted, isCompressed] of [
      ["gzip, deflate, br", true],
      ["GZIP;q=0.5", true],
      ["gzip;q=0, br", false],
      ["identity", false],
    ] as const) {
      const response = await service.app.handle(
        new Request(`http://localhost${PATH}`, {
          headers: { Authorization: `Bearer ${key}`, "Accept-Encoding": accepted },
        }),
      );
      expect(response.headers.get("content-encoding")).toBe(isCompressed ? "gzip" : null);
      expect(response.headers.get("vary")).toBe("Accept-Encoding, Origin");
      const bytes = await response.bytes();
      const text = new TextDecoder().decode(isCompressed ? gunzipSync(bytes) : bytes);
      expect(text).toBe(await exportText(database, "org_maple"));
    }
  });

  test("to HEAD has the sequence and no file", async () => {
    const { service, key } = await newPractice();
    const { status, headers, text } = await service.call(`HEAD ${PATH}?after=1`, { key });
    expect([status, headers.get("caseload-sequence"), text]).toEqual([200, "1", ""]);
  });

  test("holds no snapshot open while the client does not read it", async () => {
    const { service, database, key } = await newPractice();
    const response = await getUnread(service, key);
    await mustImport(database, [own, { type: "session", publicId: "apt_1", title: "Meanwhile" }]);
    expect(database.file?.emptyLog() ?? true).toBe(true);
    expect(await response.text()).not.toContain("Meanwhile");
  });

  test("is limited to two per organization and four in all at the same time; another request responds 429", async () => {
    const { service, database, key } = await newPractice();
    const others = [];
    for (const id of ["org_a", "org_b"]) {
      await mustImport(database, [{ type: "organization", publicId: id, name: "Other" }]);
      others.push(await newApiKey(database, id));
    }
    const [a = "", b = ""] = others;
    const refusal = [429, { error: "Too many requests", statusCode: 429 }];
    const unread = [await getUnread(service, key), await getUnread(service, key)];
    const third = await service.call(`GET ${PATH}`, { key });
    expect([third.status, third.body]).toEqual(refusal as never);
    expect(third.headers.get("retry-after")).toBe("10");
    unread.push(await getUnread(service, a), await getUnread(service, b));
    expect((await service.call(`GET ${PATH}`, { key: a })).status).toBe(429);
    for (const response of unread) await response.text();
    expect((await service.call(`GET ${PATH}`, { key })).status).toBe(200);
    const rows = await database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select(["status", "patient_ids"])
        .where("organization_id", "=", "org_a")
        .where("key_id", "is not", null)
        .orderBy("sequence")
        .execute(),
    );
    expect(rows).toEqual([
      { status: 200, patient_ids: '"*"' },
      { status: 429, patient_ids: "[]" },
    ]);
    const cancelled = await getUnread(service, key);
    await cancelled.body?.cancel();
    expect((await service.call(`GET ${PATH}`, { key })).status).toBe(200);
  });
});

function getUnread({ app }: TestService, key: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}` };
  return Promise.resolve(app.handle(new Request(`http://localhost${PATH}`, { headers })));
}

test("a clock that went ahead and back loses no change: sequences count writes, not time", async () => {
  const { database, changes } = await newPractice();
  const copy = new RecordMap();
  copy.apply((await changes(0)).text);
  let { sequence } = await changes(0);
  const writes: [now: string, records: Fields[]][] = [
    ["2030-01-01T00:00:00.000Z", [{ type: "user", publicId: "usr_kid", city: "Salem" }]],
    ["2020-01-01T00:00:00.000Z", [{ type: "user", publicId: "usr_kid", city: "Dover" }]],
    ["2030-01-01T00:00:00.000Z", [{ type: "encounter", publicId: "enc_1", deleted: true }]],
    ["2020-01-01T00:00:00.000Z", [{ type: "intakeLead", publicId: "lead_2", deleted: true }]],
  ];
  for (const [now, records] of writes) {
    await mustImport(database, [own, ...records], { now });
    const next = await changes(sequence);
    expect(next.sequence).toBe(sequence + 1);
    copy.apply(next.text);
    copy.expectToEqual(await exportText(database, "org_maple"));
    ({ sequence } = next);
  }
  expect(await recordOf(database, "usr_kid")).toMatchObject({
    city: "Dover",
    updatedAt: "2020-01-01T00:00:00.000Z",
  });
});
