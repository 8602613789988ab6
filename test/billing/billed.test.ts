import { describe, expect, test } from "bun:test";
import { roles } from "../../src/callers/roles.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { issueKey, newApiKey } from "../support/factories.ts";
import { TestService } from "../support/harness.ts";
import {
  billedEncounter,
  databaseOfFullPractice,
  encounter,
} from "../support/practice-file/full-practice.ts";
import {
  type Fields,
  fileOf,
  importFile,
  mustImport,
  recordOf,
} from "../support/practice-file/practice-file.ts";

/** What was handed over of an encounter: who may say so, when it was, and what it prevents. */

const own: Fields = { type: "organization", publicId: "org_maple" };
const enc1 = (fields: Fields): Fields => ({ type: "encounter", publicId: "enc_1", ...fields });
const enc2 = (fields: Fields): Fields => ({ type: "encounter", publicId: "enc_2", ...fields });
const NOON = "2026-01-20T12:00:00.000Z" as Instant;
const LATER = "2026-01-21T12:00:00.000Z" as Instant;
const stored = billedEncounter.billed as Fields;

async function newService(now: Instant = NOON) {
  const service = new TestService(await databaseOfFullPractice());
  service.clock.set(now);
  const send = (lines: readonly Fields[], key: string, query = "") =>
    service.call(`POST /api/v1/practice-file${query}`, {
      key,
      headers: { "Content-Type": "application/x-ndjson" },
      raw: fileOf([own, ...lines]),
    });
  return { service, database: service.database, send };
}

describe("billed", () => {
  test("is replaced whole, and without a time has that of its batch, or else of the import", async () => {
    const { database } = await newService();
    const billedAt = async (billed: unknown, now: Instant) => {
      await mustImport(database, [own, enc1({ billed })], { now });
      return (await recordOf(database, "enc_1"))?.billed;
    };
    const line = { units: 7.25, payorId: null, modifiers: [] };
    expect(await billedAt({ batch: " W3 ", line }, NOON)).toEqual({ batch: "W3", at: NOON, line });
    expect(await billedAt({ batch: "W3" }, LATER)).toEqual({ batch: "W3", at: NOON, line: null });
    expect(await billedAt({ batch: "W4" }, LATER)).toEqual({ batch: "W4", at: LATER, line: null });
    expect(await billedAt({ batch: "W4", at: "2026-01-01T01:00:00+01:00" }, LATER)).toEqual({
      ...{ batch: "W4", at: "2026-01-01T00:00:00.000Z", line: null },
    });
    expect(await billedAt(null, LATER)).toBeNull();
  });

  test("keeps a line as it is, its fields in the order of the columns and instants in UTC", async () => {
    const { database } = await newService();
    const line = { units: 2, startTime: "2026-01-08T15:00:00+01:00", date: "2026-01-08" };
    await mustImport(database, [own, enc1({ billed: { batch: "W3", line } })]);
    const { billed } = (await recordOf(database, "enc_1")) as { billed: Fields };
    expect(JSON.stringify(billed.line)).toBe(
      '{"date":"2026-01-08","startTime":"2026-01-08T14:00:00.000Z","units":2}',
    );
  });

  test("has a line of up to 24 KiB, which every line of today has", async () => {
    const { database } = await newService();
    const names = Object.keys((stored.line ?? {}) as Fields);
    const texts = names.filter((name) => typeof (stored.line as Fields)[name] === "string");
    const long = (letter: string) =>
      Object.fromEntries(
        texts
          .filter((name) => !/date|zone|time|code$/i.test(name))
          .map((name) => [name, letter.repeat(200)]),
      );
    // In JSON, a control character has six bytes.
    const file = (line: object) => [own, enc1({ billed: { batch: "W3", line } })];
    expect(await importFile(database, file({ ...(stored.line as object), ...long("é") }))).toEqual({
      counts: { organization: 1, encounter: 1 },
    });
    expect(await importFile(database, file(long("\u0001")))).toEqual({
      report: ["f:2: encounter enc_1: billed.line: must have at most 24 KiB"],
    });
  });

  test("is a change of the record, and the same again is none", async () => {
    const { send, service } = await newService();
    const key = await newApiKey(service.database, "org_maple", "BILLING_MANAGER");
    const records = async (billed: unknown) =>
      ((await send([enc1({ billed })], key, "?changes=true")).body as Fields).records;
    const change = { line: 2, type: "encounter", publicId: "enc_1", change: "CHANGED" };
    expect(await records({ batch: "W3" })).toEqual([{ ...change, fields: ["billed"] }]);
    expect(await records({ batch: "W3" })).toEqual([]);
  });

  test("goes to whoever follows, handed over and taken back", async () => {
    const { service, database, send } = await newService();
    const key = await newApiKey(database, "org_maple");
    const linesAfter = async (sequence: unknown) => {
      const { text } = await service.call(`GET /api/v1/practice-file?after=${sequence}`, { key });
      const [, ...lines] = text.trimEnd().split("\n");
      return lines.map((line) => JSON.parse(line) as unknown);
    };
    let sequence = ((await send([], key)).body as Fields).sequence;
    for (const billed of [{ batch: "W3", at: NOON, line: { units: 2 } }, null]) {
      const { body } = await send([enc1({ billed })], key);
      expect(await linesAfter(sequence)).toEqual([{ ...encounter, billed }]);
      sequence = (body as Fields).sequence;
    }
  });

  test("is refused if somebody has changed the encounter since", async () => {
    const { send, service } = await newService();
    const key = await newApiKey(service.database, "org_maple", "BILLING_MANAGER");
    const first = await send([enc1({ units: 6 })], key);
    const { sequence } = first.body as { sequence: number };
    const mark = [enc1({ billed: { batch: "W3" } }), enc2({ billed: null })];
    const late = await send(mark, key, `?unchangedSince=${sequence - 1}`);
    expect([late.status, (late.body as Fields).validationErrors]).toEqual([
      412,
      [
        {
          ...{ code: "custom", message: `Has changed since ${sequence - 1}`, path: [2] },
          reason: "changed_since",
        },
      ],
    ]);
    expect((await send(mark, key, `?unchangedSince=${sequence}`)).status).toBe(200);
  });

  test("comes from a spreadsheet: batch and time in columns, the line as JSON; all empty is null", async () => {
    const { database, service } = await newService();
    const rows = [
      "publicId,billed.batch,billed.at,billed.line",
      'enc_1,2026-W03,1/20/2026 9:30 AM,"{""units"":2}"',
      "enc_2,,,",
    ];
    const { status } = await service.call("POST /api/v1/practice-file?type=encounter", {
      key: await newApiKey(database, "org_maple", "BILLING_MANAGER"),
      headers: { "Content-Type": "text/csv" },
      raw: rows.join("\r\n"),
    });
    expect(status).toBe(200);
    expect((await recordOf(database, "enc_1"))?.billed).toEqual({
      ...{ batch: "2026-W03", at: "2026-01-20T14:30:00.000Z", line: { units: 2 } },
    });
    expect((await recordOf(database, "enc_2"))?.billed).toBeNull();
  });
});

