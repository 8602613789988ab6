import { NAMES_ANOTHER_USER } from "../users/repository.ts";
import type { Scratch } from "../../db/scratch.ts";
import type { Batch, BatchTable } from "./batch.ts";
import { type RecordType, recordTypes } from "./model.ts";
import { type Deletion, type OwnedTable, recordTables } from "./repository.ts";

/** Where a record stands in the file. */
export interface RecordPlace {
  type: RecordType;
  publicId: string;
  line: number;
}

/** What the file has said of a record so far, and what others need to know of it; nothing where its line is bad. */
export interface GatheredRecord {
  publicId: string;
  line: number;
  facts?: object;
}

/** A field by which a user of the file names another, who may stand further down. */
export interface NamedUser {
  line: number;
  owner: string;
  field: string;
  named: string;
}

/** The rows that go into a table, or some of them. */
export interface GatheredRows extends BatchTable {
  /** Which lines they are of. */
  condition: string;
}

/** Ids that are looked at, or whose rows are deleted, at once. */
const IDS_PER_PAGE = 500;

/** What an import has read and checked, before any of it is written to the database. */
export class Gathered {
  /** For each type the tables of its rows, which have the names of those where the rows go. */
  readonly #tables = new Map<RecordType, BatchTable[]>();

  constructor(readonly scratch: Scratch) {
    scratch.createTable("places", ["type", "public_id", "line", "primary key (type, public_id)"]);
    scratch.createTable("emails", ["email_key primary key", "user_id"]);
    scratch.createTable("user_references", [
      ...["field", "line", "named", "owner"],
      "primary key (field, line, named)",
    ]);
    scratch.createTable("deletions", ["type", "line", "of_table", "of_column", "id"]);
  }

  /** Keeps where records stand of which there is no row. */
  addPlaces(places: readonly RecordPlace[]): void {
    this.scratch.insert({
      table: "places",
      columns: ["type", "public_id", "line"],
      values: places.flatMap(({ type, publicId, line }) => [type, publicId, line]),
    });
  }

