import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { type CalendarDate, type DateRange, earlier, later } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import type { EncounterRecord, SessionRecord } from "./counts.ts";
import type { RecordRanges } from "./overview-calendar.ts";
import { UNIT_FREQUENCIES } from "./periods.ts";
import { isOpen } from "./repository.ts";

/** Filter of subjects by organization, dates and others. */
export interface CurrentBetween {
  organizationId: string;
  patientId?: string | undefined;
  payorId?: string | undefined;
  from: CalendarDate;
  to: CalendarDate;
}

/** The key of a subject. A subject has its own units: a standalone authorization, or a pool with members. */
export interface SubjectKey {
  subject: "AUTHORIZATION" | "POOL";
  subjectId: string;
}

/** A subject and its dates; a pool's are from the earliest start of its members to the latest expiration. */
export interface CurrentSubject extends SubjectKey, DateRange {
  patientTimeZone: string | null;
  authorizationIds: string[];
}

/** Subjects of active patients that are current on any day between two days, both included. */
export async function listCurrentSubjects(
  db: Db,
  { organizationId, patientId, payorId, from, to }: CurrentBetween,
): Promise<CurrentSubject[]> {
  const authorizations = await db
    .selectFrom("authorizations as authorization")
    .innerJoin("users as patient", (join) =>
      join
        .onRef("patient.organization_id", "=", "authorization.organization_id")
        .onRef("patient.public_id", "=", "authorization.patient_id"),
    )
    .leftJoin("authorization_pools as pool", (join) =>
      join
        .onRef("pool.organization_id", "=", "authorization.organization_id")
        .onRef("pool.public_id", "=", "authorization.authorization_pool_id"),
    )
    .where("authorization.organization_id", "=", organizationId)
    .where("patient.is_active", "=", 1)
    // All members of a pool have the pool's payor.
    .$if(payorId !== undefined, (query) =>
      query.where(
        (where) => where.fn.coalesce("pool.payor_id", "authorization.payor_id"),
        "=",
        payorId as string,
      ),
    )
    .$if(patientId !== undefined, (query) =>
      query.where("authorization.patient_id", "=", patientId as string),
    )
    // For pools, members of any date: each may be the first or the last.
    .where(({ or, and, eb }) =>
      or([
        eb("authorization.authorization_pool_id", "is not", null),
        and([
          eb("authorization.authorization_expiration_date", ">=", from),
          eb("authorization.authorization_date", "<=", to),
        ]),
      ]),
    )
    .select([
      "authorization.public_id as authorizationId",
      "authorization.authorization_pool_id as poolId",
      "patient.time_zone as patientTimeZone",
      "authorization.authorization_date as startDate",
      "authorization.authorization_expiration_date as endDate",
    ])
    // Ordered by index, which is usually the order of the list, so that sorting is fast.
    .$if(patientId === undefined, (query) =>
      query
        .orderBy("authorization.authorization_expiration_date")
        .orderBy("authorization.public_id"),
    )
    .execute();
  return subjectsOf(authorizations).filter(
    ({ startDate, endDate }) => startDate <= to && endDate >= from,
  );
}

interface CurrentAuthorization extends DateRange {
  authorizationId: string;
  poolId: string | null;
  patientTimeZone: string | null;
}

function subjectsOf(authorizations: readonly CurrentAuthorization[]): CurrentSubject[] {
  const subjects: CurrentSubject[] = [];
  const pools = new Map<string, CurrentSubject>();
  for (const { authorizationId, poolId, ...term } of authorizations) {
    const pool = poolId === null ? undefined : pools.get(poolId);
    if (pool !== undefined) {
      pool.startDate = earlier(pool.startDate, term.startDate);
      pool.endDate = later(pool.endDate, term.endDate);
      pool.authorizationIds.push(authorizationId);
      continue;
    }
    const subject: CurrentSubject = {
      subject: poolId === null ? "AUTHORIZATION" : "POOL",
      subjectId: poolId ?? authorizationId,
      authorizationIds: [authorizationId],
      ...term,
    };
    subjects.push(subject);
    if (poolId !== null) pools.set(poolId, subject);
  }
  return subjects;
}

