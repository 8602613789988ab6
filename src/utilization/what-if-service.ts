import type { Db } from "../../db/database.ts";
import { DomainError, InvalidInput, type Issue } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { MAX_ISSUES } from "../schema/explanation.ts";
import { countUnits, type PeriodGrid, type UnitCounts } from "./counts.ts";
import type { WhatIf } from "./models/what-if.ts";
import { knownFrequency, knownWeekDay, poolTerm } from "./periods.ts";
import {
  type AuthorizationSubjectRow,
  findAuthorization,
  findPool,
  listEncounters,
  listOpenSessions,
  listSessionsById,
} from "./repository.ts";
import { listMembersOf, type Member, patientTimeZone } from "./service.ts";
import { comparePeriods, concernedDays, gridOfDays, holdsAny, isExceeded } from "./what-if.ts";

export interface WhatIfRequest {
  organizationId: string;
  /** Of an authorization. */
  publicId: string;
  timezone?: TimeZone | undefined;
  /** Sessions to be booked. */
  add?: readonly { startTime: Instant; endTime: Instant }[] | undefined;
  /** Ids of sessions to be cancelled; duplicates are ignored. */
  cancel?: readonly string[] | undefined;
}

/**
 * The units of an authorization, and of its pool, if sessions were added and cancelled. Added sessions count as
 * confirmed, cancelled ones as declined.
 *
 * @returns the response, and the authorization's patient.
 * @throws InvalidInput for an added session that ends before it starts, and for a cancelled one of another
 * authorization; DomainError for a pool, for an unknown id, and if neither the request nor the patient has a time zone.
 */
export async function readWhatIf(
  db: Db,
  request: WhatIfRequest,
): Promise<{ whatIf: WhatIf; patientId: string }> {
  const { organizationId, publicId, add = [] } = request;
  const { authorization, cancelled } = await findQuestion(db, request);
  const timeZone = request.timezone ?? patientTimeZone(authorization);
  const members = await listMembersOf(db, organizationId, publicId, authorization);
  const dates = members.map((member) => member.dates);
  const term = poolTerm(dates);
  const place = members.findIndex((member) => member.publicId === publicId);
  const ownDates = dates[place];
  if (term === undefined || ownDates === undefined) throw new Error("The authorization is gone");

  const days = concernedDays({ add, cancelled }, ownDates, timeZone);
  const frequency = {
    unitFrequency: knownFrequency(authorization.unitFrequency),
    weekStartsOn: knownWeekDay(authorization.weekStartsOn),
  };
  const grid = gridOfDays(days.all, term, frequency, timeZone);
  const { before, after } = await countBoth(db, request, { members, grid, cancelled });
  const periods = comparePeriods(
    before.members[place]?.periods ?? [],
    after.members[place]?.periods ?? [],
    ownLimit(authorization),
  ).filter((period) => holdsAny(period, days.own));
  const poolPeriods =
    authorization.poolId === null
      ? null
      : comparePeriods(before.total, after.total, poolLimit(authorization));
  const booked = [...periods, ...(poolPeriods ?? [])].filter((one) => holdsAny(one, days.added));
  return {
    patientId: authorization.patientId,
    whatIf: {
      authorizationPublicId: publicId,
      poolPublicId: authorization.poolId,
      timezone: timeZone,
      fits: days.outside.length === 0 && !booked.some(isExceeded),
      periods,
      poolPeriods,
      outside: days.outside,
    },
  };
}

interface CancelledSession {
  publicId: string;
  startTime: Instant;
}

/** Finds the authorization and the sessions to be cancelled. */
async function findQuestion(
  db: Db,
  { organizationId, publicId, add = [], cancel = [] }: WhatIfRequest,
): Promise<{ authorization: AuthorizationSubjectRow; cancelled: CancelledSession[] }> {
  const authorization = await findAuthorization(db, { organizationId, publicId });
  const cancelled =
    authorization === undefined || cancel.length === 0
      ? []
      : await listSessionsById(db, organizationId, publicId, cancel);
  const own = new Set(cancelled.map((session) => session.publicId));
  const issues = [
    ...add.flatMap(({ startTime, endTime }, index) =>
      endTime < startTime
        ? [custom(["add", index, "endTime"], "endTime must not be before startTime")]
        : [],
    ),
    ...cancel.flatMap((id, index) =>
      authorization === undefined || own.has(id)
        ? []
        : [custom(["cancel", index], "Must be a session of this authorization")],
    ),
  ];
  if (issues.length > 0)
    throw new InvalidInput(issues.slice(0, MAX_ISSUES)).withPatientIds(
      authorization === undefined ? [] : [authorization.patientId],
    );
  if (authorization !== undefined) return { authorization, cancelled };
  const pool = await findPool(db, { organizationId, publicId });
  if (pool !== undefined)
    throw new DomainError(
      "unknownReference",
      "A pool has no sessions: name an authorization of it",
    ).withPatientIds([pool.patientId]);
  throw new DomainError("notFound", "Authorization not found");
}

function custom(path: (string | number)[], message: string): Issue {
  return { code: "custom", message, path };
}

/** Counts units delivered and open, without and with the requested changes. */
async function countBoth(
  db: Db,
  { organizationId, publicId, add = [] }: WhatIfRequest,
  scope: { members: readonly Member[]; grid: PeriodGrid; cancelled: readonly CancelledSession[] },
): Promise<{ before: UnitCounts; after: UnitCounts }> {
  const { members, grid } = scope;
  const authorizationIds = members.map((member) => member.publicId);
  const records = grid.span && { organizationId, authorizationIds, ...grid.span };
  const encounters = records ? await listEncounters(db, records) : [];
  const open = records ? await listOpenSessions(db, records) : [];
  const cancelled = new Set(scope.cancelled.map((session) => session.publicId));
  const remaining = open.filter((session) => !cancelled.has(session.publicId));
  const booked = add.map((session) => ({
    ...session,
    authorizationId: publicId,
    status: "CONFIRMED",
  }));
  return {
    before: countUnits(grid, members, encounters, open),
    after: countUnits(grid, members, encounters, [...remaining, ...booked]),
  };
}

/** For a pooled authorization: its own units, only if their frequency is the pool's, whose periods are counted. */
function ownLimit({
  poolId,
  ownUnits,
  ownUnitFrequency,
  unitFrequency,
}: AuthorizationSubjectRow): number | null {
  const isForPeriods = ownUnitFrequency === null || ownUnitFrequency === unitFrequency;
  return poolId === null || isForPeriods ? ownUnits : null;
}

function poolLimit({ isUnlimited, authorizedUnits }: AuthorizationSubjectRow): number | null {
  return isUnlimited === 1 ? null : authorizedUnits;
}
