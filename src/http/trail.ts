import type { Db } from "../../db/database.ts";
import type { Principal } from "../access/api-keys.ts";
import type { AuditEntry } from "../audit/chain.ts";
import { recordEntry } from "../audit/recording.ts";
import type { Instant } from "../lib/instant.ts";

/** What becomes known of a request while it is answered; its row of the audit trail is made of it. */
export interface Trail {
  requestId: string;
  method: string;
  /** The template of the route. */
  route: string;
  /** The path and the query, as the client sent them. */
  target: string;
  /** Where a request came from that no key vouched for; undefined where that is not known. */
  address: string | undefined;
  /** Undefined until the key is found to be good. */
  principal: Principal | undefined;
  /** The patients whose data the answer carries, or whom the request changed. */
  patientIds: Set<string>;
  /** Whether the row is written: that of a change is written in its transaction. */
  recorded: boolean;
}

/** The row of a request that is answered with this status. */
export function auditEntry(trail: Trail, status: number, time: Instant): AuditEntry {
  const { principal } = trail;
  return {
    organizationId: principal?.organizationId ?? "",
    time,
    requestId: trail.requestId,
    keyId: principal?.keyId ?? null,
    userId: principal?.userId ?? null,
    role: principal?.role ?? null,
    method: trail.method,
    route: trail.route,
    status,
    patientIds: [...trail.patientIds].sort(),
    // Who has no key can fill the disk with long ones, and is shown nothing.
    target: principal === undefined ? null : trail.target,
    address: trail.address ?? null,
    operator: null,
    requests: null,
  };
}

/** Writes the row of a request in a transaction. */
export function recordTrail(trx: Db, trail: Trail, status: number, time: Instant): Promise<void> {
  return recordEntry(trx, auditEntry(trail, status, time));
}
