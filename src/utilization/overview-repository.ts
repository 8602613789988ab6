import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import type { UtilizationSubjectRow } from "../../db/schema.ts";
import { type CalendarDate, earlier, later } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import type { PageSlice } from "../lib/page.ts";
import type { EncounterRecord, SessionRecord } from "./counts.ts";
import type { LiveDay, RecordRanges } from "./overview-calendar.ts";
import { UNIT_FREQUENCIES } from "./periods.ts";
import { isOpen } from "./repository.ts";

interface SubjectsOf {
  organizationId: string;
  patientId?: string | undefined;
}

interface Days {
  from: CalendarDate;
  to: CalendarDate;
}

/** Which subjects an overview is of: those of active patients that live on the day. */
export interface LiveSubjects extends SubjectsOf {
  days: readonly LiveDay[];
}

/** What a subject is found by. */
export interface SubjectKey {
  subject: UtilizationSubjectRow["subject"];
  subjectId: string;
}

/** Those that live on one of two days, or between them. */
function selectLivingBetween(db: Db, { organizationId, patientId, from, to }: SubjectsOf & Days) {
  return db
    .selectFrom("utilization_subjects as subject")
    .where("subject.organization_id", "=", organizationId)
    .where("subject.patient_is_active", "=", 1)
    .where("subject.end_date", ">=", from)
    .where("subject.start_date", "<=", to)
    .$if(patientId !== undefined, (query) =>
      query.where("subject.patient_id", "=", patientId as string),
    );
}

function selectLive(db: Db, { days, ...subjects }: LiveSubjects) {
  const dates = days.map(({ date }) => date);
  const [from, to] = [dates.reduce(earlier), dates.reduce(later)];
  return selectLivingBetween(db, { ...subjects, from, to }).$if(days.length > 1, (query) =>
    query.where((where) =>
      where.or([
        // Hardly any begins or ends while it is another day elsewhere: of all others the zone does not matter.
        where.and([where("subject.start_date", "<=", from), where("subject.end_date", ">=", to)]),
        ...days.map(({ date, timeZones }) =>
          where.and([
            where("subject.start_date", "<=", date),
            where("subject.end_date", ">=", date),
            isOneOf(
              "subject.patient_time_zone",
              (timeZones ?? []).filter((zone) => zone !== null),
            ),
          ]),
        ),
        ...days
          .filter(({ timeZones }) => timeZones?.includes(null))
          .map(({ date }) =>
            where.and([
              where("subject.start_date", "<=", date),
              where("subject.end_date", ">=", date),
              where("subject.patient_time_zone", "is", null),
            ]),
          ),
      ]),
    ),
  );
}

/** The time zones of patients, as they are stored, whose subjects live on one of two days or between them. */
export async function listTimeZones(
  db: Db,
  livingBetween: SubjectsOf & Days,
): Promise<(string | null)[]> {
  const rows = await selectLivingBetween(db, livingBetween)
    .select("subject.patient_time_zone as timeZone")
    .distinct()
    .execute();
  return rows.map((row) => row.timeZone);
}

/** One page of live subjects by the end of their lives, then id. */
export function listLiveSubjects(
  db: Db,
  live: LiveSubjects,
  direction: "asc" | "desc",
  page: PageSlice,
): Promise<SubjectKey[]> {
  return selectLive(db, live)
    .select(["subject.subject", "subject.public_id as subjectId"])
    .orderBy("subject.end_date", direction)
    .orderBy("subject.public_id")
    .orderBy("subject.subject")
    .limit(page.pageSize)
    .offset(page.offset)
    .execute();
}

