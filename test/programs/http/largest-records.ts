import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importRecords, newKey } from "../../../bench/data.ts";
import { openMigrated } from "../../../src/commands/database.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { PracticeRecord } from "../../../src/practice-file/model.ts";
import { startHeldServer } from "../../support/http/hold.ts";
import {
  importedPatients,
  type LargeRequest,
  largestRequests,
  newPatient,
  refusedPatients,
} from "../../support/http/largest-bodies.ts";
import {
  largestPractice,
  ORGANIZATION,
  overlappingSessions,
} from "../../support/http/largest-practice.ts";
import { newDatabaseUrl } from "../../support/postgresql/databases.ts";
import { newTestServer } from "../../support/postgresql/server.ts";

/**
 * No request may keep others waiting, whatever is stored. Each operation is used once on a practice with the largest
 * lists that can be stored, and those with a body with the largest ones, while another key reads small pages. None may
 * use the processor for more than 50 ms in a turn of the event loop of the thread that answers, no statement takes more than 5 s, and no page is larger than
 * 50 MB. Then 8,000 overlapping sessions of a technician are checked, in at most 2.5 times the time and
 * with 250 MB more than 8,000 sessions in a row, and small pages in 300 ms; and 8 MiB are
 * imported as new patients, beside which other writes may wait for three seconds, on PostgreSQL for six. Runs on SQLite,
 * and with `--postgresql` on its own server.
 */

const onPostgresql = process.argv.includes("--postgresql");

/** In milliseconds. */
const MAX_HOLD = 50;
const MAX_STATEMENT = 5_000;
const MAX_WAIT = 300;
const MAX_WRITE_WAIT = onPostgresql ? 6_000 : 3_000;
const TIMES = 5;
const MAX_RATIO = 2.5;
const MAX_MEMORY = 250;
/** Of a response, in KiB. Exports and ledgers are streams. */
const MAX_RESPONSE = 50_000_000 / 1024;
const STREAMS = /^practice-file|ledger/;

/** A GET, or a request with a body. */
type Asked = Pick<LargeRequest, "path"> & Partial<LargeRequest>;

