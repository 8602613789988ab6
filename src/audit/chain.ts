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
  patientIds: readonly string[];
}

/** The method of an act on the command line. */
export const COMMAND = "COMMAND";

/** Where a chain ends: its last row's number, from 1, and hash. */
export interface ChainHead {
  sequence: number;
  hash: string;
}

/** The head of a chain without rows. */
export const EMPTY_CHAIN: ChainHead = { sequence: 0, hash: "0".repeat(64) };

/**
 * The head after one more row. Its hash covers the row and, through the head before, all rows before it: a
 * row cannot be changed, removed or inserted without changing every hash that follows.
 */
export function nextHead(head: ChainHead, entry: AuditEntry): ChainHead {
  const sequence = head.sequence + 1;
  const covered = JSON.stringify([
    head.hash,
    sequence,
    entry.organizationId,
    entry.time,
    entry.requestId,
    entry.keyId,
    entry.userId,
    entry.role,
    entry.method,
    entry.route,
    entry.status,
    entry.patientIds,
  ]);
  return { sequence, hash: Bun.CryptoHasher.hash("sha256", covered, "hex") };
}
