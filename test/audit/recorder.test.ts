import { afterEach, expect, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Spool } from "../../db/spool.ts";
import { connectFile } from "../../db/sqlite/connect.ts";
import type { AuditEntry } from "../../src/audit/chain.ts";
import { AuditRecorder } from "../../src/audit/recorder.ts";
import { takeSpooled, takeSpooledIfPossible } from "../../src/audit/spooled.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newApiKey, newOrganization, newPatient } from "../support/factories.ts";
import { newServiceWithOtherConnection } from "../support/other-connection.ts";
import { NOW } from "../support/harness.ts";

/** Audit entries of reads while the database cannot store them. */

const { service, otherConnection } = await newServiceWithOtherConnection();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);
// A key's last use is written beside its first request. After that, reads write only their audit
// entries.
await service.call("GET /api/v1/specializations", { key });

const setRoom = (pages: number) =>
  database.write((trx) => sql`pragma max_page_count = ${sql.raw(String(pages))}`.execute(trx), {
    organizationId: organization,
  });

afterEach(async () => {
  if (otherConnection.inTransaction) otherConnection.run("rollback");
  await setRoom(1_000_000_000);
});

/** Sends a read with this request id and returns its duration in milliseconds. */
async function timedRead(id: string): Promise<number> {
  const started = performance.now();
  const headers = { "X-Request-Id": id };
  const { status } = await service.call("GET /api/v1/specializations", { key, headers });
  expect(status).toBe(200);
  return performance.now() - started;
}

/** The request ids of the stored entries, in the order of the trail. */
async function recorded(ids: string[]): Promise<string[]> {
  const rows = await database.read((db) =>
    db.selectFrom("audit_entries").select("request_id").orderBy("sequence").execute(),
  );
  return rows.map((row) => row.request_id).filter((id) => ids.includes(id));
}

/** Waits until the trail has these entries, and verifies it. */
async function expectRecorded(ids: string[]): Promise<void> {
  for (const started = Date.now(); Date.now() - started < 20_000; await Bun.sleep(20))
    if ((await recorded(ids)).length === ids.length) break;
  expect(await recorded(ids)).toEqual(ids);
  const chains = await database.read((db) => verifyChains(db));
  expect(chains.map(({ fault }) => fault)).toEqual(chains.map(() => undefined));
}

const late = () => service.log.filter(({ message }) => message === "audit rows are delayed");
const spool = database.file?.spool.path ?? "";
const spooled = () => readFileSync(spool, "utf8").trim().split("\n").slice(1);

test("if entries cannot be stored for good, the read responds 500", async () => {
  const write = spyOn(database, "write").mockRejectedValue(new RangeError("broken"));
  const answer = await service.call("GET /api/v1/specializations", { key });
  write.mockRestore();
  expect([answer.status, answer.body]).toEqual([
    500,
    { error: "Internal server error", statusCode: 500 },
  ]);
});

test("while another process holds the lock, reads do not wait; their entries are in the spool file", async () => {
  otherConnection.run("begin immediate");
  const ids = Array.from({ length: 30 }, (_, index) => `locked-${index}`);
  // A read that waits for the lock takes five seconds.
  for (const id of ids) expect(await timedRead(id)).toBeLessThan(4_000);
  expect(await recorded(ids)).toEqual([]);
  expect(spooled().map((line) => JSON.parse(line).requestId)).toEqual(ids);
  expect(statSync(spool).mode & 0o777).toBe(0o600);
  expect(late()).toEqual([
    { time: NOW, level: "error", message: "audit rows are delayed", code: "SQLITE_BUSY" },
  ]);

  otherConnection.run("commit");
  await expectRecorded(ids);
  expect(existsSync(spool)).toBe(false);
  // A read that comes now has its entry in the trail before its response is sent.
  await timedRead("free-1");
  expect(await recorded(["free-1"])).toEqual(["free-1"]);
});

test("a delayed entry has the time of its request", async () => {
  otherConnection.run("begin immediate");
  await timedRead("on-time");
  service.clock.advance(60_000);
  otherConnection.run("commit");
  await expectRecorded(["on-time"]);
  const row = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select("time")
      .where("request_id", "=", "on-time")
      .executeTakeFirst(),
  );
  service.clock.set(NOW);
  expect(row?.time).toBe(NOW as Instant);
});

test("an entry that reaches the spool after the others were stored does not stay there", async () => {
  const file = database.file?.spool as Spool;
  const append = file.append.bind(file);
  const othersStored = Promise.withResolvers<void>();
  otherConnection.run("begin immediate");
  await timedRead("early");
  const delayed = spyOn(file, "append").mockImplementation(async (line) => {
    await othersStored.promise;
    return append(line);
  });
  const late = timedRead("late");
  await Bun.sleep(20);
  otherConnection.run("commit");
  await expectRecorded(["early"]);
  await Bun.sleep(50);
  othersStored.resolve();
  await late;
  delayed.mockRestore();
  await expectRecorded(["late"]);
});

test("while the database's disk is full, reads continue, and their entries are stored when there is space", async () => {
  await setRoom(1);
  const ids = Array.from({ length: 400 }, (_, index) => `full-${index}`);
  for (const id of ids) await timedRead(id);
  expect(spooled().length).toBeGreaterThan(10);
  await setRoom(1_000_000_000);
  await expectRecorded(ids);
});

