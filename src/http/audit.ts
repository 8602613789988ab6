import type { Db } from "../../db/database.ts";
import { ALL_PATIENTS, type AuditEntry } from "../audit/chain.ts";
import { recordEntry } from "../audit/recording.ts";
import type { Instant } from "../lib/instant.ts";
import type { Exchange } from "./exchange.ts";

/** The row of an exchange that is answered with this status. */
export function auditEntry(exchange: Exchange, status: number, time: Instant): AuditEntry {
  const { caller } = exchange;
  return {
    organizationId: caller?.organizationId ?? "",
    time,
    requestId: exchange.requestId,
    keyId: caller?.keyId ?? null,
    userId: caller?.userId ?? null,
    role: caller?.role ?? null,
    method: exchange.request.method,
    route: exchange.route,
    status,
    patientIds: exchange.concernsAll ? ALL_PATIENTS : [...exchange.patientIds].sort(),
    // Who has no key can fill the disk with long ones, and is shown nothing.
    target: caller === undefined ? null : targetOf(exchange.request.url),
    address: exchange.address ?? null,
    operator: null,
    requests: null,
  };
}

/** Writes the row of an exchange in a transaction. */
export function recordExchange(
  trx: Db,
  exchange: Exchange,
  status: number,
  time: Instant,
): Promise<void> {
  return recordEntry(trx, auditEntry(exchange, status, time));
}

/** The path and the query of a URL as the client sent it, which begin at the first slash behind the host. */
function targetOf(url: string): string {
  return url.slice(url.indexOf("/", "https://".length));
}
