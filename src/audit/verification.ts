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

/** The result for one organization's chain: its end, or its first fault. */
export interface VerifiedChain {
  organizationId: string;
  head: ChainHead;
  /** The first faulty row and what is wrong; undefined if the chain is valid. */
  fault?: { sequence: number; message: string };
}

/** Rows read at once, so that memory use does not grow with the chain. */
const BATCH = 1_000;

/**
 * Verifies all chains by recomputing all hashes. Detects edited, removed, inserted and truncated rows and missing
 * chains. An attacker who rewrites the rest of a chain and its head is detected only by `knownHeads`: heads that were
 * printed and kept elsewhere.
 */
export async function verifyChains(
  db: Db,
  knownHeads: ReadonlyMap<string, ChainHead> = new Map(),
): Promise<VerifiedChain[]> {
  const ends = await readEnds(db);
  const organizations = new Set([
    // The chain of requests whose organization is unknown.
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
  keptHead: ChainHead | undefined,
): Promise<VerifiedChain> {
  const { head, anchor } = ends ?? { head: EMPTY_CHAIN, anchor: EMPTY_CHAIN };
  const faulty = (sequence: number, message: string): VerifiedChain => ({
    organizationId,
    head,
    fault: { sequence, message },
  });
  let last = anchor;
  let archived = EMPTY_CHAIN;
  for (;;) {
    const rows = await listRowsAfter(db, organizationId, last.sequence, { limit: BATCH });
    for (const row of rows) {
      const sequence = last.sequence + 1;
      if (row.sequence !== sequence) return faulty(sequence, `row ${sequence} is missing`);
      const entry = toEntry(row);
      if (entry === undefined || row.hash !== hashOf(last.hash, row))
        return faulty(sequence, `row ${sequence} is not as it was written`);
      // Rows can follow the stored head, which is not updated with every row.
      if (sequence === head.sequence && row.hash !== head.hash)
        return faulty(sequence, "the head of the chain was changed");
      if (keptHead?.sequence === sequence && keptHead.hash !== row.hash)
        return faulty(sequence, `row ${sequence} is not the one whose head was kept`);
      last = { sequence, hash: row.hash };
      archived = archivedUpTo(entry) ?? archived;
    }
    if (rows.length < BATCH) break;
  }
  const end = Math.max(head.sequence, keptHead?.sequence ?? 0);
  const next = last.sequence + 1;
  if (ends === undefined)
    return faulty(
      next,
      last === EMPTY_CHAIN ? "the chain is gone" : "the head of the chain is gone",
    );
  if (last.sequence < end) return faulty(next, `row ${next} is missing`);
  if (head.sequence <= anchor.sequence && head.hash !== anchor.hash)
    return faulty(head.sequence, "the head of the chain was changed");
  // Archived rows may not have been removed yet, but rows must not be missing without an archive.
  if (
    anchor.sequence > archived.sequence ||
    (anchor.sequence === archived.sequence && anchor.hash !== archived.hash)
  )
    return faulty(anchor.sequence, "the oldest rows were removed, and no archive was made of them");
  if (keptHead !== undefined && keptHead.sequence > 0 && keptHead.sequence < anchor.sequence)
    return faulty(
      keptHead.sequence,
      `row ${keptHead.sequence} is in an archive, which that head proves`,
    );
  if (keptHead?.sequence === anchor.sequence && keptHead.hash !== anchor.hash)
    return faulty(keptHead.sequence, `row ${keptHead.sequence} is not the one whose head was kept`);
  return { organizationId, head: last };
}

/** The row up to which an entry reports that its chain was archived. */
function archivedUpTo({ method, route, target }: AuditEntry): ChainHead | undefined {
  if (method !== COMMAND || route !== ARCHIVE_COMMAND) return undefined;
  const [printed = ""] = (target ?? "").split(" ");
  return parseHead(printed)?.head;
}
