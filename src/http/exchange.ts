import { Elysia } from "elysia";
import { BufferedBody, TIMEOUTS } from "../buffered-body.ts";
import { DomainError, InvalidInput, type Issue } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import { explain } from "../schema/explanation.ts";
import { isOfPasskey } from "../audit/passkey-refusals.ts";
import { auditEntry } from "./audit.ts";
import type { Exchange, Dependencies, Singleton } from "./context.ts";
import { corsHeaders, isPreflight, preflightHeaders } from "./cors.ts";
import {
  type ApiError,
  errorBody,
  errorStyleOf,
  PlainError,
  statusOf,
  toApiError,
  unavailable,
} from "./errors.ts";
import type { Input } from "./input.ts";
import { isRecorded, isVersioned, templateOf } from "./paths.ts";
import { requireUsualRequestLine } from "./request-line.ts";
import { STREAMED } from "./responses.ts";

/** The form of request ids that are accepted from clients; others are replaced. */
const REQUEST_ID = /^[A-Za-z0-9_.-]{1,128}$/;

export const JSON_MEDIA_TYPE = "application/json; charset=utf-8";

type Headers = Record<string, string | number>;

/**
 * Common processing of all requests: request id, common headers, error responses for anything that was thrown, an audit
 * row that is durable before the response is sent, and a log entry.
 */
export const exchange = new Elysia<"", Singleton>({ name: "exchange" })
  .derive({ as: "global" }, ({ request, route, dependencies, set, status }) => {
    const exchange = newExchange(request, route, dependencies);
    const outage = dependencies.outage();
    if (outage !== undefined) {
      // API clients get the same message as for any other outage.
      const apiError = unavailable(isRecorded(route) ? undefined : outage);
      return status(503, respondWith(apiError, exchange, set, dependencies));
    }
    // Requests below the version are authenticated first.
    if (!isVersioned(route)) requireUsualRequestLine(request, dependencies);
    if (!isPreflight(request, dependencies.corsOrigins)) return { exchange };
    Object.assign(set.headers, preflightHeaders(route, dependencies.meetFault !== undefined));
    finish(exchange, { status: 204, headers: set.headers }, dependencies);
    return status(204, undefined);
  })
  .onAfterHandle({ as: "global" }, async ({ exchange, responseValue, dependencies, set }) => {
    const status = statusOfResponse(responseValue, set.status);
    const buffered = responseValue instanceof BufferedBody ? responseValue : undefined;
    try {
      if (exchange.row.isDue) await record(exchange, status, dependencies);
    } catch (error) {
      buffered?.discard();
      throw error;
    }
    if (!(responseValue instanceof Response)) set.headers["content-type"] ??= JSON_MEDIA_TYPE;
    finish(exchange, { status, headers: set.headers }, dependencies);
    return buffered && responseOf(buffered, exchange);
  })
  .onError(
    { as: "global" },
    async ({ request, route, code, error, exchange, dependencies, set }) => {
      const failing = exchange ?? newExchange(request, route, dependencies);
      const thrown = code === "VALIDATION" ? explained(error, failing) : error;
      const apiError = await recordError(thrown, failing, dependencies);
      return respondWith(apiError, failing, set, dependencies);
    },
  );

/** Turns the response into an error, and returns its body. */
function respondWith(
  apiError: ApiError,
  exchange: Exchange,
  set: { status?: number | string; headers: Headers },
  dependencies: Dependencies,
): object {
  const status = statusOf(apiError);
  exchange.releaseExport?.();
  exchange.releaseAnswer?.();
  set.status = status;
  // Those of a response that is not sent do not stay.
  set.headers = { "content-type": JSON_MEDIA_TYPE };
  if (apiError instanceof PlainError) Object.assign(set.headers, apiError.headers);
  const issues = apiError instanceof InvalidInput ? apiError.issues : [];
  finish(exchange, { status, headers: set.headers, issues }, dependencies);
  return errorBody(apiError, errorStyleOf(exchange.route));
}

function newExchange(request: Request, path: string, { requestLogLimit }: Dependencies): Exchange {
  const isDue = isRecorded(path);
  const header = request.headers.get("x-request-id");
  return {
    request,
    requestId: header !== null && REQUEST_ID.test(header) ? header : crypto.randomUUID(),
    route: templateOf(path),
    started: performance.now(),
    row: {
      isDue,
      caller: undefined,
      address: undefined,
      target: undefined,
      patientIds: new Set(),
      concernsAll: false,
    },
    operation: undefined,
    releaseSlot: undefined,
    releaseExport: undefined,
    releaseAnswer: undefined,
    isLogged: isDue || !requestLogLimit.count(),
  };
}

/** A handler's response is a value, a value with a status, or a `Response`. */
function statusOfResponse(value: unknown, set: number | string | undefined): number {
  if (value instanceof Response) return value.status;
  const { code } = (value ?? {}) as { code?: unknown };
  if (typeof code === "number") return code;
  return Number(set ?? 200);
}

/** Longer bodies are streamed, in bytes. */
const SHORT = 64 * 1024;

