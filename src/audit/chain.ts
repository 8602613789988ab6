import type { AuditEntryRow } from "../../db/schema.ts";

/** The `method` of commands. */
export const COMMAND = "COMMAND";

/** The command whose row authenticates the chain's anchor. */
export const ARCHIVE_COMMAND = "audit archive";

/**
 * Stands for all patients of the organization. A string instead of a list, so that no patient id can be mistaken for
 * it.
 */
export const ALL_PATIENTS = "*";

export type PatientIds = readonly string[] | typeof ALL_PATIENTS;

/** The greatest number of patients that an entry names. One about more names all patients. */
export const MAX_PATIENTS = 1_000;

/** Patients as an entry names them. */
export function namedPatients(ids: ReadonlySet<string>): PatientIds {
  return ids.size > MAX_PATIENTS ? ALL_PATIENTS : [...ids].sort();
}

/** The end of a chain: sequence number (from 1) and hash of its last row. */
export interface ChainHead {
  sequence: number;
  hash: string;
}

export const EMPTY_CHAIN: ChainHead = { sequence: 0, hash: "0".repeat(64) };

/** The column of each field of an entry, in the order of archives. */
const columns = {
  /** Empty if no valid key identified the organization. */
  organizationId: "organization_id",
  time: "time",
  requestId: "request_id",
  keyId: "key_id",
  userId: "user_id",
  role: "role",
  /** The HTTP method; `COMMAND` for a command. */
  method: "method",
  /** The route template, or the name of the command. */
  route: "route",
  /** The HTTP status, or the command's exit status. */
  status: "status",
  /** The patients whose data was shown or changed, sorted. */
  patientIds: "patient_ids",
  /** Path and query as sent, or the arguments of a command. */
  target: "target",
  /** The client's address, for requests without a valid key. */
  address: "address",
  /** The operating system user who ran a command. */
  operator: "operator",
  /** For a row that summarizes refusals: the number of requests. */
  requests: "requests",
} as const satisfies Record<string, keyof AuditEntryRow>;

type Columns = typeof columns;

/** An entry of the audit trail: who did what, when, and to whose data. Contains no data values. */
export type AuditEntry = {
  [Field in Exclude<keyof Columns, "patientIds">]: AuditEntryRow[Columns[Field]];
} & { patientIds: PatientIds };

const fields = Object.entries(columns) as [keyof AuditEntry, keyof AuditEntryRow][];

/** All columns of a row. */
export const rowColumns = ["sequence", ...Object.values(columns), "hash"] as const;

/** Builds the next row of a chain. */
export function nextRow(head: ChainHead, entry: AuditEntry): AuditEntryRow {
  const values: Record<string, unknown> = { sequence: head.sequence + 1 };
  for (const [field, column] of fields) values[column] = entry[field];
  values.patient_ids = JSON.stringify(entry.patientIds);
  const row = values as unknown as AuditEntryRow;
  row.hash = hashOf(head.hash, row);
  return row;
}

/**
 * The hash of a row: SHA-256 over its stored columns and the previous row's hash. Changing, removing or inserting a row
 * changes all hashes after it.
 */
export function hashOf(previous: string, row: AuditEntryRow): string {
  const covered: (string | number | null)[] = [
    previous,
    row.sequence,
    row.organization_id,
    row.time,
    row.request_id,
    row.key_id,
    row.user_id,
    row.role,
    row.method,
    row.route,
    row.status,
  ];
  const { target, address, operator, requests } = row;
  // Rows without these columns keep the hash that they had before the columns were introduced.
  if (target !== null || address !== null || operator !== null || requests !== null)
    covered.push(target, address, operator, requests);
  const text = `${JSON.stringify(covered).slice(0, -1)},${row.patient_ids}]`;
  return Bun.CryptoHasher.hash("sha256", text, "hex");
}

/** Converts a row to an entry. Undefined for rows that cannot have been written by `nextRow`. */
export function toEntry(row: AuditEntryRow): AuditEntry | undefined {
  const patientIds = patientIdsOf(row.patient_ids);
  if (patientIds === undefined) return undefined;
  const entry = Object.fromEntries(fields.map(([field, column]) => [field, row[column]]));
  return { ...(entry as unknown as AuditEntry), patientIds };
}

/** Parses the ids, accepting only the canonical spelling, so that no id can be hidden in another one. */
function patientIdsOf(text: string): PatientIds | undefined {
  try {
    const ids: unknown = JSON.parse(text);
    const isWritten =
      ids === ALL_PATIENTS || (Array.isArray(ids) && ids.every((id) => typeof id === "string"));
    return isWritten && JSON.stringify(ids) === text ? ids : undefined;
  } catch {
    return undefined;
  }
}

/** Formats a head for printing: `org_maple:42:3f…`; `-` stands for no organization. */
export function printHead(organizationId: string, { sequence, hash }: ChainHead): string {
  return `${organizationId || "-"}:${sequence}:${hash}`;
}

/** Parses the format of `printHead`. Undefined for any other text. */
export function parseHead(text: string): { organizationId: string; head: ChainHead } | undefined {
  const match = /^([A-Za-z0-9_-]+):([0-9]{1,15}):([0-9a-f]{64})$/.exec(text);
  if (match === null) return undefined;
  const [, organization = "", sequence, hash = ""] = match;
  return {
    organizationId: organization === "-" ? "" : organization,
    head: { sequence: Number(sequence), hash },
  };
}
