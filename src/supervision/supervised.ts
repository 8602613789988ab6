import type { Db } from "../../db/database.ts";
import { fromBit } from "../../db/schema.ts";
import { endOfMonth, startOfMonth } from "../lib/calendar-date.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { localDate, type TimeZone } from "../lib/time-zone.ts";
import { countsAsScheduled } from "../utilization/units.ts";
import { shareOf } from "./entries.ts";
import { streamSessions, type SupervisionSession } from "./repository.ts";
import { wasDelivered } from "./schedule.ts";
import { readSchedule } from "./service.ts";
import { duration, intersection, type Stretch, union } from "./stretches.ts";

/** A session that a technician delivers. */
export interface Service {
  technicianId: string;
  startTime: Instant;
  endTime: Instant;
}

interface Scope {
  organizationId: string;
  now: Instant;
  /** The zone of months: the organization's. */
  timezone: TimeZone;
}

/**
 * How much of some sessions of a technician was supervised, and how much of their months. As in the report, supervision
 * is that of the technician, or of a client with whom they have service meanwhile.
 */
export async function readSupervised(
  db: Db,
  { organizationId, now, timezone }: Scope,
  technicianId: string,
  services: readonly Omit<Service, "technicianId">[],
) {
  const scope = { organizationId, technicianId, now };
  const starts = services.map(({ startTime }) => startTime).sort();
  const ends = services.map(({ endTime }) => endTime).sort();
  const span = { from: starts[0] as Instant, to: ends.at(-1) as Instant };
  const sessions: SupervisionSession[] = [];
  for await (const some of streamSessions(db, scope, span)) sessions.push(...some);
  const supervised = supervisedStretches(sessions, technicianId, now);
  const days = services.map(({ startTime }) => localDate(startTime, timezone));
  const months = new Map<string, Awaited<ReturnType<typeof readSchedule>>>();
  for (const month of new Set(days.map(startOfMonth)))
    months.set(
      month,
      await readSchedule(db, {
        ...{ ...scope, timezone },
        month: { startDate: month, endDate: endOfMonth(month) },
      }),
    );
  return services.map((service, index) => {
    const month = startOfMonth(days[index]!);
    const delivered = months.get(month)?.get(technicianId)?.delivered;
    return {
      supervisedMinutes: Math.floor(
        duration(intersection([stretchOf(service)], supervised)) / 60_000,
      ),
      month: month.slice(0, "2026-11".length),
      shareDelivered: delivered === undefined ? null : shareOf(delivered),
      contactsDelivered: delivered?.contacts ?? 0,
      observedDelivered: delivered?.observed ?? 0,
    };
  });
}

function stretchOf({ startTime, endTime }: Pick<Service, "startTime" | "endTime">): Stretch {
  return { start: epochMilliseconds(startTime), end: epochMilliseconds(endTime) };
}

/** When supervision of a technician is delivered. */
function supervisedStretches(
  sessions: readonly SupervisionSession[],
  technicianId: string,
  now: Instant,
): Stretch[] {
  const delivered = sessions.filter(
    (one) => one.startTime < one.endTime && countsAsScheduled(one.status) && wasDelivered(one, now),
  );
  const own = delivered.filter((one) => one.technicianId === technicianId);
  const joint = delivered.filter((one) => one.technicianId === null && fromBit(one.isSupervision));
  const ofClients = [...Map.groupBy(joint, ({ clientId }) => clientId)].map(
    ([clientId, supervision]) => {
      const service = own.filter((one) => fromBit(one.isBillable) && one.clientId === clientId);
      return intersection(stretchesOf(supervision), stretchesOf(service));
    },
  );
  return union([stretchesOf(own.filter((one) => fromBit(one.isSupervision))), ...ofClients]);
}

function stretchesOf(sessions: readonly SupervisionSession[]): Stretch[] {
  return union([sessions.map(stretchOf)]);
}