describe("who may change it", async () => {
  const { send, service } = await newService();
  const billers = ["ADMIN", "BILLING_MANAGER"];
  const others = ["CLINICAL_SUPERADMIN", "CLINICAL_ADMIN"];
  const changes: [string, Fields][] = [
    ["makes", enc1({ billed: { batch: "W3" } })],
    ["takes back", enc2({ billed: null })],
    ["changes the batch of", enc2({ billed: { ...stored, batch: "W3" } })],
    ["changes the time of", enc2({ billed: { ...stored, at: NOON } })],
    ["drops the line of", enc2({ billed: { batch: stored.batch } })],
    ["changes the line of", enc2({ billed: { ...stored, line: { units: 1 } } })],
    ["makes a new", { ...encounter, publicId: "enc_9", billed: { batch: "W3" } }],
  ];

  test.each(roles)("%s", async (role) => {
    const key = await newApiKey(service.database, "org_maple", role);
    for (const [what, line] of changes) {
      const { status, body } = await send([line], key, "?dryRun=true");
      const isSender = [...others, "SCHEDULING_MANAGER"].includes(role);
      expect([what, status, (body as Fields).error]).toEqual([
        what,
        ...(billers.includes(role)
          ? [200, undefined]
          : [
              403,
              `Insufficient permissions for this action${isSender ? ": line 2, encounter" : ""}`,
            ]),
      ] as never);
    }
  });

  test.each(others)(
    "%s changes a billed encounter otherwise, and may repeat what is stored",
    async (role) => {
      const key = await newApiKey(service.database, "org_maple", role as "CLINICAL_ADMIN");
      for (const line of [
        enc2({ units: 3 }),
        enc2({ units: 3, billed: stored }),
        enc2({ units: 3, billed: { batch: stored.batch, line: stored.line } }),
        enc1({ billed: null }),
        { ...encounter, publicId: "enc_9", billed: null },
      ])
        expect((await send([line], key, "?dryRun=true")).status).toBe(200);
    },
  );

  test("nobody changes it in their own day", async () => {
    const { key } = await issueKey(service.database, "org_maple", {
      holder: { userId: "usr_tech" },
    });
    const ofOwn = [enc1({ units: 6 }), enc1({ billed: { batch: "W3" } }), enc1({ billed: null })];
    const statuses: number[] = [];
    for (const line of ofOwn) statuses.push((await send([line], key, "?dryRun=true")).status);
    expect(statuses).toEqual([200, 403, 200]);
  });

  test("a refusal comes before mistakes in it", async () => {
    const key = await newApiKey(service.database, "org_maple", "CLINICAL_ADMIN");
    for (const billed of [{}, "W3", { batch: "" }, { batch: "W3", line: { units: "x" } }])
      expect((await send([enc1({ billed })], key)).status).toBe(403);
  });
});

describe("a billed encounter is not deleted", () => {
  const refused = { path: [2, "deleted"], code: "custom", reason: "in_use" };

  test.each(["ADMIN", "BILLING_MANAGER", "CLINICAL_ADMIN"] as const)("by %s", async (role) => {
    const { send, service } = await newService();
    const key = await newApiKey(service.database, "org_maple", role);
    const { status, body } = await send([enc2({ deleted: true })], key);
    expect([status, (body as Fields).validationErrors]).toEqual([
      400,
      [{ ...refused, message: "encounter enc_2: deleted: is billed" }],
    ]);
  });

  test("by the command, which names the batch, nor because it is missing; taken back, it is", async () => {
    const { database } = await newService();
    const report = ["encounter enc_2: deleted: is billed in batch 2026-W02 Acme"];
    expect(await importFile(database, [own, enc2({ deleted: true })])).toEqual({
      report: report.map((text) => `f:2: ${text}`),
    });
    const missing = { deleteMissing: ["encounter"], deleteMany: true } as const;
    expect(await importFile(database, [own, enc1({})], missing)).toEqual({
      report: report.map((text) => `f: ${text}`),
    });
    await mustImport(database, [own, enc2({ billed: null })]);
    await mustImport(database, [own, enc2({ deleted: true })]);
    expect(await recordOf(database, "enc_2")).toBeUndefined();
  });
});
