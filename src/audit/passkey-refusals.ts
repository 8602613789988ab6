import type { AuditEntry } from "./chain.ts";

/** Rows per hour of refused uses of one passkey. */
const ROWS = 20;

/** Whether an entry is that of a refused use of a known passkey, whose id then stands for a key's. */
export function isOfPasskey({ keyId }: AuditEntry): boolean {
  return keyId?.startsWith("passkey_") === true;
}

/** Stands for several addresses, methods or routes. */
const MANY = "*";

/**
 * Summarizes refused uses of known passkeys, whatever the address: anybody who knows the id of a credential can send any
 * number of them. The first of an hour have rows of their own, all others one row with their number.
 */
export class PasskeyRefusals {
  readonly #counts = new Map<string, number>();
  readonly #sums = new Map<string, AuditEntry>();

  /** Counts a refusal. @returns whether it is summarized and gets no row of its own. */
  count(entry: AuditEntry): boolean {
    const name = `${entry.organizationId} ${entry.keyId}`;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    if (count <= ROWS) return false;
    this.#add(name, entry);
    return true;
  }

  /** Returns the summary rows of the past hour, and resets the counters. */
  take(): AuditEntry[] {
    const rows = [...this.#sums.values()];
    this.#sums.clear();
    this.#counts.clear();
    return rows;
  }

  /** Restores rows that were taken but could not be stored. */
  giveBack(rows: readonly AuditEntry[]): void {
    for (const row of rows) this.#add(`${row.organizationId} ${row.keyId}`, row);
  }

  #add(name: string, { requests, ...entry }: AuditEntry): void {
    const sum = this.#sums.get(name);
    this.#sums.set(name, {
      ...entry,
      ...{ requestId: crypto.randomUUID(), method: MANY, route: MANY, target: null },
      address: sum === undefined || sum.address === entry.address ? entry.address : MANY,
      requests: (sum?.requests ?? 0) + (requests ?? 1),
    });
  }
}
