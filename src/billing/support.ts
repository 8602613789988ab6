import type { Db } from "../../db/database.ts";
import { countRecordedWithin } from "../goals/repository.ts";
import {
  addDays,
  type CalendarDate,
  type DateRange,
  parseMonth,
  startOfMonth,
} from "../lib/calendar-date.ts";
import { invalid } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { localDate, parseTimeZone, type TimeZone, UTC } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { findWrites } from "../organizations/write-repository.ts";
import type { OwnedType } from "../schema/record-types.ts";
import { readSupervised } from "../supervision/supervised.ts";
import { entriesOf } from "../users/details-repository.ts";
import { credentialsIn } from "../users/stored-entries.ts";
import { isCounting } from "./hand-overs.ts";
import { recordingTime } from "./knowledge.ts";
import type { StoredHandOver } from "./line.ts";
import { type Assessed, type BillingLines, presentLine, readBillingLines } from "./service.ts";
import type { Support } from "./support-model.ts";
import { findSequences } from "./support-repository.ts";
import { periodsOfEncounters } from "./units-of-periods.ts";

export interface SupportRequest {
  organizationId: string;
  now: Instant;
  encounterId?: string | undefined;
  patientId?: string | undefined;
  month?: string | undefined;
}

export interface Supported {
  count: number;
  /** Whose they are; undefined where there is no such encounter. */
  patientId: string | undefined;
  slice(from: number, to: number): Promise<Support[]>;
}

/**
 * What supports a line, or those of a patient's month (docs/billing.md): who rendered it, with which credential and under
 * whose supervision, what was left of the authorization, what was recorded, and who has changed what since. All as it is
 * today, but for what was handed over.
 *
 * @throws InvalidInput at `encounterId` unless there is one id; at `month` beside that of an encounter.
 */
export async function readSupport(db: Db, request: SupportRequest): Promise<Supported> {
  const { organizationId, now, encounterId, patientId, month } = request;
  if ((encounterId === undefined) === (patientId === undefined))
    throw invalid(["encounterId"], "Either encounterId or patientId is needed, and not both");
  if (encounterId !== undefined && month !== undefined)
    throw invalid(["month"], "month stands beside patientId");
  const organization = await getOrganization(db, organizationId);
  const timezone = parseTimeZone(organization.time_zone ?? "") ?? UTC;
  const days = patientId === undefined ? {} : daysOf(month, localDate(now, timezone));
  const lines = await readBillingLines(db, {
    ...{ organizationId, now, encounterId, patientId, ...days },
    isWhole: true,
  });
  const [first] = await lines.assessed(0, 1);
  return {
    ...{ count: lines.count, patientId: patientId ?? first?.line.patientId },
    slice: async (from, to) =>
      supported(db, { organizationId, now, timezone }, lines, await lines.assessed(from, to)),
  };
}

function daysOf(month: string | undefined, today: CalendarDate): DateRange {
  const lastMonth = addDays(startOfMonth(today), -1).slice(0, "2026-11".length);
  return parseMonth(month ?? lastMonth) as DateRange;
}

interface Scope {
  organizationId: string;
  now: Instant;
  timezone: TimeZone;
}

async function supported(
  db: Db,
  scope: Scope,
  { window, knowledge, calendar }: BillingLines,
  all: readonly Assessed[],
): Promise<Support[]> {
  const { organizationId } = scope;
  const ids = new Set(all.map(({ encounter }) => encounter.publicId));
  const { subjects } = knowledge;
  const periods = await periodsOfEncounters(
    db,
    { organizationId, window, calendar },
    { subjects, ids },
  );
  const credentials = await credentialsOf(db, organizationId, all);
  const supervision = await supervisionOf(db, scope, all);
  const changes = await changesOf(db, organizationId, all);
  const supports: Support[] = [];
  for (const one of all) {
    const { encounter, authorization } = one;
    const { authorizationStatus: status, startDate, endDate } = authorization.row;
    supports.push({
      line: presentLine(one, { isWhole: true }),
      session: sessionOf(one),
      credentials: credentials(one),
      supervision: supervision.get(encounter.publicId) ?? null,
      authorization: {
        ...{ status, startDate, endDate },
        ...(periods.get(encounter.publicId) ?? NOT_COUNTED),
      },
      recorded: await recordedIn(db, organizationId, one),
      changes: changes(one),
    });
  }
  return supports;
}

