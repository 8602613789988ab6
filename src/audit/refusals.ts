import type { AuditEntry } from "./chain.ts";

/** Refused requests of a minute that leave rows of their own, whoever sent them. */
const OWN_ROWS = 200;

/** Addresses of a minute whose refused requests are counted apart; those of all others are counted together. */
const ADDRESSES = 100;

/** Stands for many addresses, and for methods and routes that a sum does not tell apart. */
const MANY = "*";

/** Beyond what an address or a key may do in a minute. */
const TOO_MANY_REQUESTS = 429;

/**
 * Sums up requests that are refused because no key is good, or because there were too many: each would cost a row and a
 * line of the log, and with them anybody could fill the disk. Those that an address or a key sends beyond its limit leave
 * one row a minute, and so do those beyond a number for all addresses together; however many addresses there are, rows
 * are few.
 */
export class RefusalSums {
  #ownRows = 0;
  readonly #sums = new Map<string, AuditEntry>();

  /**
   * Counts a refused request.
   *
   * @returns whether it is summed up, and leaves neither row nor line.
   */
  count(entry: AuditEntry): boolean {
    if (entry.status !== TOO_MANY_REQUESTS && this.#ownRows < OWN_ROWS) {
      this.#ownRows += 1;
      return false;
    }
    const shared = { method: MANY, route: MANY, target: null };
    this.#add({ ...entry, ...shared, requestId: crypto.randomUUID(), requests: 1 });
    return true;
  }

  /** The rows of a minute, which begins anew. */
  take(): AuditEntry[] {
    const rows = [...this.#sums.values()];
    this.#sums.clear();
    this.#ownRows = 0;
    return rows;
  }

  /** Counts again what was taken and could be kept nowhere. */
  giveBack(rows: readonly AuditEntry[]): void {
    for (const row of rows) this.#add(row);
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
