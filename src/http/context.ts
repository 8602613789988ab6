import type { Database } from "../../db/database.ts";
import type { Caller } from "../access/api-keys.ts";
import type { AuditRecorder } from "../audit/recorder.ts";
import type { Clock } from "../lib/clock.ts";
import type { Input } from "./input.ts";
import type { LineSums } from "./line-sums.ts";
import type { Metrics } from "./metrics.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Shares } from "./shares.ts";

/** What the plugins of the app are given. */

/** One line of the log. It never holds a query, a body, a header or a name. */
export interface LogLine {
  time: string;
  level: "info" | "error";
  message: string;
  [detail: string]: unknown;
}

export type Log = (line: LogLine) => void;

/** What the app works with; every context has it. */
export interface Service {
  database: Database;
  clock: Clock;
  log: Log;
  audit: AuditRecorder;
  /** Origins whose pages may call the API; empty where CORS is off. */
  corsOrigins: readonly string[];
  limits: RateLimits;
  /** Of requests outside the version. */
  lineSums: LineSums;
  metrics: Metrics;
  shares: Shares;
  /** Why nothing can be answered any more; undefined while all is well. */
  outage(): string | undefined;
  /** From where a request comes; undefined where that is not known. */
  addressOf(request: Request): string | undefined;
  /** Whether the path of a request was sent with a `\\`, which its URL has as `/`. */
  hasBackslash(request: Request): boolean;
  /** Keeps the connection of a request open for so long while nothing is sent; without an end unless given. */
  letWait(request: Request, seconds?: number): void;
}

/** A request and its answer, as far as they have come; the log line and the row of the audit trail are made of it. */
export interface Exchange {
  request: Request;
  requestId: string;
  /** The template of the route. */
  route: string;
  /** Where a request came from that no key vouched for; undefined where that is not known. */
  address: string | undefined;
  /** Of the performance clock. */
  started: number;
  /** Undefined until the key is found to be good. */
  caller: Caller | undefined;
  /** The patients whose data the answer carries, or whom the request changed. */
  patientIds: Set<string>;
  /** Whether it has a line of the log; where there are too many that need no key, they are summed up instead. */
  isLogged: boolean;
  /** Whether it concerns all patients, of whom none is named then. */
  concernsAll: boolean;
  /** Whether the row of the audit trail is written, or none is due: that of a change is written in its transaction. */
  recorded: boolean;
  /** The route's name in the document; empty until the role is known to be good. */
  operationId: string;
  /** Undefined until the input is read. */
  input: Input | undefined;
  /** Lets the next dear request of the key run; undefined for one that is not dear. */
  releaseSlot: (() => void) | undefined;
  /** Whether the answer is one that an earlier attempt was given. */
  isReplay: boolean;
}

/** The context of every plugin of the app, beside what Elysia gives. */
export interface Singleton<Derived extends Record<string, unknown> = {}> {
  decorator: { service: Service };
  store: {};
  derive: Derived;
  resolve: {};
}
