import type { CompiledQuery } from "kysely";
import type { Db, Engine } from "./database.ts";
import type { Row, Schema } from "./schema.ts";

/**
 * Stands in a query for a value that is given when the query is executed. It has no value yet, so whatever is
 * computed from one is computed before, and handed in.
 */
export class Parameter {
  constructor(readonly name: string) {}

  [Symbol.toPrimitive](): never {
    throw new TypeError(`The parameter ${this.name} has no value where its query is built`);
  }
}

/** A query whose text is made once, and executed with any values. */
export type PreparedQuery<Values extends object, Row> = (db: Db, values: Values) => Promise<Row[]>;

/** A query of Kysely's builders, or of its `sql`. */
interface Compilable<Row> {
  compile(db: Db): CompiledQuery<Row>;
}

interface Shape {
  /** Of the values that are there, in their order. */
  names: string[];
  query: CompiledQuery;
  /** The name of the value at each place of the text, or a constant of the query. */
  places: (string | { constant: unknown })[];
}

/** A query that was prepared, with the texts that were made of it so far. */
export interface Declaration {
  build: (...given: never[]) => unknown;
  texts(engine: Engine): string[];
}

/** All queries that are prepared, for tests that hold each to a rule. */
export const declarations: Declaration[] = [];

/**
 * Prepares a query: `build` is called once for each set of values that are there, and what is undefined is no
 * part of the query. Each call of the result then only executes it; building and compiling a query with Kysely takes
 * several times what SQLite needs for most of ours.
 *
 * What `build` is handed are no values but parameters in their places: it can ask whether there is one, and put
 * it into the query, and nothing else. A list is a value for `isOneOf`.
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
  const shapesOf: Record<Engine, Shape[]> = { sqlite: [], postgresql: [] };
  declarations.push({
    build,
    texts: (engine) => shapesOf[engine].map(({ query }) => query.sql),
  });
  return async (db, values) => {
    const shapes = shapesOf[db.engine];
    // There are few shapes, and to compare names is faster than to make one text of them: a row has thirty.
    let shape = shapes.find(({ names }) => isOfShape(values, names));
    if (shape === undefined) {
      const parameters = parametersFor(values);
      shape = newShape(Object.keys(parameters), build(db, parameters).compile(db));
      shapes.push(shape);
    }
    // Straight to the statement: Kysely's own way there is longer than most statements.
    return db.executor.all<Row>(
      shape.query.sql,
      valuesFor(shape, values as Record<string, unknown>),
    );
  };
}

/** Whether the values that are there have these names. */
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

/** The same for a query that finds one row, or none. */
export function preparedFirst<Values extends object, Row>(
  build: (db: Db, parameters: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row | undefined> {
  const query = prepared(build);
  return async (db, values) => (await query(db, values))[0];
}

/** How many rows a statement adds: as many as are left of the largest of these. */
const ROWS_PER_STATEMENT = [16, 4, 1];

/**
 * Prepares adding rows to a table, all of the same columns: several with one statement, which saves the way to
 * PostgreSQL for each, and on SQLite a fifth of the time. PostgreSQL is not waited for until the transaction ends.
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
      let text = texts.get(size);
      if (text === undefined) texts.set(size, (text = textFor(db, size)));
      const values: unknown[] = [];
      for (const row of rows.slice(start, start + size))
        for (const column of columns) values.push(row[column]);
      db.executor.add(text, values);
      start += size;
    }
  };
}
