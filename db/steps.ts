import type { Db, Engine } from "./database.ts";

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
    ],
  },
];

export function statementsFor(engine: Engine, { statements }: Step): readonly string[] {
  return statements.flatMap((each) => (typeof each === "string" ? each : (each[engine] ?? [])));
}