/** An authorization of a subject, with the records that may count in the subject's period. */
export interface SubjectAuthorization extends SubjectKey {
  patientId: string;
  /** The payor of the units; for a pool the pool's payor. */
  payorId: string | null;
  patientTimeZone: string | null;
  unitFrequency: string | null;
  /** Per period of the subject. */
  authorizedUnits: number | null;
  isUnlimited: 0 | 1 | null;
  authorizationId: string;
  startDate: CalendarDate;
  endDate: CalendarDate;
  billingUnitMinutes: number | null;
  encounters: EncounterRecord[];
  /** Sessions of any status that no encounter of the authorization refers to. */
  openSessions: SessionRecord[];
}

/** An authorization of a subject that is on the page. */
export interface ShownAuthorization extends SubjectAuthorization {
  patientFirstName: string;
  patientLastName: string;
  authorizationNumber: string;
  authorizationStatus: string;
  serviceLineId: string;
  payorName: string | null;
  /** Sessions of any status. */
  sessions: SessionRecord[];
}

/** Streams authorizations by subject, pools last. Records are read only for subjects that have a share. */
export function streamSubjects(
  db: Db,
  organizationId: string,
  authorizationIds: readonly string[],
  ranges: RecordRanges,
): AsyncGenerator<SubjectAuthorization[]> {
  const hasShare = sql`coalesce(pool.total_units, member.authorized_units_quantity) > 0
    and ${IS_LIMITED}`;
  return streamAuthorizations(db, authorizationIds, { organizationId, ranges }, hasShare);
}

const IS_LIMITED = sql`coalesce(pool.is_unlimited, 0) = 0`;

/** `streamSubjects` for all subjects that have a limit. */
export function streamLimitedSubjects(
  db: Db,
  organizationId: string,
  authorizationIds: readonly string[],
  ranges: RecordRanges,
): AsyncGenerator<SubjectAuthorization[]> {
  return streamAuthorizations(db, authorizationIds, { organizationId, ranges }, IS_LIMITED);
}

async function* streamAuthorizations(
  db: Db,
  ids: readonly string[],
  records: Records,
  ofWhich: RawBuilder<unknown>,
): AsyncGenerator<SubjectAuthorization[]> {
  const { organizationId } = records;
  const rows = selectAuthorizations(db, organizationId, ids)
    .select([
      encounterTexts(records, ofWhich).as("encounters"),
      sessionTexts(records, sql`${ofWhich} and ${isOpen("record", organizationId)}`, OPEN).as(
        "openSessions",
      ),
    ])
    .stream(ROWS_AT_A_TIME);
  const pools = new Map<string, SubjectAuthorization[]>();
  for await (const row of rows) {
    const authorization = Object.assign(row, {
      encounters: encountersIn(row.encounters, row.authorizationId),
      openSessions: sessionsIn(row.openSessions, row.authorizationId),
    });
    const { subject, subjectId } = authorization;
    if (subject === "AUTHORIZATION") yield [authorization];
    else pools.set(subjectId, [...(pools.get(subjectId) ?? []), authorization]);
  }
  yield* pools.values();
}

const ROWS_AT_A_TIME = 100;

/** Reads authorizations with all data that the overview shows. */
export async function listShownAuthorizations(
  db: Db,
  organizationId: string,
  authorizationIds: readonly string[],
  ranges: RecordRanges,
): Promise<ShownAuthorization[]> {
  const always = sql`true`;
  const records = { organizationId, ranges };
  const isOpenRecord = isOpen("record", organizationId);
  const rows = await selectAuthorizations(db, organizationId, authorizationIds)
    .leftJoin("payors as payor", (join) =>
      join
        .onRef("payor.organization_id", "=", "member.organization_id")
        .on((on) =>
          on(
            "payor.public_id",
            "=",
            on.fn.coalesce("pool.payor_id", "member.payor_id").$castTo<string>(),
          ),
        ),
    )
    .select([
      "payor.name as payorName",
      "patient.first_name as patientFirstName",
      "patient.last_name as patientLastName",
      "member.authorization_number as authorizationNumber",
      "member.authorization_status as authorizationStatus",
      "member.service_line_id as serviceLineId",
      encounterTexts(records, always).as("encounters"),
      sessionTexts(records, always, sql`case when ${isOpenRecord} then ${OPEN} else '-' end`).as(
        "sessions",
      ),
    ])
    .execute();
  return rows.map(({ encounters, sessions: texts, ...row }) => {
    const sessions = sessionsIn(texts, row.authorizationId);
    return {
      ...row,
      encounters: encountersIn(encounters, row.authorizationId),
      sessions,
      openSessions: sessions.filter((session) => session.isOpen),
    };
  });
}

