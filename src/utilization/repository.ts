import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf, valuesOf } from "../../db/engine.ts";
import { byId } from "../../db/join.ts";
import { prepared, preparedFirst } from "../../db/prepared.ts";
import { preparedStream } from "../../db/rows.ts";
import { type Bit, toBit } from "../../db/schema.ts";
import { type CalendarDate, type DateRange, earlier, later } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import type { InstantRange } from "../lib/time-zone.ts";
import { type EmptyPool, type Subject, subjectOf, subjectsOf } from "./subject.ts";

interface ById {
  organizationId: string;
  publicId: string;
}

/**
 * The subject of an id: of a standalone authorization, of a pool, or of the pool that an authorization is in. Undefined
 * if the organization has none.
 */
export async function findSubject(db: Db, key: ById): Promise<Subject | undefined> {
  const rows = await listIdsOfSubject(db, key);
  const alone = rows.find(({ publicId, poolId }) => publicId === key.publicId && poolId === null);
  // An authorization comes before a pool with the same id.
  const own = rows.find(({ publicId }) => publicId === key.publicId);
  const ids = alone ? [alone] : rows.filter(({ poolId }) => poolId === (own ?? rows[0])?.poolId);
  const { organizationId } = key;
  const [subject] = await listSubjects(
    db,
    organizationId,
    ids.map(({ publicId }) => publicId),
  );
  if (subject !== undefined) return subject;
  const pool = await findPool(db, key);
  return pool && subjectOf(pool, []);
}

/**
 * The authorization with an id and all members of its pool, itself again among them, or the members of the pool with the
 * id. In two parts, since with `or` SQLite would read all authorizations of the organization.
 */
const listIdsOfSubject = prepared((db, { organizationId, publicId }: ById) => {
  const own = db
    .selectFrom("authorizations")
    .where("organization_id", "=", organizationId)
    .where("public_id", "=", publicId);
  return own.select(["public_id as publicId", "authorization_pool_id as poolId"]).unionAll(
    db
      .selectFrom("authorizations")
      .where("organization_id", "=", organizationId)
      // Else SQLite would not use the index of members.
      .where("authorization_pool_id", "is not", null)
      .where(({ eb, fn, val }) =>
        eb(
          "authorization_pool_id",
          "=",
          fn.coalesce(own.select("authorization_pool_id"), val(publicId)),
        ),
      )
      .select(["public_id as publicId", "authorization_pool_id as poolId"]),
  );
});

/** The subjects of some authorizations. Of a pool, all members must be among these. */
export async function listSubjects(
  db: Db,
  organizationId: string,
  authorizationIds: readonly string[],
): Promise<Subject[]> {
  if (authorizationIds.length === 0) return [];
  return subjectsOf(await listAuthorizations(db, { organizationId, authorizationIds }));
}

/** The payor of the units of a row `authorization`, with its row `pool`: all members of a pool have the pool's. */
export const payorOfUnits = sql<
  string | null
>`coalesce(${sql.ref("pool.payor_id")}, ${sql.ref("authorization.payor_id")})`;

/** What an authorization and a pool have in common as subjects. */
const SUBJECT_COLUMNS = [
  "pool.public_id as poolId",
  "patient.public_id as patientId",
  "patient.first_name as patientFirstName",
  "patient.last_name as patientLastName",
  "patient.is_active as patientIsActive",
  "patient.time_zone as patientTimeZone",
  "patient.internal_record_id as internalRecordId",
  "payor.public_id as payorId",
  "payor.name as payorName",
  "pool.total_units as poolUnits",
  "pool.is_unlimited as isUnlimited",
] as const;

/** Authorizations, each with the fields of its subject. */
export const listAuthorizations = prepared(
  (
    db,
    {
      organizationId,
      authorizationIds,
    }: { organizationId: string; authorizationIds: readonly string[] },
  ) =>
    db
      .selectFrom("authorizations as authorization")
      .innerJoin("users as patient", byId("patient", "authorization.patient_id"))
      .innerJoin("service_lines as line", byId("line", "authorization.service_line_id"))
      .leftJoin("authorization_pools as pool", byId("pool", "authorization.authorization_pool_id"))
      .leftJoin("payors as payor", (join) =>
        join
          .onRef("payor.organization_id", "=", "authorization.organization_id")
          .on("payor.public_id", "=", payorOfUnits),
      )
      .where("authorization.organization_id", "=", organizationId)
      .where(isOneOf("authorization.public_id", authorizationIds))
      .select((select) => [
        ...SUBJECT_COLUMNS,
        select.fn
          .coalesce("pool.unit_frequency", "authorization.authorized_unit_frequency")
          .as("unitFrequency"),
        "authorization.public_id as authorizationId",
        "authorization.authorization_number as authorizationNumber",
        "authorization.authorization_status as authorizationStatus",
        "authorization.authorization_date as startDate",
        "authorization.authorization_expiration_date as endDate",
        "authorization.authorized_units_quantity as ownUnits",
        "authorization.authorized_unit_frequency as ownUnitFrequency",
        "line.public_id as serviceLineId",
        "line.name as serviceLineName",
        "line.billing_unit_minutes as billingUnitMinutes",
      ]),
);

