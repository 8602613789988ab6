import type { Database } from "../../db/database.ts";
import { isTemporary } from "../../db/errors.ts";
import type { AuditRecorder } from "../audit/recorder.ts";
import type { Clock } from "../lib/clock.ts";
import type { InvalidInput } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import { corsHeaders, preflightAnswer } from "./cors.ts";
import { errorBody, type ErrorStyle, PlainError, refusalFor, statusOf } from "./errors.ts";
import type { Metrics } from "./metrics.ts";
import type { RateLimits } from "./rate-limits.ts";
import { auditEntry, type Trail } from "./trail.ts";

/**
 * What every request and every answer has, whichever route it takes: an id, the common headers, a refusal
 * in the right shape for whatever was thrown, and one line in the log.
 */

/** One line of the log. It never holds a query, a body, a header or a name. */
export interface LogLine {
  time: string;
  level: "info" | "error";
  message: string;
  [detail: string]: unknown;
}

export type Log = (line: LogLine) => void;

/** A request id that is taken over from the client; one of another form is replaced. */
export const REQUEST_ID = /^[A-Za-z0-9_.-]{1,128}$/;

/** Where a client that met a locked or full database may try again, in seconds. */
const RETRY_AFTER = "1";

export interface ServiceDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  audit: AuditRecorder;
  /** Origins whose pages may call the API; empty where CORS is off. */
  corsOrigins: readonly string[];
  limits: RateLimits;
  metrics: Metrics;
  /** From where a request comes; undefined where that is not known. */
  addressOf(request: Request): string | undefined;
}

/** What an exchange needs to know of its route. */
export interface Route {
  /** Its template, for the log. */
  template: string;
  style: ErrorStyle;
  /** Whether each request leaves a row in the audit trail. */
  audited: boolean;
  /** The sentence of a 500, where the specification gives the endpoint one. */
  failure?: string | undefined;
}

/** Runs one exchange: `work` makes the answer or throws the refusal. */
export async function exchange(
  request: Request,
  route: Route,
  dependencies: ServiceDependencies,
  work: (trail: Trail) => Promise<Response> | Response,
): Promise<Response> {
  const { corsOrigins } = dependencies;
  const started = performance.now();
  const trail: Trail = {
    requestId: requestIdOf(request),
    method: request.method,
    route: route.template,
    target: targetOf(request.url),
    address: undefined,
    principal: undefined,
    patientIds: new Set(),
    recorded: !route.audited,
  };
  const response =
    preflightAnswer(request, corsOrigins) ??
    (await recordedAnswer(request, { trail, route }, dependencies, work));
  response.headers.set("X-Request-Id", trail.requestId);
  response.headers.set("Cache-Control", "no-store");
  response.headers.set("X-Content-Type-Options", "nosniff");
  for (const [name, value] of Object.entries(corsHeaders(request, corsOrigins)))
    response.headers.set(name, value);
  observe(trail, response.status, performance.now() - started, dependencies);
  return response;
}

function observe(
  { requestId, method, route }: Trail,
  status: number,
  duration: number,
  { clock, log, metrics }: ServiceDependencies,
): void {
  metrics.observe({ method, route, status, seconds: duration / 1000 });
  log({
    time: toInstant(clock.now()),
    level: status >= 500 ? "error" : "info",
    message: "request",
    requestId,
    method,
    route,
    status,
    milliseconds: Math.round(duration * 100) / 100,
  });
}

/** A JSON answer from text that is JSON already. */
export function jsonResponse(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(text, {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
  });
}

/** The answer or the refusal, once the request's row in the audit trail is durable. */
async function recordedAnswer(
  request: Request,
  { trail, route }: { trail: Trail; route: Route },
  dependencies: ServiceDependencies,
  work: (trail: Trail) => Promise<Response> | Response,
): Promise<Response> {
  let response: Response;
  try {
    response = await work(trail);
  } catch (error) {
    response = refused(error, trail, route, dependencies);
  }
  if (trail.principal === undefined) trail.address = dependencies.addressOf(request);
  return trail.recorded ? response : record(trail, response, route, dependencies);
}

function refused(
  error: unknown,
  { requestId }: Trail,
  route: Route,
  { clock, log }: ServiceDependencies,
): Response {
  const refusal = asRefusal(error, route);
  if (statusOf(refusal) >= 500)
    log({
      time: toInstant(clock.now()),
      ...failure(error),
      requestId,
      route: route.template,
    });
  return refusalResponse(refusal, route.style);
}

/** Writes the row of a request that changed nothing. Where it can be kept nowhere, the answer does not leave. */
async function record(
  trail: Trail,
  response: Response,
  route: Route,
  { audit, clock, log }: ServiceDependencies,
): Promise<Response> {
  const time = toInstant(clock.now());
  const entry = auditEntry(trail, response.status, time);
  try {
    await audit.record(entry);
    return response;
  } catch (error) {
    const { requestId, method, route: template, status } = entry;
    log({
      ...failure(error),
      ...{ time, message: "audit row was not kept" },
      ...{ requestId, method, route: template, status },
    });
    return refusalResponse(asRefusal(error, route), route.style);
  }
}

function refusalResponse(refusal: InvalidInput | PlainError, style: ErrorStyle): Response {
  const headers = refusal instanceof PlainError ? refusal.headers : {};
  return jsonResponse(statusOf(refusal), JSON.stringify(errorBody(refusal, style)), headers);
}

function asRefusal(error: unknown, route: Route): InvalidInput | PlainError {
  const refusal = refusalFor(error);
  if (refusal !== undefined) return refusal;
  if (isTemporary(error))
    return new PlainError(503, "Service temporarily unavailable", { "Retry-After": RETRY_AFTER });
  return new PlainError(500, route.failure ?? "Internal server error");
}

/** Where an unexpected error came from: its kind and its frames, for its message may quote data. */
function failure(error: unknown) {
  const cause = error instanceof PlainError && error.cause !== undefined ? error.cause : error;
  const known = cause instanceof Error ? cause : new Error();
  // A message of several lines may hold one that looks like a frame.
  const stack = known.stack?.replace(known.message, "");
  const frames = stack?.split("\n").filter((line) => line.trimStart().startsWith("at "));
  return {
    level: "error",
    message: "failure",
    error: known.name,
    code: (known as { code?: unknown }).code,
    frames: frames?.map((frame) => frame.trim()),
  } as const;
}

/** The path and the query of a URL, which begin at the first slash behind the host. */
function targetOf(url: string): string {
  return url.slice(url.indexOf("/", "https://".length));
}

function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && REQUEST_ID.test(given) ? given : crypto.randomUUID();
}
