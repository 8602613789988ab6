import type { Db } from "../../db/database.ts";
import { listOrganizationIds } from "../organizations/repository.ts";
import {
  ARCHIVE_COMMAND,
  type AuditEntry,
  type ChainHead,
  COMMAND,
  EMPTY_CHAIN,
  hashOf,
  parseHead,
  toEntry,
} from "./chain.ts";
import { type ChainEnds, listChains, listRowsAfter, readEnds } from "./repository.ts";

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
 * Recomputes every hash of every chain. A row that was edited, removed, inserted or cut off the end shows, as does a
 * chain that is gone, unless someone rewrote the whole rest of the chain and its head; a head that was printed and
 * kept elsewhere shows that, too: `knownHeads` are such.
 */
export async function verifyChains(
  db: Db,
  knownHeads: ReadonlyMap<string, ChainHead> = new Map(),
): Promise<VerifiedChain[]> {
  const ends = await readEnds(db);
  const organizations = new Set([
    // The chain of what no key said whose it was.
    "",
    ...(await listOrganizationIds(db)),
    ...ends.keys(),
    ...(await listChains(db)),
    ...knownHeads.keys(),
  ]);
  const verified: VerifiedChain[] = [];
  for (const organizationId of [...organizations].sort())
    verified.push(
      await verifyChain(
        db,
        organizationId,
        ends.get(organizationId),
        knownHeads.get(organizationId),
      ),
    );
  return verified;
}

async function verifyChain(
  db: Db,
  organizationId: string,
  ends: ChainEnds | undefined,
  known: ChainHead | undefined,
): Promise<VerifiedChain> {
  const { head, anchor } = ends ?? { head: EMPTY_CHAIN, anchor: EMPTY_CHAIN };
  const faulty = (sequence: number, message: string): VerifiedChain => ({
    organizationId,
    head,
    fault: { sequence, message },
  });
  let last = anchor;
  let vouchedFor = EMPTY_CHAIN;
  for (;;) {
    const rows = await listRowsAfter(db, organizationId, last.sequence, { limit: BATCH });
    for (const row of rows) {
      const sequence = last.sequence + 1;
      if (row.sequence !== sequence) return faulty(sequence, `row ${sequence} is missing`);
      const entry = toEntry(row);
      if (entry === undefined || row.hash !== hashOf(last.hash, row))
        return faulty(sequence, `row ${sequence} is not as it was written`);
      // Rows may follow behind the head that was noted last.
      if (sequence === head.sequence && row.hash !== head.hash)
        return faulty(sequence, "the head of the chain was changed");
      if (known?.sequence === sequence && known.hash !== row.hash)
        return faulty(sequence, `row ${sequence} is not the one whose head was kept`);
      last = { sequence, hash: row.hash };
      vouchedFor = archivedUpTo(entry) ?? vouchedFor;
    }
    if (rows.length < BATCH) break;
  }
  const end = Math.max(head.sequence, known?.sequence ?? 0);
  const next = last.sequence + 1;
  if (ends === undefined)
    return faulty(
      next,
      last === EMPTY_CHAIN ? "the chain is gone" : "the head of the chain is gone",
    );
  if (last.sequence < end) return faulty(next, `row ${next} is missing`);
  if (head.sequence <= anchor.sequence && head.hash !== anchor.hash)
    return faulty(head.sequence, "the head of the chain was changed");
  // Rows may still be on their way to the archive, but nothing else may take the oldest away.
  if (
    anchor.sequence > vouchedFor.sequence ||
    (anchor.sequence === vouchedFor.sequence && anchor.hash !== vouchedFor.hash)
  )
    return faulty(anchor.sequence, "the oldest rows were removed, and no archive was made of them");
  if (known !== undefined && known.sequence > 0 && known.sequence < anchor.sequence)
    return faulty(known.sequence, `row ${known.sequence} is in an archive, which that head proves`);
  if (known?.sequence === anchor.sequence && known.hash !== anchor.hash)
    return faulty(known.sequence, `row ${known.sequence} is not the one whose head was kept`);
  return { organizationId, head: last };
}

/** Up to which row the act of an entry has moved the rows of its chain to an archive. */
function archivedUpTo({ method, route, target }: AuditEntry): ChainHead | undefined {
  if (method !== COMMAND || route !== ARCHIVE_COMMAND) return undefined;
  const [printed = ""] = (target ?? "").split(" ");
  return parseHead(printed)?.head;
}
