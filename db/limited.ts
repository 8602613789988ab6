import type { CompiledQuery, Dialect, Driver, QueryResult } from "kysely";
import { Db, type Engine } from "./database.ts";
import type { Schema } from "./schema.ts";
import { tables } from "./tables.ts";

/**
 * Reads that are limited to somebody's own patients (docs/decisions.md, "Own patients"). Each statement begins with
 * common table expressions that have the names of tables, so that it reads these instead of the tables. Nothing that
 * reads has to know of it.
 */

/** What somebody reads. */
export interface Own {
  organizationId: string;
  /** Whose sessions without a patient are read. */
  userId: string;
  patientIds: readonly string[];
}

/** The parameters of the expressions. */
type Place = Record<keyof Own, string>;

/** What differs between the engines. */
interface Forms {
  /** A table itself: SQLite would take its name, within the expression of that name, for the expression. */
  table: (name: keyof Schema) => string;
  /** A column, with whose conditions SQLite looks up nothing in an index. */
  unindexed: (name: string) => string;
  /** The ids of a list as rows of a column `patient_id`. */
  list: (place: string) => string;
  /** Whether the statement looks sessions up by their authorization, and not by the patient. */
  byAuthorization?: true;
}

/** Condition: the column has the id of one's own patient. */
const isOwn = (column: string) => `${column} in (select patient_id from own_patients)`;

/** The rows of a table that are about one's own patients, by the column that names the patient. */
const byPatient = (column: string) => (rows: string) => `${rows} and ${isOwn(column)}`;

/** The rows of a table that refer to a row about one's own patients. */
const through =
  (column: string, owner: "authorizations" | "treatment_plans") =>
  (rows: string, { table }: Forms, { organizationId }: Place) =>
    `${rows} and ${column} in (
      select public_id from ${table(owner)} where organization_id = ${organizationId} and ${isOwn("patient_id")}
    )`;

const sessionColumns = ({ unindexed }: Forms) =>
  Object.keys(tables.sessions.columns)
    .map((name) =>
      name === "status" ? `${unindexed(`session.${name}`)} as ${name}` : `session.${name}`,
    )
    .join(", ");

/** What is left of each table, from `select * from TABLE where organization_id = …` on. */
const limits: {
  [Name in keyof Schema]?: (rows: string, forms: Forms, place: Place) => string;
} = {
  // All staff, one's own patients, and their caregivers.
  users: (rows, { table }, { organizationId }) => `${rows} and (
      role not in ('PATIENT', 'CAREGIVER') or ${isOwn("public_id")} or public_id in (
        select caregiver_id from ${table("users")}
        where organization_id = ${organizationId} and ${isOwn("public_id")} and caregiver_id is not null
      )
    )`,
  patient_clinicians: byPatient("patient_id"),
  patient_payors: byPatient("patient_id"),
  authorization_pools: byPatient("patient_id"),
  authorizations: byPatient("patient_id"),
  // Those of one's own patients, whoever delivers them, and one's own ones without a patient. With `or` instead of
  // `union all`, all sessions would be read in the order of their start; by the index of statuses, all of a status.
  sessions: (_, forms, { organizationId, userId }) => {
    const sessions = (from: string) =>
      `select ${sessionColumns(forms)} from ${from}${forms.table("sessions")} as session
      where session.organization_id = ${organizationId}`;
    const ofPatients = forms.byAuthorization
      ? `${sessions("")} and ${forms.unindexed("session.client_id")} in (select patient_id from own_patients)`
      : `${sessions("own_patients cross join ")} and session.client_id = own_patients.patient_id`;
    return `
      ${ofPatients}
      union all ${sessions("")} and client_id is null and technician_id = ${userId}
      union all ${sessions("")} and client_id is null and clinician_id = ${userId}`;
  },
  // Reads the sessions above, since the counters have all patients' sessions.
  session_counts: (_, __, { organizationId }) => `
    select ${organizationId} as organization_id, substr(start_time, 1, 10) as day, count(*) as sessions
    from sessions group by substr(start_time, 1, 10)`,
  encounters: through("authorization_id", "authorizations"),
  intake_leads: byPatient("client_id"),
  treatment_plans: byPatient("patient_id"),
  goals: through("treatment_plan_id", "treatment_plans"),
};

/** The tables whose rows are limited. */
export const limitedTables = Object.keys(limits) as (keyof Schema)[];

function expressions(forms: Forms, place: Place): string {
  const limited = Object.entries(limits).map(([name, limit]) => {
    const rows = `select * from ${forms.table(name as keyof Schema)} where organization_id = ${place.organizationId}`;
    return `${name} as not materialized (${limit(rows, forms, place)})`;
  });
  // Not materialized: SQLite would copy the list once more for each `in`.
  return [`own_patients as not materialized (${forms.list(place.patientIds)})`, ...limited].join(
    ",\n",
  );
}

