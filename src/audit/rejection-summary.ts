import type { AuditEntry } from "./chain.ts";

/** Rows per minute for requests without a valid key, from all clients. Further requests are summarized. */
const ANONYMOUS_ROWS = 200;

/** Addresses per minute with their own counters. All others share one. */
const ADDRESSES = 100;

/** Placeholder for several addresses, methods or routes. */
const MANY = "*";

/** Over the rate limit of an address or a key. */
const TOO_MANY_REQUESTS = 429;

/** Statuses that are summarized: these refusals are cheap, so that a client can cause any number of them. */
const OF_A_KEY = new Set([400, 401, 403, 404, 405, 408, 413, 414, 415, 422, TOO_MANY_REQUESTS]);

/** Below it, all responses without a valid key are summarized: they are refusals, or sign somebody out whom nobody knows. */
const SERVER_ERROR = 500;

/**
 * Summarizes refused requests, so that a flood cannot fill the disk:
 *
 * - Requests with a valid key get one row at once per key and status, then one per minute with the number of the
 *   others.
 * - Requests without a valid key share a number of rows per minute; beyond it, there is one row per address and minute.
 *   Those over the limit of their address (429) get no row at once.
 *
 * Refusals that name a patient always get their own row.
 */
export class RejectionSummary {
  #anonymousRows = 0;
  /** Keys and statuses that already had their row of the current minute. */
  readonly #recorded = new Set<string>();
  readonly #sums = new Map<string, AuditEntry>();

  /**
   * Counts a response if it is one of these refusals.
   *
   * @returns whether it is summarized and gets no row of its own.
   */
  count(entry: AuditEntry): boolean {
    if (!isCounted(entry) || this.#hasOwnRow(entry)) return false;
    const shared = { method: MANY, route: MANY, target: null };
    this.#add({ ...entry, ...shared, requestId: crypto.randomUUID(), requests: 1 });
    return true;
  }

  /** Returns the summary rows of the past minute, and resets the counters. */
  take(): AuditEntry[] {
    const rows = [...this.#sums.values()];
    this.#sums.clear();
    this.#recorded.clear();
    this.#anonymousRows = 0;
    return rows;
  }

  /** Restores counts that were taken but could not be stored. */
  giveBack(rows: readonly AuditEntry[]): void {
    for (const row of rows) this.#add(row);
  }

  #hasOwnRow({ keyId, status }: AuditEntry): boolean {
    if (keyId !== null) {
      const name = `${keyId} ${status}`;
      const isFirst = !this.#recorded.has(name);
      this.#recorded.add(name);
      return isFirst;
    }
    if (status === TOO_MANY_REQUESTS) return false;
    if (this.#anonymousRows >= ANONYMOUS_ROWS) return false;
    this.#anonymousRows += 1;
    return true;
  }

  #add(row: AuditEntry): void {
    const { status, keyId } = row;
    const own = `${status} ${keyId} ${row.address}`;
    // The number of keys is bounded; that of addresses is not.
    const isApart = keyId !== null || this.#sums.has(own) || this.#sums.size < ADDRESSES;
    const name = isApart ? own : `${status} ${MANY}`;
    const sum = this.#sums.get(name);
    const requests = (sum?.requests ?? 0) + (row.requests ?? 1);
    this.#sums.set(
      name,
      sum === undefined ? { ...row, address: isApart ? row.address : MANY } : { ...sum, requests },
    );
  }
}

function isCounted({ keyId, status, patientIds }: AuditEntry): boolean {
  const isCheap = keyId === null ? status < SERVER_ERROR : OF_A_KEY.has(status);
  return isCheap && patientIds.length === 0;
}