/** The response with a body, of an export always a stream. Status and headers are set beside it. */
async function responseOf(
  body: BufferedBody,
  { request, releaseExport, releaseAnswer }: Exchange,
): Promise<Response> {
  const isExport = releaseExport !== undefined;
  if (body.size <= SHORT && !isExport) return new Response(await body.bytes());
  const release = () => {
    releaseExport?.();
    releaseAnswer?.();
  };
  // Elysia takes the length of a HEAD from the body, and would read a whole stream for it.
  if (request.method !== "HEAD")
    return new Response(body.stream(release, TIMEOUTS[isExport ? "export" : "request"]));
  body.discard();
  release();
  return new Response(null, { headers: STREAMED });
}

/** Releases the slot, sets the common headers, and writes the log entry. */
function finish(
  { request, requestId, route, started, releaseSlot, isLogged }: Exchange,
  { status, headers, issues = [] }: { status: number; headers: Headers; issues?: Issue[] },
  { clock, corsOrigins, log, metrics }: Dependencies,
): void {
  releaseSlot?.();
  headers["x-request-id"] = requestId;
  // But for the page's files, which have no data.
  headers["cache-control"] ??= "no-store";
  headers["x-content-type-options"] = "nosniff";
  if (corsOrigins.length > 0) Object.assign(headers, corsHeaders(request, corsOrigins));
  const { method } = request;
  const duration = performance.now() - started;
  metrics.observe({ method, route, status, seconds: duration / 1000 });
  if (!isLogged) return;
  log({
    time: toInstant(clock.now()),
    level: status >= 500 ? "error" : "info",
    message: "request",
    requestId,
    method,
    route,
    status,
    milliseconds: Math.round(duration * 100) / 100,
    ...(issues.length > 0 && { issues: issues.slice(0, LOGGED_ISSUES).map(loggedIssue) }),
  });
}

const LOGGED_ISSUES = 5;

/** The code and path of an issue. Names that the client has made up, and may contain anything, are left out. */
function loggedIssue({ code, path, reason }: Issue): string {
  const isMadeUp = code === "unrecognized_keys" || reason === "unknown_field";
  const steps = isMadeUp ? [...path.slice(0, -1), "…"] : path;
  return `${code} ${steps.join(".")}`.trimEnd();
}

/** Elysia reports that a value does not match its schema; `explain` finds the issues. */
function explained(error: { type: string; value: unknown }, { operation }: Exchange): unknown {
  const schema = operation?.schemas[error.type as keyof Input["schemas"]];
  return schema === undefined ? error : new InvalidInput(explain(schema, error.value));
}

async function recordError(
  thrown: unknown,
  exchange: Exchange,
  dependencies: Dependencies,
): Promise<ApiError> {
  const apiError = toApiError(thrown);
  if (thrown instanceof InvalidInput || thrown instanceof DomainError)
    for (const id of thrown.patientIds) exchange.row.patientIds.add(id);
  if (statusOf(apiError) >= 500 && exchange.isLogged) logFailure(thrown, exchange, dependencies);
  if (!exchange.row.isDue) return apiError;
  try {
    await record(exchange, statusOf(apiError), dependencies);
    return apiError;
  } catch (error) {
    return toApiError(error);
  }
}

function logFailure(
  error: unknown,
  { requestId, route }: Exchange,
  { clock, log }: Dependencies,
): void {
  log({ time: toInstant(clock.now()), ...failure(error), requestId, route });
}

/** Writes the audit row of a request that changed nothing. If it cannot be stored, the response is not sent. */
async function record(
  exchange: Exchange,
  status: number,
  { addressOf, audit, clock, log }: Dependencies,
): Promise<void> {
  const { request, row } = exchange;
  row.isDue = false;
  if (row.caller === undefined) row.address = addressOf(request);
  const time = toInstant(clock.now());
  const entry = auditEntry(exchange, status, time);
  const isSummarized = audit.countRejection(entry);
  // Requests without a valid key, or over a rate limit, have no log entry either then.
  const hasKey = row.caller !== undefined && !isOfPasskey(entry);
  exchange.isLogged = !isSummarized || (status !== 429 && hasKey);
  if (isSummarized) return;
  try {
    await audit.record(entry);
  } catch (error) {
    const { requestId, method, route } = entry;
    log({
      ...failure(error),
      ...{ time, message: "audit row was not stored" },
      ...{ requestId, method, route, status },
    });
    throw error;
  }
}

/** Type and stack frames of an unexpected error. The message is omitted, since it may contain data. */
function failure(error: unknown) {
  const cause = error instanceof PlainError && error.cause !== undefined ? error.cause : error;
  const thrown = cause instanceof Error ? cause : new Error();
  // A message of several lines could contain one that looks like a frame.
  const stack = thrown.stack?.replace(thrown.message, "");
  const frames = stack?.split("\n").filter((line) => line.trimStart().startsWith("at "));
  return {
    level: "error",
    message: "failure",
    error: thrown.name,
    code: (thrown as { code?: unknown }).code,
    frames: frames?.map((frame) => frame.trim()),
  } as const;
}
