import type { Db } from "../../db/database.ts";
import { createKey } from "../callers/api-keys.ts";
import { findKeyHolder } from "../callers/repository.ts";
import { isStaff } from "../callers/roles.ts";
import { addDays } from "../lib/calendar-date.ts";
import { DomainError } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { endOfDay, localDate, parseTimeZone, startOfDay, UTC } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { feedText } from "./feed.ts";
import type { IssuedCalendar } from "./model.ts";
import { deleteRevokedCalendars, listFeedSessions, listLiveCalendars } from "./repository.ts";

/** One for each device is best, since revoking is by one. */
const MAX_CALENDARS = 5;

/** Revoked calendars of a person that are kept, for the list of keys. */
const REVOKED_KEPT = 20;

/**
 * Creates a calendar of a user: a key of its own kind, whose text is the path.
 *
 * @throws DomainError notFound for an unknown user, notStaff for one who is inactive or no staff, conflict beyond five.
 */
export async function createCalendar(
  trx: Db,
  {
    organizationId,
    userId,
    name = "Calendar",
  }: { organizationId: string; userId: string; name?: string | undefined },
  now: Instant,
): Promise<IssuedCalendar> {
  const user = await findKeyHolder(trx, organizationId, userId);
  if (user === undefined) throw new DomainError("notFound", "User not found");
  if (user.is_active === 0 || !isStaff(user.role))
    throw new DomainError("notStaff", "Only active staff have calendars").withPatientIds(
      user.role === "PATIENT" ? [userId] : [],
    );
  const live = await listLiveCalendars(trx, { organizationId, userId, now });
  if (live.length >= MAX_CALENDARS) throw new DomainError("conflict", "Too many calendars");
  const { id, key } = await createKey(
    trx,
    { organizationId, holder: { userId }, name, expiresAt: null, kind: "CALENDAR" },
    now,
  );
  await deleteRevokedCalendars(trx, { organizationId, userId, kept: REVOKED_KEPT });
  return { id, path: `/calendar/${key}.ics`, name, createdAt: now };
}

/** The days before and after today whose sessions are in a feed. */
const DAYS_BEFORE = 14;
const DAYS_AFTER = 56;

/** The text of a user's feed. Days are those of the organization's time zone, else of UTC. */
export async function readFeed(
  db: Db,
  { organizationId, userId }: { organizationId: string; userId: string },
  { now, origin }: { now: Instant; origin: string },
): Promise<string> {
  const organization = await getOrganization(db, organizationId);
  const timezone = parseTimeZone(organization.time_zone ?? "") ?? UTC;
  const today = localDate(now, timezone);
  const sessions = await listFeedSessions(db, {
    ...{ organizationId, userId },
    from: startOfDay(addDays(today, -DAYS_BEFORE), timezone),
    to: endOfDay(addDays(today, DAYS_AFTER), timezone),
  });
  return feedText({
    ...{ organizationId, organizationName: organization.name, timezone, origin, sessions },
    today: startOfDay(today, timezone),
  });
}
