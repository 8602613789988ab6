import { backUp } from "../../db/backup.ts";
import { type Database, filePath } from "../../db/connect.ts";
import { recordCommand } from "../audit/recording.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import type { Output } from "./output.ts";

/**
 * Copies the database to a new file while servers go on, and prints its path. The row of the audit trail
 * follows the copy: it says that a backup exists, and so is not in the backup itself.
 */
export async function backUpCommand(
  {
    database,
    url,
    clock,
    output,
  }: { database: Database; url: string; clock: Clock; output: Output },
  target: string,
): Promise<void> {
  const begun = toInstant(clock.now());
  await backUp(filePath(url), target);
  // The time is that of the data: what was written later is not in the copy.
  await database.write((trx) =>
    recordCommand(trx, { organizationId: "", command: "backup", time: begun }),
  );
  output.result(target);
  output.words("The backup is whole. It holds patients' data: keep it as safe as the database.");
}
