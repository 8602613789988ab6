import type { TSchema } from "@sinclair/typebox";
import { Elysia, type ElysiaCustomStatusResponse } from "elysia";
import type { Database, Db } from "../../db/database.ts";
import type { Caller } from "../access/api-keys.ts";
import type { Permission } from "../access/permissions.ts";
import { findPatientIds } from "../access/repository.ts";
import { type Instant, toInstant } from "../lib/instant.ts";
import { patientsOf } from "../lib/patients.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import { countRequest, identify, requireApiKey, requirePermission } from "./authentication.ts";
import { receiveBody } from "./body.ts";
import { nextTurn, requireClient } from "./client-presence.ts";
import type { Exchange, Dependencies, Singleton } from "./context.ts";
import { checkedBody, type InputSchemas, type InputValues, readInput } from "./input.ts";
import { requireUsualRequestLine } from "./request-line.ts";
import { readWork, type Work, writeWork } from "./work.ts";

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
  .derive({ as: "scoped" }, async ({ request, exchange, dependencies, set }) => {
    const now = toInstant(dependencies.clock.now());
    const caller = await identify(request, dependencies, now);
    exchange.row.caller = caller;
    requireApiKey(request, caller);
    countRequest(caller, dependencies, now);
    requireUsualRequestLine(request, dependencies);
    const work: Work = { exchange, dependencies, caller, now, headers: set.headers };
    return {
      caller,
      /** The current time, the same during the whole request. */
      now,
      /**
       * Names the patients whose data the handler returns or changes, for the audit trail: by their rows, and by the
       * filters that name a patient, since even an empty page discloses something about them.
       */
      shows: (...shown: Parameters<typeof patientsOf>) => {
        for (const id of patientsOf(...shown)) exchange.row.patientIds.add(id);
      },
      /** Runs read-only work on one snapshot. */
      read: <Body>(reading: (db: Db) => Promise<Body>) => readWork(work, reading),
      /** `read` of what is about no patient, so that everybody is shown all of it. */
      readOfPractice: <Body>(reading: (db: Db) => Promise<Body>) =>
        readWork(work, reading, { ofPractice: true }),
      /**
       * `read` for work that turns out to be long only while it runs. `reading` then returns undefined, and runs again,
       * with `isLong`, as soon as the key may run another expensive read.
       */
      readUnlessLong: async <Body>(
        reading: (db: Db, isLong: boolean) => Promise<Body | undefined>,
      ): Promise<Body> => {
        const short = await readWork(work, (db) => reading(db, false));
        if (short !== undefined) return short;
        await waitForSlot(exchange, caller, dependencies);
        return (await readWork(work, (db) => reading(db, true))) as Body;
      },
      /**
       * Runs work that changes data, in one transaction with its audit row and stored response. Replays the response of
       * a retry.
       *
       * @param lookFirst runs before the transaction, on a snapshot, for refusals that need no lock. Its result is passed
       * to `writing`, but may be outdated by then.
       */
      write: <const Status extends 200 | 201, Body, Basis = undefined>(
        status: Status,
        writing: (trx: Db, basis: Basis) => Promise<Body>,
        lookFirst?: (db: Db) => Promise<Basis>,
      ): Promise<ElysiaCustomStatusResponse<Status, Body>> =>
        writeWork(work, { status, writing, lookFirst }),
      /** `write` with a response that is secret: a retry with the same Idempotency-Key is another request. */
      writeSecret: <const Status extends 200 | 201, Body>(
        status: Status,
        writing: (trx: Db) => Promise<Body>,
      ): Promise<ElysiaCustomStatusResponse<Status, Body>> =>
        writeWork(work, { status, writing, isSecret: true }),
      /**
       * `write` for long-running work, in its own transaction. The connection is not closed for being silent meanwhile.
       *
       * @param prepare runs before the transaction, and before a replay. Its result is passed to `writing`.
       */
      writeLong: async <const Status extends 200 | 201, Body, Prepared>(
        status: Status,
        prepare: () => Promise<Prepared>,
        writing: (trx: Db, prepared: Prepared) => Promise<Body>,
      ): Promise<ElysiaCustomStatusResponse<Status, Body>> => {
        dependencies.setIdleTimeout(request);
        try {
          return await writeWork(work, { status, prepare, writing });
        } finally {
          dependencies.setIdleTimeout(request, EXPENSIVE_TIMEOUT);
        }
      },
    };
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
          exchange.operation = { id, showsSequence, ...input };
          if (caller.ownPatientsOnly) await nameAskedFor(values, exchange, caller, dependencies);
          // Elysia then validates these values. Its own query parser would accept "1e3" as a number, and use the last
          // of repeated parameters.
          if (schemas.params !== undefined) context.params = values.params as typeof params;
          if (schemas.query !== undefined) context.query = values.query as typeof context.query;
          context.body = values.body;
        },
      };
    },
    /** Whether requests are expensive: each key can run only a few of them at a time. */
    expensive: (expensive: IsExpensive) => ({
      async beforeHandle(context) {
        const { params, query, body, dependencies } = context;
        const { exchange, caller, now, read } = context as typeof context & Derived;
        // Requests with a large body already have a slot.
        if (exchange.releaseSlot !== undefined) return;
        const asked = { caller, now, params, query, body, read };
        if (expensive === true || (await expensive(asked as never)))
          await waitForSlot(exchange, caller, dependencies);
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

/** Maximum time of an expensive request, including waiting, before its connection is closed, in seconds. */
const EXPENSIVE_TIMEOUT = 120;

/** Requests with a larger body are expensive, in bytes. */
const LARGE_BODY = 16 * 1024;

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
    if (received.size > LARGE_BODY) await waitForSlot(exchange, caller, dependencies);
    return await received.bytes();
  } finally {
    received.discard();
  }
}

/**
 * Whether a route's requests are expensive: all of them, or those for which the function returns true. It receives
 * caller, now, params, query, body and read of the handler's context. The body is not validated yet if the handler
 * validates it.
 */
type IsExpensive = true | ((asked: never) => boolean | Promise<boolean>);

/**
 * Waits for a slot of the key, which the request keeps until it is answered.
 *
 * @throws PlainError 429 if too many requests of the key are waiting, 499 if the client has disconnected.
 */
async function waitForSlot(
  exchange: Exchange,
  caller: Caller,
  dependencies: Dependencies,
): Promise<void> {
  const { request } = exchange;
  const kind = request.method === "GET" || request.method === "HEAD" ? "read" : "write";
  dependencies.setIdleTimeout(request, EXPENSIVE_TIMEOUT);
  exchange.releaseSlot = await dependencies.slots.acquire(caller.keyId, kind);
  // Others of this key first find out whether they are expensive. They would otherwise run one after the other, without
  // ever waiting for a slot, and requests of other keys after all of them.
  await nextTurn();
  requireClient(request);
}
