import { ALL_PATIENTS, type AuditEntry, namedPatients } from "../audit/chain.ts";
import type { Instant } from "../lib/instant.ts";
import type { Exchange } from "./context.ts";
import { pathAndQuery } from "./paths.ts";

/** Builds the audit row of an exchange that is answered with a status. */
export function auditEntry(exchange: Exchange, status: number, time: Instant): AuditEntry {
  const { caller, address, target, patientIds, concernsAll } = exchange.row;
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
    patientIds: concernsAll ? ALL_PATIENTS : namedPatients(patientIds),
    // Unauthenticated requests show no data, so their target is not recorded.
    target: caller === undefined ? null : (target ?? targetOf(exchange.request.url)),
    address: address ?? null,
    operator: null,
    requests: null,
  };
}

/** Maximum length of a recorded path and query, in characters. */
const KEPT_TARGET = 1_000;

/**
 * The path and query of a URL, for the audit trail. A longer one is recorded by its first 1,000 characters, a space
 * (which URLs do not contain), and the SHA-256 of all of it, so that a given URL can be proved to be the recorded one.
 */
function targetOf(url: string): string {
  const target = pathAndQuery(url);
  if (target.length <= KEPT_TARGET) return target;
  return `${target.slice(0, KEPT_TARGET)} sha256:${Bun.CryptoHasher.hash("sha256", target, "hex")}`;
}
