import type { Database } from "../../../db/database.ts";
import type { Instant } from "../../../src/lib/instant.ts";
import { exportPractice } from "../../../src/practice-file/export.ts";
import { importPractice, type ImportOptions } from "../../../src/practice-file/import.ts";
import { linesOf } from "../../../src/practice-file/read-file.ts";
import { NOW } from "../harness.ts";

/** Practice files as tests write and read them. */

/** A record of a file, right or wrong. */
export type Fields = Record<string, unknown>;

/** The file that holds some records, one a line. */
export function fileOf(records: readonly Fields[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** What came of an import: how many lines of each type there were, or the report of the bad lines. */
export type Outcome = { counts: Record<string, number> } | { report: string[] };

export interface ImportTestOptions extends Partial<Omit<ImportOptions, "now">> {
  now?: string;
}

/** Imports a file, as text or as bytes, that is called `f`. */
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

/** The same, with all that is said of it. */
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

/** Imports a file that must be sound. */
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

/** The records of an organization as an export writes them. */
export async function exportRecords(database: Database, organizationId: string): Promise<Fields[]> {
  const text = await exportText(database, organizationId);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Fields);
}

/** A record of the organization of the full practice as an export writes it. */
export async function recordOf(database: Database, id: unknown): Promise<Fields | undefined> {
  const records = await exportRecords(database, "org_maple");
  return records.find((record) => record.publicId === id);
}
