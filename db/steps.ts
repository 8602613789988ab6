import type { Db, Engine } from "./database.ts";
import { passkeyKeysInCose } from "./steps/passkey-keys.ts";

/** A change of the tables of a released version. */
export interface Step {
  name: string;
  /** Hashes of what it changes: of the columns of all tables, and of SQLite's schema (see `schemaHash`). */
  from: { columns: string; schema: string };
  /** In order, each for both engines, or the form of it that each engine takes; an engine that is not named needs none. */
  statements: readonly (string | Partial<Record<Engine, string>>)[];
  /**
   * What SQL alone cannot say, after the statements. In a file of its own that imports nothing of `src` and never
   * changes.
   */
  change?: (trx: Db) => Promise<void>;
}

const statuses =
  "BASELINE IN_MAINTENANCE MASTERED ARCHIVED IN_PROGRESS DISCONTINUED FUTURE ON_HOLD".split(" ");

/** The documents of goals and of those below them, each with a first phase that begins now, behind its status. */
function withPhases(column: string, now: string): string {
  // Within a text of a document the quotes would be escaped.
  return statuses.reduce((text, status) => {
    const phase = `'"status":"${status}","phases":[{"status":"${status}","since":"' || ${now} || '","isAutomatic":false}]'`;
    return `replace(${text}, '"status":"${status}"', ${phase})`;
  }, column);
}

const addPhases = (now: string) =>
  `update goals set document = ${withPhases("document", now)}, child_goals = ${withPhases("child_goals", now)}`;

/** SQLite sorts what a statement groups in memory, so each of so many statements takes some of the goals. */
const PIECES = 16;

/** What was recorded on a goal becomes a row for each UTC day. */
const splitByDay = (entries: string, time: string) =>
  `insert into recorded_data
    (organization_id, goal_id, day, recorded_on, amount, first_at, last_at, entries)
    select organization_id, goal_id, substr(at, 1, 10), recorded_on, count(*), min(at), max(at), ${entries}
    from (${time}) as entry group by organization_id, goal_id, recorded_on, substr(at, 1, 10)`;

const recordedData = (integer: string, options: string) => `create table recorded_data (
  "organization_id" text not null,
  "goal_id" text not null,
  "day" text not null,
  "recorded_on" text not null,
  "amount" ${integer} not null,
  "first_at" text not null,
  "last_at" text not null,
  "entries" text not null,
  primary key ("organization_id", "goal_id", "day", "recorded_on"),
  foreign key ("organization_id", "goal_id") references goals ("organization_id", "public_id") on delete cascade
)${options}`;

const childGoals = (integer: string, options: string) => `create table child_goals (
  "organization_id" text not null,
  "public_id" text not null,
  "goal_id" text not null,
  "status" text not null,
  "position" ${integer},
  primary key ("organization_id", "public_id"),
  foreign key ("organization_id", "goal_id") references goals ("organization_id", "public_id") on delete cascade
)${options}`;

/** The goals below others, with the status that their documents have. */
const withStatus = (documents: string) =>
  `insert into child_goals (organization_id, public_id, goal_id, status, position)
    select organization_id, public_id, goal_id, status, position
    from child_goals_before join (${documents}) as document using (organization_id, goal_id, public_id)`;

