import type { Static, TSchema } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { Db } from "../../db/database.ts";
import type { Actor } from "../callers/actor.ts";
import { endSignIn } from "../callers/sign-in-repository.ts";
import { findSignIn } from "../callers/sign-ins.ts";
import { readToken } from "../callers/tokens.ts";
import { recordEntry } from "../audit/trail.ts";
import { auditEntry } from "../http/audit.ts";
import { requireSignedIn, Unauthenticated } from "../http/authentication.ts";
import type { Dependencies, Exchange, Singleton } from "../http/context.ts";
import { PlainError } from "../http/errors.ts";
import { readBody, requireNoParameters } from "../http/input.ts";
import { requireOrigin } from "../http/origin.ts";
import { SIGN_IN_BASE } from "../http/paths.ts";
import { countFailedAuthentication } from "../http/limits/rate-limits.ts";
import { isFromPage, REMOVED_COOKIE, signInCookie, signInToken } from "../http/sign-in-cookie.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { OptionsBody, RegistrationBody, SignInBody } from "./model.ts";
import {
  challengeSecret,
  checkRegistration,
  checkUse,
  type Context,
  type NewSignIn,
  Refusal,
  register,
  SIGN_IN_SECONDS,
  signIn,
  signInOptions,
} from "./service.ts";

/**
 * How the page signs people in and out. These operations are no part of the API: they need no key, and answer only
 * requests of the page itself, so that no other site can sign somebody in as somebody else.
 */
export const signInRoutes = new Elysia<"", Singleton<{ exchange: Exchange }>>({ name: "sign-in" })
  .onParse({ as: "local" }, () => null)
  .derive({ as: "local" }, ({ request, exchange, dependencies }) => {
    if (!isFromPage(request)) throw new PlainError(403, "Only the page signs people in");
    const now = toInstant(dependencies.clock.now());
    return { visit: { request, exchange, dependencies, now } };
  })
  .post(`${SIGN_IN_BASE}/options`, async ({ visit }) => {
    const { body, context } = await ceremonyOf(visit, OptionsBody);
    const { exchange, dependencies } = visit;
    const options = await orRefused(visit, () =>
      dependencies.database.read(async (db) => {
        await requireExpectedPerson(db, visit);
        return signInOptions(db, body.invitation, context);
      }),
    );
    exchange.row.isDue = false;
    // Anybody may ask any number of times.
    exchange.isLogged = !dependencies.requestLogLimit.count();
    return options;
  })
  .post(`${SIGN_IN_BASE}/passkey`, async ({ visit, set }) => {
    const { body, context } = await ceremonyOf(visit, RegistrationBody);
    return orRefused(visit, async () => {
      const { person, registered } = await visit.dependencies.database.read(async (db) => {
        if (body.invitation === undefined) await requireExpectedPerson(db, visit);
        return checkRegistration(db, body, context);
      });
      const { passkey, signIn } = await recorded(visit, person.organizationId, (trx) =>
        register(trx, body, registered, context),
      );
      if (signIn !== undefined) set.headers["set-cookie"] = cookieOf(signIn);
      return status(201, passkey);
    });
  })
  .post(SIGN_IN_BASE, async ({ visit, set }) => {
    const { body, context } = await ceremonyOf(visit, SignInBody);
    return orRefused(visit, async () => {
      const { database, limits } = visit.dependencies;
      const use = await database.read((db) => checkUse(db, body, context));
      limits.passkeyUses.count(`${use.organizationId} ${use.userId}`, epochMilliseconds(visit.now));
      const begun = await recorded(visit, use.organizationId, (trx) => signIn(trx, use, context));
      set.headers["set-cookie"] = cookieOf(begun);
      return status(201, { userId: begun.actor.userId, expiresAt: begun.expiresAt });
    });
  })
  .delete(SIGN_IN_BASE, async ({ visit, set }) => {
    const { request, dependencies, now } = visit;
    requireNoParameters(request);
    const token = signInToken(request) ?? "";
    const stored = readToken(token);
    const ending = await dependencies.database.read((db) => findSignIn(db, token, now));
    if (stored !== undefined && ending !== undefined)
      await recorded(
        visit,
        stored.organizationId,
        async (trx) => {
          await endSignIn(trx, stored, now);
          return { actor: ending.caller };
        },
        200,
      );
    set.headers["set-cookie"] = REMOVED_COOKIE;
    return { success: true };
  })
  .all(`${SIGN_IN_BASE}/options`, () => Promise.reject(notAllowed("POST")))
  .all(`${SIGN_IN_BASE}/passkey`, () => Promise.reject(notAllowed("POST")))
  .all(SIGN_IN_BASE, () => Promise.reject(notAllowed("POST, DELETE")));

/** A request of the page. */
interface Visit {
  request: Request;
  exchange: Exchange;
  dependencies: Dependencies;
  now: Instant;
}

/**
 * The body of a request for a ceremony, and what each ceremony needs.
 *
 * @throws PlainError 409 without an origin, 413 and 415. @throws InvalidInput
 */
async function ceremonyOf<Schema extends TSchema>(
  { request, dependencies, now }: Visit,
  schema: Schema,
): Promise<{ body: Static<Schema>; context: Context }> {
  const origin = requireOrigin(dependencies);
  const body = await readBody(request, schema);
  const secret = await challengeSecret(dependencies.database);
  return { body, context: { now, origin, secret, token: signInToken(request) } };
}

/** @throws PlainError 401 if the browser's sign-in is not that of the person whom the page names. */
async function requireExpectedPerson(db: Db, { request, now }: Visit): Promise<void> {
  if (!request.headers.has("caseload-user")) return;
  const token = signInToken(request);
  const signIn = token === undefined ? undefined : await findSignIn(db, token, now);
  requireSignedIn(request, signIn?.caller);
}

/** Runs a write with its audit row in one transaction. */
async function recorded<Result extends { actor: Actor }>(
  { exchange, dependencies, now }: Visit,
  organizationId: string,
  writing: (trx: Db) => Promise<Result>,
  statusCode: 200 | 201 = 201,
): Promise<Result> {
  const result = await dependencies.database.write(
    async (trx) => {
      const written = await writing(trx);
      const row = { ...exchange.row, caller: written.actor };
      await recordEntry(trx, auditEntry({ ...exchange, row }, statusCode, now));
      return written;
    },
    { organizationId },
  );
  exchange.row.isDue = false;
  return result;
}

/** Turns a refusal into a 401, or a 429 if the address had too many of them. */
async function orRefused<Result>(
  { request, exchange, dependencies, now }: Visit,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { limits, addressOf } = dependencies;
    const { row } = exchange;
    row.address = addressOf(request);
    row.caller = error.passkey;
    if (error.isFailedAuthentication)
      countFailedAuthentication(limits, row.address, epochMilliseconds(now));
    throw new Unauthenticated(error.message, error.reason);
  }
}

function cookieOf({ token }: NewSignIn): string {
  return signInCookie(token, SIGN_IN_SECONDS);
}

function notAllowed(methods: string): PlainError {
  return new PlainError(405, "Method not allowed", { allow: methods });
}
