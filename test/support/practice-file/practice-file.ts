import { expect } from "bun:test";
import type { Database } from "../../../db/database.ts";
import type { Instant } from "../../../src/lib/instant.ts";
import { exportPractice, sequenceOf } from "../../../src/practice-file/export.ts";
import { importPractice, type ImportOptions } from "../../../src/practice-file/import-command.ts";
import { linesOf } from "../../../src/practice-file/lines.ts";
import { NOW } from "../harness.ts";
import type { Fields } from "./lines.ts";

export type { Fields } from "./lines.ts";

/** Writes and reads practice files in tests. */

/** The text of a file with these records, one per line. */
export function fileOf(records: readonly Fields[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** The result of an import: the number of lines by type, or the report of invalid lines. */
export type Outcome = { counts: Record<string, number> } | { report: string[] };

export interface ImportTestOptions extends Partial<Omit<ImportOptions, "now">> {
  now?: string;
}

/** Imports a file, as text or bytes, with the name `f`. */
export async function importFile(
  database: Database,
  file: string | Uint8Array<ArrayBuffer> | readonly Fields[],
  options?: ImportTestOptions,
): Promise<Outcome> {
  const outcome = await importAll(database, file, options);
  return "mistakes" in outcome
    ? { report: outcome.mistakes.report("f") }
    : { counts: Object.fromEntries(outcome.counts) };
}

/** `importFile` with the complete result. */
export function importAll(
  database: Database,
  file: string | Uint8Array<ArrayBuffer> | readonly Fields[],
  { now = NOW, ...options }: ImportTestOptions = {},
): ReturnType<typeof importPractice> {
  const content = typeof file === "string" || file instanceof Uint8Array ? file : fileOf(file);
  return importPractice(database, linesOf(new Blob([content]).stream()), {
    now: now as Instant,
    operator: "ana",
    ...options,
  });
}

/** Imports a file that must be valid. */
export async function mustImport(
  database: Database,
  file: string | readonly Fields[],
  options?: ImportTestOptions,
): Promise<void> {
  const outcome = await importFile(database, file, options);
  if ("report" in outcome) throw new Error(outcome.report.join("\n"));
}

/** The practice file of an organization. */
export async function exportText(database: Database, organizationId: string): Promise<string> {
  return database.read(async (db) =>
    (await Array.fromAsync(exportPractice(db, organizationId))).join(""),
  );
}

/** The exported records of an organization. */
export async function exportRecords(database: Database, organizationId: string): Promise<Fields[]> {
  return recordsIn(await exportText(database, organizationId));
}

/** An exported record of the full practice's organization. */
export async function recordOf(database: Database, id: unknown): Promise<Fields | undefined> {
  const records = await exportRecords(database, "org_maple");
  return records.find((record) => record.publicId === id);
}

/** What changed in the full practice's organization after a sequence, and the sequence up to which that goes. */
export function changesAfter(
  database: Database,
  after: number,
): Promise<{ file: string; sequence: number }> {
  return database.read(async (db) => ({
    file: (await Array.fromAsync(exportPractice(db, "org_maple", { after }))).join(""),
    sequence: await sequenceOf(db, "org_maple", after),
  }));
}

/** A copy of a practice as programs of other systems keep it: a map of records, brought up to date by changes. */
export class RecordMap {
  readonly #records = new Map<string, Fields>();

  apply(file: string): void {
    for (const record of recordsIn(file))
      if (record.deleted === true) this.#records.delete(keyOf(record));
      else this.#records.set(keyOf(record), record);
  }

  /** Fails unless the copy has exactly the records of a file. */
  expectToEqual(file: string): void {
    const expected = recordsIn(file).map((record) => [keyOf(record), record] as const);
    expect(Object.fromEntries(this.#records)).toEqual(Object.fromEntries(expected));
  }
}

/** A key for maps of records. */
export function keyOf({ type, publicId }: Fields): string {
  return `${type} ${publicId}`;
}

/** The records of a file. */
export function recordsIn(file: string): Fields[] {
  return file
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Fields);
}
