import { type CompiledQuery, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Db } from "../../db/database.ts";
import type { OrganizationRow, Schema } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import type { RecordType } from "./model.ts";

/** Tables whose rows are found by the organization and a public id. */
export type RecordTable = {
  [Table in keyof Schema]: Schema[Table] extends { organization_id: string; public_id: string }
    ? Table
    : never;
}[keyof Schema];

/** Tables of what hangs on a record, under the organization. */
export type OwnedTable = {
  [Table in keyof Schema]: Schema[Table] extends { organization_id: string } ? Table : never;
}[keyof Schema];

/** A row as an import writes it: the organization is the file's. */
export type RowOf<Table extends OwnedTable> = Omit<Schema[Table], "organization_id">;

/**
 * The statements of an import, on one organization. Each is compiled once and run with new parameters: to
 * compile an insert takes Kysely longer than to run it takes SQLite.
 */
export class ImportStatements {
  readonly #compiled = new Map<string, CompiledQuery>();

  constructor(
    readonly trx: Db,
    readonly organizationId: string,
  ) {}

  /**
   * Writes a row whole, whether its id exists or not. A row that is the same already is left alone: SQLite
   * would put it anew into each of its indexes.
   */
  async upsert<Table extends RecordTable>(table: Table, row: RowOf<Table>): Promise<void> {
    const full = { organization_id: this.organizationId, ...row };
    const columns = Object.keys(row).filter((column) => column !== "public_id");
    await this.#run(`upsert ${table}`, Object.values(full), () =>
      this.trx
        .insertInto(table)
        .values(full as never)
        .onConflict((conflict) =>
          conflict
            .columns(["organization_id", "public_id"] as never)
            .doUpdateSet(excludedColumns(columns))
            .where(differs(table, columns)),
        )
        .compile(),
    );
  }

  /** Writes a row that is not there yet. */
  async insert<Table extends OwnedTable>(table: Table, row: RowOf<Table>): Promise<void> {
    const full = { organization_id: this.organizationId, ...row };
    await this.#run(`insert ${table}`, Object.values(full), () =>
      this.trx
        .insertInto(table)
        .values(full as never)
        .compile(),
    );
  }

  /** Deletes what hangs on a record. */
  async deleteOwned<Table extends OwnedTable>(
    table: Table,
    owner: keyof RowOf<Table> & string,
    id: string,
  ): Promise<void> {
    await this.#run(`delete ${table} ${owner}`, [this.organizationId, id], () =>
      this.trx
        .deleteFrom(table as "user_locations")
        .where("organization_id", "=", this.organizationId)
        .where(owner as "user_id", "=", id)
        .compile(),
    );
  }

  /** Some columns of a record, if it exists. */
  async find<Table extends RecordTable, Column extends keyof Schema[Table] & string>(
    table: Table,
    columns: readonly Column[],
    id: string,
  ): Promise<Pick<Schema[Table], Column> | undefined> {
    const rows = await this.#run(`find ${table}`, [this.organizationId, id], () =>
      this.trx
        .selectFrom(table as "users")
        .select(["public_id", ...columns] as "public_id"[])
        .where("organization_id", "=", this.organizationId)
        .where("public_id", "=", id)
        .compile(),
    );
    return rows[0] as Pick<Schema[Table], Column> | undefined;
  }

  /** Who has an email address. */
  async findEmailHolder(emailKey: string): Promise<string | undefined> {
    const rows = await this.#run("email holder", [this.organizationId, emailKey], () =>
      this.trx
        .selectFrom("users")
        .select("public_id")
        .where("organization_id", "=", this.organizationId)
        .where("email_key", "=", emailKey)
        .compile(),
    );
    return (rows[0] as { public_id: string } | undefined)?.public_id;
  }

  /** Leaves a user without an email address, until the user's own line of the file gives another. */
  async releaseEmail(userId: string): Promise<void> {
    await this.trx
      .updateTable("users")
      .set({ email: null, email_key: null })
      .where("organization_id", "=", this.organizationId)
      .where("public_id", "=", userId)
      .execute();
  }

  /** Takes the members out of a pool, and says which they were. */
  async releasePoolMembers(poolId: string): Promise<string[]> {
    const released = await this.trx
      .updateTable("authorizations")
      .set({ authorization_pool_id: null })
      .where("organization_id", "=", this.organizationId)
      .where("authorization_pool_id", "=", poolId)
      .returning("public_id")
      .execute();
    return released.map((member) => member.public_id);
  }

  /** Notes that a record stands in the file; false if one of its type and id stood there already. */
  async addToFile(type: RecordType, publicId: string, line: number): Promise<boolean> {
    const statement = this.#statement("add to file", () =>
      withFileRecords(this.trx)
        .insertInto("file_records")
        .values({ type, public_id: publicId, line })
        .onConflict((conflict) => conflict.doNothing())
        .compile(),
    );
    const parameters = [type, publicId, line];
    const { numAffectedRows } = await this.trx.executeQuery({ ...statement, parameters });
    return numAffectedRows === 1n;
  }

  /** The line of the file on which a record stands. */
  async lineInFile(type: RecordType, publicId: string): Promise<number | undefined> {
    const rows = await this.#run("line in file", [type, publicId], () =>
      withFileRecords(this.trx)
        .selectFrom("file_records")
        .select("line")
        .where("type", "=", type)
        .where("public_id", "=", publicId)
        .compile(),
    );
    return (rows[0] as { line: number } | undefined)?.line;
  }

  async #run(
    name: string,
    parameters: unknown[],
    compile: () => CompiledQuery,
  ): Promise<unknown[]> {
    const statement = this.#statement(name, compile);
    const { rows } = await this.trx.executeQuery({ ...statement, parameters });
    return rows;
  }

  #statement(name: string, compile: () => CompiledQuery): CompiledQuery {
    let statement = this.#compiled.get(name);
    if (statement === undefined) {
      statement = compile();
      this.#compiled.set(name, statement);
    }
    return statement;
  }
}

