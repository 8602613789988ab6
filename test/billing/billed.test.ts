import { describe, expect, test } from "bun:test";
import { roles } from "../../src/callers/roles.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { issueKey, newApiKey } from "../support/factories.ts";
import { TestService } from "../support/harness.ts";
import {
  billedEncounter,
  databaseOfFullPractice,
  encounter,
  takenBack,
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
const stored = billedEncounter.billed as Fields[];

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
  test("has the time of the import, unless one is stored or given", async () => {
    const { database } = await newService();
    const billedAt = async (billed: unknown, now: Instant) => {
      await mustImport(database, [own, enc1({ billed })], { now });
      return (await recordOf(database, "enc_1"))?.billed;
    };
    const line = { units: 7.25, payorId: null, modifiers: [] };
    const first = { batch: "W3", at: NOON, takenBackAt: null, line };
    const second = { batch: "W4", at: LATER, takenBackAt: null, line: null };
    expect(await billedAt([{ batch: " W3 ", line }], NOON)).toEqual([first]);
    expect(await billedAt([{ batch: "W3" }, { batch: "W4" }], LATER)).toEqual([first, second]);
    const at = "2026-01-01T01:00:00+01:00";
    expect(await billedAt([first, second, { batch: "W5", at }], LATER)).toEqual([
      ...[first, second],
      { ...second, batch: "W5", at: "2026-01-01T00:00:00.000Z" },
    ]);
  });

  test("keeps a line as it is, its fields in the order of the columns and instants in UTC", async () => {
    const { database } = await newService();
    const line = { units: 2, startTime: "2026-01-08T15:00:00+01:00", date: "2026-01-08" };
    await mustImport(database, [own, enc1({ billed: [{ batch: "W3", line }] })]);
    const { billed } = (await recordOf(database, "enc_1")) as { billed: Fields[] };
    expect(JSON.stringify(billed[0]?.line)).toBe(
      '{"date":"2026-01-08","startTime":"2026-01-08T14:00:00.000Z","units":2}',
    );
  });

  test("is a change of the record, and the same again is none", async () => {
    const { send, service } = await newService();
    const key = await newApiKey(service.database, "org_maple", "BILLING_MANAGER");
    const records = async (billed: unknown) =>
      ((await send([enc1({ billed })], key, "?changes=true")).body as Fields).records;
    const change = { line: 2, type: "encounter", publicId: "enc_1", change: "CHANGED" };
    expect(await records([{ batch: "W3" }])).toEqual([{ ...change, fields: ["billed"] }]);
    expect(await records([{ batch: "W3" }])).toEqual([]);
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
    const handOver = { batch: "W3", at: NOON, takenBackAt: null, line: { units: 2 } };
    for (const billed of [[handOver], [{ ...handOver, takenBackAt: LATER }]]) {
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
    const mark = [enc1({ billed: [{ batch: "W3" }] }), enc2({ billed: takenBack.billed })];
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

  test("comes from a spreadsheet: the list as JSON, nothing in an empty cell", async () => {
    const { database, service } = await newService();
    const list = [{ batch: "2026-W03", at: "2026-01-20T09:30:00-05:00", line: { units: 2 } }];
    const cell = JSON.stringify(list).replaceAll('"', '""');
    const { status } = await service.call("POST /api/v1/practice-file?type=encounter", {
      key: await newApiKey(database, "org_maple", "BILLING_MANAGER"),
      headers: { "Content-Type": "text/csv" },
      raw: ["publicId,units,billed", `enc_1,2,"${cell}"`].join("\r\n"),
    });
    expect(status).toBe(200);
    expect((await recordOf(database, "enc_1"))?.billed).toEqual([
      { ...list[0], at: "2026-01-20T14:30:00.000Z", takenBackAt: null },
    ]);
    await mustImport(database, [own, { ...encounter, publicId: "enc_3", billed: null }]);
    expect((await recordOf(database, "enc_3"))?.billed).toEqual([]);
  });
});

describe("who may change it", async () => {
  const { send, service } = await newService();
  const billers = ["ADMIN", "BILLING_MANAGER"];
  const others = ["CLINICAL_SUPERADMIN", "CLINICAL_ADMIN"];
  const changes: [string, Fields][] = [
    ["makes", enc1({ billed: [{ batch: "W3" }] })],
    ["takes back", takenBack],
    ["adds to", enc2({ billed: [...stored, { batch: "W3" }] })],
    ["leaves", enc2({ billed: [...stored, { batch: null }] })],
    ["makes a new", { ...encounter, publicId: "enc_9", billed: [{ batch: "W3" }] }],
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
        enc2({ units: 3, billed: stored.map(({ batch, line }) => ({ batch, line })) }),
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
    const ofOwn = [enc1({ units: 6 }), enc1({ billed: [{ batch: "W3" }] }), enc1({ billed: null })];
    const statuses: number[] = [];
    for (const line of ofOwn) statuses.push((await send([line], key, "?dryRun=true")).status);
    expect(statuses).toEqual([200, 403, 200]);
  });

  test("a refusal comes before mistakes in it", async () => {
    const key = await newApiKey(service.database, "org_maple", "CLINICAL_ADMIN");
    for (const billed of [[{}], "W3", { batch: "W3" }, [{ batch: "W3", line: { units: "x" } }]])
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
    await mustImport(database, [own, takenBack]);
    await mustImport(database, [own, enc2({ deleted: true })]);
    expect(await recordOf(database, "enc_2")).toBeUndefined();
  });
});
