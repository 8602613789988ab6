import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Client } from "pg";
import { Wire } from "../../db/postgresql/wire.ts";
import { newTestDatabaseUrl } from "./databases.ts";

/** What is asked on a connection and what comes back, beside what pg itself makes of the same. */

let url: string;
let pg: Client;
let wire: Wire;
const clients: Client[] = [];

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  clients.push(client);
  return client;
}

async function newWire(patience = 0): Promise<Wire> {
  return new Wire(await connected(), patience);
}

beforeAll(async () => {
  url = await newTestDatabaseUrl();
  [pg, wire] = [await connected(), await newWire()];
});

afterAll(() => Promise.all(clients.map((client) => client.end())));

const execute = (text: string, values: unknown[] = []) => wire.execute(text, values, true);
const valueOf = async (expression: string, values: unknown[] = []) =>
  (await execute(`select ${expression} as value`, values)).rows[0];

describe("values", () => {
  const texts = fc
    .string({ unit: "binary", maxLength: 300 })
    .filter((text) => !text.includes("\0"));
  const columns = fc.record({
    text: fc.option(texts),
    number: fc.option(fc.integer()),
    texts: fc.array(fc.option(texts), { maxLength: 4 }),
    numbers: fc.array(fc.integer(), { maxLength: 4 }),
  });
  const types = { text: "text", number: "int", texts: "text[]", numbers: "int[]" };

  test("come back as they were sent, and as pg reads them", async () => {
    const names = Object.entries(types).map(
      ([name, type], index) => `$${index + 1}::${type} as ${name}`,
    );
    const text = `select ${names.join(", ")}`;
    const sent = fc.asyncProperty(fc.array(columns, { maxLength: 8 }), async (rows) => {
      const answers = await Promise.all(rows.map((row) => execute(text, Object.values(row))));
      expect(answers.map(({ rows }) => rows)).toEqual(rows.map((row) => [row]));
      for (const row of rows) {
        const { rows: expected } = await pg.query(text, Object.values(row));
        expect(expected).toEqual([row]);
      }
    });
    await fc.assert(sent, { numRuns: 30 });
  });

  test("of other types are what pg makes of them, and counts and sums are numbers", async () => {
    const text = `select true as yes, 1.5::float8 as half, '{"a": [1]}'::jsonb as json, null as nothing`;
    expect((await execute(text)).rows).toEqual((await pg.query(text)).rows);
    expect(await valueOf("count(*)")).toEqual({ value: 1 });
    const sum = "select sum(n::numeric) as value from generate_series(1, 4) n";
    expect((await execute(sum)).rows).toEqual([{ value: 10 }]);
  });

  test("longer than what comes at once", async () => {
    const text = "é\u{1F600}x".repeat(100_000);
    const [one, two] = await Promise.all([valueOf("$1::text", [text]), valueOf("$1::text", ["a"])]);
    expect(one).toEqual({ value: text });
    expect(two).toEqual({ value: "a" });
  });

  test("of many rows, and how many were changed", async () => {
    await execute("create temporary table numbers (n integer)");
    const added = await execute("insert into numbers select generate_series(1, 5000)");
    expect(added).toEqual({ rows: [], rowCount: 5000 });
    expect((await execute("delete from numbers where n > 10")).rowCount).toBe(4990);
    const { rows } = await execute("select n from numbers order by n");
    expect(rows).toEqual(Array.from({ length: 10 }, (_, index) => ({ n: index + 1 })));
  });
});

test("many statements under way are answered in order, and one that fails fails alone", async () => {
  const numbers = [3, 2, 1, 0, 1, 2];
  const answers = await Promise.allSettled(
    numbers.map((number) => execute("select 6 / $1::int as value", [number])),
  );
  expect(
    answers.map((answer) => (answer.status === "fulfilled" ? answer.value.rows : "failed")),
  ).toEqual([
    [{ value: 2 }],
    [{ value: 3 }],
    [{ value: 6 }],
    "failed",
    [{ value: 6 }],
    [{ value: 3 }],
  ]);
  const failure = execute("select 1 / 0");
  await expect(failure).rejects.toMatchObject({ code: "22012", severity: "ERROR" });
});

test("a statement that cannot be prepared is prepared when it can", async () => {
  const count = () => execute("select n from late");
  await expect(count()).rejects.toMatchObject({ code: "42P01" });
  await execute("create temporary table late (n integer)");
  expect(await count()).toEqual({ rows: [], rowCount: 0 });
});

test("a statement whose columns have changed is prepared anew after it has failed once", async () => {
  await execute("create temporary table changing as select 1 as n");
  const read = async () => (await execute("select * from changing")).rows;
  expect(await read()).toEqual([{ n: 1 }]);
  await execute("alter table changing add column text text default 'a'");
  await expect(read()).rejects.toMatchObject({ code: "0A000" });
  expect(await read()).toEqual([{ n: 1, text: "a" }]);
});

test("a statement is kept by the connection, or is not", async () => {
  await execute("select 1 as kept");
  await wire.execute("select 1 as passing", [], false);
  const { rows } = await execute("select statement from pg_prepared_statements");
  expect(rows).toContainEqual({ statement: "select 1 as kept" });
  expect(rows).not.toContainEqual({ statement: "select 1 as passing" });
});

test("it is idle when nothing is asked of it and no transaction is open", async () => {
  const asked = execute("begin");
  expect(wire.isIdle).toBe(false);
  await asked;
  expect(wire.isIdle).toBe(false);
  await execute("rollback");
  expect(wire.isIdle).toBe(true);
});

describe("a connection that is lost", () => {
  test("fails what is asked and what is asked later", async () => {
    const lost = await newWire();
    const { rows } = await lost.execute<{ pid: number }>(
      "select pg_backend_pid() as pid",
      [],
      true,
    );
    const asked = [1, 2].map(() => lost.execute("select pg_sleep(60)", [], true));
    const outcomes = Promise.allSettled(asked);
    await pg.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(lost.execute("select 1", [], true)).rejects.toThrow();
    expect(lost.isIdle).toBe(false);
  });

  test("because the server is silent for too long", async () => {
    const impatient = await newWire(200);
    await impatient.execute("select pg_sleep(0.1)", [], true);
    await Bun.sleep(300);
    expect(impatient.isIdle).toBe(true);
    await expect(impatient.execute("select pg_sleep(60)", [], true)).rejects.toThrow();
    expect(impatient.isIdle).toBe(false);
  });
});
