import type { Db } from "../../db/connect.ts";
import { type ChainHead, EMPTY_CHAIN, nextHead } from "./chain.ts";
import { listChains, listEntriesAfter, listHeads, toEntry } from "./repository.ts";

/** One organization's chain: where it ends, or the first row that is not as it was written. */
export interface VerifiedChain {
  organizationId: string;
  head: ChainHead;
  /** What is wrong with the chain, and at which row; undefined for a whole one. */
  fault?: { sequence: number; message: string };
}

/** Rows that are read at once: memory stays bounded however long a chain is. */
const BATCH = 1_000;

/**
 * Recomputes every hash of every chain. A row that was edited, removed, inserted or cut off the end shows,
 * unless someone rewrote the whole rest of the chain and its head; a head that was printed and kept elsewhere
 * shows that, too: `knownHead` is such a one.
 */
export async function verifyChains(
  db: Db,
  knownHeads: ReadonlyMap<string, ChainHead> = new Map(),
): Promise<VerifiedChain[]> {
  const heads = new Map(
    (await listHeads(db)).map(({ organization_id, sequence, hash }) => [
      organization_id,
      { sequence, hash },
    ]),
  );
  const organizations = new Set([...heads.keys(), ...(await listChains(db)), ...knownHeads.keys()]);
  const verified: VerifiedChain[] = [];
  for (const organizationId of [...organizations].sort())
    verified.push(
      await verifyChain(
        db,
        organizationId,
        heads.get(organizationId) ?? EMPTY_CHAIN,
        knownHeads.get(organizationId),
      ),
    );
  return verified;
}

async function verifyChain(
  db: Db,
  organizationId: string,
  head: ChainHead,
  known: ChainHead | undefined,
): Promise<VerifiedChain> {
  const faulty = (sequence: number, message: string): VerifiedChain => ({
    organizationId,
    head,
    fault: { sequence, message },
  });
  let last = EMPTY_CHAIN;
  for (;;) {
    const rows = await listEntriesAfter(db, organizationId, last.sequence, BATCH);
    for (const row of rows) {
      const expected = nextHead(last, toEntry(row));
      if (row.sequence !== expected.sequence)
        return faulty(expected.sequence, `row ${expected.sequence} is missing`);
      if (row.hash !== expected.hash)
        return faulty(row.sequence, `row ${row.sequence} is not as it was written`);
      if (row.sequence > head.sequence)
        return faulty(row.sequence, `row ${row.sequence} was added after the end of the chain`);
      if (known?.sequence === row.sequence && known.hash !== row.hash)
        return faulty(row.sequence, `row ${row.sequence} is not the one whose head was kept`);
      last = expected;
    }
    if (rows.length < BATCH) break;
  }
  const end = Math.max(head.sequence, known?.sequence ?? 0);
  if (last.sequence < end) return faulty(last.sequence + 1, `row ${last.sequence + 1} is missing`);
  if (last.hash !== head.hash) return faulty(head.sequence, "the head of the chain was changed");
  return { organizationId, head };
}
