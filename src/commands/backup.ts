import { resolve } from "node:path";
import { backUp } from "../../db/sqlite/backup.ts";
import type { Database } from "../../db/database.ts";
import { filePath } from "../../db/sqlite/connect.ts";
import { backUpEncrypted } from "../../db/sqlite/encrypted-backup.ts";
import { withNote } from "../../db/sqlite/files.ts";
import { recordCommandAlone } from "../audit/trail.ts";
import { printedHeads } from "../audit/repository.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import type { Output } from "./output.ts";

/**
 * Backs up the database to a new file while servers run. Prints the path, and the heads of its audit chains on standard
 * error. The audit row is written after the copy, since it states that a backup exists; so the backup does not contain
 * it.
 */
export async function backUpCommand(
  {
    database,
    url,
    clock,
    operator,
    output,
  }: { database: Database; url: string; clock: Clock; operator: string; output: Output },
  { target, recipients = [] }: { target: string; recipients?: readonly string[] },
): Promise<void> {
  const begun = toInstant(clock.now());
  const heads = await database.read(printedHeads);
  const path = filePath(url);
  await withNote(path, target, () =>
    recipients.length === 0 ? backUp(path, target) : backUpEncrypted(path, target, recipients),
  );
  // Recorded with the time of the snapshot: later writes are not in the backup.
  await recordCommandAlone(database, {
    organizationId: "",
    command: "backup",
    operator,
    time: begun,
    target: resolve(target),
  });
  output.result(target);
  for (const head of heads)
    output.message(`Head of its audit trail (keep it on another machine): ${head}`);
  output.message(
    recipients.length === 0
      ? "The backup is complete and verified. It contains patients' data: protect it like the database."
      : "The backup is complete, verified and encrypted. Keep its identity on another machine.",
  );
}
