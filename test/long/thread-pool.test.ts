import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { sql } from "kysely";
import { NO_ORGANIZATION } from "../../db/database.ts";
import { isLocked } from "../../db/errors.ts";
import { BufferedBody } from "../../src/buffered-body.ts";
import { clientGone } from "../../src/http/client-presence.ts";
import { PlainError, unavailable, unpacked } from "../../src/http/errors.ts";
import { type TaskLimits, ThreadPool } from "../../src/http/threads/pool.ts";
import type { Task, TaskKind } from "../../src/http/threads/messages.ts";
import { StoppedClock } from "../../src/lib/clock.ts";
import { toInstant } from "../../src/lib/instant.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newDatabase, NOW, TestService } from "../support/harness.ts";
import { onPostgresql } from "../support/postgresql/databases.ts";

/** Workers: their limits, and how they end. */

const limits: TaskLimits = {
  ...{ read: 5_000, write: 10_000, export: 10_000, lock: 5_000, idle: 60_000 },
};
const database = await newDatabase();
const organization = await newOrganization(database, { name: "Maple Street" });
const clock = new StoppedClock(Date.parse(NOW));

let started = 0;
function startWorker(): Worker {
  started += 1;
  return new Worker(new URL("../support/http/strange-worker.ts", import.meta.url));
}

function newPool(changed: Partial<TaskLimits> = {}): ThreadPool {
  const workers = new ThreadPool(
    startWorker,
    { database, clock: clock.memory },
    { ...limits, ...changed },
  );
  afterAll(() => workers.close());
  return workers;
}

/** Whether another thread has the lock of the file. */
function isFileLocked(): Promise<boolean> {
  const options = { ...NO_ORGANIZATION, lockTimeout: 0 };
  return database.write(async () => {}, options).then(() => false, isLocked);
}

/** What a worker answers. Throws its error. */
async function ask(...args: Parameters<typeof askRaw>): Promise<unknown> {
  return JSON.parse((await askRaw(...args)).text);
}

/** The text of the body, and the descriptor of its file, if it has one. */
async function askRaw(
  workers: ThreadPool,
  act: string,
  {
    kind = "read",
    signal = new AbortController().signal,
    mostBytes = Infinity,
  }: { kind?: TaskKind; signal?: AbortSignal; mostBytes?: number } = {},
): Promise<{ text: string; file: number | undefined }> {
  const task: Omit<Task, "file"> = {
    request: { method: "GET", target: "/api/v1/checks", headers: [] },
    ...{ requestId: "request-1", route: "/v1/checks", now: toInstant(clock.now()) },
    operation: { id: "listFindings", showsSequence: false, query: {}, bytes: undefined },
    caller: { organizationId: organization, keyId: "key_1" } as Task["caller"],
    ...{ params: undefined, query: { do: act }, body: undefined, origin: undefined },
  };
  const { answer } = await workers.run(task, kind, { signal, mostBytes });
  if ("error" in answer) throw unpacked(answer.error);
  const { file } = answer.content;
  const bytes = await new BufferedBody(answer.content).bytes();
  return { text: Buffer.from(bytes).toString(), file };
}

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
/** Asks until it is not too late: on a busy machine, a worker may take longer to start than it may take to answer. */
async function askAgain<Result>(asking: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const result = await asking().catch(() => undefined);
    if (result !== undefined) return result;
  }
}

const nameOf = async () => {
  const rows = await database.read((db) =>
    db.selectFrom("organizations").select("name").where("public_id", "=", organization).execute(),
  );
  return rows[0]?.name;
};
const tooLong = unavailable("Takes too long; ask for less");