const NOT_COUNTED = {
  ...{ periodStartDate: null, periodEndDate: null },
  ...{ unitsAuthorized: null, unitsBefore: null, unitsLeft: null },
};

/** An encounter whose session is known. */
function timesOf({ encounter: { sessionStart, sessionEnd } }: Assessed) {
  return sessionStart === null || sessionEnd === null
    ? undefined
    : { startTime: sessionStart, endTime: sessionEnd };
}

function sessionOf(one: Assessed): Support["session"] {
  const { sessionId, status, isSupervision, isClientPresent } = one.encounter;
  const times = timesOf(one);
  if (sessionId === null || status === null || times === undefined) return null;
  return {
    ...{ sessionId, status: status as never, ...times },
    isSupervision: isSupervision === 1,
    isClientPresent: isClientPresent === 1,
  };
}

function recordedIn(db: Db, organizationId: string, one: Assessed): Promise<Support["recorded"]> {
  const times = timesOf(one);
  if (times === undefined) return Promise.resolve(null);
  const { patientId } = one.line;
  const time = recordingTime(patientId, times.startTime, times.endTime);
  return countRecordedWithin(db, organizationId, time);
}

/** The credentials of who rendered a line that have not ended when the session begins. */
async function credentialsOf(
  db: Db,
  organizationId: string,
  all: readonly Assessed[],
): Promise<(one: Assessed) => Support["credentials"]> {
  const userIds = [...new Set(all.flatMap(({ line }) => line.renderedById ?? []))];
  const rows = await entriesOf(db, { organizationId, userIds });
  const credentials = new Map(rows.map((row) => [row.user_id, credentialsIn(row)]));
  return ({ line: { renderedById, startTime } }) =>
    (credentials.get(renderedById ?? "") ?? [])
      .filter(({ expiresAt }) => startTime !== null && expiresAt > startTime)
      .map(({ credentialType, credentialNumber, expiresAt }) => ({
        ...{ credentialType, credentialNumber, expiresAt },
      }));
}

/** Of the lines that a technician rendered, by encounter. */
async function supervisionOf(
  db: Db,
  scope: Scope,
  all: readonly Assessed[],
): Promise<Map<string, Support["supervision"]>> {
  const services = all.flatMap((one) => {
    const { publicId, technicianId } = one.encounter;
    const times = timesOf(one);
    const isTheirs = technicianId !== null && technicianId === one.line.renderedById;
    return isTheirs && times !== undefined ? [{ publicId, technicianId, ...times }] : [];
  });
  const supervision = new Map<string, Support["supervision"]>();
  for (const [technicianId, own] of Map.groupBy(services, (one) => one.technicianId))
    for (const [index, supervised] of (
      await readSupervised(db, scope, technicianId, own)
    ).entries())
      supervision.set(own[index]!.publicId, supervised);
  return supervision;
}

/** The records on which a line rests, each once, in order. */
function restsOn({ encounter, line }: Assessed): { type: OwnedType; publicId: string }[] {
  const ids: [OwnedType, string | null][] = [
    ["encounter", encounter.publicId],
    ["session", encounter.sessionId],
    ["authorization", line.authorizationId],
    ["authorizationPool", line.poolId],
    ["payor", line.payorId],
    ["serviceLine", line.serviceLineId],
  ];
  const people = new Set([line.patientId, line.renderedById, line.supervisedById]);
  for (const id of people) ids.push(["user", id]);
  return ids.flatMap(([type, publicId]) => (publicId === null ? [] : [{ type, publicId }]));
}

/** The last change of each record on which a line rests. */
async function changesOf(
  db: Db,
  organizationId: string,
  all: readonly Assessed[],
): Promise<(one: Assessed) => Support["changes"]> {
  const sequences = await findSequences(db, organizationId, all.flatMap(restsOn));
  const writes = await findWrites(db, organizationId, [...new Set(sequences.values())]);
  return (one) => {
    const last = one.billed.findLast(isCounting);
    return restsOn(one).map(({ type, publicId }) => {
      const sequence = sequences.get(`${type} ${publicId}`) ?? 0;
      const { time: changedAt = null, by: changedBy = null } = writes.get(sequence) ?? {};
      return {
        ...{ type, publicId, sequence, changedAt, changedBy },
        isSince: isLater(changedAt, last),
      };
    });
  };
}

function isLater(changedAt: Instant | null, handOver: StoredHandOver | undefined): boolean {
  return changedAt !== null && handOver !== undefined && changedAt > handOver.at;
}
