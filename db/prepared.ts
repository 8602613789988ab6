import type { CompiledQuery } from "kysely";
import { remembered } from "../src/lib/remembered.ts";
import type { Db, Engine } from "./database.ts";
import type { Row, Schema } from "./schema.ts";

/**
 * A placeholder in a prepared query for a value given at execution. Computations on the value must be done before, and
 * their result passed as a value.
 */
export class Parameter {
  constructor(readonly name: string) {}

  [Symbol.toPrimitive](): never {
    throw new TypeError(`The parameter ${this.name} has no value where its query is built`);
  }
}

/** A query that is compiled once and executed with any values. */
export type PreparedQuery<Values extends object, Row> = (db: Db, values: Values) => Promise<Row[]>;

/** A query built with Kysely or its `sql`. */
export interface Compilable<Row> {
  compile(db: Db): CompiledQuery<Row>;
}

interface Shape {
  /** The names of the defined values, in order. */
  names: string[];
  query: CompiledQuery;
  /** By parameter position: the name of a value, or a constant of the query. */
  places: (string | { constant: unknown })[];
}

/** A prepared query, with the statements compiled from it so far. */
export interface Declaration {
  build: (...given: never[]) => unknown;
  texts(engine: Engine): string[];
}

/** All prepared queries, for tests that check rules on each of them. */
export const declarations: Declaration[] = [];

/**
 * Prepares a query. `build` is called once for each combination of defined values; undefined values are not part of the
 * query. Later calls only execute the compiled statement, since building and compiling a query with Kysely takes
 * several times as long as SQLite needs for most of ours.
 *
 * `build` receives placeholders instead of values: it can test whether one is undefined and insert it into the query,
 * nothing else. A list is a value for `isOneOf`.
 *
 * @example
 * const byName = prepared((db, { organizationId, name }: { organizationId: string; name?: string }) => {
 *   const query = db.selectFrom("locations").selectAll().where("organization_id", "=", organizationId);
 *   return name === undefined ? query : query.where("name", "=", name);
 * });
 * await byName(db, { organizationId: "org_maple", name: "Main clinic" }); // rows
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, parameters: Values) => Compilable<Row>,
): PreparedQuery<Values, Row> {
  const statementFor = statements(build);
  return async (db, values) => {
    const { sql, parameters } = statementFor(db, values);
    // Bypasses Kysely's executor, which takes longer than most statements.
    return db.executor.all<Row>(sql, parameters);
  };
}

/** Makes a function that gives the statement of each combination of defined values, compiled once, with the values. */
export function statements<Values extends object, Row>(
  build: (db: Db, parameters: Values) => Compilable<Row>,
): (db: Db, values: Values) => CompiledQuery<Row> {
  const shapesOf: Record<Engine, Shape[]> = { sqlite: [], postgresql: [] };
  declarations.push({
    build,
    texts: (engine) => shapesOf[engine].map(({ query }) => query.sql),
  });
  return (db, values) => {
    const shapes = shapesOf[db.engine];
    // There are few combinations, and comparing names is faster than building a key from up to thirty of them.
    let shape = shapes.find(({ names }) => isOfShape(values, names));
    if (shape === undefined) {
      const parameters = parametersFor(values);
      shape = newShape(Object.keys(parameters), build(db, parameters).compile(db));
      shapes.push(shape);
    }
    const parameters = valuesFor(shape, values as Record<string, unknown>);
    return { ...(shape.query as CompiledQuery<Row>), parameters };
  };
}

/** Whether exactly these values are defined. */
function isOfShape(values: object, names: readonly string[]): boolean {
  let count = 0;
  for (const name in values) {
    if (values[name as keyof typeof values] === undefined) continue;
    if (names[count] !== name) return false;
    count += 1;
  }
  return count === names.length;
}

function parametersFor<Values extends object>(values: Values): Values {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name]) => [name, new Parameter(name)])) as Values;
}

function newShape(names: string[], query: CompiledQuery): Shape {
  const places = query.parameters.map((value) =>
    value instanceof Parameter ? value.name : { constant: value },
  );
  return { names, query, places };
}

function valuesFor({ places }: Shape, values: Record<string, unknown>): unknown[] {
  return places.map((place) => (typeof place === "string" ? values[place] : place.constant));
}

/** `prepared` for a query that returns one row or none. */
export function preparedFirst<Values extends object, Row>(
  build: (db: Db, parameters: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row | undefined> {
  const query = prepared(build);
  return async (db, values) => (await query(db, values))[0];
}

/** Rows per statement: the largest of these that does not exceed the remaining rows. */
const ROWS_PER_STATEMENT = [16, 4, 1];

/**
 * Prepares inserts of rows with the same columns, several per statement: fewer round trips to PostgreSQL, and faster on
 * SQLite. On PostgreSQL, inserts are not awaited until the transaction ends.
 */
export function preparedInsert<Table extends keyof Schema>(
  table: Table,
  columns: readonly (keyof Row<Table> & string)[],
): (db: Db, rows: readonly Row<Table>[]) => Promise<void> {
  const textsOf: Record<Engine, Map<number, string>> = { sqlite: new Map(), postgresql: new Map() };
  const textFor = (db: Db, size: number): string => {
    const row = Object.fromEntries(columns.map((column) => [column, ""]));
    return db
      .insertInto(table)
      .values(Array.from({ length: size }, () => row) as never)
      .compile().sql;
  };
  declarations.push({ build: textFor, texts: (engine) => [...textsOf[engine].values()] });
  return async (db, rows) => {
    const texts = textsOf[db.engine];
    for (let start = 0; start < rows.length;) {
      const size = ROWS_PER_STATEMENT.find((size) => size <= rows.length - start) ?? 1;
      const text = remembered(texts, size, () => textFor(db, size));
      const values: unknown[] = [];
      for (const row of rows.slice(start, start + size))
        for (const column of columns) values.push(row[column]);
      db.executor.add(text, values);
      start += size;
    }
  };
}
