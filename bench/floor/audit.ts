import type { Database } from "bun:sqlite";
import { createHash } from "node:crypto";

/** Adds a row to an organization's audit trail; it is part of the transaction of a write. */
export interface AuditTrail {
  record(organizationId: string, patientId: string, time: string): void;
}

/** A row and the head that moves to it, of the form that the service writes. */
export function auditTrail(file: Database): AuditTrail {
  const head = file.prepare<{ sequence: number; hash: string }, [string]>(
    "select sequence, hash from audit_heads where organization_id = ?",
  );
  const append = file.prepare(
    `insert into audit_entries (organization_id, sequence, time, request_id, key_id, user_id, role,
       method, route, status, patient_ids, hash)
     values (?, ?, ?, ?, 'key_bench', null, 'ADMIN', 'POST', '/api/v1/intake-leads', 201, ?, ?)`,
  );
  const move = file.prepare(
    `insert into audit_heads (organization_id, sequence, hash) values (?, ?, ?)
     on conflict do update set sequence = excluded.sequence, hash = excluded.hash`,
  );
  return {
    record(organizationId, patientId, time) {
      const last = head.get(organizationId) ?? { sequence: 0, hash: "0".repeat(64) };
      const sequence = last.sequence + 1;
      const requestId = crypto.randomUUID();
      const patientIds = JSON.stringify([patientId]);
      const covered = JSON.stringify([last.hash, sequence, time, requestId, patientIds]);
      const hash = createHash("sha256").update(covered).digest("hex");
      append.run(organizationId, sequence, time, requestId, patientIds, hash);
      move.run(organizationId, sequence, hash);
    },
  };
}