const formsOfSqlite: Forms = {
  table: (name) => `main.${name}`,
  unindexed: (name) => `+${name}`,
  list: (place) => `select value as patient_id from json_each(${place})`,
};

/** SQLite numbers further parameters of a statement behind these. */
const placesOfSqlite: Place = { organizationId: "?1", userId: "?2", patientIds: "?3" };
const ofSqlite = expressions(formsOfSqlite, placesOfSqlite);
const ofSqliteByAuthorization = expressions(
  { ...formsOfSqlite, byAuthorization: true },
  placesOfSqlite,
);

/**
 * A statement that looks up the sessions of each of some authorizations: going through one's own patients for each of them
 * would take time with the square of their number.
 */
const LOOKS_UP_BY_AUTHORIZATION = /\b(session|record)"?\."?authorization_id"? = /;

/** PostgreSQL's statements have numbered their parameters already, so these are behind theirs. */
function ofPostgresql(last: number): string {
  const place = (index: number, type = "text") => `cast($${last + index} as ${type})`;
  return expressions(
    {
      table: (name) => name,
      unindexed: (name) => name,
      list: (place) => `select unnest(${place}) as patient_id`,
    },
    { organizationId: place(1), userId: place(2), patientIds: place(3, "text[]") },
  );
}

type Statement = Pick<CompiledQuery, "sql" | "parameters">;

/** The beginnings of statements that only write, to rows that were found before. */
const WRITES = /^\s*(insert|update|delete)\s/i;

/**
 * A statement that reads, limited. Those that write are as they are. Its own expressions follow; recursive ones stand in
 * brackets on PostgreSQL, which would take the names of tables for recursions, too.
 *
 * @throws TypeError for any other statement, such as one that begins with a comment or a bracket: it could read all.
 */
export function limited(
  { sql, parameters }: Statement,
  engine: Engine,
  own: readonly unknown[],
): Statement {
  const [start = "", begin, recursive = ""] = /^\s*(select|with)( recursive)?\s/i.exec(sql) ?? [];
  if (begin === undefined) {
    if (WRITES.test(sql)) return { sql, parameters };
    throw new TypeError("A limited statement begins with select, with, insert, update or delete");
  }
  const rest = sql.slice(start.length);
  const isSqlite = engine === "sqlite";
  const expressed = isSqlite ? expressionsFor(sql) : ofPostgresql(parameters.length);
  const text =
    begin.toLowerCase() === "select"
      ? `with ${expressed}\nselect ${rest}`
      : recursive === "" || isSqlite
        ? `with${recursive} ${expressed},\n${rest}`
        : `with ${expressed}\nselect * from (${sql}) as statement`;
  return {
    sql: text,
    parameters: isSqlite ? [...own, ...parameters] : [...parameters, ...own],
  };
}

function expressionsFor(sql: string): string {
  return LOOKS_UP_BY_AUTHORIZATION.test(sql) ? ofSqliteByAuthorization : ofSqlite;
}

/** The database as far as it is about somebody's own patients. Writes are not limited. */
export function limitedTo(db: Db, { organizationId, userId, patientIds }: Own): Db {
  const { executor, engine } = db;
  const list = engine === "sqlite" ? JSON.stringify(patientIds) : patientIds;
  const own = [organizationId, userId, list];
  const kysely = db.getExecutor();
  const limit = (query: CompiledQuery): CompiledQuery => ({
    ...query,
    ...limited(query, engine, own),
  });
  const notSupported = async (): Promise<never> => {
    throw new Error("Transactions are those of Database.read and Database.write");
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => ({
      executeQuery: <Row>(query: CompiledQuery) =>
        kysely.executeQuery(limit(query)) as Promise<QueryResult<Row>>,
      streamQuery: <Row>(query: CompiledQuery, size = 1) =>
        kysely.stream(limit(query), size) as AsyncIterableIterator<QueryResult<Row>>,
    }),
    releaseConnection: async () => {},
    beginTransaction: notSupported,
    commitTransaction: notSupported,
    rollbackTransaction: notSupported,
    destroy: async () => {},
  };
  const dialect: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => ({ compileQuery: (node, id) => kysely.compileQuery(node, id) }),
    createAdapter: () => kysely.adapter,
    createIntrospector: () => db.introspection,
  };
  return new Db(
    engine,
    {
      ...executor,
      all: (text, values) => {
        const { sql, parameters } = limited({ sql: text, parameters: values }, engine, own);
        return executor.all(sql, parameters);
      },
    },
    dialect,
  );
}
