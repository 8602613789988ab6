import { Client } from "pg";
import { connect } from "../db/connect.ts";
import { connectFile } from "../db/sqlite/connect.ts";
import { copyDatabase } from "../src/copy/copy.ts";
import { systemClock } from "../src/lib/clock.ts";
import { toInstant } from "../src/lib/instant.ts";
import { newDatabaseUrl } from "../test/support/postgresql/databases.ts";
import { newTestServer, type TestServer } from "../test/support/postgresql/server.ts";
import { type DataSet, workingCopy } from "./data.ts";
import { type Figures, inRounds, load, loadAll, type Work } from "./load.ts";
import { BOTH_CORES } from "./machine.ts";
import { intakeLead, poolUtilization, sessionsPage, usersPage } from "./requests.ts";
import { startCaseload, withServers } from "./servers.ts";
import { CONNECTIONS, type Size } from "./size.ts";

/** The results of a data set on SQLite, and on PostgreSQL with one and two nodes. */
export interface EngineFigures {
  work: string;
  sessions: number;
  sqlite: Figures;
  oneNode: Figures;
  twoNodes: Figures;
}

const works: { name: string; work: (key: string) => Work }[] = [
  { name: "sessions page of 25", work: sessionsPage },
  { name: "users page of 25, nine roles", work: usersPage },
  { name: "utilization: pool of 4, weekly, a year, 3,500 records", work: poolUtilization },
  { name: "intake lead, synced to the disk", work: intakeLead },
];

/** A durable PostgreSQL server. Must be started before this process leaves the servers' core. */
export function startPostgresql(): Promise<TestServer> {
  return newTestServer({
    settings: { fsync: "on", full_page_writes: "on", shared_buffers: "1GB" },
  });
}

/**
 * Requests per second on the same data in SQLite and PostgreSQL, with audit rows. Nodes, PostgreSQL and load
 * share both cores, as on a single machine; the engines take turns.
 */
export async function measureEngines(
  sets: readonly DataSet[],
  postgresql: TestServer,
  size: Size,
): Promise<EngineFigures[]> {
  const figures: EngineFigures[] = [];
  for (const data of sets) figures.push(...(await measureSet(data, postgresql, size)));
  return figures;
}

async function measureSet(data: DataSet, postgresql: TestServer, size: Size) {
  const { key, sessions } = data;
  const file = await workingCopy(data, `${size.runFolder}/engines.db`);
  const url = await newDatabaseUrl(postgresql.url, `bench_${sessions}`, "template0");
  await copyInto(url, file);
  const nodeOn = (database: string) => () => startCaseload({ database, key }, BOTH_CORES);
  return withServers(
    { sqlite: nodeOn(file), first: nodeOn(url), second: nodeOn(url) },
    async ({ sqlite, first, second }) => {
      const figures: EngineFigures[] = [];
      for (const { name, work } of works) {
        const options = { seconds: size.shortSeconds, cores: BOTH_CORES };
        const whole = { ...options, connections: CONNECTIONS };
        const half = { ...options, connections: CONNECTIONS / 2 };
        const candidates = [
          { name: "sqlite", measure: () => load(sqlite, work(key), whole) },
          { name: "oneNode", measure: () => load(first, work(key), whole) },
          {
            name: "twoNodes",
            measure: () => loadAll([first, second], () => work(key), half),
          },
        ] as const;
        await inRounds(size.warmUps, candidates);
        const measured = await inRounds(size.rounds, candidates);
        figures.push({ work: name, sessions, ...measured });
      }
      return figures;
    },
  );
}

/** Copies a data set, and analyzes it for the planner, as autovacuum would. */
async function copyInto(url: string, file: string): Promise<void> {
  const [source, target] = [connectFile(file, "existing"), await connect(url, "existing")];
  try {
    await source.read((from) => copyDatabase(from, target, toInstant(systemClock.now())));
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("vacuum analyze");
  await client.end();
}
