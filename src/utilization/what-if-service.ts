import type { Db } from "../../db/database.ts";
import type { DateRange } from "../lib/calendar-date.ts";
import { DomainError, InvalidInput, type Issue } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { patientsOf } from "../lib/patients.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { getOrganization } from "../organizations/repository.ts";
import { MAX_ISSUES } from "../schema/explanation.ts";
import { type Counted, countedRecords, type RecordCounter, readRecords } from "./counting.ts";
import { UnitCounter } from "./unit-counter.ts";
import type { WhatIf } from "./models/what-if.ts";
import { knownFrequency, knownWeekDay } from "./periods.ts";
import { findSubject, listSessionsById } from "./repository.ts";
import { patientTimeZone } from "./service.ts";
import type { Member, Subject } from "./subject.ts";
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
  const { subject, authorization, cancelled } = await findQuestion(db, request);
  const { patientId, poolId, members, term, unitFrequency } = subject;
  const timeZone = request.timezone ?? patientTimeZone(subject);
  const days = concernedDays({ add, cancelled }, authorization.dates, timeZone);
  const { week_starts_on } = await getOrganization(db, organizationId);
  const frequency = {
    unitFrequency: knownFrequency(unitFrequency),
    weekStartsOn: knownWeekDay(week_starts_on),
  };
  const grid = gridOfDays(days.all, term, frequency, timeZone);
  const { before, after } = await countBoth(db, request, { members, grid, cancelled });
  const periods = comparePeriods(
    before.ofAuthorization(authorization),
    after.ofAuthorization(authorization),
    authorization.unitsAuthorized,
  ).filter((period) => holdsAny(period, days.own));
  const poolPeriods =
    poolId === null ? null : comparePeriods(before.total(), after.total(), subject.unitsAuthorized);
  return {
    patientId,
    whatIf: {
      authorizationPublicId: publicId,
      poolPublicId: poolId,
      timezone: timeZone,
      fits: days.outside.length === 0 && ![...periods, ...(poolPeriods ?? [])].some(isExceeded),
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

interface Question {
  subject: Subject & { term: DateRange };
  authorization: Member;
  cancelled: CancelledSession[];
}

/** Finds the authorization and the sessions to be cancelled. */
async function findQuestion(
  db: Db,
  { organizationId, publicId, add = [], cancel = [] }: WhatIfRequest,
): Promise<Question> {
  const subject = await findSubject(db, { organizationId, publicId });
  const authorization = subject?.members.find((member) => member.publicId === publicId);
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
      authorization === undefined ? [] : patientsOf(subject),
    );
  if (subject === undefined) throw new DomainError("notFound", "Authorization not found");
  const { term } = subject;
  if (authorization === undefined || term === undefined)
    throw new DomainError(
      "unknownReference",
      "A pool has no sessions: name an authorization of it",
    ).withPatientIds(patientsOf(subject));
  return { subject: { ...subject, term }, authorization, cancelled };
}

function custom(path: (string | number)[], message: string): Issue {
  return { code: "custom", message, path };
}

/** Counts units delivered and open, without and with the requested changes. */
async function countBoth(
  db: Db,
  { organizationId, publicId, add = [] }: WhatIfRequest,
  { members, grid, cancelled }: Counted & { cancelled: readonly CancelledSession[] },
): Promise<{ before: UnitCounter; after: UnitCounter }> {
  const [before, after] = [new UnitCounter(grid, members), new UnitCounter(grid, members)];
  for (const session of add)
    after.addSession({ ...session, authorizationId: publicId, status: "CONFIRMED", isOpen: 1 });
  const isCancelled = new Set(cancelled.map((session) => session.publicId));
  const withoutCancelled: RecordCounter = {
    addEncounter: (encounter) => after.addEncounter(encounter),
    addSession: (session) => isCancelled.has(session.publicId) || after.addSession(session),
  };
  const records = countedRecords({ members, grid }, [before, withoutCancelled]);
  await readRecords(db, organizationId, records);
  return { before, after };
}