export async function countLiveSubjects(db: Db, live: LiveSubjects): Promise<number> {
  const { total } = await selectLive(db, live)
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** An authorization of a subject, with the records that may count in the subject's period. */
export interface SubjectAuthorization extends SubjectKey {
  patientId: string;
  /** Whose units they are: of a pool the pool's payor. */
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
  /** Sessions, whatever their status, that no encounter of the authorization names. */
  openSessions: SessionRecord[];
}

/** The same of a subject that is shown. */
export interface ShownAuthorization extends SubjectAuthorization {
  patientFirstName: string;
  patientLastName: string;
  authorizationNumber: string;
  authorizationStatus: string;
  serviceLineId: string;
  /** All sessions, whatever their status. */
  sessions: SessionRecord[];
}

/**
 * All live subjects, each as its authorizations. They come as they are read, however many there are. Records are read
 * only of subjects that have a share.
 */
export function streamSubjects(
  db: Db,
  live: LiveSubjects,
  ranges: RecordRanges,
): AsyncGenerator<SubjectAuthorization[]> {
  const hasShare = sql`coalesce(pool.total_units, member.authorized_units_quantity) > 0
    and ${IS_LIMITED}`;
  const records = { organizationId: live.organizationId, ranges };
  return streamAuthorizations(db, selectLive(db, live), records, hasShare);
}

const IS_LIMITED = sql`coalesce(pool.is_unlimited, 0) = 0`;

/**
 * All subjects that live on one of two days, or between them, in the same way. Records are read only of those that
 * have a limit.
 */
export function streamSubjectsBetween(
  db: Db,
  living: SubjectsOf & Days,
  ranges: RecordRanges,
): AsyncGenerator<SubjectAuthorization[]> {
  const records = { organizationId: living.organizationId, ranges };
  return streamAuthorizations(db, selectLivingBetween(db, living), records, IS_LIMITED);
}

async function* streamAuthorizations(
  db: Db,
  subjects: ReturnType<typeof selectLivingBetween>,
  records: Records,
  ofWhich: RawBuilder<unknown>,
): AsyncGenerator<SubjectAuthorization[]> {
  const { organizationId } = records;
  const rows = withAuthorizations(db, organizationId, subjects)
    .select([
      encounterTexts(records, ofWhich).as("encounters"),
      sessionTexts(records, sql`${ofWhich} and ${isOpen("record", organizationId)}`, OPEN).as(
        "openSessions",
      ),
    ])
    .stream(ROWS_AT_A_TIME);
  let subject: SubjectAuthorization[] = [];
  for await (const row of rows) {
    const authorization = Object.assign(row, {
      encounters: encountersIn(row.encounters, row.authorizationId),
      openSessions: sessionsIn(row.openSessions, row.authorizationId),
    });
    const [first] = subject;
    if (first !== undefined && !isSameSubject(first, authorization)) {
      yield subject;
      subject = [];
    }
    subject.push(authorization);
  }
  if (subject.length > 0) yield subject;
}

function isSameSubject(a: SubjectKey, b: SubjectKey): boolean {
  return a.subjectId === b.subjectId && a.subject === b.subject;
}

const ROWS_AT_A_TIME = 100;

/** The authorizations of some subjects, those of one subject after the other. */
export async function listShownAuthorizations(
  db: Db,
  organizationId: string,
  subjectIds: readonly string[],
  ranges: RecordRanges,
): Promise<ShownAuthorization[]> {
  const always = sql`true`;
  const records = { organizationId, ranges };
  const isOpenRecord = isOpen("record", organizationId);
  const rows = await withAuthorizations(
    db,
    organizationId,
    db
      .selectFrom("utilization_subjects as subject")
      .where("subject.organization_id", "=", organizationId)
      .where(isOneOf("subject.public_id", subjectIds)),
  )
    .innerJoin("users as patient", (join) =>
      join
        .onRef("patient.organization_id", "=", "subject.organization_id")
        .onRef("patient.public_id", "=", "member.patient_id"),
    )
    .select([
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

/**
 * The authorizations of subjects, those of one subject after the other.
 *
 * The subjects are found first and put in the order of ids, in which indexes have the records: so each page of a file
 * is read once, which halves the time of reading them all.
 */
function withAuthorizations(
  db: Db,
  organizationId: string,
  subjects: ReturnType<typeof selectLivingBetween>,
) {
  return db
    .with(
      (cte) => cte("subject").materialized(),
      () =>
        subjects
          .select([
            "subject.organization_id",
            "subject.subject",
            "subject.public_id",
            "subject.patient_time_zone",
          ])
          .orderBy("subject.public_id")
          .orderBy("subject.subject"),
    )
    .selectFrom("subject")
    .innerJoin("authorizations as member", (join) =>
      join
        .onRef("member.organization_id", "=", "subject.organization_id")
        // No authorization has the id of a pool.
        .on(
          sql`cast(coalesce(member.authorization_pool_id, member.public_id) as text)`,
          "=",
          sql.ref("subject.public_id"),
        ),
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
    .select((select) => [
      "subject.subject",
      "subject.public_id as subjectId",
      "subject.patient_time_zone as patientTimeZone",
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
    ])
    .orderBy("subject.public_id")
    .orderBy("subject.subject");
}

/**
 * The records of an authorization travel as one text, in half the time of rows: each begins with its instants, which
 * are of one width, and ends before the next comma.
 */
const INSTANT_WIDTH = "2026-01-01T00:00:00.000Z".length;

/** Whose records count, and when. */
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

/** The mark of a session that no encounter of its authorization names. */
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
