import { afterAll, afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { Database as SqliteFile } from "bun:sqlite";
import { join } from "node:path";
import { sql } from "kysely";
import type { Database, Db } from "../../db/database.ts";
import { connectFile } from "../../db/sqlite/connect.ts";
import { isLocked, isTemporary } from "../../db/errors.ts";
import { LOCK_TIMEOUT } from "../../db/group-commit.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newOrganization } from "../support/factories.ts";
import { NOW, newDatabase, temporaryFolder } from "../support/harness.ts";
import { statementsOf } from "../support/statements.ts";

/** `write` of a SQLite database: writes of one turn of the event loop share a transaction. */

const database = await newDatabase();
const organization = await newOrganization(database);

// A group ends by its clock, and on a busy machine one write may take that long: here, tests tell the time.
let now: number;
let clock: ReturnType<typeof spyOn>;
beforeEach(() => {
  now = 0;
  clock = spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => clock.mockRestore());

/** A location whose id names its test. */
function addLocation(publicId: string): (trx: Db) => Promise<string> {
  return async (trx) => {
    const row = { organization_id: organization, public_id: publicId, name: "Main clinic" };
    await trx.insertInto("locations").values(row).execute();
    return publicId;
  };
}

/** A link to unknown users, which SQLite detects only at the commit. */
async function addBrokenLink(trx: Db): Promise<void> {
  const row = { organization_id: organization, clinician_id: "usr_none", technician_id: "usr_no" };
  await trx.insertInto("care_team_links").values(row).execute();
}

async function locations(prefix: string, from: Database = database): Promise<string[]> {
  const rows = await from.read((db) =>
    db
      .selectFrom("locations")
      .select("public_id")
      .where("public_id", "like", `${prefix}%`)
      .orderBy("public_id")
      .execute(),
  );
  return rows.map((row) => row.public_id);
}

function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test("writes of one turn of the event loop share one transaction, and so one sync", async () => {
  const { result, statements } = await statementsOf(() =>
    Promise.all(
      ["share_1", "share_2", "share_3"].map((id) =>
        database.write(addLocation(id), { organizationId: organization }),
      ),
    ),
  );
  expect(result).toEqual(["share_1", "share_2", "share_3"]);
  expect(statements.filter((text) => /^(begin|commit)/.test(text))).toEqual([
    "begin immediate",
    "commit",
  ]);
});

test("results are returned only after the commit", async () => {
  const results = ["heard_1", "heard_2"].map(async (id) => {
    await database.write(addLocation(id), { organizationId: organization });
    return locations("heard_");
  });
  expect(await Promise.all(results)).toEqual([
    ["heard_1", "heard_2"],
    ["heard_1", "heard_2"],
  ]);
});

test("a write that throws is rolled back completely and does not affect other writes of its group", async () => {
  const failing = database.write(
    async (trx) => {
      await addLocation("savepoint_2")(trx);
      throw new RangeError("refused by the test");
    },
    { organizationId: organization },
  );
  const [first, error, third] = await Promise.all([
    database.write(addLocation("savepoint_1"), { organizationId: organization }),
    errorOf(failing),
    database.write(addLocation("savepoint_3"), { organizationId: organization }),
  ]);
  expect([first, third]).toEqual(["savepoint_1", "savepoint_3"]);
  expect(error).toEqual(new RangeError("refused by the test"));
  expect(await locations("savepoint_")).toEqual(["savepoint_1", "savepoint_3"]);
});

test("only a group in which a write throws is repeated, with a savepoint for each write", async () => {
  let runs = 0;
  const counted = (work: Promise<string> | undefined) => async () => {
    runs += 1;
    if (work === undefined) throw new RangeError("refused by the test");
    return work;
  };
  const savepoints = async (works: (() => Promise<string>)[]) => {
    runs = 0;
    const { statements } = await statementsOf(() =>
      Promise.allSettled(
        works.map((work) => database.write(work, { organizationId: organization })),
      ),
    );
    return { runs, savepoints: statements.filter((text) => text.startsWith("savepoint")).length };
  };
  const fine = counted(Promise.resolve("fine"));
  const failing = counted(undefined);
  expect(await savepoints([fine, fine, fine])).toEqual({ runs: 3, savepoints: 0 });
  expect(await savepoints([failing])).toEqual({ runs: 1, savepoints: 0 });
  expect(await savepoints([fine, failing, fine])).toEqual({ runs: 5, savepoints: 3 });
});

test("a write that throws before it returns a promise is rejected", async () => {
  const error = await errorOf(
    database.write(
      () => {
        throw new RangeError("at once");
      },
      { organizationId: organization },
    ),
  );
  expect(error).toEqual(new RangeError("at once"));
});

test("a violated constraint does not affect other writes of the group", async () => {
  const [first, error] = await Promise.all([
    database.write(addLocation("twice_1"), { organizationId: organization }),
    errorOf(database.write(addLocation("twice_1"), { organizationId: organization })),
  ]);
  expect(first).toBe("twice_1");
  expect(error).toMatchObject({ code: "SQLITE_CONSTRAINT_PRIMARYKEY" });
});

test("a deferred constraint, which only the commit checks, fails the write that violated it", async () => {
  const [first, error, third] = await Promise.all([
    database.write(addLocation("deferred_1"), { organizationId: organization }),
    errorOf(database.write(addBrokenLink, { organizationId: organization })),
    database.write(addLocation("deferred_3"), { organizationId: organization }),
  ]);
  expect([first, third]).toEqual(["deferred_1", "deferred_3"]);
  expect(error).toMatchObject({ code: "SQLITE_CONSTRAINT_FOREIGNKEY" });
  expect(await locations("deferred_")).toEqual(["deferred_1", "deferred_3"]);
});

test("a full disk rejects all writes of the group and stores none", async () => {
  const full = await smallDatabase();
  const outcomes = await Promise.all([
    errorOf(full.write(addLocation("full_1"), { organizationId: organization })),
    errorOf(full.write((trx) => fillUp(trx), { organizationId: organization })),
    errorOf(full.write(addLocation("full_3"), { organizationId: organization })),
  ]);
  expect(outcomes.map((error) => (error as { code?: string }).code)).toEqual([
    "SQLITE_FULL",
    "SQLITE_FULL",
    "SQLITE_FULL",
  ]);
  expect(outcomes.every(isTemporary)).toBe(true);
  expect(await locations("full_", full)).toEqual([]);
  await full.write((trx) => sql`pragma max_page_count = 100000`.execute(trx), {
    organizationId: organization,
  });
  expect(await full.write(addLocation("full_4"), { organizationId: organization })).toBe("full_4");
});

/** A database that may grow by a few pages only, as on a nearly full disk. */
async function smallDatabase(): Promise<Database> {
  const small = connectFile(join(temporaryFolder(), "small.db"), "create");
  afterAll(() => small.close());
  await migrate(small, NOW as Instant);
  await newOrganization(small, { public_id: organization });
  await small.write((trx) => sql`pragma max_page_count = 1`.execute(trx), {
    organizationId: organization,
  });
  return small;
}

async function fillUp(trx: Db): Promise<void> {
  const name = "x".repeat(1_000_000);
  const row = { organization_id: organization, public_id: "full_2", name };
  await trx.insertInto("locations").values(row).execute();
}

test("a write that is started by the result of another one is executed", async () => {
  const second = database
    .write(addLocation("chain_1"), { organizationId: organization })
    .then(() => {
      return database.write(addLocation("chain_2"), { organizationId: organization });
    });
  expect(await second).toBe("chain_2");
});

test("a write waits for another process's lock without blocking the event loop", async () => {
  const path = join(temporaryFolder(), "locked.db");
  const locked = connectFile(path, "create");
  await migrate(locked, NOW as Instant);
  const otherProgram = new SqliteFile(path);
  otherProgram.run("begin immediate");
  let isDone = false;
  const write = newOrganization(locked, { public_id: "org_1" }).then((id) => {
    isDone = true;
    return id;
  });

  const begun = Date.now();
  for (let turn = 0; turn < 20; turn += 1) await Bun.sleep(2);
  expect(isDone).toBe(false);
  expect(Date.now() - begun).toBeLessThan(LOCK_TIMEOUT);

  otherProgram.run("commit");
  otherProgram.close();
  expect(await write).toBe("org_1");
  await locked.close();
});

test("a write stops waiting for a lock after ten seconds, or after its own timeout", async () => {
  const path = join(temporaryFolder(), "held.db");
  const held = connectFile(path, "create");
  await migrate(held, NOW as Instant);
  const otherProgram = new SqliteFile(path);
  otherProgram.run("begin immediate");
  const writeAt = (instant: number, lockTimeout?: number): Promise<unknown> => {
    now = instant;
    return errorOf(
      held.write(async () => {}, {
        organizationId: organization,
        ...(lockTimeout && { lockTimeout }),
      }),
    );
  };
  const writes = [writeAt(0), writeAt(0, 1_000), writeAt(3_000)];
  const givenUp = () => writes.map((write) => Bun.peek.status(write) === "fulfilled");
  // On a busy machine, the next attempt to get the lock can come after the first pause.
  const expectAt = async (instant: number, expected: boolean[]): Promise<void> => {
    now = instant;
    for (let pause = 0; pause < 3 || (pause < 500 && `${givenUp()}` !== `${expected}`); pause += 1)
      await Bun.sleep(10);
    expect(givenUp()).toEqual(expected);
  };
  await expectAt(999, [false, false, false]);
  await expectAt(1_000, [false, true, false]);
  await expectAt(9_999, [false, true, false]);
  await expectAt(10_000, [true, true, false]);
  await expectAt(13_000, [true, true, true]);
  for (const error of await Promise.all(writes))
    expect([isLocked(error), isTemporary(error)]).toEqual([true, true]);
  otherProgram.close();
  expect(await newOrganization(held, { public_id: "org_1" })).toBe("org_1");
  await held.close();
});

test("writes that arrived while another process held the lock share one transaction", async () => {
  const path = join(temporaryFolder(), "joined.db");
  const joined = connectFile(path, "create");
  await migrate(joined, NOW as Instant);
  const otherProgram = new SqliteFile(path);
  otherProgram.run("begin immediate");
  const { statements } = await statementsOf(async () => {
    const writes = ["org_1", "org_2"].map(async (public_id, index) => {
      await Bun.sleep(20 * index);
      return newOrganization(joined, { public_id });
    });
    await Bun.sleep(60);
    otherProgram.close();
    await Promise.all(writes);
  });
  expect(statements.filter((text) => text === "commit")).toHaveLength(1);
  await joined.close();
});

test("a group ends after 50 ms: it is committed before further writes begin", async () => {
  const begun: number[] = [];
  const writes = Array.from({ length: 6 }, (_, number) =>
    database.write(
      async (trx) => {
        begun.push(number);
        now += 30;
        return addLocation(`bounded_${number}`)(trx);
      },
      { organizationId: organization },
    ),
  );
  await writes[0];
  expect(begun).toEqual([0, 1]);
  expect(await Promise.all(writes)).toEqual([0, 1, 2, 3, 4, 5].map((n) => `bounded_${n}`));
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
});

test("audit entries are written before waiting writes", async () => {
  const begun: string[] = [];
  const write = (name: string, isTrailOnly: boolean) =>
    database.write(async () => void begun.push(name), {
      organizationId: organization,
      isTrailOnly,
    });
  await Promise.all([write("one", false), write("two", false), write("rows", true)]);
  expect(begun).toEqual(["rows", "one", "two"]);
});

test("a long write has its own transaction, after the writes that share one", async () => {
  const ended = Promise.withResolvers<void>();
  const options = { organizationId: organization };
  const { statements } = await statementsOf(async () => {
    const first = database.write(addLocation("long_1"), options);
    const long = database.write(() => ended.promise, { ...options, isLong: true });
    const second = database.write(addLocation("long_2"), options);
    await Promise.all([first, second]);
    expect(await locations("long")).toEqual(["long_1", "long_2"]);
    ended.resolve();
    await long;
  });
  // One for both short writes, one for the long one, and one for the read.
  expect(statements.filter((text) => text === "commit")).toHaveLength(3);
});

test("long writes alternate with others, so that neither wait for several of them", async () => {
  const begun: string[] = [];
  const write = (name: string, options: { isTrailOnly?: boolean; isLong?: boolean }) =>
    database.write(async () => void begun.push(name), { organizationId: organization, ...options });
  const steadyReads = async () => {
    for (let count = 0; count < 4; count += 1) await write("rows", { isTrailOnly: true });
  };
  const long = () => write("long", { isLong: true });
  await Promise.all([long(), long(), steadyReads()]);
  expect(begun).toEqual(["rows", "long", "rows", "long", "rows", "rows"]);
});

test("only errors of SQLite are recognized by their codes", () => {
  const lookalike = Object.assign(new Error("database is locked"), { errno: 5 });
  expect([isLocked(lookalike), isTemporary(lookalike), isTemporary(undefined)]).toEqual([
    false,
    false,
    false,
  ]);
});
