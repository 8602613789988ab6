import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import type { Database, Db } from "../../db/database.ts";
import type { Principal } from "../access/api-keys.ts";
import { refusal } from "../access/permissions.ts";
import { setKeyLastUsed } from "../access/repository.ts";
import { InvalidInput, type Issue } from "../lib/errors.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { authenticateRequest } from "./authentication.ts";
import { type Body, readJsonBody } from "./body.ts";
import { isLoopback } from "./client-address.ts";
import type { Endpoint, RequestContext } from "./endpoint.ts";
import { PlainError } from "./errors.ts";
import { jsonResponse, type ServiceDependencies } from "./exchange.ts";
import {
  type Attempt,
  attemptOf,
  findAnswer,
  type RecordedAnswer,
  recordAnswer,
} from "./idempotency.ts";
import { queryInput } from "./query.ts";
import { recordTrail, type Trail } from "./trail.ts";
import { MAX_ISSUES } from "../schema/explanation.ts";
import { type ParseOptions, parse, REQUEST, UPDATE } from "../schema/validation.ts";

/**
 * The way of every request under `/api/v1`, in the order of decisions 1: key 401, path 404, method 405,
 * role 403, size 413 and media type 415, shape 400, meaning.
 */

/** A key's last use is kept to the minute, in milliseconds. */
const LAST_USE_RESOLUTION = 60_000;

type AnyContext = RequestContext<never, never, never>;
type ReadEndpoint = Extract<Endpoint, { read: unknown }>;
type WriteEndpoint = Extract<Endpoint, { write: unknown }>;

/** The answer of an endpoint to a request that its route matched. */
export function answerRequest(
  endpoint: Endpoint,
  request: Request,
  pathParameters: Record<string, string | null>,
  dependencies: ServiceDependencies,
  trail: Trail,
): Promise<Response> {
  const now = toInstant(dependencies.clock.now());
  return "read" in endpoint
    ? answerRead(endpoint, request, pathParameters, dependencies, trail, now)
    : answerWrite(endpoint, request, pathParameters, dependencies, trail, now);
}

/** A read has one snapshot, of the key as of the data. */
function answerRead(
  endpoint: ReadEndpoint,
  request: Request,
  pathParameters: Record<string, string | null>,
  dependencies: ServiceDependencies,
  trail: Trail,
  now: Instant,
): Promise<Response> {
  return dependencies.database.read(async (db) => {
    const principal = await identify(request, db, dependencies, now, trail);
    requirePermission(endpoint, principal);
    const { params, query, body } = checkedInput(endpoint, request, pathParameters, undefined);
    const { patientIds } = trail;
    const answer = await endpoint.read(db, { principal, now, patientIds, params, query, body });
    return jsonResponse(endpoint.status, JSON.stringify(answer));
  });
}

async function answerWrite(
  endpoint: WriteEndpoint,
  request: Request,
  pathParameters: Record<string, string | null>,
  dependencies: ServiceDependencies,
  trail: Trail,
  now: Instant,
): Promise<Response> {
  const { database } = dependencies;
  const principal = await database.read((db) => identify(request, db, dependencies, now, trail));
  requirePermission(endpoint, principal);
  const body = endpoint.body === undefined ? undefined : await readJsonBody(request);
  const input = checkedInput(endpoint, request, pathParameters, body);
  const context = { principal, now, patientIds: trail.patientIds, ...input };
  const deniedForBody = endpoint.bodyRefusal?.(context);
  if (deniedForBody !== undefined) throw new PlainError(403, deniedForBody);
  const attempt =
    endpoint.method === "POST" && body !== undefined
      ? attemptOf(request, body.bytes, {
          organizationId: principal.organizationId,
          route: endpoint.operationId,
          now,
        })
      : undefined;
  return runWrite(endpoint, context, attempt, database, trail);
}

/** @throws PlainError 403 where the role may not. */
function requirePermission({ permission }: Endpoint, { role }: Principal): void {
  const denied = refusal(permission, role);
  if (denied !== undefined) throw new PlainError(403, denied);
}

/**
 * Whose request it is; the use of the key is noted beside the request, which does not wait for it.
 *
 * @throws PlainError 401, and 429 beyond the limit of the address or of the key.
 */
