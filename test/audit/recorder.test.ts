import { afterEach, expect, spyOn, test } from "bun:test";
import { sql } from "kysely";
import type { AuditEntry } from "../../src/audit/chain.ts";
import { AuditRecorder } from "../../src/audit/recorder.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newApiKey, newOrganization } from "../factories.ts";
import { newServiceWithForeigner } from "../foreigner.ts";
import { NOW } from "../harness.ts";

/** What becomes of the rows of reads while the database cannot take them. */

const { service, foreigner } = await newServiceWithForeigner();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
// The key's last use is noted beside a request; once it is, reads write nothing but their rows.
await service.call("GET /api/v1/specializations", { key });

const setRoom = (pages: number) =>
  database.write((trx) => sql`pragma max_page_count = ${sql.raw(String(pages))}`.execute(trx));

afterEach(async () => {
  if (foreigner.inTransaction) foreigner.run("rollback");
  await setRoom(1_000_000_000);
});

/** Reads with this request id, and says how many milliseconds the answer took. */
async function timedRead(id: string): Promise<number> {
  const started = performance.now();
  const headers = { "X-Request-Id": id };
  const { status } = await service.call("GET /api/v1/specializations", { key, headers });
  expect(status).toBe(200);
  return performance.now() - started;
}

/** The ids of the requests whose rows the trail has, in its order. */
async function recorded(ids: string[]): Promise<string[]> {
  const rows = await database.read((db) =>
    db.selectFrom("audit_entries").select("request_id").orderBy("sequence").execute(),
  );
  return rows.map((row) => row.request_id).filter((id) => ids.includes(id));
}

/** Waits until the trail has these rows, and is whole. */
async function expectRecorded(ids: string[]): Promise<void> {
  for (const started = Date.now(); Date.now() - started < 4_000; await Bun.sleep(20))
    if ((await recorded(ids)).length === ids.length) break;
  expect(await recorded(ids)).toEqual(ids);
  const chains = await database.read((db) => verifyChains(db));
  expect(chains.map(({ fault }) => fault)).toEqual(chains.map(() => undefined));
}

const logged = () => service.log.filter(({ message }) => message === "audit row is late");

test("while another program has the lock, the first read waits for it a second, later ones do not", async () => {
  foreigner.run("begin immediate");
  const first = timedRead("locked-1");
  const livez: number[] = [];
  while (Bun.peek.status(first) === "pending") {
    const started = performance.now();
    expect((await service.call("GET /livez")).status).toBe(200);
    livez.push(performance.now() - started);
    await Bun.sleep(5);
  }
  expect(await first).toBeWithin(990, 1_800);
  expect(livez.length).toBeGreaterThan(20);
  expect(livez.toSorted((a, b) => a - b)[Math.floor(livez.length * 0.9)]).toBeLessThan(50);

  for (const id of ["locked-2", "locked-3"]) expect(await timedRead(id)).toBeLessThan(500);
  expect(await recorded(["locked-1", "locked-2", "locked-3"])).toEqual([]);
  expect(logged()).toEqual(
    ["locked-1", "locked-2", "locked-3"].map((requestId) => ({
      time: NOW,
      level: "error",
      message: "audit row is late",
      error: "SQLiteError",
      code: "SQLITE_BUSY",
      frames: expect.any(Array),
      requestId,
      method: "GET",
      route: "/v1/specializations",
      status: 200,
    })),
  );

  foreigner.run("commit");
  await expectRecorded(["locked-1", "locked-2", "locked-3"]);
  // What comes now is in the trail before its answer leaves.
  await timedRead("free-1");
  expect(await recorded(["free-1"])).toEqual(["free-1"]);
});

test("while the disk is full, reads go on, and their rows follow when there is room", async () => {
  await setRoom(1);
  const ids = Array.from({ length: 400 }, (_, index) => `full-${index}`);
  for (const id of ids) await timedRead(id);
  const late = ids.filter((id) => logged().some(({ requestId }) => requestId === id));
  expect(late.length).toBeGreaterThan(10);
  expect(await recorded(late)).toEqual([]);
  await setRoom(1_000_000_000);
  await expectRecorded(ids);
});

test("rows of a failure that does not pass are refused with their answers", async () => {
  const write = spyOn(database, "write").mockRejectedValue(new RangeError("broken"));
  const answer = await service.call("GET /api/v1/specializations", { key });
  write.mockRestore();
  expect([answer.status, answer.body]).toEqual([
    500,
    { error: "Internal server error", statusCode: 500 },
  ]);
});

const entry = (requestId: string): AuditEntry => ({
  organizationId: organization,
  time: NOW as Instant,
  requestId,
  keyId: null,
  userId: null,
  role: null,
  method: "GET",
  route: "/v1/users",
  status: 200,
  patientIds: [],
  target: "/api/v1/users",
  address: null,
  operator: null,
  requests: null,
});

test("at the end what is late is tried once more, and what is not written counted", async () => {
  const recorder = new AuditRecorder(database);
  // A hundred times as fast, so that five seconds pass at once.
  const realNow = performance.now.bind(performance);
  const clock = spyOn(performance, "now").mockImplementation(() => 100 * realNow());
  foreigner.run("begin immediate");
  const ids = ["end-1", "end-2"];
  for (const id of ids)
    expect(await recorder.record(entry(id))).toEqual({ cause: expect.anything(), isQueued: true });
  expect(await recorder.finish()).toBe(2);
  foreigner.run("commit");
  expect(await recorder.finish()).toBe(0);
  clock.mockRestore();
  await expectRecorded(ids);
});

test("ten thousand rows may wait, and no more", async () => {
  const recorder = new AuditRecorder(database);
  const realNow = performance.now.bind(performance);
  const clock = spyOn(performance, "now").mockImplementation(() => 100 * realNow());
  foreigner.run("begin immediate");
  for (let count = 1; count <= 10_000; count += 1)
    expect((await recorder.record(entry("many")))?.isQueued).toBe(true);
  expect((await recorder.record(entry("many")))?.isQueued).toBe(false);
  clock.mockRestore();
  foreigner.run("commit");
  expect(await recorder.finish()).toBe(0);
  expect(await recorded(["many"])).toHaveLength(10_000);
});
