import { bulkWriter, countUsers, countUsersLater, writeInBulk } from "../../db/bulk.ts";
import type { Db } from "../../db/database.ts";
import type { Gathered } from "./gathered-repository.ts";
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
import type { BatchRows } from "./batch.ts";

/** What is moved, and whose it is. */
export interface Moved {
  gathered: Gathered;
  /** How many records of each type there are. */
  counts: ReadonlyMap<RecordType, number>;
  context: ImportContext;
  /** Where it is noted what turns out to be wrong only now. */
  problems: LateProblem[];
}

/** What others change meanwhile, record by record, and what is therefore left to those who hold the lock. */
const CHANGED_BY_OTHERS: readonly RecordType[] = ["goal"];

/**
 * Moves most of what an import has gathered into the database: rows that nobody else writes, or that are new. Others
 * write meanwhile, and wait for none of it.
 *
 * @throws what the database says to rows that are at odds with its rules, as rows of which something has been noted
 * may be.
 */
export async function moveAhead(trx: Db, moved: Moved): Promise<void> {
  const { counts, context, problems } = moved;
  const { organizationId, late } = context;
  const pools = late.changedPools;
  if (pools.length > 0)
    problems.push(...late.membersLeft(await releasePoolMembers(trx, organizationId, pools)));
  await countUsersLater(trx);
  // Where a large file has most of its records.
  const large = { sessions: counts.get("session") ?? 0, encounters: counts.get("encounter") ?? 0 };
  // Each type comes after those that its records may name.
  const types = recordTypes.filter((type) => !CHANGED_BY_OTHERS.includes(type));
  const taken = await writeInBulk(trx, large, () => moveTypes(trx, moved, types));
  problems.push(...late.emailsTaken(taken));
}

/**
 * Moves the rest, and sees how all fits together. Whoever calls it holds the organization's lock, so it does nothing
 * that could have been done before.
 */
export async function moveRest(trx: Db, moved: Moved): Promise<void> {
  const { organizationId, organizationRow, late } = moved.context;
  if (organizationRow !== undefined) await updateOrganization(trx, organizationRow);
  await writeInBulk(trx, {}, () => moveTypes(trx, moved, CHANGED_BY_OTHERS));
  await countUsers(trx, organizationId);
  moved.problems.push(...(await late.brokenByChanges(trx, organizationId)));
}

async function moveTypes(
  trx: Db,
  { gathered, context: { organizationId } }: Moved,
  types: readonly RecordType[],
): Promise<TakenEmail[]> {
  const taken: TakenEmail[] = [];
  const writer = bulkWriter(trx, organizationId);
  for (const type of types)
    for (const batch of gathered.batchesOf(type)) {
      for (const deletion of batch.deletions) await deleteOwned(trx, organizationId, deletion);
      for (const rows of batch.rows) {
        if (rows.table === "users") taken.push(...(await claimEmails(trx, organizationId, rows)));
        await (rows.replaces ? writer.upsert(rows) : writer.insert(rows));
      }
      await endOfTurn();
    }
  return taken;
}

interface TakenEmail {
  from: string;
  by: string;
}

/**
 * Takes the email addresses that users are about to be given away from those who have them. Whoever stands in the
 * file is given another one by a row of the file; all others are answered.
 */
async function claimEmails(
  trx: Db,
  organizationId: string,
  { columns, values }: BatchRows,
): Promise<TakenEmail[]> {
  const [id, key] = [columns.indexOf("public_id"), columns.indexOf("email_key")];
  const claims = new Map(
    values.filter((row) => row[key] !== null).map((row) => [String(row[key]), String(row[id])]),
  );
  const holders = await findEmailHolders(trx, organizationId, [...claims.keys()]);
  const taken = holders.flatMap(({ public_id: from, email_key }) => {
    const by = claims.get(email_key ?? "");
    return by === undefined || by === from ? [] : [{ from, by }];
  });
  if (taken.length > 0)
    await releaseEmails(
      trx,
      organizationId,
      taken.map(({ from }) => from),
    );
  return taken;
}

/** Lets the other requests of a server have a turn, which may read meanwhile. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
