import type { Database } from "../../db/database.ts";
import type { Actor } from "../callers/actor.ts";
import type { AuditRecorder } from "../audit/recorder.ts";
import type { Clock } from "../lib/clock.ts";
import type { Input, InputValues } from "./input.ts";
import type { RequestLogLimit } from "./limits/request-log-limit.ts";
import type { ThreadPool } from "./threads/pool.ts";
import type { Metrics } from "./metrics.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import type { RequestSlots } from "./limits/request-slots.ts";
import type { SlowUploads } from "./limits/slow-uploads.ts";

/** The context of the app's plugins. */

/** A log entry. Never contains queries, bodies, headers or names. */
export interface LogLine {
  time: string;
  level: "info" | "error";
  message: string;
  [detail: string]: unknown;
}

export type Log = (line: LogLine) => void;

/** The app's dependencies, available in every context. */
export interface Dependencies {
  database: Database;
  clock: Clock;
  log: Log;
  audit: AuditRecorder;
  /** Origins whose pages may call the API; empty if CORS is off. */
  corsOrigins: readonly string[];
  limits: RateLimits;
  /** Summaries of requests outside `/api/v1`. */
  requestLogLimit: RequestLogLimit;
  metrics: Metrics;
  slots: RequestSlots;
  threads: Pick<ThreadPool, "run">;
  slowUploads: SlowUploads;
  /** Where browsers open the page, such as `https://caseload.example`; undefined if passkeys cannot be used. */
  origin(): string | undefined;
  /** The reason why requests can no longer be answered; undefined in normal operation. */
  outage(): string | undefined;
  /** The client's address of a request; undefined if unknown. */
  addressOf(request: Request): string | undefined;
  /** Whether the request's path was sent with a `\\`, which URL parsing turns into `/`. */
  hasBackslash(request: Request): boolean;
  /** Of a server for tests: lets a request with a valid key meet a fault that was ordered. */
  meetFault?: ((exchange: Exchange, route: string) => Promise<void>) | undefined;
  /** Sets how many seconds a request's connection may be idle; unlimited by default. */
  setIdleTimeout(request: Request, seconds?: number): void;
}

/** A request that is being answered. */
export interface Exchange {
  readonly request: Request;
  readonly requestId: string;
  /** The route template. */
  readonly route: string;
  /** On the `performance` clock. */
  readonly started: number;
  readonly row: RowOfExchange;
  /** Undefined until the role is checked and the input is read. */
  operation: Operation | undefined;
  /** Releases the slot of an expensive request; undefined for others. */
  releaseSlot: (() => void) | undefined;
  /** Releases that of an export, which is kept until it has been sent; undefined for others. */
  releaseExport: (() => void) | undefined;
  /** Likewise that of a response in a file that is no export. */
  releaseAnswer: (() => void) | undefined;
  /** Whether it gets its own log entry; otherwise it is summarized. */
  isLogged: boolean;
}

/** What the audit row of a request says, besides what is fixed when it arrives, and its status. */
interface RowOfExchange {
  /** Whether the row is still to be written. Changes write theirs in their transaction. */
  isDue: boolean;
  /** Whose request it is. Undefined until the request is authenticated. */
  caller: Actor | undefined;
  /** The client's address, for requests without a valid key; undefined if unknown. */
  address: string | undefined;
  /** Where the path is secret: what is said instead of path and query. */
  target: string | undefined;
  /** The patients whose data the response contains or the request changed. */
  patientIds: Set<string>;
  /** Whether it concerns all patients; `patientIds` is then not used. */
  concernsAll: boolean;
}

/** The operation of a request, as its route declares it, with its input. */
interface Operation extends Input {
  /** The operation id in the OpenAPI document. */
  id: string;
  /** Whether the response has the header `Caseload-Sequence`. */
  showsSequence: boolean;
  /** What the handler is given, after validation. */
  values: InputValues;
}

/** The context of the app's plugins, in addition to Elysia's. */
export interface Singleton<Derived extends Record<string, unknown> = {}> {
  decorator: { dependencies: Dependencies };
  store: {};
  derive: Derived;
  resolve: {};
}