/** A pool, in the form of one without members. */
const findPool: (db: Db, key: ById) => Promise<EmptyPool | undefined> = preparedFirst(
  (db, { organizationId, publicId }: ById) =>
    db
      .selectFrom("authorization_pools as pool")
      .innerJoin("users as patient", byId("patient", "pool.patient_id"))
      .innerJoin("payors as payor", byId("payor", "pool.payor_id"))
      .where("pool.organization_id", "=", organizationId)
      .where("pool.public_id", "=", publicId)
      .select([...SUBJECT_COLUMNS, "pool.unit_frequency as unitFrequency"]),
);

/** Filter of subjects by organization, dates and others. */
export interface CurrentBetween {
  organizationId: string;
  /** Default: all. */
  patientIds?: readonly string[] | undefined;
  payorId?: string | undefined;
  from: CalendarDate;
  to: CalendarDate;
}

/** What is needed of a subject to find out whether it is current, and to sort it by its end. */
export interface CurrentSubject extends DateRange {
  kind: Subject["kind"];
  publicId: string;
  patientTimeZone: string | null;
  authorizationIds: string[];
}

/** Subjects of active patients that are current on any day between two days, both included. */
export async function listCurrentSubjects(
  db: Db,
  { organizationId, patientIds, payorId, from, to }: CurrentBetween,
): Promise<CurrentSubject[]> {
  const authorizations = await db
    .selectFrom("authorizations as authorization")
    .innerJoin("users as patient", byId("patient", "authorization.patient_id"))
    .leftJoin("authorization_pools as pool", byId("pool", "authorization.authorization_pool_id"))
    .where("authorization.organization_id", "=", organizationId)
    .where("patient.is_active", "=", 1)
    .$if(payorId !== undefined, (query) => query.where(payorOfUnits, "=", payorId as string))
    .$if(patientIds !== undefined, (query) =>
      query.where(isOneOf("authorization.patient_id", patientIds ?? [])),
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
    .$if(patientIds === undefined, (query) =>
      query
        .orderBy("authorization.authorization_expiration_date")
        .orderBy("authorization.public_id"),
    )
    .execute();
  return currentSubjectsOf(authorizations).filter(
    ({ startDate, endDate }) => startDate <= to && endDate >= from,
  );
}

interface CurrentAuthorization extends DateRange {
  authorizationId: string;
  poolId: string | null;
  patientTimeZone: string | null;
}

function currentSubjectsOf(authorizations: readonly CurrentAuthorization[]): CurrentSubject[] {
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
      kind: poolId === null ? "AUTHORIZATION" : "POOL",
      publicId: poolId ?? authorizationId,
      authorizationIds: [authorizationId],
      ...term,
    };
    subjects.push(subject);
    if (poolId !== null) pools.set(poolId, subject);
  }
  return subjects;
}

/** The range of time in which an authorization's records are read. */
export interface RecordSpan extends InstantRange {
  authorizationId: string;
}

interface InSpans {
  organizationId: string;
  spans: readonly RecordSpan[];
}

/** Streams the encounters of authorizations, each in its own span. All columns are in one index. */
export function streamEncounters(db: Db, { organizationId, spans }: InSpans) {
  return encountersIn(db, { organizationId, spans: spans.map(textOf) });
}

/** The same, ordered by start, then id. */
export function streamEncountersInOrder(db: Db, { organizationId, spans }: InSpans) {
  return encountersInOrder(db, { organizationId, spans: spans.map(textOf) });
}

/**
 * Streams the sessions of authorizations, each in its own span, of any status. All columns are in one index, but for
 * `isOpen`: to look that up takes as long as all others, so it can be left out.
 */
