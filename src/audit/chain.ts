import type { AuditEntryRow } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";

/** What the audit trail keeps of one act: who did what when, to whose data, and never any value of it. */
export interface AuditEntry {
  /** Empty where no key said whose the request was. */
  organizationId: string;
  time: Instant;
  requestId: string;
  keyId: string | null;
  userId: string | null;
  role: string | null;
  /** The HTTP method, or `COMMAND` for an act on the command line. */
  method: string;
  /** The template of the route, or the command's name. */
  route: string;
  /** The HTTP status, or the exit status of a command. */
  status: number;
  /** The patients whose data was shown or changed, sorted. */
  patientIds: PatientIds;
  /** The path and the query as the client sent them, or what a command was given. */
  target: string | null;
  /** Where a request came from that no key vouched for. */
  address: string | null;
  /** The operating system's user who gave a command. */
  operator: string | null;
  /** How many requests a row stands for that sums up refusals. */
  requests: number | null;
}

/** The method of an act on the command line. */
export const COMMAND = "COMMAND";

/** The command whose row in a chain vouches for the chain's anchor. */
export const ARCHIVE_COMMAND = "audit archive";

/** Every patient of the organization: a text and no list, so that no id can be mistaken for it. */
export const ALL_PATIENTS = "*";

export type PatientIds = readonly string[] | typeof ALL_PATIENTS;

/** Where a chain ends: its last row's number, from 1, and hash. */
export interface ChainHead {
  sequence: number;
  hash: string;
}

/** The head of a chain without rows. */
export const EMPTY_CHAIN: ChainHead = { sequence: 0, hash: "0".repeat(64) };

/** The row that an entry becomes as the next of its chain. */
export function nextRow(head: ChainHead, entry: AuditEntry): AuditEntryRow {
  const row = {
    organization_id: entry.organizationId,
    sequence: head.sequence + 1,
    time: entry.time,
    request_id: entry.requestId,
    key_id: entry.keyId,
    user_id: entry.userId,
    role: entry.role,
    method: entry.method,
    route: entry.route,
    status: entry.status,
    patient_ids: JSON.stringify(entry.patientIds),
    hash: "",
    target: entry.target,
    address: entry.address,
    operator: entry.operator,
    requests: entry.requests,
  };
  row.hash = hashOf(head.hash, row);
  return row;
}

/**
 * The hash of a row. It covers what is stored and, through the hash before, all rows before it: a row cannot be
 * changed, removed or inserted without changing every hash that follows.
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
  // Rows of before these columns came have none of them, and are covered as they were then.
  if (target !== null || address !== null || operator !== null || requests !== null)
    covered.push(target, address, operator, requests);
  const text = `${JSON.stringify(covered).slice(0, -1)},${row.patient_ids}]`;
  return Bun.CryptoHasher.hash("sha256", text, "hex");
}

/** A row as the entry that it was made of; undefined for one that nobody can have made of any. */
export function toEntry(row: AuditEntryRow): AuditEntry | undefined {
  const patientIds = patientIdsOf(row.patient_ids);
  return (
    patientIds && {
      organizationId: row.organization_id,
      time: row.time,
      requestId: row.request_id,
      keyId: row.key_id,
      userId: row.user_id,
      role: row.role,
      method: row.method,
      route: row.route,
      status: row.status,
      patientIds,
      target: row.target,
      address: row.address,
      operator: row.operator,
      requests: row.requests,
    }
  );
}

/** The ids in the one spelling that is written, so that no id hides behind another spelling of it. */
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

/** A head in one word, to be kept elsewhere: `org_maple:42:3f…`, and `-` for no organization. */
export function printHead(organizationId: string, { sequence, hash }: ChainHead): string {
  return `${organizationId || "-"}:${sequence}:${hash}`;
}

/** A head as `printHead` gives it; undefined for any other text. */
export function parseHead(text: string): { organizationId: string; head: ChainHead } | undefined {
  const match = /^([A-Za-z0-9_-]+):([0-9]{1,15}):([0-9a-f]{64})$/.exec(text);
  if (match === null) return undefined;
  const [, organization = "", sequence, hash = ""] = match;
  return {
    organizationId: organization === "-" ? "" : organization,
    head: { sequence: Number(sequence), hash },
  };
}
