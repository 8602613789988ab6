import { describe, expect, jest, test } from "bun:test";
import type { Database } from "../../db/database.ts";
import type { AuditEntry } from "../../src/audit/chain.ts";
import { AuditRecorder } from "../../src/audit/recorder.ts";
import { RejectionSummary } from "../../src/audit/rejection-summary.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { NOW, newDatabase } from "../support/harness.ts";

/** Refused requests are summed up, so that many of them write few entries. */

const refused = (address: string | null, status = 401): AuditEntry => ({
  organizationId: "",
  time: NOW as Instant,
  requestId: "r-1",
  keyId: null,
  userId: null,
  role: null,
  method: "GET",
  route: "/v1/users",
  status,
  patientIds: [],
  target: null,
  address,
  operator: null,
  requests: null,
});

const sumOf = (address: string | null, status: number, requests: number) => ({
  ...refused(address, status),
  requestId: expect.any(String),
  method: "*",
  route: "*",
  requests,
});

/** Counts requests. Returns how many have entries of their own, and the sums of the others. */
function countAll(entries: Iterable<AuditEntry>) {
  const sums = new RejectionSummary();
  let own = 0;
  for (const entry of entries) if (!sums.count(entry)) own += 1;
  return { own, rows: sums.take(), sums };
}

describe("refused requests", () => {
  test("of one address beyond its limit are one entry with their number", () => {
    const flood = Array.from({ length: 40_000 }, (_, index) =>
      refused("203.0.113.9", index < 20 ? 401 : 429),
    );
    const { own, rows } = countAll(flood);
    expect([own, rows]).toEqual([20, [sumOf("203.0.113.9", 429, 39_980)]]);
  });

  test("of 24,000 addresses are a few hundred entries, and every request is counted", () => {
    const flood = Array.from({ length: 24_000 }, (_, index) =>
      refused(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`),
    );
    const { own, rows } = countAll(flood);
    expect([own, rows.length]).toEqual([200, 101]);
    expect(rows.at(-1)).toEqual(sumOf("*", 401, 24_000 - 200 - 100));
    expect(own + rows.reduce((sum, row) => sum + (row.requests ?? 0), 0)).toBe(24_000);
  });

  const ofKey = (status: number, differing: Partial<AuditEntry> = {}): AuditEntry => ({
    ...refused(null, status),
    ...{ organizationId: "org_maple", keyId: "key_1", role: "PATIENT", ...differing },
  });

  test.each([400, 403, 404, 405, 413, 414, 415, 422, 429])(
    "of a key with status %p are one entry at once and one with the number of the others, whatever the path",
    (status) => {
      const flood = Array.from({ length: 500 }, (_, index) =>
        ofKey(status, { route: `/v1/${index}`, target: `/api/v1/${index}` }),
      );
      const { own, rows } = countAll(flood);
      const sum = { ...sumOf(null, status, 499), organizationId: "org_maple", keyId: "key_1" };
      expect([own, rows]).toEqual([1, [{ ...sum, role: "PATIENT" }]]);
    },
  );

  test("are summed separately per key and status", () => {
    const kinds = [ofKey(403), ofKey(404), ofKey(403, { keyId: "key_2" })];
    const { own, rows } = countAll([...kinds, ...kinds]);
    const sums = rows.map(({ keyId, status, requests }) => [keyId, status, requests]);
    expect([own, sums]).toEqual([
      3,
      [
        ["key_1", 403, 1],
        ["key_1", 404, 1],
        ["key_2", 403, 1],
      ],
    ]);
  });

  test.each([[["usr_1"]], ["*" as const]])(
    "that disclose something about patients (%p) have one entry each",
    (patientIds) => {
      const { own, rows } = countAll(Array.from({ length: 50 }, () => ofKey(400, { patientIds })));
      expect([own, rows]).toEqual([50, []]);
    },
  );

  test.each([200, 409, 500, 503])("are counted, but responses with status %p are not", (status) => {
    const { own, rows } = countAll(Array.from({ length: 50 }, () => ofKey(status)));
    expect([own, rows]).toEqual([50, []]);
  });

  test("have entries of their own again in the next minute", () => {
    const { sums } = countAll(Array.from({ length: 300 }, () => refused(null)));
    expect([sums.count(refused(null)), sums.take()]).toEqual([false, []]);
  });

  test("whose sums could not be stored are counted again", () => {
    const { rows, sums } = countAll([refused("203.0.113.9", 429)]);
    sums.giveBack(rows);
    sums.count(refused("203.0.113.9", 429));
    expect(sums.take()).toEqual([sumOf("203.0.113.9", 429, 2)]);
  });

  const sumsIn = (database: Database) =>
    database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select(["status", "address", "requests"])
        .orderBy("sequence")
        .execute(),
    );

  test("are stored when a minute is over since the first of them", async () => {
    const database = await newDatabase();
    const recorder = new AuditRecorder(database);
    const count = () => recorder.countRejection(refused("203.0.113.9", 429));
    jest.useFakeTimers();
    try {
      count();
      jest.advanceTimersByTime(59_999);
      count();
      jest.advanceTimersByTime(1);
      count();
    } finally {
      jest.useRealTimers();
    }
    await recorder.finish();
    const row = { status: 429, address: "203.0.113.9" };
    expect(await sumsIn(database)).toEqual([
      { ...row, requests: 2 },
      { ...row, requests: 1 },
    ]);
  });

  test("are stored at the end of the process", async () => {
    const database = await newDatabase();
    const logged: unknown[] = [];
    const recorder = new AuditRecorder(database, (line) => logged.push(line));
    for (let count = 0; count < 7; count += 1)
      expect(recorder.countRejection(refused("203.0.113.9", 429))).toBe(true);
    await recorder.finish();
    expect(await sumsIn(database)).toEqual([{ status: 429, address: "203.0.113.9", requests: 7 }]);
    expect(logged).toEqual([
      { level: "info", message: "refused requests summarized", requests: 7 },
    ]);
    const chains = await database.read((db) => verifyChains(db));
    expect(chains.filter(({ fault }) => fault !== undefined)).toEqual([]);
  });
});
