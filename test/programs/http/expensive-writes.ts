import { rmSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../support/commands/program.ts";
import { newApiKey, newOrganization, newTreatmentPlan } from "../../support/factories.ts";
import { step } from "../../support/goals/bodies.ts";
import { newDatabaseUrl } from "../../support/postgresql/databases.ts";
import { newTestServer } from "../../support/postgresql/server.ts";
import { openMigrated } from "../../../src/commands/database.ts";
import { systemClock } from "../../../src/lib/clock.ts";

/**
 * The effect of one key on others. A CLINICIAN sends 60 concurrent updates, each of all children of
 * a goal tree with 500 goals. Meanwhile another user reads pages of sessions, one after the other.
 * No page may take half a second. Runs on SQLite, and with `--postgresql` on its own server. It
 * ends after a minute at the latest.
 */

const UPDATES = 60;
const CHILDREN = 499;
const MAX_PAGE_TIME = 500;
const TIME = 60_000;

setTimeout(() => {
  console.error(`Not done after ${TIME / 1000} s.`);
  process.exit(1);
}, TIME).unref();

const onPostgresql = process.argv.includes("--postgresql");
const server = onPostgresql ? await newTestServer() : undefined;
const cwd = mkdtempSync(join(tmpdir(), "caseload-test-"));
try {
  const url =
    server === undefined
      ? join(cwd, "caseload.db")
      : await newDatabaseUrl(server.url, "expensive", "template0");
  process.exitCode = (await longestPage(url)) < MAX_PAGE_TIME ? 0 : 1;
} finally {
  await server?.remove();
  rmSync(cwd, { recursive: true });
}

/** The duration of the slowest page, in milliseconds. */
async function longestPage(database: string): Promise<number> {
  const { clinician, admin, plan } = await prepare(database);
  const { program, url } = await startServer(["--database", database], { cwd });
  const send = (method: string, path: string, key: string, body?: string) =>
    fetch(`${url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body }),
    });
  const tree = step("A task analysis.", {
    ...{ type: "opportunity", treatmentPlanId: plan },
    childGoals: Array.from({ length: CHILDREN }, (_, index) => step(`Step ${index}.`)),
  });
  const made = await send("POST", "/goals", clinician, JSON.stringify(tree));
  const goal = (await made.json()) as { publicId: string; childGoals: { publicId: string }[] };

  const bodies = Array.from({ length: UPDATES }, (_, round) => ({
    childGoals: goal.childGoals.map(({ publicId }, index) => ({
      publicId,
      goalStatement: `Step ${index}, revision ${round}.`,
      successMetric: { value: round },
    })),
  })).map((body) => JSON.stringify(body));

  let isDone = false;
  const update = async (body: string): Promise<number> => {
    const answer = await send("PATCH", `/goals/${goal.publicId}`, clinician, body);
    await answer.arrayBuffer();
    return answer.status;
  };
  const started = performance.now();
  const updates = Promise.all(bodies.map(update)).finally(() => (isDone = true));
  const pages: number[] = [];
  while (!isDone) {
    const asked = performance.now();
    await (await send("GET", "/sessions", admin)).arrayBuffer();
    pages.push(performance.now() - asked);
  }
  const statuses = Map.groupBy(await updates, (status) => status);
  const longest = Math.max(...pages);
  const median = pages.toSorted((a, b) => a - b)[Math.floor(pages.length / 2)] ?? 0;
  console.log(
    `${[...statuses].map(([status, all]) => `${all.length} × ${status}`).join(", ")} in ${Math.round(performance.now() - started)} ms; ${pages.length} pages, the median ${Math.round(median)} ms, the longest ${Math.round(longest)} ms`,
  );
  program.kill();
  await program.exited;
  return longest;
}

async function prepare(url: string) {
  const silent = { message: () => {} } as never;
  const database = await openMigrated({ url, clock: systemClock, output: silent });
  const organization = await newOrganization(database);
  const prepared = {
    clinician: await newApiKey(database, organization, "CLINICIAN"),
    admin: await newApiKey(database, organization),
    plan: await newTreatmentPlan(database, organization),
  };
  await database.close();
  return prepared;
}
