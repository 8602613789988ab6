import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Db } from "../../db/database.ts";
import type { Principal } from "../access/api-keys.ts";
import type { Permission } from "../access/permissions.ts";
import type { Instant } from "../lib/instant.ts";
import type { ErrorStyle } from "./errors.ts";

/**
 * One declaration of an endpoint gives its validation, its static types and its part of the OpenAPI
 * document. `pipeline.ts` runs it, `openapi.ts` describes it.
 */

/** What an endpoint's work is given: the checked request, and who asks. */
export interface RequestContext<Params, Query, Body> {
  principal: Principal;
  /** The one time of this request. */
  now: Instant;
  /** Where the work notes the patients whose data it answers or changes, for the audit trail. */
  patientIds: Set<string>;
  params: Params;
  query: Query;
  body: Body;
}

interface Description<
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  Answer extends TSchema,
> {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/api`, with parameters in braces: `/v1/sessions/{sessionId}`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  permission: Permission;
  errorStyle?: ErrorStyle;
  params?: Params;
  query?: Query;
  body?: Body;
  /**
   * The accepted body depends on what is stored: `body` only documents it, the pipeline only sees to it that
   * it is an object, and the work checks it with `parse`.
   */
  checksOwnBody?: true;
  /** Request bodies that the documentation shows; the tests send them as they stand. */
  examples?: Record<string, { summary: string; value: Static<Body> }>;
  status: 200 | 201;
  answer: Answer;
  /**
   * Refusals beyond those that follow from the rest: status, and when it happens. The 400 among them is the
   * one in a sentence; a list of issues follows from the schemas.
   */
  refusals?: Partial<Record<400 | 403 | 404 | 409 | 422 | 500, string>>;
  /** The sentence of a 500, where the specification gives one. */
  failure?: string;
}

/** Work that only reads: it runs on one snapshot of the data. */
interface Read<Context, Answer> {
  read(db: Db, context: Context): Promise<Answer>;
}

/** Work that writes, in one transaction with its audit and idempotency rows. */
interface Write<Context, Answer, Found> {
  /**
   * For a permission that depends on the body, and so is asked for after its shape (decisions 1): the
   * sentence of the 403, or undefined where the caller may.
   */
  bodyRefusal?(context: Context): string | undefined;
  /**
   * Runs before the transaction, on a snapshot: refusals that cost no lock. What it finds is handed to
   * `write`, and may have changed by then.
   */
  check?(db: Db, context: Context): Promise<Found>;
  write(trx: Db, context: Context, found: Found): Promise<Answer>;
}

type Work<Context, Answer, Found> = Read<Context, Answer> | Write<Context, Answer, Found>;

/** An endpoint as the pipeline and the documentation see it, whatever its own types. */
export type Endpoint = Description<TObject, TObject, TSchema, TSchema> &
  Work<RequestContext<never, never, never>, unknown, never>;

/** Declares an endpoint; the work's parameters and answer are typed by the schemas. */
export function endpoint<
  Answer extends TSchema,
  Params extends TObject = TObject<{}>,
  Query extends TObject = TObject<{}>,
  Body extends TSchema = TSchema,
  Found = undefined,
>(
  declaration: Description<Params, Query, Body, Answer> &
    Work<RequestContext<Static<Params>, Static<Query>, Static<Body>>, Static<Answer>, Found>,
): Endpoint {
  return declaration as Endpoint;
}
