import { Database as SqliteFile } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectFile } from "../db/sqlite/connect.ts";
import { tableLines } from "../src/commands/output.ts";
import { addDays, type CalendarDate } from "../src/lib/calendar-date.ts";
import { type Instant, toInstant } from "../src/lib/instant.ts";
import { findScope, readUtilization } from "../src/utilization/service.ts";

/**
 * Measures GET /v1/authorization-utilization/{publicId} for different numbers of sessions (and as many
 * encounters) of other patients:
 *
 *     bun bench/utilization.ts [--quick]
 *
 * Creates its own data in a temporary folder, which takes some minutes and 1 GB for the largest size;
 * `--quick` measures only the smallest size. Each subject has its own server:
 *
 *   cold    the first request of a fresh process, over a fresh connection
 *   warm    the median of the ones after, and the 99th percentile
 *   counted the median of reading and counting alone, without HTTP, key and audit trail
 *
 * The file is always in the page cache of the operating system.
 */

const SIZES = process.argv.includes("--quick") ? [10_000] : [10_000, 100_000, 1_000_000];
const WARM_REQUESTS = 200;

const ORGANIZATION = "org_bench";
const YEAR_START = "2025-01-01" as CalendarDate;
const YEAR_END = "2025-12-31" as CalendarDate;
const NOW = "2025-12-01T15:00:00.000Z" as Instant;
const QUERY = `startDate=${YEAR_START}&endDate=${YEAR_END}`;

interface Subject {
  publicId: string;
  shown: string;
  members: number;
  unitFrequency: string;
  /** Sessions of all members together, and as many encounters. */
  sessions: number;
}

const subjects: Subject[] = [
  {
    publicId: "auth_alone",
    shown: "1 authorization, WEEKLY, 240 records",
    members: 1,
    unitFrequency: "WEEKLY",
    sessions: 120,
  },
  {
    publicId: "apool_small",
    shown: "pool of 4, WEEKLY, 3,500 records",
    members: 4,
    unitFrequency: "WEEKLY",
    sessions: 1_750,
  },
  {
    publicId: "apool_large",
    shown: "pool of 50, DAILY, 40,000 records",
    members: 50,
    unitFrequency: "DAILY",
    sessions: 20_000,
  },
];