/** Progress of goals: their phases, what was recorded by day, and the number of the last write besides. */
const goalsWithProgress: Step["statements"] = [
  {
    sqlite: `alter table organizations add column "goal_days_in_a_row" integer`,
    postgresql: `alter table organizations add column "goal_days_in_a_row" bigint`,
  },
  {
    sqlite: `alter table goals add column "changed_sequence" integer not null default 0`,
    postgresql: `alter table goals add column "changed_sequence" bigint not null default 0`,
  },
  `update goals set changed_sequence = sequence`,
  {
    sqlite: addPhases(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`),
    postgresql: addPhases(
      `to_char(current_timestamp at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    ),
  },
  `create table child_goals_before as select * from child_goals`,
  `drop table child_goals`,
  { sqlite: childGoals("integer", " strict"), postgresql: childGoals("bigint", "") },
  `create index child_goals_by_goal on child_goals ("organization_id", "goal_id", "position")`,
  {
    sqlite: withStatus(
      `select organization_id, public_id as goal_id,
        node.value ->> 'publicId' as public_id, node.value ->> 'status' as status
        from goals, json_tree(goals.child_goals) as node
        where node.type = 'object' and node.value ->> 'goalType' is not null`,
    ),
    postgresql: withStatus(
      `select organization_id, public_id as goal_id, goal ->> 'publicId' as public_id, goal ->> 'status' as status
        from goals cross join jsonb_path_query(
          cast(child_goals as jsonb), 'strict $.** ? (@.goalType == "opportunity")'
        ) as goal`,
    ),
  },
  `drop table child_goals_before`,
  `create table recorded_data_before as select * from recorded_data`,
  `drop table recorded_data`,
  {
    sqlite: recordedData("integer", " strict, without rowid"),
    postgresql: recordedData("bigint", ""),
  },
  ...Array.from({ length: PIECES }, (_, piece) => ({
    sqlite: splitByDay(
      `'[' || group_concat(entry, ',' order by place) || ']'`,
      `select organization_id, goal_id, recorded_on, key as place, value as entry,
        coalesce(value ->> 'happenedAt', value ->> 'startedAt') as at
        from recorded_data_before as stored, json_each(stored.entries)
        where stored.rowid % ${PIECES} = ${piece}`,
    ),
  })),
  {
    postgresql: splitByDay(
      `'[' || string_agg(cast(entry as text), ',' order by place) || ']'`,
      `select organization_id, goal_id, recorded_on, place, entry,
        coalesce(entry ->> 'happenedAt', entry ->> 'startedAt') as at
        from recorded_data_before as stored
        cross join json_array_elements(cast(stored.entries as json)) with ordinality as list (entry, place)`,
    ),
  },
  `drop table recorded_data_before`,
];

/** What was handed over of an encounter becomes a list, whose batches have a table. */
const handOvers: Step["statements"] = [
  {
    sqlite: `alter table service_lines add column "records_data" integer not null default 0`,
    postgresql: `alter table service_lines add column "records_data" bigint not null default 0`,
  },
  // Quotation marks within its texts are escaped.
  {
    sqlite: `update encounters set billed = '[' || substr(billed, 1, instr(billed, ',"line":') - 1)
      || ',"takenBackAt":null' || substr(billed, instr(billed, ',"line":')) || ']' where billed is not null`,
    postgresql: `update encounters set billed = '[' || substr(billed, 1, strpos(billed, ',"line":') - 1)
      || ',"takenBackAt":null' || substr(billed, strpos(billed, ',"line":')) || ']' where billed is not null`,
  },
  {
    sqlite: `create table billed_batches (
      "organization_id" text not null, "batch" text not null, "encounter_id" text not null,
      primary key ("organization_id", "batch", "encounter_id"),
      foreign key ("organization_id", "encounter_id") references encounters ("organization_id", "public_id"))
      strict, without rowid`,
    postgresql: `create table billed_batches (
      "organization_id" text not null, "batch" text not null, "encounter_id" text not null,
      primary key ("organization_id", "batch", "encounter_id"),
      foreign key ("organization_id", "encounter_id") references encounters ("organization_id", "public_id"))`,
  },
  {
    sqlite: `insert into billed_batches select organization_id, billed ->> '$[0].batch', public_id
      from encounters where billed is not null`,
    postgresql: `insert into billed_batches select organization_id, billed::json -> 0 ->> 'batch', public_id
      from encounters where billed is not null`,
  },
  "drop index encounters_by_session",
  `create index encounters_by_session on encounters
    ("organization_id", "session_id", "start_time", "public_id", "authorization_id", "units")
    where session_id is not null`,
  `create index encounters_first_of_session on encounters
    ("organization_id", "session_id", "start_time", "public_id") where session_id is not null and units > 0`,
];

/** Own patients are found from one client of a person to the next. */
const ownPatients: Step["statements"] = ["technician", "clinician"].flatMap((person) => [
  `drop index sessions_by_${person}`,
  `create index sessions_by_${person} on sessions
    ("organization_id", "${person}_id", "start_time", "public_id") where ${person}_id is not null`,
  `create index sessions_clients_of_${person} on sessions
    ("organization_id", "${person}_id", "client_id", "start_time") where ${person}_id is not null`,
]);

/** The rules by which sessions were written; a start notes them. */
const zoneRules = (integer: string, options: string) => `create table zone_rules (
  "organization_id" text not null,
  "zone" text not null,
  "version" text not null,
  "rules" text not null,
  "last_sequence" ${integer},
  primary key ("organization_id", "zone", "version"),
  foreign key ("organization_id") references organizations ("public_id")
)${options}`;

/**
 * Migration steps between released versions, in order. A released step never changes, and uses no code of the program,
 * so that it always does the same. No step moves a sequence, or marks a record as changed.
 *
 * Until 1.0.0 is tagged there is one, from the tables of commit 2085c87d, which every change of `tables.ts` extends.
 */
export const steps: readonly Step[] = [
  {
    name: "0001_upgrade_from_2085c87d",
    from: {
      columns: "6bf462064083b0b321b89d565a0df89fcd8b90b8b4b8fd2fcc2a010d0c685ea3",
      schema: "021210553e5d3985a067648c5ad948798e34c5aeb4cf497693322c961d13ccfa",
    },
    statements: [
      {
        sqlite: `create table versions (
          "position" integer not null, "version" text not null, "commit_id" text not null, "since" text not null,
          primary key ("position")) strict`,
        postgresql: `create table versions (
          "position" bigint not null, "version" text not null, "commit_id" text not null, "since" text not null,
          primary key ("position"))`,
      },
      // Who made it is known by its tables, and when by its first row.
      `insert into versions ("position", "version", "commit_id", "since")
        select 1, '1.0.0', '2085c87d', applied_at from schema_migrations where name = '0000_baseline'`,
      ...goalsWithProgress,
      `alter table passkeys drop column "algorithm"`,
      ...handOvers,
      `alter table idempotent_responses add column "caller" text`,
      {
        sqlite: `alter table service_lines add column "is_group" integer not null default 0`,
        postgresql: `alter table service_lines add column "is_group" bigint not null default 0`,
      },
      `alter table service_lines add column "kind" text`,
      {
        sqlite: zoneRules("integer", " strict"),
        postgresql: zoneRules("bigint", ""),
      },
      ...ownPatients,
    ],
    change: passkeyKeysInCose,
  },
];

export function statementsFor(engine: Engine, { statements }: Step): readonly string[] {
  return statements.flatMap((each) => (typeof each === "string" ? each : (each[engine] ?? [])));
}