export function streamSessions(
  db: Db,
  { organizationId, spans, readsOpen }: InSpans & { readsOpen: boolean },
) {
  const parameters = { organizationId, spans: spans.map(textOf), readsOpen: toBit(readsOpen) };
  return sessionsIn(db, parameters);
}

/** A span as one text, so that all of them are one parameter: instants have a fixed width. */
function textOf({ from, to, authorizationId }: RecordSpan): string {
  return from + to + authorizationId;
}

const spanFrom = sql<Instant>`substr(span.value, 1, 24)`;
const spanTo = sql<Instant>`substr(span.value, 25, 24)`;
const spanId = sql<string>`substr(span.value, 49)`;

interface InSpanTexts {
  organizationId: string;
  spans: readonly string[];
}

const encountersIn = preparedStream(selectEncountersIn);

const encountersInOrder = preparedStream((db, parameters: InSpanTexts) =>
  selectEncountersIn(db, parameters).orderBy("encounter.start_time").orderBy("encounter.public_id"),
);

/** `cross join` makes SQLite look up each authorization in the index, whatever its statistics are. */
function selectEncountersIn(db: Db, { organizationId, spans }: InSpanTexts) {
  return db
    .selectFrom(valuesOf(spans).as("span"))
    .crossJoin("encounters as encounter")
    .where("encounter.organization_id", "=", organizationId)
    .where("encounter.authorization_id", "=", spanId)
    .where("encounter.start_time", ">=", spanFrom)
    .where("encounter.start_time", "<=", spanTo)
    .select([
      "encounter.public_id as publicId",
      "encounter.authorization_id as authorizationId",
      "encounter.start_time as startTime",
      "encounter.units",
    ]);
}

const sessionsIn = preparedStream((db, parameters: InSpanTexts & { readsOpen: Bit }) => {
  const { organizationId, spans, readsOpen } = parameters;
  return db
    .selectFrom(valuesOf(spans).as("span"))
    .crossJoin("sessions as session")
    .where("session.organization_id", "=", organizationId)
    .where("session.authorization_id", "=", spanId)
    .where("session.start_time", ">=", spanFrom)
    .where("session.start_time", "<=", spanTo)
    .select([
      "session.public_id as publicId",
      "session.authorization_id as authorizationId",
      "session.start_time as startTime",
      "session.end_time as endTime",
      "session.status",
      sql<Bit>`case when ${readsOpen} = 1 and ${isOpen(organizationId)} then 1 else 0 end`.as(
        "isOpen",
      ),
    ])
    .$narrowType<{ authorizationId: string }>();
});

/**
 * Condition: no encounter of the session's authorization refers to the session. As a scalar, because PostgreSQL would
 * read all encounters of the organization for `not exists`, to look up a few hundred sessions.
 */
function isOpen(organizationId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(
    select 1 from encounters as encounter
    where encounter.organization_id = ${organizationId}
      and encounter.session_id = session.public_id
      and encounter.authorization_id = session.authorization_id
    limit 1
  ) is null`;
}

export type BookedSession = NonNullable<Awaited<ReturnType<typeof findBookedSession>>>;

/** A session with its service line, authorization and patient. */
export const findBookedSession = preparedFirst((db, { organizationId, publicId }: ById) =>
  db
    .selectFrom("sessions as session")
    .leftJoin("users as patient", byId("patient", "session.client_id"))
    .leftJoin("service_lines as line", byId("line", "session.service_line_id"))
    .leftJoin("authorizations as authorization", byId("authorization", "session.authorization_id"))
    .where("session.organization_id", "=", organizationId)
    .where("session.public_id", "=", publicId)
    .select([
      "session.status",
      "session.start_time as startTime",
      "session.end_time as endTime",
      "session.client_id as patientId",
      "patient.time_zone as patientTimeZone",
      "line.public_id as serviceLineId",
      "line.billing_unit_minutes as billingUnitMinutes",
      "authorization.public_id as authorizationId",
      "authorization.authorization_pool_id as poolId",
      "authorization.authorization_date as startDate",
      "authorization.authorization_expiration_date as endDate",
    ]),
);

/** The sessions of an authorization among the given ids, with their start. */
export function listSessionsById(
  db: Db,
  organizationId: string,
  authorizationId: string,
  ids: readonly string[],
) {
  return db
    .selectFrom("sessions")
    .select(["public_id as publicId", "start_time as startTime"])
    .where("organization_id", "=", organizationId)
    .where("authorization_id", "=", authorizationId)
    .where(isOneOf("public_id", ids))
    .execute();
}
