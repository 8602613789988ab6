import { Scratch } from "../../db/scratch.ts";
import { type RecordType, recordTypes } from "./model.ts";
import type { Batch } from "./batch.ts";

/** What the file has said of a record so far: its line, and what others need to know; null where its line is bad. */
export interface GatheredRecord {
  type: RecordType;
  publicId: string;
  line: number;
  facts: object | null;
}

/** A field by which a user of the file names another, who may stand further down. */
export interface NamedUser {
  line: number;
  owner: string;
  field: string;
  named: string;
}

/** What an import has read and checked, before any of it is written to the database. */
export class Gathered {
  readonly #scratch = new Scratch([
    `records (
      type text not null, public_id text not null, line integer not null, facts text,
      primary key (type, public_id)
    ) without rowid`,
    `emails (email_key text primary key, user_id text not null) without rowid`,
    `user_references (
      field text not null, line integer not null, named text not null, owner text not null,
      primary key (field, line, named)
    ) without rowid`,
    `batches (place integer not null, sequence integer not null, batch text not null, primary key (place, sequence))`,
  ]);
  #batches = 0;

  addRecords(records: readonly GatheredRecord[]): void {
    this.#scratch.runEach(
      "insert into records values (?, ?, ?, ?)",
      records.map(({ type, publicId, line, facts }) => [
        type,
        publicId,
        line,
        facts === null ? null : JSON.stringify(facts),
      ]),
    );
  }

  /** Those of some ids that stand in the file above the lines that are being looked at. */
  findRecords(type: RecordType, ids: readonly string[]): GatheredRecord[] {
    return this.#scratch
      .all<{ public_id: string; line: number; facts: string | null }>(
        `select public_id, line, facts from records
         where type = ? and public_id in (select value from json_each(?))`,
        type,
        JSON.stringify(ids),
      )
      .map(({ public_id, line, facts }) => ({
        type,
        publicId: public_id,
        line,
        facts: facts === null ? null : (JSON.parse(facts) as object),
      }));
  }

  addEmails(holders: readonly (readonly [emailKey: string, userId: string])[]): void {
    this.#scratch.runEach(
      "insert into emails values (?, ?)",
      holders.map((holder) => [...holder]),
    );
  }

  /** Which users of the file have some email addresses, by address. */
  findEmails(keys: readonly string[]): Map<string, string> {
    const rows = this.#scratch.all<{ email_key: string; user_id: string }>(
      "select email_key, user_id from emails where email_key in (select value from json_each(?))",
      JSON.stringify(keys),
    );
    return new Map(rows.map(({ email_key, user_id }) => [email_key, user_id]));
  }

  addUserReference({ field, line, named, owner }: NamedUser): void {
    this.#scratch.runEach(
      "insert into user_references (field, line, named, owner) values (?, ?, ?, ?)",
      [[field, line, named, owner]],
    );
  }

  /** Users of the file who name some users. */
  findOwnersNaming(userIds: readonly string[]): string[] {
    const rows = this.#scratch.all<{ owner: string }>(
      "select distinct owner from user_references where named in (select value from json_each(?))",
      JSON.stringify(userIds),
    );
    return rows.map(({ owner }) => owner);
  }

  /** On which line a record stands in the file. */
  lineOf(type: RecordType, id: string): number | undefined {
    return this.findRecords(type, [id])[0]?.line;
  }

  /** What users name in a field, by line, in pages that begin after a reference. */
  listUserReferences(
    field: string,
    after: Pick<NamedUser, "line" | "named">,
    limit: number,
  ): NamedUser[] {
    return this.#scratch.all<NamedUser>(
      `select field, line, named, owner from user_references
       where field = ? and (line, named) > (?, ?) order by line, named limit ?`,
      field,
      after.line,
      after.named,
      limit,
    );
  }

  /** The authorizations above a line of the file that are in a pool. */
  membersAbove(line: number, poolId: string): string[] {
    const rows = this.#scratch.all<{ public_id: string }>(
      `select public_id from records
       where type = 'authorization' and line < ? and facts ->> 'authorization_pool_id' = ?
       order by line`,
      line,
      poolId,
    );
    return rows.map(({ public_id }) => public_id);
  }

  /** The ids of all records of a type, some hundred at a time. */
  *idsOf(type: RecordType): Generator<string[]> {
    for (let last = ""; ;) {
      const rows = this.#scratch.all<{ public_id: string }>(
        "select public_id from records where type = ? and public_id > ? order by public_id limit 500",
        type,
        last,
      );
      if (rows.length === 0) return;
      yield rows.map(({ public_id }) => public_id);
      last = rows.at(-1)?.public_id ?? "";
    }
  }

  addBatches(batches: ReadonlyMap<RecordType, Batch>): void {
    const sequence = this.#batches++;
    this.#scratch.runEach(
      "insert into batches values (?, ?, ?)",
      [...batches].map(([type, batch]) => [
        recordTypes.indexOf(type),
        sequence,
        JSON.stringify(batch),
      ]),
    );
  }

  /** The batches of a type, as they were read. */
  *batchesOf(type: RecordType): Generator<Batch> {
    for (let last = -1; ;) {
      const [row] = this.#scratch.all<{ sequence: number; batch: string }>(
        `select sequence, batch from batches
         where place = ? and sequence > ? order by sequence limit 1`,
        recordTypes.indexOf(type),
        last,
      );
      if (row === undefined) return;
      yield JSON.parse(row.batch) as Batch;
      last = row.sequence;
    }
  }

  close(): void {
    this.#scratch.close();
  }
}