/** Of an upsert: each column as the insert would have had it. */
function excludedColumns(columns: readonly string[]): never {
  return Object.fromEntries(
    columns.map((column) => [column, sql.ref(`excluded.${column}`)]),
  ) as never;
}

/** Of an upsert: whether the row that is there has another value in any of the columns. */
function differs(table: string, columns: readonly string[]): RawBuilder<SqlBool> {
  const differences = columns.map(
    (column) =>
      sql`${sql.ref(`${table}.${column}`)} is distinct from ${sql.ref(`excluded.${column}`)}`,
  );
  return sql<SqlBool>`(${sql.join(differences, sql` or `)})`;
}

/** Makes an organization that has nothing but its id yet; false if it exists. */
export async function makeOrganization(trx: Db, publicId: string, now: Instant): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("organizations")
    .values({
      public_id: publicId,
      name: "",
      time_zone: null,
      week_starts_on: "",
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function updateOrganization(
  trx: Db,
  { public_id, ...columns }: Omit<OrganizationRow, "created_at">,
): Promise<void> {
  await trx.updateTable("organizations").set(columns).where("public_id", "=", public_id).execute();
}

interface FileRecordRow {
  type: RecordType;
  public_id: string;
  line: number;
}

/** The database with the list of what stands in the file, which lasts as long as the import. */
export function withFileRecords(db: Db) {
  return db.withTables<{ file_records: FileRecordRow }>();
}

/**
 * Makes the list of what stands in the file. It is a temporary table, so that a file of any size takes no
 * more memory than another.
 */
export async function createFileRecords(trx: Db): Promise<void> {
  await trx.schema
    .createTable("file_records")
    .temporary()
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("public_id", "text", (column) => column.notNull())
    .addColumn("line", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("file_records_key", ["type", "public_id"])

    .execute();
}

export async function dropFileRecords(trx: Db): Promise<void> {
  await trx.schema.dropTable("file_records").execute();
}
