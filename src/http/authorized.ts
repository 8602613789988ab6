import type { TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Database } from "../../db/database.ts";
import type { Caller } from "../callers/api-keys.ts";
import type { Permission } from "../callers/permissions.ts";
import { findPatientIds } from "../callers/repository.ts";
import { BufferedBody, bufferBody } from "../buffered-body.ts";
import { type Instant, toInstant } from "../lib/instant.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import { countRequest, identify, requireApiKey, requirePermission } from "./authentication.ts";
import { formatOf, receiveBody } from "./body.ts";
import type { Exchange, Dependencies, Singleton } from "./context.ts";
import { checkedBody, type InputSchemas, type InputValues, readInput } from "./input.ts";
import { unpacked } from "./errors.ts";
import type { TaskKind } from "./threads/messages.ts";
import { isVersioned, pathAndQuery } from "./paths.ts";
import { requireUsualRequestLine } from "./request-line.ts";
import { handlerTools, type HandlerRun } from "./handler-tools.ts";

/** The parts of a route's declaration that this module uses. */
interface Declaration extends InputSchemas {
  response?: Record<number, TSchema>;
  detail?: { operationId?: string; headers?: string[]; declared?: Declared };
}

/** A route's original declaration, kept for the OpenAPI document; Elysia gets a reduced one. */
export interface Declared extends InputSchemas {
  permission: Permission;
  response: Record<number, TSchema>;
}

/** The request's state when the permission is checked; Elysia's types of macros do not include it. */
interface Derived {
  exchange: Exchange;
  caller: Caller;
  now: Instant;
  read: Database["read"];
}

/**
 * Plugin for routes with practice data: authentication and authorization. Order of checks: key (401, 403, 429), role (403),
 * then body size and media type (413, 415), and validation by Elysia (400).
 */
export const authorized = new Elysia<"", Singleton<{ exchange: Exchange }>>({ name: "authorized" })
  // Prevents Elysia from reading the body before authentication. Null marks the body as read.
  .onParse({ as: "scoped" }, () => null)
  .derive({ as: "scoped" }, async ({ request, route, exchange, dependencies, set }) => {
    const now = toInstant(dependencies.clock.now());
    const caller = await identify(request, dependencies, now);
    exchange.row.caller = caller;
    requireApiKey(request, caller);
    // Of a server for tests, what orders faults and resets is not counted.
    if (isVersioned(route)) countRequest(caller, dependencies, now);
    if (dependencies.meetFault !== undefined) await dependencies.meetFault(exchange, route);
    requireUsualRequestLine(request, dependencies);
    const { database, clock } = dependencies;
    const run: HandlerRun = { exchange, database, clock, caller, now, headers: set.headers };
    const handOver = async () => {
      await waitForSlot(exchange, caller, dependencies);
      return runInThread({ exchange, caller, now, set }, dependencies);
    };
    return handlerTools(run, { buffer: bufferBody, handOver });
  })
  .macro({
    permission: (permission: Permission) => {
      let schemas: InputSchemas = {};
      let id = "";
      let showsSequence = false;
      return {
        introspect(hook: Record<string, unknown>) {
          const declaration: Declaration = hook;
          const { params, query, body, response = {}, detail } = declaration;
          schemas = { params, query, body };
          id = detail?.operationId ?? "";
          showsSequence = detail?.headers?.includes(SEQUENCE) === true;
          declaration.detail = { ...detail, declared: { permission, ...schemas, response } };
          if (body !== undefined) declaration.body = checkedBody(body);
          // Elysia would validate every response, which is expensive.
          delete declaration.response;
        },
        async transform(context) {
          const { request, params, dependencies } = context;
          const { exchange, caller } = context as typeof context & Derived;
          requirePermission(permission, caller);
          const { input, values } = await readInput(request, params, schemas, (body) =>
            receivedBytes(body, exchange, caller, dependencies),
          );
          exchange.operation = { id, showsSequence, values, ...input };
          if (caller.ownPatientsOnly) await nameAskedFor(values, exchange, caller, dependencies);
          // Elysia then validates these values. Its own query parser would accept "1e3" as a number, and use the last
          // of repeated parameters.
          if (schemas.params !== undefined) context.params = values.params as typeof params;
          if (schemas.query !== undefined) context.query = values.query as typeof context.query;
          context.body = values.body;
        },
        /** Whether a request is expensive is declared, or, of its body, seen while it is read. */
        async beforeHandle(context) {
          const { params, query, body, dependencies, set } = context;
          const { exchange, caller, now } = context as typeof context & Derived;
          const { operation } = exchange;
          if (operation !== undefined) operation.values = { params, query, body };
          if (exchange.releaseSlot === undefined) return;
          return (await runInThread({ exchange, caller, now, set }, dependencies)) as never;
        },
      };
    },
    /** Whether a worker answers (docs/developing.md, "Long work"). */
    expensive: (expensive: IsExpensive) => ({
      async beforeHandle(context) {
        const { request, params, query, body, dependencies, set } = context;
        const { exchange, caller, now, read } = context as typeof context & Derived;
        // A request with a large body has a slot already, whichever of the two macros comes first.
        if (exchange.releaseSlot !== undefined) return;
        const asked = { request, caller, now, params, query, body, read };
        const kind = typeof expensive === "function" ? await expensive(asked as never) : expensive;
        if (kind === false) return;
        if (kind === "export")
          exchange.releaseExport = dependencies.slots.acquireExport(caller.organizationId);
        await waitForSlot(exchange, caller, dependencies, kind === "export" ? "write" : undefined);
        const taskKind = kind === "export" ? kind : undefined;
        return (await runInThread({ exchange, caller, now, set }, dependencies, taskKind)) as never;
      },
    }),
  });

