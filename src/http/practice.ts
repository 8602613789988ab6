import type { TSchema } from "@sinclair/typebox";
import { Elysia, type ElysiaCustomStatusResponse } from "elysia";
import type { Database, Db } from "../../db/database.ts";
import type { Caller } from "../access/api-keys.ts";
import type { Permission } from "../access/permissions.ts";
import { type Instant, toInstant } from "../lib/instant.ts";
import { countRequest, identify, requirePermission } from "./authentication.ts";
import { requireClient } from "./client-presence.ts";
import type { Exchange, Service, Singleton } from "./context.ts";
import { checkedBody, type InputSchemas, readInput } from "./input.ts";
import { requireUsualRequestLine } from "./request-line.ts";
import { readWork, type Work, writeWork } from "./work.ts";

/** What a route is declared with, as far as it is looked at here. */
interface Declaration extends InputSchemas {
  response?: Record<number, TSchema>;
  detail?: { operationId?: string; declared?: Declared };
}

/** A route's declaration as it was made. It is kept for the document: Elysia is not given all of it to check. */
export interface Declared extends InputSchemas {
  permission: Permission;
  response: Record<number, TSchema>;
}

/** What is known of a request by the time that its permission is asked for; a macro's types do not say so. */
interface Derived {
  exchange: Exchange;
  caller: Caller;
  now: Instant;
  read: Database["read"];
}

/**
 * What the routes of the practice's data have: who asks, and what they may. The key is asked for first (401, 429), then
 * the role (403), and only then is anything of the request read (413, 415) and checked by Elysia (400).
 */
export const practice = new Elysia<"", Singleton<{ exchange: Exchange }>>({ name: "practice" })
  // Elysia would read the body before the key is known. Null is a body that was read.
  .onParse({ as: "scoped" }, () => null)
  .derive({ as: "scoped" }, async ({ request, exchange, service }) => {
    const now = toInstant(service.clock.now());
    const caller = await identify(request, service, now);
    exchange.caller = caller;
    countRequest(caller, service, now);
    requireUsualRequestLine(request, service);
    const work: Work = { exchange, service, caller, now };
    return {
      caller,
      /** The one time of this request. */
      now,
      /** Where the handler notes the patients whose data it answers or changes, for the audit trail. */
      patientIds: exchange.patientIds,
      /** Runs work that only reads, on one snapshot of the data. */
      read: <Answer>(reading: (db: Db) => Promise<Answer>) => readWork(work, reading),
      /**
       * Runs work that changes something, in one transaction with its audit and idempotency rows; or answers a retry.
       *
       * @param check runs before the transaction, on a snapshot: refusals that cost no lock. What it finds is handed
       * to `writing`, and may have changed by then.
       */
      write: <const Status extends 200 | 201, Answer, Found = undefined>(
        status: Status,
        writing: (trx: Db, found: Found) => Promise<Answer>,
        check?: (db: Db) => Promise<Found>,
      ): Promise<ElysiaCustomStatusResponse<Status, Answer>> =>
        writeWork(work, { status, writing, check }),
      /**
       * The same for work that takes long, in a transaction of its own.
       *
       * @param prepare runs before the transaction, and not for a retry. What it answers is handed to `writing`.
       */
      writeLong: <const Status extends 200 | 201, Answer, Prepared>(
        status: Status,
        prepare: () => Promise<Prepared>,
        writing: (trx: Db, prepared: Prepared) => Promise<Answer>,
      ): Promise<ElysiaCustomStatusResponse<Status, Answer>> =>
        writeWork(work, { status, prepare, writing }),
    };
  })
  .macro({
    permission: (permission: Permission) => {
      let schemas: InputSchemas = {};
      let operationId = "";
      return {
        introspect(hook: Record<string, unknown>) {
          const declaration: Declaration = hook;
          const { params, query, body, response = {}, detail } = declaration;
          schemas = { params, query, body };
          operationId = detail?.operationId ?? "";
          declaration.detail = { ...detail, declared: { permission, ...schemas, response } };
          if (body !== undefined) declaration.body = checkedBody(body);
          // Elysia would check every answer, which costs more than the answer.
          delete declaration.response;
        },
        async transform(context) {
          const { request, params, service } = context;
          const { exchange, caller } = context as typeof context & Derived;
          requirePermission(permission, caller);
          const { input, values } = await readInput(request, params, schemas, async (body) => {
            if (body.length > LARGE_BODY) await waitForSlot(exchange, caller, service);
          });
          exchange.operationId = operationId;
          exchange.input = input;
          // What Elysia then checks: its own reading of a query takes "1e3" for a number, and the last of two values.
          if (schemas.params !== undefined) context.params = values.params as typeof params;
          if (schemas.query !== undefined) context.query = values.query as typeof context.query;
          context.body = values.body;
        },
      };
    },
    /** Whether requests are dear to the server: then one key runs only a few of them at a time. */
    dear: (dear: Dear) => ({
      async beforeHandle(context) {
        const { params, query, body, service } = context;
        const { exchange, caller, now, read } = context as typeof context & Derived;
        // One with a large body has its slot by now.
        if (exchange.releaseSlot !== undefined) return;
        const asked = { caller, now, params, query, body, read };
        if (dear === true || (await dear(asked as never)))
          await waitForSlot(exchange, caller, service);
      },
    }),
  });

/** How long a dear request may take, its waiting included, before its connection is closed, in seconds. */
const WAITING_TIME = 120;

/** A body beyond this makes a request dear, in bytes. */
const LARGE_BODY = 16 * 1024;

/**
 * Says that a route's requests are all dear, or which are. The function is given caller, now, params, query, body and
 * read of the handler's context; a body may have any form there where the handler checks it.
 */
type Dear = true | ((asked: never) => boolean | Promise<boolean>);

/**
 * Waits until the key may have one dear request more, which this one then is until it is answered.
 *
 * @throws PlainError 429 where too many of the key wait already, 499 where the client has gone meanwhile.
 */
async function waitForSlot(exchange: Exchange, caller: Caller, service: Service): Promise<void> {
  const { request } = exchange;
  const sort = request.method === "GET" || request.method === "HEAD" ? "read" : "write";
  service.letWait(request, WAITING_TIME);
  exchange.releaseSlot = await service.shares.slot(caller.keyId, sort);
  requireClient(request);
}
