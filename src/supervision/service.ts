import type { Db } from "../../db/database.ts";
import {
  type CalendarDate,
  type DateRange,
  endOfMonth,
  startOfMonth,
} from "../lib/calendar-date.ts";
import { possibleInstants } from "../lib/day-finder.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { instantsOf, localDate, parseTimeZone, UTC } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { elapsedShare } from "../utilization/shares.ts";
import { compareEntries, entryOf } from "./entries.ts";
import type { SupervisionEntry, SupervisionReport } from "./model.ts";
import { listTechnicians, streamLaterSessions, streamSessions } from "./repository.ts";
import { SupervisionSchedule } from "./schedule.ts";
import { DEFAULT_REQUIRED_SHARE, states, type SupervisionState } from "./states.ts";

export interface SupervisionRequest {
  organizationId: string;
  now: Instant;
  /** Default: the current month, in the organization's time zone. */
  month?: DateRange | undefined;
  /** A decimal number from 0 to 1, as text, which is exact. */
  requiredShare?: string | undefined;
  technicianId?: string | undefined;
}

/** The report with the entries of all pages, in order. */
export type Supervision = Omit<SupervisionReport, "pagination">;

/**
 * How much of the technicians' service in a month is supervised, and what is still to be booked.
 *
 * A registered behavior technician must be supervised for 5 % of the hours of a calendar month, in two contacts, one
 * of them with a client (BACB).
 */
export async function readSupervision(db: Db, request: SupervisionRequest): Promise<Supervision> {
  const { organizationId, now, technicianId } = request;
  const { requiredShare = DEFAULT_REQUIRED_SHARE } = request;
  const organization = await getOrganization(db, organizationId);
  const timezone = parseTimeZone(organization.time_zone ?? "") ?? UTC;
  const today = localDate(now, timezone);
  const month = request.month ?? { startDate: startOfMonth(today), endDate: endOfMonth(today) };

  const figures = await readSchedule(db, {
    ...{ organizationId, technicianId, now },
    month,
    timezone,
  });
  const technicians = await listTechnicians(db, organizationId, [...figures.keys()]);
  const data = technicians
    .filter((one) => technicianId === undefined || one.technicianId === technicianId)
    .map((one) => entryOf(one, figures.get(one.technicianId), requiredShare))
    .sort(compareEntries);
  return {
    month: month.startDate.slice(0, "2026-11".length),
    ...month,
    timezone,
    requiredShare: Number(requiredShare),
    elapsedShare: elapsedOf(month, today),
    totals: totalsOf(data),
    data,
  };
}

/** The figures of technicians in a month. */
export async function readSchedule(
  db: Db,
  scope: Pick<SupervisionRequest, "organizationId" | "technicianId" | "now"> & {
    month: DateRange;
  } & Pick<Supervision, "timezone">,
) {
  const { now } = scope;
  const month = instantsOf(scope.month, scope.timezone);
  const schedule = new SupervisionSchedule({ now, month });
  const { from } = possibleInstants(scope.month);
  for await (const sessions of streamSessions(db, scope, { from, to: month.to }))
    for (const session of sessions) schedule.add(session);
  const after = { from: toInstant(epochMilliseconds(month.to) + 1), to: schedule.lastEnd };
  if (after.from < after.to)
    for await (const sessions of streamLaterSessions(db, scope, after))
      for (const session of sessions) schedule.add(session);
  return schedule.figures();
}

/** The month's days up to and including today, divided by all. */
function elapsedOf(month: DateRange, today: CalendarDate): number {
  if (today < month.startDate) return 0;
  return today > month.endDate ? 1 : elapsedShare(month, today);
}

function totalsOf(entries: readonly SupervisionEntry[]): Record<SupervisionState, number> {
  const totals = states.map((state) => [
    state,
    entries.filter((entry) => entry.state === state).length,
  ]);
  return Object.fromEntries(totals) as Record<SupervisionState, number>;
}
