import { type Authorization, unitsLeftOf } from "./authorizations.ts";
import {
  type CalendarDate,
  coversDay,
  dateOf,
  type Instant,
  type TimeZone,
} from "../base/dates.ts";
import { countText, rangeText, shortDateText } from "../base/format.ts";
import type { Change, Line } from "../base/lines.ts";
import type { Encounter, Finding, OverviewEntry } from "../base/wire.ts";

/** Sessions, or encounters without one, that are put on an authorization that is in force on their days. */

export interface Item {
  /** Its line, with its authorization; an encounter's without a session. */
  record: Line & { startTime: Instant; authorizationId?: string | null };
  /** The encounters that name it. */
  encounters: readonly Encounter[];
}

/** What is put on an authorization: sessions, and encounters without one, of a patient. */
export interface ToPut {
  patientId: string;
  sessionIds: readonly string[];
  encounterIds: readonly string[];
}

/** The checks whose findings end where it is on the right authorization. */
const MENDED: readonly Finding["check"][] = ["OUTSIDE_AUTHORIZATION", "NO_AUTHORIZATION"];

/** What of some findings is to be put on another authorization; undefined if that mends none, or there are several patients. */
export function toPutOf(findings: readonly Finding[]): ToPut | undefined {
  const [first] = findings;
  const patientId = first?.patientId ?? null;
  if (patientId === null || !findings.every((one) => MENDED.includes(one.check))) return undefined;
  if (!findings.every((one) => one.patientId === patientId)) return undefined;
  const alone = findings.filter(({ sessionIds }) => sessionIds.length === 0);
  return {
    patientId,
    sessionIds: [...new Set(findings.flatMap(({ sessionIds }) => sessionIds))],
    encounterIds: [...new Set(alone.flatMap(({ encounterIds }) => encounterIds))],
  };
}

/** The service of sessions, if they have one. */
export function serviceOf(items: readonly Item[]): string | undefined {
  const services = new Set(items.map(({ record }) => record.services));
  const [service] = services;
  return services.size === 1 && typeof service === "string" ? service : undefined;
}

/** An authorization that is offered, with what can be put on it. */
export interface Offer {
  authorization: Authorization;
  items: Item[];
  isSameService: boolean;
}

/**
 * The authorizations that are in force on the day of some items, and are not theirs yet: of the same service first, then
 * those that cover most.
 *
 * @param rights.otherServices whether the service of a session may change with its authorization.
 * @param rights.documented whether its encounters may go along.
 */
export function offersFor(
  items: readonly Item[],
  authorizations: readonly Authorization[],
  { zone, ...rights }: { zone: TimeZone; otherServices: boolean; documented: boolean },
): Offer[] {
  const serviceIn = ({ record }: Item): unknown =>
    record.type === "session"
      ? record.services
      : authorizations.find(({ publicId }) => publicId === record.authorizationId)?.serviceLine
          .publicId;
  const movable = items.filter(
    ({ record, encounters }) =>
      rights.documented || (record.type === "session" && encounters.length === 0),
  );
  return authorizations
    .flatMap((authorization): Offer[] => {
      const covered = movable.filter(
        ({ record }) =>
          record.authorizationId !== authorization.publicId &&
          coversDay(authorization, dateOf(record.startTime, zone)),
      );
      const isSame = (item: Item): boolean =>
        serviceIn(item) === authorization.serviceLine.publicId;
      const same = covered.filter(isSame);
      if (same.length > 0) return [{ authorization, items: same, isSameService: true }];
      if (!rights.otherServices || covered.length === 0) return [];
      return [{ authorization, items: covered, isSameService: false }];
    })
    .sort(
      (a, b) =>
        Number(b.isSameService) - Number(a.isSameService) || b.items.length - a.items.length,
    );
}

/** `for 3 of 5; Jan 7 – Jul 6, 2027; 12 units left on Nov 24` */
export function remarkOn(
  { authorization, items }: Offer,
  of: { items: readonly Item[]; entries: readonly OverviewEntry[]; first: CalendarDate },
): string {
  const { startDate, endDate } = authorization;
  const left = unitsLeftOf(authorization, of.entries);
  return [
    of.items.length === 1
      ? ""
      : items.length === of.items.length
        ? `for all ${items.length}`
        : `for ${items.length} of ${of.items.length}`,
    rangeText(startDate, endDate),
    left === null ? "" : `${countText(left, "unit")} left on ${shortDateText(of.first)}`,
  ]
    .filter(Boolean)
    .join("; ");
}

/** Puts what can be on an authorization, with the encounters, in one change. */
export function putOn({ authorization, items, isSameService }: Offer): Change {
  const { publicId: authorizationId, serviceLine, number } = authorization;
  const services = isSameService ? {} : { services: serviceLine.publicId };
  const encountersOf = (item: Item): Line[] =>
    item.encounters.map(({ publicId }) => ({ type: "encounter", publicId, authorizationId }));
  return {
    done: `${countText(items.length, "session")} put on ${number}.`,
    lines: items.flatMap((item) => {
      const { type, publicId } = item.record;
      const changed = type === "session" ? services : {};
      return [{ type, publicId, authorizationId, ...changed }, ...encountersOf(item)];
    }),
    undo: items.flatMap(({ record, encounters }) => {
      const { type, publicId } = record;
      const before = type === "session" && !isSameService ? { services: record.services } : {};
      return [
        { type, publicId, authorizationId: record.authorizationId ?? null, ...before },
        ...encounters.map((one) => ({
          ...{ type: "encounter", publicId: one.publicId, authorizationId: one.authorizationId },
        })),
      ];
    }),
  };
}
