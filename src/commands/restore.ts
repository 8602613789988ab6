import { NO_ORGANIZATION } from "../../db/database.ts";
import { filePath } from "../../db/sqlite/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { restore } from "../../db/sqlite/restore.ts";
import { recordCommand } from "../audit/recording.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import type { Output } from "./output.ts";

/**
 * Puts a backup in the place of the database, brought up to date and with a row about it in its audit trail,
 * and prints where the replaced database is kept.
 */
export async function restoreCommand(
  { url, clock, operator, output }: { url: string; clock: Clock; operator: string; output: Output },
  backup: string,
): Promise<void> {
  const path = filePath(url);
  const now = toInstant(clock.now());
  const kept = await restore(path, backup, now, async (copy) => {
    await migrate(copy, now);
    await copy.write(
      (trx) =>
        recordCommand(trx, {
          organizationId: "",
          command: "restore",
          operator,
          time: now,
          target: backup,
        }),
      NO_ORGANIZATION,
    );
  });
  output.words(`${path} now holds what ${backup} holds.`);
  if (kept === undefined) return;
  output.result(kept);
  output.words(
    "What was done since that backup is in the replaced database only, its audit trail included; keys that were revoked since work again.",
  );
}