export async function identify(
  request: Request,
  db: Db,
  dependencies: ServiceDependencies,
  now: Instant,
  trail: Trail,
): Promise<Principal> {
  const { database, log, limits } = dependencies;
  const principal = await authenticateWithinLimit(request, db, dependencies, now);
  trail.principal = principal;
  limits.requestsOfKey?.count(principal.keyId, epochMilliseconds(now));
  if (isStale(principal.keyLastUsedAt, now))
    database
      .write((trx) => setKeyLastUsed(trx, principal.organizationId, principal.keyId, now), {
        organizationId: principal.organizationId,
      })
      .catch(() => log({ time: now, level: "error", message: "last use of a key was not kept" }));
  return principal;
}

/** Every failure counts for its address, and too many of them are answered 429; a good key always works. */
async function authenticateWithinLimit(
  request: Request,
  db: Db,
  { limits, addressOf }: ServiceDependencies,
  now: Instant,
): Promise<Principal> {
  try {
    return await authenticateRequest(request, db, now);
  } catch (error) {
    const address = addressOf(request);
    if (error instanceof PlainError && address !== undefined && !isLoopback(address))
      limits.failedAuthentications.count(address, epochMilliseconds(now));
    throw error;
  }
}

function isStale(lastUsedAt: Instant | null, now: Instant): boolean {
  if (lastUsedAt === null) return true;
  return epochMilliseconds(now) - epochMilliseconds(lastUsedAt) >= LAST_USE_RESOLUTION;
}

/**
 * The parameters and the body, checked.
 *
 * @throws InvalidInput with the issues of the path, then the query, then the body.
 */
function checkedInput(
  endpoint: Endpoint,
  request: Request,
  pathParameters: Record<string, string | null>,
  body: Body | undefined,
): Pick<AnyContext, "params" | "query" | "body"> {
  const issues: Issue[] = [];
  const check = (schema: TSchema | undefined, input: (schema: TObject) => unknown): never => {
    if (schema === undefined) return undefined as never;
    const parsed = parse(schema, input(schema as TObject), optionsFor(endpoint));
    if ("value" in parsed) return parsed.value as never;
    issues.push(...parsed.issues);
    return undefined as never;
  };
  const checked = {
    params: check(endpoint.params, () => withoutNulls(pathParameters)),
    query: check(endpoint.query, (schema) => queryInput(request.url, schema)),
    body: check(endpoint.checksOwnBody ? Type.Object({}) : endpoint.body, () => body?.value),
  };
  if (issues.length > 0) throw new InvalidInput(issues.slice(0, MAX_ISSUES));
  return endpoint.checksOwnBody ? { ...checked, body: body?.value as never } : checked;
}

function optionsFor(endpoint: Endpoint): ParseOptions {
  return endpoint.method === "PATCH" ? UPDATE : REQUEST;
}

/** The router gives null for a parameter that does not decode; as an empty text it is a malformed id. */
function withoutNulls(parameters: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, text ?? ""]));
}

async function runWrite(
  endpoint: WriteEndpoint,
  context: AnyContext,
  attempt: Attempt | undefined,
  database: Database,
  trail: Trail,
): Promise<Response> {
  const { check, status } = endpoint;
  const before =
    attempt || check
      ? await database.read(async (db) => {
          const recorded = attempt && (await findAnswer(db, attempt));
          return recorded ? { recorded } : { found: (await check?.(db, context)) as never };
        })
      : undefined;
  if (before?.recorded !== undefined) return replay(before.recorded, trail);

  const response = await database.write(
    async (trx) => {
      // A concurrent request with the same key may have been answered since.
      const recorded = attempt && (await findAnswer(trx, attempt));
      if (recorded !== undefined) return replay(recorded, trail);
      // The group of writes may have been refused after an earlier run of this one.
      context.patientIds.clear();
      const answer = JSON.stringify(await endpoint.write(trx, context, before?.found as never));
      const patientIds = [...context.patientIds];
      if (attempt !== undefined) await recordAnswer(trx, attempt, { status, answer, patientIds });
      await recordTrail(trx, trail, status, context.now);
      return jsonResponse(status, answer);
    },
    { organizationId: context.principal.organizationId },
  );
  trail.recorded = !response.headers.has(REPLAYED);
  return response;
}

const REPLAYED = "Idempotency-Replayed";

function replay({ status, answer, patientIds }: RecordedAnswer, trail: Trail): Response {
  for (const id of patientIds) trail.patientIds.add(id);
  return jsonResponse(status, answer, { [REPLAYED]: "true" });
}
