import { afterAll } from "bun:test";
import { closeSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database, OpenDatabase } from "../../db/database.ts";
import { connect } from "../../db/connect.ts";
import { connectFile } from "../../db/sqlite/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { type AppDependencies, createApp, handlers } from "../../src/app.ts";
import { unnamedFileIfAny, writeBody } from "../../src/buffered-body.ts";
import { AuditRecorder } from "../../src/audit/recorder.ts";
import type { LogLine } from "../../src/http/context.ts";
import { RequestLogLimit } from "../../src/http/limits/request-log-limit.ts";
import { type Metrics, newMetrics } from "../../src/http/metrics.ts";
import { newRateLimits } from "../../src/http/limits/rate-limits.ts";
import type { ThreadPool } from "../../src/http/threads/pool.ts";
import { runHandler } from "../../src/http/threads/run-handler.ts";
import { RequestSlots } from "../../src/http/limits/request-slots.ts";
import { SlowUploads } from "../../src/http/limits/slow-uploads.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { parseInstant, toInstant } from "../../src/lib/instant.ts";
import {
  canariesIn,
  forget,
  parameterNames,
  personalParameters,
  plant,
  type Texts,
  textsIn,
  without,
} from "./canaries.ts";
import { checkAgainstDocument } from "./contract.ts";
import { newTestDatabaseUrl, onPostgresql, returnDatabase } from "./postgresql/databases.ts";

/** The service for tests: the real app on a real database, with a clock that stands still until a test sets it. */

/** The default time in tests: a Wednesday. */
export const NOW = "2026-03-11T15:00:00.000Z";

/** Where browsers open the page, in tests. */
export const ORIGIN = "https://caseload.example";

/** A folder that is removed after the test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "caseload-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A clock set by tests. */
export class TestClock implements Clock {
  #now = Date.parse(NOW);

  now(): number {
    return this.#now;
  }

  set(instant: string): void {
    const parsed = parseInstant(instant);
    if (parsed === undefined) throw new Error(`${instant} is no instant`);
    this.#now = Date.parse(parsed);
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** A migrated, empty database: a file, or a database on the PostgreSQL server of the test run. */
export async function newDatabase(): Promise<OpenDatabase> {
  return onPostgresql ? newServerDatabase() : openCopy(await migratedFile());
}

/** Opens a copy of a database file until the end of the test file. */
export function openCopy(content: Buffer): OpenDatabase {
  const path = join(temporaryFolder(), "caseload.db");
  writeFileSync(path, content, { mode: 0o600 });
  const database = connectFile(path, "existing");
  afterAll(() => {
    forget(database);
    return database.close();
  });
  return database;
}

let migrated: Promise<Buffer> | undefined;

function migratedFile(): Promise<Buffer> {
  migrated ??= fileWith(async () => {});
  return migrated;
}

/** Makes a migrated, empty database file: a copy, which takes a third of the time of making its tables. */
export async function makeFile(path: string): Promise<void> {
  writeFileSync(path, await migratedFile(), { mode: 0o600 });
}

/** The content of a new database file, after some work on it. */
export async function fileWith(work: (database: Database) => Promise<void>): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "caseload-test-"));
  const path = join(folder, "caseload.db");
  const database = connectFile(path, "create");
  await migrate(database, toInstant(Date.parse(NOW)));
  await work(database);
  await database.close();
  const content = readFileSync(path);
  rmSync(folder, { recursive: true });
  return content;
}

async function newServerDatabase(): Promise<OpenDatabase> {
  const url = await newTestDatabaseUrl();
  const database = await connect(url, "existing");
  afterAll(async () => {
    forget(database);
    await database.close();
    await returnDatabase(url);
  });
  return database;
}

/** Does what a worker does in the thread of the test, which is faster. What it would be sent is copied. */
export function inThisThread(database: Database, clock: Clock): Pick<ThreadPool, "run"> {
  return {
    async run(task) {
      const file = { file: unnamedFileIfAny(), mostBytes: Infinity };
      const copy = structuredClone({ ...task, file });
      const outcome = await runHandler(copy, {
        ...{ handlers, database, clock },
        buffer: (pieces) => writeBody(pieces, file),
      });
      const isUsed = "content" in outcome.answer && outcome.answer.content.file !== undefined;
      if (!isUsed && file.file !== undefined) closeSync(file.file);
      return structuredClone(outcome);
    },
  };
}