describe("a worker", () => {
  test("is started by the first request, and serves the next ones", async () => {
    const workers = newPool();
    const before = started;
    expect(await ask(workers, "answer")).toEqual({ answered: true });
    expect(await ask(workers, "answer")).toEqual({ answered: true });
    expect(started - before).toBe(1);
  });

  test("returns a body whatever its fields are", async () => {
    expect(await ask(newPool(), "a code")).toEqual({ code: 404, response: "none" });
  });

  test("of reads is another one than that of writes and exports", async () => {
    const workers = newPool();
    const before = started;
    for (const kind of ["read", "write", "export"] as const) await ask(workers, "answer", { kind });
    expect(started - before).toBe(2);
    const controller = new AbortController();
    const busy = ask(workers, "forever", { kind: "export", signal: controller.signal });
    expect(await ask(workers, "answer")).toEqual({ answered: true });
    controller.abort();
    expect(await errorOf(busy)).toEqual(clientGone());
  });

  test("ends after a time without work, and another one is started", async () => {
    const workers = newPool({ idle: 50 });
    const before = started;
    await ask(workers, "answer");
    await Bun.sleep(300);
    expect(await ask(workers, "answer")).toEqual({ answered: true });
    expect(started - before).toBe(2);
  });

  test("keeps a large response in a file without a name, which the answering thread reads", async () => {
    const { text, file } = await askRaw(newPool(), "large");
    expect(file).toBeNumber();
    expect((JSON.parse(text) as { list: object[] }).list.length).toBe(300_000);
  });

  test("reads what was written before it was asked, however late its turn before ends", async () => {
    const workers = newPool();
    const named = (name: string) =>
      database.write(
        (trx) => sql`update organizations set name = ${name}`.execute(trx),
        NO_ORGANIZATION,
      );
    const before = await ask(workers, "names, answered slowly");
    await named("Oak Street");
    const after = await ask(workers, "names, answered slowly");
    await named("Maple Street");
    expect([before, after]).toEqual([
      { rows: [{ name: "Maple Street" }] },
      { rows: [{ name: "Oak Street" }] },
    ]);
  });

  test("has the clock of the answering thread while it is moved, and UTC", async () => {
    const workers = newPool();
    const instants = [clock.now()];
    let isAnswered = false;
    const asked = ask(workers, "clock").finally(() => (isAnswered = true));
    while (!isAnswered) {
      instants.push(clock.now() + 60_000);
      await clock.moveTo(clock.now() + 60_000);
      await Bun.sleep(5);
    }
    const { before = 0, after = 0, offset } = (await asked) as Record<string, number>;
    expect([before, after].map((at) => instants.includes(at))).toEqual([true, true]);
    expect([before < after, offset]).toEqual([true, new Date(0).getTimezoneOffset()]);
  });
});

describe("work that takes too long", () => {
  test("is a 503 at its limit, and a new worker goes on when the old one has ended", async () => {
    const workers = newPool({ read: 1_000 });
    expect(await errorOf(ask(workers, "forever"))).toEqual(tooLong);
    expect(await askAgain(() => ask(workers, "answer"))).toEqual({ answered: true });
  });

  test("is a 503 at its limit, too, in one statement, which ends the worker later", async () => {
    const workers = newPool({ read: 1_000 });
    const begun = performance.now();
    expect(await errorOf(ask(workers, "read forever"))).toEqual(tooLong);
    expect(performance.now() - begun).toBeLessThan(4_000);
    const asked = await askAgain(() => ask(workers, "answer"));
    expect(asked).toEqual({ answered: true });
  });

  test("is undone if it writes, and others write then", async () => {
    const workers = newPool({ write: 1_000 });
    const begun = performance.now();
    expect(await errorOf(ask(workers, "rename forever", { kind: "write" }))).toEqual(tooLong);
    await newOrganization(database);
    expect(performance.now() - begun).toBeLessThan(8_000);
    expect(await nameOf()).toBe("Maple Street");
  });

  test("is a 413 if it holds the lock for too long", async () => {
    const workers = newPool({ lock: 1_000 });
    const error = await errorOf(ask(workers, "rename forever", { kind: "write" }));
    expect(error).toEqual(new PlainError(413, "Send it in parts"));
    expect(await nameOf()).toBe("Maple Street");
  });
});

test("a client that has gone ends its own work, and none that comes after it", async () => {
  const workers = newPool();
  const controller = new AbortController();
  const gone = errorOf(ask(workers, "forever", { signal: controller.signal }));
  await Bun.sleep(200);
  controller.abort();
  expect(await gone).toEqual(clientGone());
  expect(await ask(workers, "answer")).toEqual({ answered: true });
  expect(await errorOf(ask(workers, "answer", { signal: controller.signal }))).toEqual(
    clientGone(),
  );
  expect(await ask(workers, "answer")).toEqual({ answered: true });
});

