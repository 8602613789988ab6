import type { Db } from "../../db/database.ts";
import { ALL_PATIENTS, type AuditEntry } from "../audit/chain.ts";
import { recordEntry } from "../audit/recording.ts";
import type { Instant } from "../lib/instant.ts";
import type { Exchange } from "./context.ts";
import { pathAndQuery } from "./paths.ts";

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
    // Who has no key is shown nothing.
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

/** How much of a path and query is kept in the trail, in characters. */
const KEPT_TARGET = 1_000;

/**
 * The path and the query of a URL for the trail. Of a longer one the first 1,000 characters are kept and, behind a space,
 * which no URL has, the SHA-256 of all of it: who has the URL can prove that it was this one.
 */
function targetOf(url: string): string {
  const target = pathAndQuery(url);
  if (target.length <= KEPT_TARGET) return target;
  return `${target.slice(0, KEPT_TARGET)} sha256:${Bun.CryptoHasher.hash("sha256", target, "hex")}`;
}
