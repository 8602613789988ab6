import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importRecords, newKey } from "../../../bench/data.ts";
import { openMigrated } from "../../../src/commands/database.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { PracticeRecord } from "../../../src/practice-file/model.ts";
import { startServer } from "../../support/commands/program.ts";
import {
  largestPractice,
  ORGANIZATION,
  overlappingSessions,
} from "../../support/http/largest-practice.ts";
import { newDatabaseUrl } from "../../support/postgresql/databases.ts";
import { newTestServer } from "../../support/postgresql/server.ts";

/**
 * No request may keep others waiting, whatever is stored. Each operation is used once on a practice with the largest
 * lists that can be stored; meanwhile another key reads small pages, one after the other, and none may take longer than
 * a quarter of a second. Then 8,000 overlapping sessions of a technician are checked, in at most 2.5 times the time and
 * with 250 MB more than 8,000 sessions in a row. Runs on SQLite, and with `--postgresql` on its own server.
 */

const MAX_WAIT = 250;
const MAX_RATIO = 2.5;
const MAX_MEMORY = 250;

const window = "startDate=2026-01-01&endDate=2026-12-31";
const operations = [
  ...["users?role=PATIENT&pageSize=100", "users?role=CLINICIAN&pageSize=100", "users?pageSize=100"],
  ...["users?search=a&pageSize=100", "users/usr_patient_1", "users/usr_clinician_1"],
  ...["sessions?pageSize=100", "sessions?pageSize=100&page=300", "sessions?technicianId=usr_tech"],
  ...["encounters?pageSize=100", "encounters?authorizationId=auth_busy&page=300&pageSize=100"],
  ...["authorization-utilization?pageSize=100", "authorization-utilization?sort=endDate"],
  "authorization-utilization/auth_busy?timezone=UTC",
  "authorization-utilization/apool_1?timezone=UTC",
  "authorization-utilization/auth_busy/summary?timezone=UTC",
  "authorization-utilization/apool_1/summary?timezone=UTC",
  "authorization-utilization/auth_busy/ledger?timezone=UTC",
  "sessions/apt_busy_0/utilization",
  ...[`checks?${window}`, `delivery?${window}`, "supervision?month=2026-03"],
  ...["goals?pageSize=100", "goals/goal_recorded", "goals/goal_tree", "treatment-plans"],
  ...["intake-leads?pageSize=100", "intake-leads/lead_1", "locations?pageSize=100", "me"],
  "practice-file",
];

const onPostgresql = process.argv.includes("--postgresql");
const server = onPostgresql ? await newTestServer() : undefined;
const cwd = mkdtempSync(join(tmpdir(), "caseload-test-"));
try {
  const url =
    server === undefined
      ? join(cwd, "caseload.db")
      : await newDatabaseUrl(server.url, "largest", "template0");
  process.exitCode = (await measure(url)) ? 0 : 1;
} finally {
  await server?.remove();
  rmSync(cwd, { recursive: true });
}

/** @returns whether all bounds are met. */
async function measure(database: string): Promise<boolean> {
  const keys = await prepare(database);
  const { program, url } = await startServer(["--database", database], { cwd });
  const get = async (path: string, key: string): Promise<number> => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return bytes;
  };
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, "utf8"))?.[1]) / 1024;

  /** Reads small pages while a request is answered. The best of three times, if others had to wait. */
  const during = async (path: string, key: string) => {
    let best = await once(path, key);
    for (let more = 2; more > 0 && best.wait > MAX_WAIT; more -= 1) {
      const next = await once(path, key);
      if (next.wait < best.wait) best = next;
    }
    return best;
  };
  const once = async (path: string, key: string) => {
    const [started, memoryBefore] = [performance.now(), memory()];
    let isDone = false;
    const request = get(path, key).finally(() => (isDone = true));
    let [wait, peak] = [0, memoryBefore];
    while (!isDone) {
      const asked = performance.now();
      await get("specializations", keys.other);
      wait = Math.max(wait, performance.now() - asked);
      peak = Math.max(peak, memory());
    }
    const bytes = await request;
    return { bytes, wait, time: performance.now() - started, memory: peak - memoryBefore };
  };

  let isMet = true;
  const check = (isBelow: boolean, text: string) => {
    console.log(`${isBelow ? "ok" : "TOO MUCH"}: ${text}`);
    isMet &&= isBelow;
  };
  await during("checks", keys.other);
  for (const path of operations) {
    const { bytes, wait, time } = await during(path, keys.largest);
    check(
      wait <= MAX_WAIT,
      `${path}: ${Math.round(time)} ms, ${Math.round(bytes / 1024)} KiB; others waited ${Math.round(wait)} ms`,
    );
  }
  const fastest = async (key: string) => {
    const all = [];
    for (let time = 0; time < 5; time += 1) all.push(await once(`checks?${window}`, key));
    return {
      time: Math.min(...all.map(({ time }) => time)),
      memory: Math.max(...all.map(({ memory }) => memory)),
    };
  };
  const inRow = await fastest(keys.inRow);
  const overlapping = await fastest(keys.overlapping);
  check(
    overlapping.time <= MAX_RATIO * inRow.time && overlapping.memory <= MAX_MEMORY,
    `checks of overlapping sessions: ${Math.round(overlapping.time)} ms, in a row ${Math.round(inRow.time)} ms; ${Math.round(overlapping.memory)} MB`,
  );
  program.kill();
  await program.exited;
  return isMet;
}

async function prepare(url: string) {
  const silent = { message: () => {} } as never;
  const database = await openMigrated({ url, clock: systemClock, output: silent });
  const made = async (organization: string, records: Iterable<PracticeRecord>) => {
    await importRecords(database, records);
    return newKey(database, organization);
  };
  const keys = {
    largest: await made(ORGANIZATION, largestPractice()),
    inRow: await made("org_row", overlappingSessions("org_row", 60)),
    overlapping: await made("org_overlap", overlappingSessions("org_overlap", 0)),
    other: await made("org_other", overlappingSessions("org_other", 60, 10)),
  };
  await database.close();
  return keys;
}
