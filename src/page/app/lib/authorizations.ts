import { dateText } from "./format.ts";
import { type CalendarDate, today, type TimeZone } from "./dates.ts";
import type { Frequency } from "./periods.ts";
import type { User } from "./wire.ts";

/** What the record of a patient says of authorizations and pools. */

export type Patient = Extract<User, { role: "PATIENT" }>;

/** The first and the last day of an authorization. */
export interface Life {
  startDate: CalendarDate;
  endDate: CalendarDate;
}

export interface Authorization extends Life {
  publicId: string;
  number: string;
  status: string;
  serviceLine: { publicId: string; name: string };
  /** How often its units are renewed; those of the pool for a member. */
  frequency: Frequency;
  /** Null for a member of a pool, whose units are shared. */
  units: number | null;
  poolId: string | null;
}

/** All authorizations of a patient, members of pools first. */
export function authorizationsOf(patient: Patient): Authorization[] {
  return [
    ...patient.authorizationPools.flatMap((pool) =>
      pool.authorizations.map((member) => ({
        ...common(member),
        frequency: pool.unitFrequency as Frequency,
        units: null,
        poolId: pool.publicId,
      })),
    ),
    ...patient.authorizations.map((authorization) => ({
      ...common(authorization),
      frequency: authorization.authorizedUnitFrequency as Frequency,
      units: authorization.authorizedUnitsQuantity,
      poolId: null,
    })),
  ];
}

function common(entry: Patient["authorizationPools"][number]["authorizations"][number]) {
  return {
    publicId: entry.publicId,
    number: entry.authorizationNumber,
    status: entry.authorizationStatus,
    serviceLine: entry.serviceLine,
    startDate: entry.authorizationDate,
    endDate: entry.authorizationExpirationDate,
  };
}

/** How a pool is called: it has no name of its own. */
export function poolName(pool: Patient["authorizationPools"][number]): string {
  return `Shared pool, ${pool.payor.name}`;
}

/** From the earliest start of a pool's members to their latest end; undefined for a pool without any. */
export function lifeOfPool(members: readonly Life[]): Life | undefined {
  const [startDate] = members.map((member) => member.startDate).toSorted();
  const endDate = members
    .map((member) => member.endDate)
    .toSorted()
    .at(-1);
  return startDate === undefined || endDate === undefined ? undefined : { startDate, endDate };
}

/** The days of an authorization or a pool, which the record of its patient says. */
export function lifeOf(patient: User | undefined, id: string): Life | undefined {
  if (patient?.role !== "PATIENT") return undefined;
  const all = authorizationsOf(patient);
  return (
    all.find(({ publicId }) => publicId === id) ??
    lifeOfPool(all.filter(({ poolId }) => poolId === id))
  );
}

/** `ended Nov 30, 2026` or `begins Jan 7, 2027`; undefined for one that is live today. */
export function notLiveText({ startDate, endDate }: Life, zone: TimeZone): string | undefined {
  const day = today(zone);
  if (endDate < day) return `ended ${dateText(endDate)}`;
  return startDate > day ? `begins ${dateText(startDate)}` : undefined;
}

/** A name with the same behind it: `Family guidance (97156), ended Nov 30, 2026`. */
export function withNotLive(name: string, life: Life | undefined, zone: TimeZone): string {
  return [name, life && notLiveText(life, zone)].filter(Boolean).join(", ");
}

/** `after its end, Nov 30, 2026` for a day that is; as much as is known where the dates are not. */
export function outsideText(day: CalendarDate, life: Life | undefined): string {
  if (life === undefined) return "outside the dates of the authorization";
  return day > life.endDate
    ? `after its end, ${dateText(life.endDate)}`
    : `before its start, ${dateText(life.startDate)}`;
}
