import type { AuditEntry } from "./chain.ts";

/** Rows a minute for requests without a good key, whoever sent them; further ones are summed up. */
const ANONYMOUS_ROWS = 200;

/** Addresses of a minute whose refused requests are counted apart; those of all others are counted together. */
const ADDRESSES = 100;

/** Stands for many addresses, and for methods and routes that a sum does not tell apart. */
const MANY = "*";

/** Beyond what an address or a key may do in a minute. */
const TOO_MANY_REQUESTS = 429;

/** Which refusals are summed up: those that cost next to nothing to be given, so that a client can cause them without end. */
const OF_A_KEY = new Set([400, 403, 404, 405, 413, 414, 415, 422, TOO_MANY_REQUESTS]);
const WITHOUT_A_KEY = new Set([401, TOO_MANY_REQUESTS]);

/**
 * Sums up refused requests, so that a flood of them cannot fill the disk. What one key is refused with one status leaves
 * a row at once and then one a minute with the number of the others. Requests without a good key have some rows
 * together; beyond those each address has one row a minute. Requests beyond the limit of a key or an address have one
 * row a minute and none at once. A refusal that names a patient always has a row of its own.
 */
export class RefusalSums {
  #anonymousRows = 0;
  /** Key and status of the refusals that had their row of this minute. */
  readonly #recorded = new Set<string>();
  readonly #sums = new Map<string, AuditEntry>();

  /**
   * Counts an answered request where it is a refusal of those above.
   *
   * @returns whether it is summed up, and leaves no row of its own.
   */
  count(entry: AuditEntry): boolean {
    if (!isCounted(entry) || this.#hasOwnRow(entry)) return false;
    const shared = { method: MANY, route: MANY, target: null };
    this.#add({ ...entry, ...shared, requestId: crypto.randomUUID(), requests: 1 });
    return true;
  }

  /** The rows of a minute, which begins anew. */
  take(): AuditEntry[] {
    const rows = [...this.#sums.values()];
    this.#sums.clear();
    this.#recorded.clear();
    this.#anonymousRows = 0;
    return rows;
  }

  /** Counts again what was taken and could be kept nowhere. */
  giveBack(rows: readonly AuditEntry[]): void {
    for (const row of rows) this.#add(row);
  }

  #hasOwnRow({ keyId, status }: AuditEntry): boolean {
    if (status === TOO_MANY_REQUESTS) return false;
    if (keyId !== null) {
      const name = `${keyId} ${status}`;
      const isFirst = !this.#recorded.has(name);
      this.#recorded.add(name);
      return isFirst;
    }
    if (this.#anonymousRows >= ANONYMOUS_ROWS) return false;
    this.#anonymousRows += 1;
    return true;
  }

  #add(row: AuditEntry): void {
    const { status, keyId } = row;
    const own = `${status} ${keyId} ${row.address}`;
    // Nobody has more keys than an operator made.
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
  const statuses = keyId === null ? WITHOUT_A_KEY : OF_A_KEY;
  return statuses.has(status) && patientIds.length === 0;
}