/** A response, for comparison in tests. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body, parsed if it is JSON, else as text; undefined if empty. */
  body: unknown;
}

export interface CallOptions {
  key?: string;
  headers?: Record<string, string>;
  /** The body, to be sent as JSON. */
  json?: unknown;
  /** The body, sent as it is; requires a Content-Type header. */
  raw?: string | Uint8Array<ArrayBuffer>;
}

/** Tests also send random texts, and shorter ones occur by chance: "ing" is part of many messages. */
const MIN_SENT_LENGTH = 6;

export class TestService {
  readonly clock = new TestClock();
  readonly log: LogLine[] = [];
  readonly app;
  readonly audit: AuditRecorder;
  readonly #metrics: Metrics;
  /** Log entries not yet searched for canaries. */
  readonly #unsearched: string[] = [];

  constructor(
    readonly database: Database,
    settings: Partial<AppDependencies> = {},
  ) {
    const slots = new RequestSlots();
    this.#metrics = settings.metrics ?? newMetrics(undefined, slots);
    this.audit = new AuditRecorder(database, (line) =>
      this.log.push({ time: toInstant(this.clock.now()), ...line }),
    );
    this.app = createApp({
      database,
      clock: this.clock,
      log: (line) => {
        this.log.push(line);
        this.#unsearched.push(JSON.stringify(line));
      },
      audit: this.audit,
      corsOrigins: [],
      https: false,
      limits: newRateLimits(undefined),
      requestLogLimit: new RequestLogLimit(() => {}),
      metrics: this.#metrics,
      slots,
      threads: inThisThread(database, this.clock),
      slowUploads: new SlowUploads(),
      addressOf: () => "127.0.0.1",
      origin: () => ORIGIN,
      outage: () => undefined,
      hasBackslash: () => false,
      setIdleTimeout: () => {},
      ...settings,
    });
    afterAll(async () => {
      expectNone(canariesIn(this.#unsearched.join()), "the log");
      expectNone(canariesIn(this.#metrics.text()), "the metrics");
      forget(this.database);
    });
  }

  /**
   * Sends a request, such as `call("GET /api/v1/users?page=2", { key })`, and checks the response against the OpenAPI
   * document. Fails if a log entry or an error response contains personal data.
   */
  async call(line: string, { key, headers, json, raw }: CallOptions = {}): Promise<Answer> {
    const [method = "GET", path = "/"] = line.split(" ", 2);
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(json !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(raw !== undefined && { body: raw }),
    });
    const response = await this.app.handle(request);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const body: unknown = text === "" ? undefined : isJson ? JSON.parse(text) : text;
    const answer = { status: response.status, headers: response.headers, text, body };
    const { personal, other } = textsIn(json ?? jsonIn(raw));
    this.#searchForLeaks(answer, { personal, other: [...other, ...parameterNames(path)] }, [
      ...personalParameters(path),
      ...(key === undefined ? [] : [key]),
    ]);
    checkAgainstDocument({ method, path, ...answer });
    return answer;
  }

  #searchForLeaks({ status, text }: Answer, { personal, other }: Texts, inRequest: string[]): void {
    const isTelling = (text: string): boolean => text.length >= MIN_SENT_LENGTH;
    const sent = [...personal, ...inRequest].filter(isTelling);
    expectNone(canariesIn(this.#unsearched.splice(0).join(), sent), "the log");
    if (status < 400) plant(this.database, personal.filter(isTelling));
    else expectNone(canariesIn(without(other, text), sent), `the refusal ${text}`);
  }
}

function expectNone(leaked: string[], place: string): void {
  if (leaked.length > 0) throw new Error(`${leaked.join(", ")} leaked into ${place}`);
}

function jsonIn(raw: CallOptions["raw"]): unknown {
  try {
    return typeof raw === "string" ? JSON.parse(raw) : undefined;
  } catch {
    return undefined;
  }
}

/** A service with an empty database. */
export async function newService(settings?: Partial<AppDependencies>): Promise<TestService> {
  return new TestService(await newDatabase(), settings);
}
