import { get, post, type Query, withQuery } from "./api.ts";
import {
  type Authorization,
  authorizationsOf,
  type Term,
  termOfPool,
  type Patient,
  poolName,
} from "./authorizations.ts";
import { startOfDay, type TimeZone } from "./dates.ts";
import { Failure } from "./failure.ts";
import { practiceZone } from "./me.ts";
import { readPerson } from "./people.ts";
import type { Frequency } from "./periods.ts";
import { signedIn } from "./signed-in.ts";
import { rounded } from "./units.ts";
import type { Period, Session, User, Utilization, WhatIf, WhatIfBody, PageOf } from "./wire.ts";

/** One authorization or pool: its patient, and its periods with authorized, booked and delivered units. */

export interface ShownPeriod extends Period {
  unitsAuthorized: number | null;
  /** Units of booked sessions that are not delivered yet. */
  unitsOpen: number;
}

/** The periods of a pool as a whole, or of one authorization. */
export interface Series {
  publicId: string;
  /** Null for a pool. */
  serviceLinePublicId: string | null;
  periods: ShownPeriod[];
}

export interface SubjectUtilization {
  utilization: Utilization;
  series: Series[];
}

/** For a patient without a time zone, the API requires one. */
const ZONE_IS_NEEDED = 422;

/**
 * The periods of a subject: in the zone of the query, else in its patient's, else in the practice's.
 *
 * @throws Failure if the subject cannot be read.
 */
export async function readSubject(
  id: string,
  query: Query,
  signal: AbortSignal,
): Promise<SubjectUtilization> {
  const path = `authorization-utilization/${encodeURIComponent(id)}`;
  const utilization = await get<Utilization>(withQuery(path, query), signal).catch(
    (failure: unknown) => {
      if (!(failure instanceof Failure) || failure.status !== ZONE_IS_NEEDED) throw failure;
      return get<Utilization>(withQuery(path, { ...query, timezone: practiceZone() }), signal);
    },
  );
  const plans = await Promise.all(
    utilization.members.map((member) => readPlan(member, utilization.timezone, signal)),
  );
  const members = utilization.members.map((member, index) =>
    newSeries(
      { publicId: member.authorizationPublicId, serviceLinePublicId: member.serviceLinePublicId },
      member.periods,
      plans[index]?.periods ?? [],
    ),
  );
  const { pool } = utilization;
  if (pool === null) return { utilization, series: members };
  const poolPeriods = plans.flatMap((plan) => plan?.poolPeriods ?? []);
  const whole = { publicId: pool.poolPublicId, serviceLinePublicId: null };
  return { utilization, series: [newSeries(whole, pool.periods, poolPeriods), ...members] };
}

/**
 * The authorized and booked units in the periods of an authorization. They are not part of the utilization, but the what-if
 * has them for every period with an added session: here a session without duration on the first day of each.
 */
async function readPlan(
  { authorizationPublicId, periods }: Utilization["members"][number],
  timezone: TimeZone,
  signal: AbortSignal,
): Promise<WhatIf | undefined> {
  if (periods.length === 0) return undefined;
  const add = periods.map(({ startDate }) => {
    const instant = startOfDay(startDate, timezone);
    return { startTime: instant, endTime: instant };
  });
  return askWhatIf(authorizationPublicId, { timezone, add }, signal);
}

/** Requests the what-if of an authorization; nothing is written. */
export function askWhatIf(id: string, changes: WhatIfBody, signal: AbortSignal): Promise<WhatIf> {
  return post<WhatIf>(
    `authorization-utilization/${encodeURIComponent(id)}/what-if`,
    changes,
    signal,
  );
}

function newSeries(
  subject: Pick<Series, "publicId" | "serviceLinePublicId">,
  periods: readonly Period[],
  plan: WhatIf["periods"],
): Series {
  const planned = new Map(plan.map((period) => [period.startDate, period]));
  // A pool may have periods between its members' dates, in which nothing can be added; its units are the same in every period.
  const unitsAuthorized = plan[0]?.unitsAuthorized ?? null;
  return {
    ...subject,
    periods: periods.map((period) => {
      const committed = planned.get(period.startDate)?.unitsCommitted ?? period.unitsUtilized;
      const unitsOpen = rounded(committed - period.unitsUtilized);
      return { ...period, unitsAuthorized, unitsOpen };
    }),
  };
}

/** An authorization or pool, as in the record of its patient. */
export interface Holder {
  patient: Patient;
  name: string;
  /** The frequency of its units. */
  frequency: Frequency;
  /** Undefined for a pool. */
  number: string | undefined;
  status: string | undefined;
  /** Undefined for a pool without members. */
  term: Term | undefined;
  /** The authorization, or all members of its pool. */
  authorizations: Authorization[];
}

/** The patient of an authorization or pool; undefined if neither an earlier answer nor a session shows it. */
export async function findHolder(
  { utilization: { publicId, members } }: SubjectUtilization,
  signal: AbortSignal,
): Promise<Holder | undefined> {
  const known = [...(signedIn.value?.people.values() ?? [])];
  const patientId =
    signedIn.value?.holders.get(publicId) ??
    known.find((person) => holderOf(person, publicId) !== undefined)?.publicId ??
    (await patientOfSessions(
      members.map(({ authorizationPublicId }) => authorizationPublicId),
      signal,
    ));
  if (patientId === undefined) return undefined;
  return holderOf(await readPerson(patientId, signal), publicId);
}

async function patientOfSessions(ids: string[], signal: AbortSignal): Promise<string | undefined> {
  for (const authorizationId of ids) {
    const path = withQuery("sessions", { authorizationId, pageSize: 1 });
    const [session] = (await get<PageOf<Session>>(path, signal)).data;
    if (session !== undefined && session.clientId !== null) return session.clientId;
  }
  return undefined;
}

function holderOf(person: User, id: string): Holder | undefined {
  if (person.role !== "PATIENT") return undefined;
  const all = authorizationsOf(person);
  const membersOf = (poolId: string): Authorization[] =>
    all.filter((authorization) => authorization.poolId === poolId);
  const pool = person.authorizationPools.find(({ publicId }) => publicId === id);
  if (pool !== undefined)
    return {
      patient: person,
      name: poolName(pool),
      frequency: pool.unitFrequency as Frequency,
      number: undefined,
      status: undefined,
      term: termOfPool(membersOf(id)),
      authorizations: membersOf(id),
    };
  const authorization = all.find(({ publicId }) => publicId === id);
  if (authorization === undefined) return undefined;
  const { poolId } = authorization;
  return {
    patient: person,
    name: authorization.serviceLine.name,
    frequency: authorization.frequency,
    number: authorization.number,
    status: authorization.status,
    term: authorization,
    authorizations: poolId === null ? [authorization] : membersOf(poolId),
  };
}