/**
 * Names the patients for whose ids a caller asks who sees own patients only: whoever asks for those of others is to be
 * seen in the audit trail. The ids of other records are not looked up.
 */
async function nameAskedFor(
  { params, query }: InputValues,
  { row }: Exchange,
  { organizationId }: Caller,
  { database }: Dependencies,
): Promise<void> {
  const texts = [params, query].flatMap((values) => Object.values(values ?? {}));
  const ids = texts.flatMap((text) => (typeof text === "string" ? text.split(",") : []));
  if (ids.length === 0) return;
  const patientIds = await database.read((db) => findPatientIds(db, organizationId, ids));
  for (const id of patientIds) row.patientIds.add(id);
}

/** The idle timeout of the connection of an expensive request when its response is sent, in seconds. */
const SENDING_TIMEOUT = 120;

/** Waits for the bytes of a body; if it is large, also for a slot. */
async function receivedBytes(
  schema: TSchema,
  exchange: Exchange,
  caller: Caller,
  dependencies: Dependencies,
): Promise<Uint8Array> {
  const { request } = exchange;
  const { slowUploads, setIdleTimeout } = dependencies;
  const received = await slowUploads.watch(
    caller.keyId,
    (seconds) => setIdleTimeout(request, seconds),
    (arrived) => receiveBody(request, schema, arrived),
  );
  try {
    if (received.size > formatOf(schema).shortBytes)
      await waitForSlot(exchange, caller, dependencies);
    return await received.bytes();
  } finally {
    received.discard();
  }
}

/**
 * Whether a route's requests are expensive: all of them, or those for which the function returns true; `export` also takes
 * a slot of exports. It receives request, caller, now, params, query, body and read of the handler's context. The body
 * is not validated yet if the handler validates it.
 */
type IsExpensive = true | "export" | ((asked: never) => Decision | Promise<Decision>);
type Decision = boolean | "export";

/**
 * Waits for a slot, which the request keeps until a worker has done it.
 *
 * @throws PlainError 429 if too many requests of the key are waiting, 503 if it waits too long, 499 if the client has
 * disconnected.
 */
async function waitForSlot(
  exchange: Exchange,
  caller: Caller,
  { slots, setIdleTimeout }: Dependencies,
  kind = kindOf(exchange.request),
): Promise<void> {
  const { request } = exchange;
  setIdleTimeout(request);
  exchange.releaseSlot = await slots.acquire(caller.keyId, kind, request);
}

function kindOf({ method }: Request): "read" | "write" {
  return method === "GET" || method === "HEAD" ? "read" : "write";
}

/** A validated request, and where status and headers of its response go. */
interface Asked {
  exchange: Exchange;
  caller: Caller;
  now: Instant;
  set: { status?: number | string; headers: Record<string, string | number> };
}

/**
 * Has a worker run the handler of a request that has a slot.
 *
 * @returns the body of the response.
 * @throws what the handler has thrown, or the errors of `ThreadPool.run`.
 */
async function runInThread(
  { exchange, caller, now, set }: Asked,
  dependencies: Dependencies,
  kind: TaskKind = kindOf(exchange.request),
): Promise<BufferedBody> {
  const { request, requestId, route, row, operation } = exchange;
  if (operation === undefined) throw new Error("The request has not been read");
  const { threads, slots, origin, setIdleTimeout } = dependencies;
  const { method } = request;
  const { id, showsSequence, query, bytes, values } = operation;
  const { answer, row: done } = await threads.run(
    {
      request: { method, target: pathAndQuery(request.url), headers: [...request.headers] },
      ...{ requestId, route, operation: { id, showsSequence, query, bytes } },
      ...{ caller, now, origin: origin(), ...values },
    },
    kind,
    {
      signal: request.signal,
      mostBytes: kind === "export" ? Infinity : slots.answerBytes,
    },
  );
  exchange.releaseSlot?.();
  exchange.releaseSlot = undefined;
  if (kind !== "export") setIdleTimeout(request, SENDING_TIMEOUT);
  row.isDue = done.isDue;
  row.concernsAll = done.concernsAll;
  for (const id of done.patientIds) row.patientIds.add(id);
  if ("error" in answer) throw unpacked(answer.error);
  set.status = answer.status;
  const body = new BufferedBody(answer.content);
  try {
    if (body.content.file !== undefined && kind !== "export")
      exchange.releaseAnswer = slots.acquireAnswer(caller.keyId, body.size);
  } catch (error) {
    body.discard();
    throw error;
  }
  Object.assign(set.headers, answer.headers);
  return body;
}
