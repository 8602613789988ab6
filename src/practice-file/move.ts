import { setImmediate as endOfTurn } from "node:timers/promises";
import { writeInBulk } from "../../db/bulk.ts";
import { moveInto } from "../../db/bulk-writer.ts";
import type { Db } from "../../db/database.ts";
import type { Gathered, GatheredRows } from "./gathered-repository.ts";
import type { LateProblem } from "./late-checks.ts";
import { type RecordType, recordTypes } from "./model.ts";
import type { ImportContext } from "./record-kind.ts";
import {
  deleteOwned,
  findEmailHolders,
  releaseEmails,
  releasePoolMembers,
  updateOrganization,
} from "./repository.ts";

/** What is moved, and whose it is. */
export interface Moved {
  gathered: Gathered;
  /** How many records of each type there are. */
  counts: ReadonlyMap<RecordType, number>;
  context: ImportContext;
  /** Whether the organization is made by this import, and so has no row that another could replace. */
  isNew: boolean;
  /** Where it is noted what turns out to be wrong only now. */
  problems: LateProblem[];
}

/** What others change meanwhile, record by record: what exists is therefore left to those who hold the lock. */
const CHANGED_BY_OTHERS: readonly RecordType[] = ["goal"];

/**
 * Moves most of what an import has gathered into the database: rows that nobody else writes, or that are new. Others
 * write meanwhile, and wait for none of it.
 *
 * @throws what the database says to rows that are at odds with its rules, as rows of which something has been noted
 * may be.
 */
export async function moveAhead(trx: Db, moved: Moved): Promise<void> {
  const { gathered, counts, context, problems } = moved;
  const { organizationId, late } = context;
  const pools = late.changedPools;
  if (pools.length > 0)
    problems.push(...late.membersLeft(await releasePoolMembers(trx, organizationId, pools)));
  // Where a large file has most of its records.
  const large = { sessions: counts.get("session") ?? 0, encounters: counts.get("encounter") ?? 0 };
  let taken: TakenEmail[] = [];
  await writeInBulk(trx, { organizationId, coming: large }, async () => {
    // Each type comes after those that its records may name.
    for (const type of recordTypes) {
      const isChangedByOthers = CHANGED_BY_OTHERS.includes(type);
      if (type === "user") taken = await claimEmails(trx, moved);
      if (!isChangedByOthers) await deleteEarlier(trx, moved, type);
      await moveRows(trx, moved, gathered.rowsOf(type, isChangedByOthers ? "new" : "all"));
    }
  });
  problems.push(...late.emailsTaken(taken));
}

/**
 * Moves the rest, and sees how all fits together. Whoever calls it holds the organization's lock, so it does nothing
 * that could have been done before.
 */
export async function moveRest(trx: Db, moved: Moved): Promise<void> {
  const { gathered, context, problems } = moved;
  const { organizationId, organizationRow, late } = context;
  if (organizationRow !== undefined) await updateOrganization(trx, organizationRow);
  for (const type of CHANGED_BY_OTHERS) {
    await deleteEarlier(trx, moved, type);
    await moveRows(trx, moved, gathered.rowsOf(type, "replacing"));
  }
  problems.push(...(await late.brokenByChanges(trx, organizationId)));
}

async function moveRows(trx: Db, moved: Moved, rows: readonly GatheredRows[]): Promise<void> {
  const { gathered, context, isNew } = moved;
  for (const some of rows) {
    const replaces = some.replaces && !isNew;
    await moveInto(trx, context.organizationId, gathered.scratch, { ...some, replaces });
    // The other requests of a server may read meanwhile.
    await endOfTurn();
  }
}

async function deleteEarlier(trx: Db, moved: Moved, type: RecordType): Promise<void> {
  const { gathered, context } = moved;
  for (const deletion of gathered.deletionsOf(type)) {
    await deleteOwned(trx, context.organizationId, deletion);
    await endOfTurn();
  }
}

interface TakenEmail {
  from: string;
  by: string;
}

/**
 * Takes the email addresses that users are about to be given away from those who have them. Whoever stands in the
 * file is given another one by a row of the file; all others are answered.
 */
async function claimEmails(trx: Db, { gathered, context }: Moved): Promise<TakenEmail[]> {
  const { organizationId } = context;
  const taken: TakenEmail[] = [];
  for (const claims of gathered.emails()) {
    const holders = await findEmailHolders(trx, organizationId, [...claims.keys()]);
    const losing = holders.flatMap(({ public_id: from, email_key }) => {
      const by = claims.get(email_key ?? "");
      return by === undefined || by === from ? [] : [{ from, by }];
    });
    const ids = losing.map(({ from }) => from);
    if (ids.length > 0) await releaseEmails(trx, organizationId, ids);
    taken.push(...losing);
  }
  return taken;
}