/** Selects authorizations with their subjects and authorized units. */
function selectAuthorizations(db: Db, organizationId: string, ids: readonly string[]) {
  const subject = sql<SubjectKey["subject"]>`
    case when member.authorization_pool_id is null then 'AUTHORIZATION' else 'POOL' end
  `;
  return db
    .selectFrom("authorizations as member")
    .innerJoin("users as patient", (join) =>
      join
        .onRef("patient.organization_id", "=", "member.organization_id")
        .onRef("patient.public_id", "=", "member.patient_id"),
    )
    .innerJoin("service_lines as line", (join) =>
      join
        .onRef("line.organization_id", "=", "member.organization_id")
        .onRef("line.public_id", "=", "member.service_line_id"),
    )
    .leftJoin("authorization_pools as pool", (join) =>
      join
        .onRef("pool.organization_id", "=", "member.organization_id")
        .onRef("pool.public_id", "=", "member.authorization_pool_id"),
    )
    .where("member.organization_id", "=", organizationId)
    .where(isOneOf("member.public_id", ids))
    .select((select) => [
      subject.as("subject"),
      select.fn.coalesce("member.authorization_pool_id", "member.public_id").as("subjectId"),
      "patient.time_zone as patientTimeZone",
      "member.patient_id as patientId",
      select.fn.coalesce("pool.payor_id", "member.payor_id").as("payorId"),
      select.fn
        .coalesce("pool.unit_frequency", "member.authorized_unit_frequency")
        .as("unitFrequency"),
      select.fn
        .coalesce("pool.total_units", "member.authorized_units_quantity")
        .as("authorizedUnits"),
      "pool.is_unlimited as isUnlimited",
      "member.public_id as authorizationId",
      "member.authorization_date as startDate",
      "member.authorization_expiration_date as endDate",
      "line.billing_unit_minutes as billingUnitMinutes",
    ]);
}

/**
 * The records of an authorization are read as one text, which is faster than one row each: each record starts with its
 * instants, which have a fixed width, and ends before the next comma.
 */
const INSTANT_WIDTH = "2026-01-01T00:00:00.000Z".length;

/** The authorizations and times whose records are read. */
interface Records {
  organizationId: string;
  ranges: RecordRanges;
}

function encounterTexts({ organizationId, ranges }: Records, condition: RawBuilder<unknown>) {
  return sql<string | null>`(
    select string_agg(record.start_time || record.units, ',') from encounters as record
    where record.organization_id = ${organizationId}
      and record.authorization_id = member.public_id
      and ${isInRange(ranges)} and ${condition}
  )`;
}

function encountersIn(texts: string | null, authorizationId: string): EncounterRecord[] {
  return (texts?.split(",") ?? []).map((text) => ({
    authorizationId,
    startTime: text.slice(0, INSTANT_WIDTH) as Instant,
    units: Number(text.slice(INSTANT_WIDTH)),
  }));
}

function sessionTexts(
  { organizationId, ranges }: Records,
  condition: RawBuilder<unknown>,
  mark: unknown,
) {
  return sql<string | null>`(
    select string_agg(record.start_time || record.end_time || ${mark} || record.status, ',')
    from sessions as record
    where record.organization_id = ${organizationId}
      and record.authorization_id = member.public_id
      and ${isInRange(ranges)} and ${condition}
  )`;
}

/** Marks a session that no encounter of its authorization refers to. */
const OPEN = "+";

function sessionsIn(texts: string | null, authorizationId: string) {
  return (texts?.split(",") ?? []).map((text) => ({
    authorizationId,
    startTime: text.slice(0, INSTANT_WIDTH) as Instant,
    endTime: text.slice(INSTANT_WIDTH, 2 * INSTANT_WIDTH) as Instant,
    isOpen: text[2 * INSTANT_WIDTH] === OPEN,
    status: text.slice(2 * INSTANT_WIDTH + OPEN.length),
  }));
}

function isInRange(ranges: RecordRanges) {
  return sql`record.start_time >= ${edge(ranges, "from")}
    and record.start_time <= ${edge(ranges, "to")}`;
}

function edge(ranges: RecordRanges, side: "from" | "to") {
  const edges = UNIT_FREQUENCIES.map(
    (frequency) => sql`when ${frequency} then ${ranges[frequency][side]}`,
  );
  return sql`case coalesce(pool.unit_frequency, member.authorized_unit_frequency)
    ${sql.join(edges, sql` `)} end`;
}
