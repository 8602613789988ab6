import { Elysia } from "elysia";
import { authenticate, type Caller, revokeKey } from "../callers/api-keys.ts";
import { isWellFormedKey } from "../callers/key-format.ts";
import { isStaff } from "../callers/roles.ts";
import { countRequest, noteUse } from "../http/authentication.ts";
import { authorized } from "../http/authorized.ts";
import type { Dependencies, Exchange, Singleton } from "../http/context.ts";
import { PlainError } from "../http/errors.ts";
import { countFailedAuthentication } from "../http/limits/rate-limits.ts";
import { commonErrors, creationErrors, errorResponse } from "../http/responses.ts";
import { DomainError, InvalidInput } from "../lib/errors.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import {
  CalendarList,
  CalendarPath,
  CalendarRevoked,
  IssuedCalendar,
  NewCalendar,
} from "./model.ts";
import { listLiveCalendars } from "./repository.ts";
import { createCalendar, readFeed } from "./service.ts";

/** No response is stored under an Idempotency-Key, so that none can be reused. */
const { 422: _, ...withoutReuse } = creationErrors;

/** Administration of calendars: an `ADMIN` for everybody, other staff for themselves. */
export const calendars = new Elysia({ prefix: "/calendars", tags: ["Calendars"] })
  .use(authorized)
  .get(
    "",
    ({ caller, now, read }) =>
      read(async (db) => ({ data: await listLiveCalendars(db, { ...ownOf(caller), now }) })),
    {
      permission: "readCalendars",
      response: { 200: CalendarList, ...commonErrors },
      detail: {
        operationId: "listCalendars",
        summary: "List calendars",
        description:
          "The calendars that work, without their paths: of everybody for an `ADMIN`, else of the key's user.",
        links: { revokeCalendar: { calendarId: "/data/0/id" } },
      },
    },
  )
  .post(
    "",
    ({ caller, body, now, writeSecret }) => {
      const { organizationId } = caller;
      const userId = userFor(caller, body.userId);
      return writeSecret(200, (trx) =>
        createCalendar(trx, { organizationId, userId, name: body.name }, now),
      );
    },
    {
      permission: "writeCalendars",
      body: NewCalendar,
      response: {
        200: IssuedCalendar,
        ...withoutReuse,
        404: errorResponse("The organization has no user with this id.", "User not found"),
        409: errorResponse(
          "The user is inactive or no staff, or has five calendars already.",
          "Only active staff have calendars",
          "Too many calendars",
        ),
      },
      detail: {
        operationId: "createCalendar",
        summary: "Create a calendar",
        description:
          "Creates a feed of a user's sessions for calendar programs. Its path is a secret that opens this feed alone, and is told only here: nothing is stored under an `Idempotency-Key`.",
        examples: {
          another: {
            summary: "Of a technician, by an administrator",
            value: { userId: "usr_technician_000001", name: "Phone" },
          },
        },
        links: { revokeCalendar: { calendarId: "/id" } },
      },
    },
  )
  .delete(
    "/:calendarId",
    ({ caller, params: { calendarId }, now, write }) =>
      write(200, async (trx) => {
        const live = await listLiveCalendars(trx, { ...ownOf(caller), now });
        if (!live.some(({ id }) => id === calendarId))
          throw new DomainError("notFound", "Calendar not found");
        await revokeKey(trx, calendarId, now);
        return { message: "Calendar revoked successfully" };
      }),
    {
      permission: "writeCalendars",
      params: CalendarPath,
      response: {
        200: CalendarRevoked,
        ...commonErrors,
        404: errorResponse("There is no such calendar that works.", "Calendar not found"),
      },
      detail: {
        operationId: "revokeCalendar",
        summary: "Revoke a calendar",
        description: "Its path is unknown from then on.",
      },
    },
  );

/** Whose calendars a caller may see and revoke. */
function ownOf({ organizationId, role, userId }: Caller) {
  return { organizationId, userId: role === "ADMIN" ? undefined : (userId ?? "") };
}

/** Whose calendar a caller creates. */
function userFor({ role, userId }: Caller, id: string | undefined): string {
  const own = userId ?? undefined;
  if (role !== "ADMIN" && id !== undefined && id !== own)
    throw new PlainError(403, "Insufficient permissions for this action");
  const whose = id ?? own;
  if (whose !== undefined) return whose;
  throw new InvalidInput([{ code: "invalid_type", message: "Required", path: ["userId"] }]);
}

const UNDOCUMENTED = { detail: { hide: true } };

/**
 * The feeds, outside the API: calendar programs send no headers, so that the path is the secret. It is in no log line
 * and no audit row. Only a response with data has a row, since programs ask every few minutes.
 */
export const calendarFeed = new Elysia<"", Singleton<{ exchange: Exchange }>>({
  name: "calendar feed",
}).get(
  "/calendar/:token",
  async ({ params: { token }, request, exchange, dependencies }) => {
    const now = toInstant(dependencies.clock.now());
    // The router passes null for a parameter that cannot be decoded.
    const subscriber = await subscriberOf(token ?? "", request, { dependencies, now });
    const origin = dependencies.origin() ?? new URL(request.url).origin;
    const text = await dependencies.database.read((db) =>
      readFeed(db, subscriber, { now, origin }),
    );
    const headers = {
      ETag: `"${Bun.CryptoHasher.hash("sha256", text, "base64url")}"`,
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex",
    };
    if (hasTag(request.headers.get("if-none-match"), headers.ETag))
      return new Response(null, { status: 304, headers });
    const { row } = exchange;
    row.isDue = true;
    row.caller = subscriber;
    row.target = "/calendar";
    return new Response(text, {
      headers: { ...headers, "Content-Type": "text/calendar; charset=utf-8" },
    });
  },
  UNDOCUMENTED,
);

type Subscriber = Caller & { userId: string };

/**
 * The caller with the key in a path.
 *
 * @throws PlainError 404 for anything but the key of a calendar of active staff; 429 over a limit.
 */
async function subscriberOf(
  token: string,
  request: Request,
  { dependencies, now }: { dependencies: Dependencies; now: Instant },
): Promise<Subscriber> {
  const { database, limits, addressOf } = dependencies;
  const key = token.endsWith(".ics") ? token.slice(0, -".ics".length) : "";
  const caller = isWellFormedKey(key)
    ? await database.read((db) => authenticate(db, key, now))
    : undefined;
  if (caller === undefined || !isSubscriber(caller)) {
    countFailedAuthentication(limits, addressOf(request), epochMilliseconds(now));
    throw new PlainError(404, "Not found");
  }
  noteUse(caller, dependencies, now);
  countRequest(caller, dependencies, now);
  return caller;
}

function isSubscriber(caller: Caller): caller is Subscriber {
  return caller.kind === "CALENDAR" && caller.userId !== null && isStaff(caller.role);
}

/** Whether an `If-None-Match` has a tag (RFC 9110, 13.1.2: weak comparison). */
function hasTag(ifNoneMatch: string | null, tag: string): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  return tags.includes(tag) || tags.includes("*");
}
