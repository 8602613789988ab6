import { afterAll, expect, test } from "bun:test";
import { Client } from "pg";
import { send } from "../../db/postgresql/dialect.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/** Which statements a connection prepares once, to keep their plans. */

const server = await newTestServer();
const client = new Client({ connectionString: server.url });
await client.connect();

afterAll(async () => {
  await client.end();
  await server.remove();
});

async function isPrepared(text: string): Promise<boolean> {
  const { rows } = await client.query("select 1 from pg_prepared_statements where statement = $1", [
    text,
  ]);
  return rows.length === 1;
}

async function sendTimes(times: number, text: string, value: string): Promise<void> {
  for (let time = 0; time < times; time += 1) await send(client, text, [value]);
}

test("a statement is planned anew a hundred times, since tables may be new, and then prepared", async () => {
  const text = "select count(*) from pg_class where relname = $1";
  await sendTimes(100, text, "pg_class");
  expect(await isPrepared(text)).toBe(false);
  await sendTimes(1, text, "pg_class");
  expect(await isPrepared(text)).toBe(true);
});

test("a search is planned for its terms on every execution", async () => {
  const text = "select count(*) from pg_class where relname like $1";
  await sendTimes(102, text, "%class%");
  expect(await isPrepared(text)).toBe(false);
});
