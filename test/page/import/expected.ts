import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Sheets of offices with the records that must come of them. Each folder has a practice before (`base.ndjson`), the
 * files, what is chosen and said at each stage (`case.json`), and the new or changed records behind it
 * (`expected-N.ndjson`). Ids of new records there say what they are: `PATIENT:Zúñiga, Inés`, `auth:N4400/svc_97153`.
 */

export const EXAMPLES = join(import.meta.dir, "examples");

export const EXAMPLE_NAMES = [
  "clients_windows",
  "clients_workbook",
  "staff_csv",
  "authorizations_csv",
  "appointments_csv",
  "first_day",
] as const;

export interface Stage {
  files: string[];
  choose?: [sheet: string, field: string, value: string][];
  notes?: [sheet: string, expression: string][];
  counts?: string;
  /** The links of the first view before it. */
  before?: string[];
  /** Whether it is undone behind it. */
  undo?: boolean;
}

export type Fields = Record<string, unknown>;

export function linesIn(example: string, file: string): Fields[] {
  const text = readFileSync(join(EXAMPLES, example, file), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Fields);
}

export function stagesOf(example: string): Stage[] {
  return (
    JSON.parse(readFileSync(join(EXAMPLES, example, "case.json"), "utf8")) as { stages: Stage[] }
  ).stages;
}

/** What the program adds by itself, and no sheet says. */
const OWN = new Set([
  ...["createdAt", "updatedAt", "isActive", "shouldSendSMS", "at", "line"],
  ...["recordsData", "isGroup", "kind"],
]);

/**
 * Records as the examples have them: names for ids, nothing for null and empty values.
 *
 * @param known the ids that stay, of the practice before.
 */
export function asExpected(lines: readonly Fields[], known: ReadonlySet<unknown>): Fields[] {
  const names = new Map<unknown, string>();
  const nameOf = (id: unknown): unknown => names.get(id) ?? id;
  const name = (type: string, nameFor: (line: Fields) => string): void => {
    for (const line of lines)
      if (line.type === type && !known.has(line.publicId)) names.set(line.publicId, nameFor(line));
  };
  name("user", ({ role, lastName, firstName }) => `${role}:${lastName}, ${firstName}`);
  name("payor", (line) => `payor:${line.name}`);
  name("location", (line) => `location:${line.name}`);
  name("serviceLine", ({ code }) => `service:${code}`);
  name("authorization", (line) => `auth:${line.authorizationNumber}/${nameOf(line.serviceLineId)}`);
  name("session", ({ startTime, clientId }) => `session:${startTime}/${nameOf(clientId)}`);
  name(
    "encounter",
    ({ sessionId }) => `encounter:${String(nameOf(sessionId)).slice("session:".length)}`,
  );
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(plain);
    if (typeof value === "object" && value !== null) return plainObject(value as Fields);
    return value === "" || value === null ? undefined : nameOf(value);
  };
  const plainObject = (fields: Fields): Fields | undefined => {
    const entries = Object.entries(fields)
      .filter(([field]) => !OWN.has(field))
      // An object is the list of it.
      .map(([field, value]) => [
        field,
        field === "billed" && !Array.isArray(value) ? [value] : value,
      ])
      .map(([field, value]) => [String(field), plain(value)] as const)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  };
  return lines.map((line) => plainObject(line) ?? {});
}

/** What an example expects, with this year and the last instants of days. */
export function expectedOf(
  example: string,
  file: string,
  endOfDay: (day: string) => string,
): Fields[] {
  const year = String(new Date().getUTCFullYear());
  const filled = JSON.stringify(linesIn(example, file))
    .replaceAll("@YEAR", year)
    .replaceAll(/@DAY(\d{4}-\d{2}-\d{2})/g, (_, day: string) => endOfDay(day));
  return asExpected(JSON.parse(filled) as Fields[], new Set());
}

export function inOrder(lines: readonly Fields[]): Fields[] {
  return lines.toSorted((a, b) => (String(a.publicId) < String(b.publicId) ? -1 : 1));
}