const window = "startDate=2026-01-01&endDate=2026-12-31";
const operations = [
  ...[
    "users?role=PATIENT&pageSize=100",
    "users?role=CLINICIAN&pageSize=100",
    "users?role=TECHNICIAN&pageSize=100",
  ],
  ...[
    "users?pageSize=100",
    "users?search=a&pageSize=100",
    "users/usr_patient_1",
    "users/usr_clinician_1",
  ],
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
  ...[`billing-lines?${window}`, `billing-lines?${window}&pageSize=1000`],
  ...["goals?pageSize=100", "goals/goal_recorded", "goals/goal_tree", "treatment-plans"],
  ...["intake-leads?pageSize=100", "intake-leads/lead_1", "locations?pageSize=100", "me"],
  "practice-file",
  `practice-file?types=session&ids=${Array.from({ length: 100 }, (_, index) => `apt_busy_${index}`)}`,
  ...["practice-file?types=user&ids=usr_patient_1,usr_clinician_1", "practice-file?ids=usr_tech"],
  "practice-file?types=goal&ids=goal_recorded",
];

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
  const { program, url, longestHold, longestStatement } = await startHeldServer(
    ["--database", database],
    { cwd },
  );
  /** @param otherStatus a status that is no mistake, besides the expected one. */
  const send = async (request: Asked, key: string, otherStatus?: number) => {
    const { method = "GET", path, body, contentType, status = 200 } = request;
    const response = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(contentType !== undefined && { "Content-Type": contentType }),
      },
      ...(body !== undefined && { body }),
      // An import may take long without a byte of its response.
      timeout: false,
    } as RequestInit);
    let [bytes, end] = [0, ""];
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      end = Buffer.from(chunk).toString().slice(0, 500);
    }
    if (response.status !== status && response.status !== otherStatus)
      throw new Error(`${method} ${path}: ${response.status} ${end}`);
    return { bytes, status: response.status };
  };
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, "utf8"))?.[1]) / 1024;

  const page: [Asked, string] = [{ path: "specializations" }, keys.other];
  /** Sends others' requests while one is answered. */
  const once = async (request: Asked, key: string, [other, otherKey] = page) => {
    const [started, memoryBefore] = [performance.now(), memory()];
    longestHold();
    longestStatement();
    let [isDone, isRefused] = [false, false];
    const sent = send(request, key).finally(() => (isDone = true));
    let [wait, peak] = [0, memoryBefore];
    while (!isDone) {
      const asked = performance.now();
      // As a write is that has waited for too long.
      const { status } = await send(other, otherKey, 503);
      isRefused ||= status === 503;
      wait = Math.max(wait, performance.now() - asked);
      peak = Math.max(peak, memory());
    }
    const { bytes } = await sent;
    const time = performance.now() - started;
    const [hold, statement] = [longestHold(), longestStatement()];
    return { bytes, wait, isRefused, time, hold, statement, memory: peak - memoryBefore };
  };
  /** Once, or the median of some times if it is too long: the first may compile, and collect others' garbage. */
  const usual = async (request: Asked, key: string) => {
    const all = [await once(request, key)];
    while (all.length < TIMES && all[0]!.hold > MAX_HOLD) all.push(await once(request, key));
    return all.toSorted((a, b) => a.hold - b.hold)[Math.floor(all.length / 2)]!;
  };

  let isMet = true;
  const check = (isBelow: boolean, text: string) => {
    console.log(`${isBelow ? "ok" : "TOO MUCH"}: ${text}`);
    isMet &&= isBelow;
  };
  await usual({ path: "checks" }, keys.other);
  const asked: [string, Asked][] = [
    ...operations.map((path): [string, Asked] => [path, { path }]),
    ...Object.entries(largestRequests()),
  ];
  for (const [name, request] of asked) {
    const { bytes, wait, isRefused, time, hold, statement } = await usual(request, keys.largest);
    const figures = [hold, wait, time, bytes / 1024].map(Math.round);
    check(
      hold <= MAX_HOLD &&
        statement <= MAX_STATEMENT &&
        !isRefused &&
        (STREAMS.test(name) || bytes / 1024 <= MAX_RESPONSE),
      `${name}: held for ${figures[0]} ms; others waited ${figures[1]} ms; ${figures[2]} ms, ${figures[3]} KiB; the longest statement ${Math.round(statement)} ms`,
    );
  }
  const path = `checks?${window}`;
  const fastest = async (key: string) => {
    const all = [];
    for (let time = 0; time < 5; time += 1) all.push(await once({ path }, key));
    return {
      time: Math.min(...all.map(({ time }) => time)),
      wait: Math.min(...all.map(({ wait }) => wait)),
      memory: Math.max(...all.map(({ memory }) => memory)),
    };
  };
  const inRow = await fastest(keys.inRow);
  const overlapping = await fastest(keys.overlapping);
  check(
    overlapping.time <= MAX_RATIO * inRow.time &&
      overlapping.memory <= MAX_MEMORY &&
      overlapping.wait <= MAX_WAIT,
    `checks of overlapping sessions: ${Math.round(overlapping.time)} ms, in a row ${Math.round(inRow.time)} ms; ${Math.round(overlapping.memory)} MB; others waited ${Math.round(overlapping.wait)} ms`,
  );
  // Statistics and plans of what was rolled back may not make it slower.
  await send(refusedPatients, keys.largest);
  const { time, wait, isRefused } = await once(importedPatients, keys.largest, [
    newPatient,
    keys.second,
  ]);
  check(
    wait <= MAX_WRITE_WAIT && !isRefused,
    `an import of 8 MiB after a dry run and a refused file: ${Math.round(time)} ms; another write waited ${Math.round(wait)} ms${isRefused ? ", and one got a 503" : ""}`,
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
    second: await newKey(database, ORGANIZATION),
    inRow: await made("org_row", overlappingSessions("org_row", 60)),
    overlapping: await made("org_overlap", overlappingSessions("org_overlap", 0)),
    other: await made("org_other", overlappingSessions("org_other", 60, 10)),
  };
  await database.close();
  return keys;
}