test("if an entry can be stored nowhere, the read responds 503 without patient data", async () => {
  const patient = await newPatient(database, organization);
  otherConnection.run("begin immediate");
  mkdirSync(spool);
  const answer = await service.call("GET /api/v1/users", { key });
  const sessions = await service.call("GET /api/v1/sessions", { key });
  rmdirSync(spool);
  otherConnection.run("rollback");
  expect([answer.status, answer.headers.get("retry-after"), answer.body]).toEqual([
    503,
    "1",
    { error: "Service temporarily unavailable", statusCode: 503 },
  ]);
  expect(answer.text).not.toContain(patient);
  // Nor with a header of the response that is not sent.
  expect([sessions.status, sessions.headers.get("caseload-sequence")]).toEqual([503, null]);
});

test("the log contains neither patient ids nor queries", async () => {
  const patient = await newPatient(database, organization);
  otherConnection.run("begin immediate");
  const asked = `/api/v1/sessions?clientId=${patient}`;
  expect((await service.call(`GET ${asked}`, { key })).status).toBe(200);
  expect(spooled().map((line) => JSON.parse(line).target)).toEqual([asked]);
  otherConnection.run("commit");
  await takeSpooled(database);
  expect(JSON.stringify(service.log)).not.toContain(patient);
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

test("without a spool, a read waits for the lock like a write, and then fails", async () => {
  const recorder = new AuditRecorder({ ...database, file: undefined });
  otherConnection.run("begin immediate");
  const waiting = recorder.record(entry("waits"));
  await Bun.sleep(100);
  expect(Bun.peek.status(waiting)).toBe("pending");
  otherConnection.run("commit");
  await waiting;
  expect(await recorded(["waits"])).toEqual(["waits"]);

  // A hundred times as fast, so that the five seconds pass at once.
  const realNow = performance.now.bind(performance);
  const clock = spyOn(performance, "now").mockImplementation(() => 100 * realNow());
  otherConnection.run("begin immediate");
  await expect(recorder.record(entry("refused"))).rejects.toThrow("locked");
  clock.mockRestore();
  otherConnection.run("commit");
  await recorder.record(entry("again"));
  expect(await recorded(["refused", "again"])).toEqual(["again"]);
});

test("entries left in the spool when a process ends are stored when the next one starts", async () => {
  const recorder = new AuditRecorder(database);
  otherConnection.run("begin immediate");
  const ids = ["end-1", "end-2"];
  for (const id of ids) await recorder.record(entry(id));
  await recorder.finish();
  expect(spooled()).toHaveLength(2);
  otherConnection.run("commit");
  new AuditRecorder(database).start();
  await expectRecorded(ids);
});

test("a process that ends after the commit, before it removes the spool, leaves no duplicate entry", async () => {
  const recorder = new AuditRecorder(database);
  otherConnection.run("begin immediate");
  const ids = Array.from({ length: 50 }, (_, index) => `once-${index}`);
  for (const id of ids) await recorder.record(entry(id));
  await recorder.finish();
  otherConnection.run("commit");
  const content = readFileSync(spool);
  await takeSpooled(database);
  // As the killed process left it, and as a power failure in the middle of another line leaves it.
  for (const left of [content, Buffer.concat([content, Buffer.from('{"requestId":"half')])]) {
    writeFileSync(spool, left, { mode: 0o600 });
    await takeSpooled(database);
    expect(existsSync(spool)).toBe(false);
    await expectRecorded(ids);
  }
});

test("an incomplete line is skipped, and the lines after it are stored", async () => {
  writeFileSync(spool, 'some-id\n{"requestId":"half', { mode: 0o600 });
  await database.file?.spool.append(JSON.stringify(entry("after-half")));
  await takeSpooled(database);
  await expectRecorded(["after-half"]);
});

test("invalid lines do not prevent valid ones from being stored", async () => {
  const good = JSON.stringify(entry("beside-others"));
  const others = [
    "{}",
    "null",
    "5",
    good.replace('"status":200', '"status":"x"'),
    good.replace("[]", "7"),
  ];
  for (const line of [...others, good]) await database.file?.spool.append(line);
  await takeSpooled(database);
  await expectRecorded(["beside-others"]);
});

test("several processes write and empty the spool at once, and each entry is stored exactly once", async () => {
  const others = [1, 2, 3].map(() => connectFile(otherConnection.filename, "existing"));
  const programs = [database, ...others];
  const ids = Array.from({ length: 400 }, (_, index) => `many-${index}`);
  const spoolOne = async (id: string, index: number) => {
    await programs[index % programs.length]?.file?.spool.append(JSON.stringify(entry(id)));
    if (index % 7 === 0)
      await takeSpooledIfPossible(programs[(index + 1) % programs.length] as Database);
  };
  await Promise.all(ids.map(spoolOne));
  await takeSpooled(database);
  for (const other of others) await other.close();
  expect((await recorded(ids)).toSorted()).toEqual(ids.toSorted());
});

test("entries of the same tick share one sync", async () => {
  const file = await open(import.meta.path);
  const sync = spyOn(Object.getPrototypeOf(file), "datasync");
  await file.close();
  await Promise.all(
    ["a", "b", "c"].map((id) => database.file?.spool.append(JSON.stringify(entry(id)))),
  );
  const syncs = sync.mock.calls.length;
  sync.mockRestore();
  expect([syncs, spooled().length]).toEqual([1, 3]);
  await takeSpooled(database);
});