describe("work that fails", () => {
  test.each([
    ["by throwing", "throw", "RangeError", "E_TEST"],
    ["for want of memory", "no memory", "RangeError", undefined],
    ["where nobody catches", "throw elsewhere", "WorkerFailed", undefined],
    ["by ending its thread", "exit", "WorkerFailed", undefined],
  ])(
    "%s is a 500 without its message, and the next one is answered",
    async (_, act, name, code) => {
      const workers = newPool();
      const error = (await errorOf(ask(workers, act))) as PlainError;
      const cause = (error.cause ?? error) as Error & { code?: string };
      expect([cause.name, cause.code]).toEqual([name, code as never]);
      expect([error.message, cause.message, cause.stack].join()).not.toContain("Ana Ruiz");
      if (error instanceof PlainError) expect(error.status).toBe(500);
      expect(await ask(workers, "answer")).toEqual({ answered: true });
    },
  );
});

describe("a write", () => {
  test("is done when others may write again, and they see it", async () => {
    const workers = newPool();
    await ask(workers, "answer", { kind: "write" });
    const renamed = ask(workers, "rename slowly", { kind: "write" });
    while (!onPostgresql && !(await isFileLocked())) await Bun.sleep(1);
    expect(await nameOf()).toBe("Maple Street");
    await newOrganization(database, { name: "Another" });
    // On PostgreSQL, organizations have locks of their own.
    if (onPostgresql) await renamed;
    expect(await nameOf()).toBe("Renamed");
    await renamed;
    await database.write(
      (trx) => trx.updateTable("organizations").set({ name: "Maple Street" }).execute(),
      { organizationId: organization },
    );
  });

  test("is ended neither by its client nor by a limit once it commits", async () => {
    const workers = newPool({ write: 2_000, lock: 2_000 });
    await ask(workers, "answer", { kind: "write" });
    const controller = new AbortController();
    const renamed = ask(workers, "rename, then wait", { kind: "write", signal: controller.signal });
    while ((await nameOf()) !== "Renamed") await Bun.sleep(10);
    controller.abort();
    expect(await renamed).toEqual({ renamed: true });
  });
});

test("closing ends work, waits for the threads, and leaves no descriptors", async () => {
  const workers = new ThreadPool(startWorker, { database, clock: undefined }, limits);
  const descriptors = () => readdirSync("/proc/self/fd").length;
  const before = descriptors();
  const running = [
    errorOf(ask(workers, "forever")),
    errorOf(ask(workers, "rename forever", { kind: "write" })),
  ];
  await Bun.sleep(300);
  await workers.close();
  expect(await Promise.all(running)).toEqual([clientGone(), clientGone()]);
  await Bun.sleep(50);
  if (process.platform === "linux") expect(descriptors()).toBeLessThanOrEqual(before);
});

describe("the service", () => {
  const workers = newPool({ read: 1_000 });
  const act = { name: "answer" };
  const service = new TestService(database, {
    threads: {
      run: (task, kind, signal) => workers.run({ ...task, query: { do: act.name } }, kind, signal),
    },
  });

  test.each([
    ["forever", 503, "Takes too long; ask for less"],
    ["throw", 500, "Internal server error"],
    ["throw elsewhere", 500, "Internal server error"],
  ])("answers %p with a %d, and records it", async (name, status, error) => {
    const key = await newApiKey(database, organization);
    act.name = name;
    const answer = await service.call("GET /api/v1/checks", { key });
    expect([answer.status, answer.body]).toEqual([status, { error, statusCode: status }]);
    const rows = await database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select(["route", "status", "patient_ids"])
        .where("organization_id", "=", organization)
        .orderBy("sequence", "desc")
        .limit(1)
        .execute(),
    );
    expect(rows).toEqual([{ route: "/v1/checks", status, patient_ids: "[]" }]);
    expect(JSON.stringify(service.log)).not.toContain("Ana Ruiz");
    act.name = "answer";
    const again = await askAgain(async () => {
      const { status } = await service.app.handle(checksWith(key));
      return status === 503 ? Promise.reject(new Error("busy")) : status;
    });
    expect(again).toBe(200);
  });
});

function checksWith(key: string): Request {
  return new Request("http://localhost/api/v1/checks", {
    headers: { Authorization: `Bearer ${key}` },
  });
}