  /** Those of some ids that stand in the file above the lines that are being looked at. */
  findRecords(type: RecordType, ids: readonly string[], columns: readonly string[]) {
    const list = JSON.stringify(ids);
    const isListed = "public_id in (select value from json_each(?))";
    const records = this.scratch.all<GatheredRecord>(
      `select public_id as publicId, line from scratch.places where type = ? and ${isListed}`,
      type,
      list,
    );
    if (!this.#tables.has(type) || type === "organization") return records;
    const rows = this.scratch.all<{ public_id: string; line: number }>(
      `select ${["public_id", "line", ...columns].join(", ")} from scratch.${recordTables[type]} where ${isListed}`,
      list,
    );
    for (const { public_id: publicId, line, ...facts } of rows)
      records.push({ publicId, line, facts });
    return records;
  }

  addEmails(holders: readonly (readonly [emailKey: string, userId: string])[]): void {
    const columns = ["email_key", "user_id"];
    this.scratch.insert({ table: "emails", columns, values: holders.flat() });
  }

  /** Which users of the file have some email addresses, by address. */
  findEmails(keys: readonly string[]): Map<string, string> {
    const rows = this.scratch.all<{ email_key: string; user_id: string }>(
      "select email_key, user_id from scratch.emails where email_key in (select value from json_each(?))",
      JSON.stringify(keys),
    );
    return new Map(rows.map(({ email_key, user_id }) => [email_key, user_id]));
  }

  /** The email addresses of all users of the file, with whose each is, some hundred at a time. */
  *emails(): Generator<Map<string, string>> {
    for (let last = ""; ;) {
      const rows = this.scratch.values(
        "select email_key, user_id from scratch.emails where email_key > ? order by email_key limit ?",
        last,
        IDS_PER_PAGE,
      ) as [string, string][];
      if (rows.length === 0) return;
      yield new Map(rows);
      last = rows.at(-1)?.[0] ?? "";
    }
  }

  addUserReferences(references: readonly NamedUser[]): void {
    this.scratch.insert({
      table: "user_references",
      columns: ["field", "line", "named", "owner"],
      values: references.flatMap(({ field, line, named, owner }) => [field, line, named, owner]),
    });
  }

  /** Users of the file who name some users. */
  findOwnersNaming(userIds: readonly string[]): string[] {
    const rows = this.scratch.all<{ owner: string }>(
      `select distinct owner from scratch.user_references
       where named in (select value from json_each(?))`,
      JSON.stringify(userIds),
    );
    return rows.map(({ owner }) => owner);
  }

  /** On which line a record stands in the file. */
  lineOf(type: RecordType, id: string): number | undefined {
    return this.findRecords(type, [id], [])[0]?.line;
  }

  /** What users name in a field, by line, in pages that begin after a reference. */
  listUserReferences(
    field: string,
    after: Pick<NamedUser, "line" | "named">,
    limit: number,
  ): NamedUser[] {
    return this.scratch.all<NamedUser>(
      `select field, line, named, owner from scratch.user_references
       where field = ? and (line, named) > (?, ?) order by line, named limit ?`,
      field,
      after.line,
      after.named,
      limit,
    );
  }

  /** The authorizations above a line of the file that are in a pool. */
  membersAbove(line: number, poolId: string): string[] {
    if (!this.#tables.has("authorization")) return [];
    const rows = this.scratch.all<{ public_id: string }>(
      `select public_id from scratch.authorizations
       where line < ? and authorization_pool_id = ? order by line`,
      line,
      poolId,
    );
    return rows.map(({ public_id }) => public_id);
  }

  /** The ids of all authorizations, some hundred at a time. */
  *authorizationIds(): Generator<string[]> {
    if (!this.#tables.has("authorization")) return;
    yield* this.#idPages("authorizations", "public_id", "true");
  }

  addBatches(batches: ReadonlyMap<RecordType, Batch>): void {
    for (const [type, { deletions, rows }] of batches) {
      for (const table of rows) this.#makeTable(type, table);
      this.scratch.insert(
        {
          table: "deletions",
          columns: ["type", "line", "of_table", "of_column", "id"],
          values: deletions.flatMap(({ line, table, column, id }) => [
            type,
            line,
            table,
            column,
            id,
          ]),
        },
        ...rows.map(({ table, columns, values }) => ({
          table,
          columns: ["line", ...columns.map(quoted)],
          values,
        })),
      );
    }
  }

  #makeTable(type: RecordType, { table, columns, replaces }: BatchTable): void {
    const known = this.#tables.get(type) ?? [];
    if (known.some((one) => one.table === table)) return;
    this.#tables.set(type, [...known, { table, columns, replaces }]);
    const isOfRecords = type !== "organization" && recordTables[type] === table;
    this.scratch.createTable(table, [
      "line",
      ...columns.map(quoted),
      ...(isOfRecords ? ["unique (public_id)"] : []),
    ]);
  }

  /** What is to be deleted before the rows of a type are written, some hundred ids at a time. */
  *deletionsOf(type: RecordType): Generator<Deletion> {
    const places = this.scratch.all<{ table: OwnedTable; column: string }>(
      `select distinct of_table as "table", of_column as "column" from scratch.deletions where type = ?`,
      type,
    );
    for (const { table, column } of places) {
      const isThere = `type = '${type}' and of_table = '${table}' and of_column = '${column}'`;
      for (const ids of this.#idPages("deletions", "id", isThere)) yield { table, column, ids };
    }
  }

  /**
   * The rows of a type's records, table by table: of all of them, of those that have something to delete, or of the
   * others.
   */
  rowsOf(type: RecordType, records: "all" | "replacing" | "new" = "all"): GatheredRows[] {
    const condition = {
      all: "true",
      replacing: "line in (select line from scratch.deletions)",
      new: "line not in (select line from scratch.deletions)",
    }[records];
    return (this.#tables.get(type) ?? []).flatMap((table) =>
      partsOf(table.table).map((part) => ({ ...table, condition: `${condition} and ${part}` })),
    );
  }

  *#idPages(table: string, column: string, condition: string): Generator<string[]> {
    for (let last = 0; ;) {
      const rows = this.scratch.all<{ rowid: number; id: string }>(
        `select rowid, ${column} as id from scratch.${table}
         where ${condition} and rowid > ? order by rowid limit ?`,
        last,
        IDS_PER_PAGE,
      );
      const end = rows.at(-1);
      if (end === undefined) return;
      yield rows.map(({ id }) => id);
      last = end.rowid;
    }
  }

  close(): void {
    this.scratch.close();
  }
}

/** The rows of a table in the parts in which they are moved, as SQL. */
function partsOf(table: OwnedTable): string[] {
  return table === "users" ? [`not ${NAMES_ANOTHER_USER}`, NAMES_ANOTHER_USER] : ["true"];
}

/** Some columns have names that mean something in SQL. */
function quoted(column: string): string {
  return `"${column}"`;
}