const folder = mkdtempSync(join(tmpdir(), "caseload-bench-"));
try {
  const rows: string[][] = [];
  for (const size of SIZES) {
    const path = join(folder, `${size}.db`);
    await caseload(path, "migrate");
    makeData(path, size);
    const holder = ["--organization", ORGANIZATION, "--role", "ADMIN", "--name", "bench"];
    const key = await caseload(path, "keys", "create", ...holder);
    for (const subject of subjects) {
      const served = await measureServer(path, key, subject);
      const counted = await measureCounting(path, subject);
      rows.push([String(size), subject.shown, ...served, counted]);
    }
    rmSync(path);
  }
  const head = [
    "OTHER SESSIONS",
    "SUBJECT, A YEAR",
    "COLD MS",
    "WARM MS",
    "P99 MS",
    "KB",
    "COUNTED MS",
  ];
  console.log(tableLines(head, rows).join("\n"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a command of the program on a database, and returns its output. */
async function caseload(path: string, ...args: string[]): Promise<string> {
  const program = spawn(path, args);
  const printed = await program.stdout.text();
  if ((await program.exited) !== 0) throw new Error(`caseload ${args.join(" ")} failed`);
  return printed.trim();
}

function spawn(path: string, args: string[]) {
  const main = join(import.meta.dir, "../src/main.ts");
  return Bun.spawn([process.execPath, main, "--database", path, ...args], {
    stdout: "pipe",
    stderr: "ignore",
  });
}

async function measureServer(path: string, key: string, subject: Subject): Promise<string[]> {
  const server = spawn(path, ["serve", "--port", "0"]);
  try {
    const url = await addressOf(server.stdout);
    const ask = async () => {
      const started = performance.now();
      const response = await fetch(
        `${url}/api/v1/authorization-utilization/${subject.publicId}?${QUERY}`,
        { headers: { Authorization: `Bearer ${key}` } },
      );
      const body = await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`The server answered ${response.status}`);
      return { milliseconds: performance.now() - started, bytes: body.byteLength };
    };
    const cold = await ask();
    const warm: number[] = [];
    for (let count = 0; count < WARM_REQUESTS; count++) warm.push((await ask()).milliseconds);
    return [
      cold.milliseconds.toFixed(1),
      quantile(warm, 0.5).toFixed(2),
      quantile(warm, 0.99).toFixed(2),
      (cold.bytes / 1000).toFixed(0),
    ];
  } finally {
    server.kill();
    await server.exited;
  }
}

/** The address that the server prints when it is ready. */
async function addressOf(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const decoder = new TextDecoder();
  let printed = "";
  for await (const piece of output) {
    printed += decoder.decode(piece, { stream: true });
    const [, url] = /answers at (\S+)\n/.exec(printed) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("The server did not start");
}

async function measureCounting(path: string, { publicId }: Subject): Promise<string> {
  const database = connectFile(path, "existing");
  const request = {
    organizationId: ORGANIZATION,
    publicId,
    startDate: YEAR_START,
    endDate: YEAR_END,
    now: NOW,
  };
  const taken: number[] = [];
  for (let count = 0; count < WARM_REQUESTS; count++) {
    const started = performance.now();
    await database.read(async (db) => readUtilization(db, await findScope(db, request)));
    taken.push(performance.now() - started);
  }
  await database.close();
  return quantile(taken, 0.5).toFixed(2);
}

function quantile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0;
}

/** A practice with the subjects, and sessions of other patients, 400 each, with an encounter for each session. */
function makeData(path: string, otherSessions: number): void {
  const file = new SqliteFile(path);
  file.run("pragma synchronous = off");
  file.run("begin");
  const insert = inserter(file);
  insert("organizations", {
    public_id: ORGANIZATION,
    name: "Bench",
    time_zone: "America/New_York",
    week_starts_on: "SUNDAY",
    created_at: NOW,
  });
  const named = { organization_id: ORGANIZATION, name: "Bench" };
  insert("locations", { ...named, public_id: "loc_bench" });
  insert("payors", { ...named, public_id: "pay_bench" });
  insert("service_lines", { ...named, public_id: "svc_bench", billing_unit_minutes: 15 });

  let made = 0;
  const patients = [...subjects];
  for (let rest = otherSessions, index = 0; rest > 0; rest -= 400, index++)
    patients.push({
      publicId: `auth_other_${index}`,
      shown: "",
      members: 1,
      unitFrequency: "WEEKLY",
      sessions: Math.min(400, rest),
    });

  for (const [index, subject] of patients.entries()) {
    const patient_id = `usr_${index}`;
    insert("users", {
      organization_id: ORGANIZATION,
      public_id: patient_id,
      role: "PATIENT",
      first_name: "Leo",
      last_name: "Park",
      is_active: 1,
      should_send_sms: 0,
      time_zone: "America/New_York",
      last_name_key: "park",
      first_name_key: "leo",
      search_text: "leo\npark",
      created_at: NOW,
      updated_at: NOW,
    });
    const authorizations = addAuthorizations(insert, patient_id, subject);
    for (let count = 0; count < subject.sessions; count++, made++)
      addSession(insert, patient_id, authorizations[count % authorizations.length]!, {
        number: made,
        start: startOf(count / subject.sessions),
      });
  }
  file.run("commit");
  file.close();
}

type Insert = ReturnType<typeof inserter>;

/** Returns a function that inserts rows; the columns of a table must always be the same. */
function inserter(file: SqliteFile) {
  return (table: string, row: Record<string, string | number | null>): void => {
    const columns = Object.keys(row);
    const places = columns.map(() => "?").join(", ");
    file
      .query(`insert into ${table} (${columns.join(", ")}) values (${places})`)
      .run(...Object.values(row));
  };
}

/** Inserts the authorization, or the pool and its members; returns the ids of the authorizations. */
function addAuthorizations(
  insert: Insert,
  patient_id: string,
  { publicId, members, unitFrequency }: Subject,
): string[] {
  const isPool = publicId.startsWith("apool_");
  if (isPool)
    insert("authorization_pools", {
      organization_id: ORGANIZATION,
      public_id: publicId,
      patient_id,
      payor_id: "pay_bench",
      total_units: 800,
      unit_frequency: unitFrequency,
      is_unlimited: 0,
    });
  const ids = Array.from({ length: members }, (_, index) =>
    isPool ? `auth_of_${publicId}_${index}` : publicId,
  );
  for (const public_id of ids)
    insert("authorizations", {
      organization_id: ORGANIZATION,
      public_id,
      patient_id,
      authorization_pool_id: isPool ? publicId : null,
      authorization_number: "A-100",
      authorization_status: "AUTHORIZED",
      authorized_units_quantity: isPool ? null : 80,
      authorized_unit_frequency: isPool ? null : unitFrequency,
      service_line_id: "svc_bench",
      authorization_date: YEAR_START,
      authorization_expiration_date: YEAR_END,
    });
  return ids;
}

/** An instant of a working day, at a fraction of the year. */
function startOf(part: number): number {
  const date = addDays(YEAR_START, Math.floor(part * 365));
  return Date.parse(`${date}T14:00:00.000Z`) + Math.floor((part * 365 * 32) % 32) * 900_000;
}

function addSession(
  insert: Insert,
  client_id: string,
  authorization_id: string,
  { number, start }: { number: number; start: number },
): void {
  const minutes = [60, 90, 23, 120, 45][number % 5]!;
  insert("sessions", {
    organization_id: ORGANIZATION,
    public_id: `apt_${number}`,
    title: "Direct therapy",
    status: number % 9 === 0 ? "DECLINED" : "CONFIRMED",
    start_time: toInstant(start),
    end_time: toInstant(start + minutes * 60_000),
    is_supervision: 0,
    is_client_present: 1,
    place_of_service: "HOME",
    location_id: "loc_bench",
    client_id,
    is_billable: 1,
    is_telehealth: 0,
    service_line_id: "svc_bench",
    authorization_id,
  });
  insert("encounters", {
    organization_id: ORGANIZATION,
    public_id: `enc_${number}`,
    authorization_id,
    session_id: `apt_${number}`,
    start_time: toInstant(start),
    units: minutes / 15,
  });
}
