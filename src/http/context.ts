import type { Database } from "../../db/database.ts";
import type { Actor } from "../access/actor.ts";
import type { AuditRecorder } from "../audit/recorder.ts";
import type { Clock } from "../lib/clock.ts";
import type { Issue } from "../lib/errors.ts";
import type { Input } from "./input.ts";
import type { RequestLogLimit } from "./request-log-limit.ts";
import type { Metrics } from "./metrics.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { RequestSlots } from "./request-slots.ts";
import type { SlowUploads } from "./slow-uploads.ts";

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
  slowUploads: SlowUploads;
  /** Where browsers open the page, such as `https://caseload.example`; undefined if passkeys cannot be used. */
  origin(): string | undefined;
  /** The reason why requests can no longer be answered; undefined in normal operation. */
  outage(): string | undefined;
  /** The client's address of a request; undefined if unknown. */
  addressOf(request: Request): string | undefined;
  /** Whether the request's path was sent with a `\\`, which URL parsing turns into `/`. */
  hasBackslash(request: Request): boolean;
  /** Sets how many seconds a request's connection may be idle; unlimited by default. */
  setIdleTimeout(request: Request, seconds?: number): void;
}

/** The state of a request and its response, from which the log entry and the audit row are made. */
export interface Exchange {
  request: Request;
  requestId: string;
  /** The route template. */
  route: string;
  /** The client's address, for requests without a valid key; undefined if unknown. */
  address: string | undefined;
  /** On the `performance` clock. */
  started: number;
  /** Whose request it is, for the audit trail. Undefined until the request is authenticated. */
  caller: Actor | undefined;
  /** The patients whose data the response contains or the request changed. */
  patientIds: Set<string>;
  /** Whether it gets its own log entry; otherwise it is summarized. */
  isLogged: boolean;
  /** What the audit row has as target, where the path is secret; undefined for path and query. */
  target: string | undefined;
  /** Whether it concerns all patients; `patientIds` is then not used. */
  concernsAll: boolean;
  /** Whether its audit row is written or not needed. Changes write theirs in their transaction. */
  recorded: boolean;
  /** The operation id in the OpenAPI document; empty until the role is checked. */
  operationId: string;
  /** Undefined until the input is read. */
  input: Input | undefined;
  /** Releases the slot of an expensive request; undefined for others. */
  releaseSlot: (() => void) | undefined;
  /** The invalid fields that the response lists. */
  issues: readonly Issue[];
  /** Whether the response is a replay of an earlier one. */
  isReplay: boolean;
  /** Whether the response has the header `Caseload-Sequence`. */
  showsSequence: boolean;
  /** The organization's sequence in the snapshot of the response; undefined if it is not shown. */
  sequence: number | undefined;
}

/** The context of the app's plugins, in addition to Elysia's. */
export interface Singleton<Derived extends Record<string, unknown> = {}> {
  decorator: { dependencies: Dependencies };
  store: {};
  derive: Derived;
  resolve: {};
}
