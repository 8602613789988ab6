import { bulkWriter, writeInBulk } from "../../db/bulk.ts";
import type { Db } from "../../db/database.ts";
import type { Gathered } from "./gathered-repository.ts";
import type { LateProblem } from "./late-checks.ts";
import type { RecordType } from "./model.ts";
import type { ImportContext } from "./record-kind.ts";
import {
  deleteOwned,
  findEmailHolders,
  releaseEmails,
  releasePoolMembers,
  updateOrganization,
} from "./repository.ts";
import type { BatchRows } from "./batch.ts";

/**
 * Moves what an import has gathered into the database, and notes what turns out to be wrong only now. Whoever calls
 * it holds the organization's lock, so it does nothing that could have been done before.
 *
 * @throws what the database says to rows that are at odds with its rules, as rows of which something has been noted
 * may be.
 */
export async function moveGathered(
  trx: Db,
  { gathered, counts }: { gathered: Gathered; counts: ReadonlyMap<RecordType, number> },
  context: ImportContext,
  problems: LateProblem[],
): Promise<void> {
  const { organizationId, organizationRow, late } = context;
  if (organizationRow !== undefined) await updateOrganization(trx, organizationRow);
  const pools = late.changedPools;
  if (pools.length > 0)
    problems.push(...late.membersLeft(await releasePoolMembers(trx, organizationId, pools)));
  const taken: TakenEmail[] = [];
  // Where a large file has most of its records.
  const large = { sessions: counts.get("session") ?? 0, encounters: counts.get("encounter") ?? 0 };
  await writeInBulk(trx, large, async () => {
    const writer = bulkWriter(trx, organizationId);
    for (const batch of gathered.batches()) {
      for (const deletion of batch.deletions) await deleteOwned(trx, organizationId, deletion);
      for (const rows of batch.rows) {
        if (rows.table === "users") taken.push(...(await claimEmails(trx, organizationId, rows)));
        await (rows.replaces ? writer.upsert(rows) : writer.insert(rows));
      }
      await endOfTurn();
    }
  });
  problems.push(...(await late.brokenByChanges(trx, organizationId)), ...late.emailsTaken(taken));
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
