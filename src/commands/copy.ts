import { copyDatabase } from "../copy/copy.ts";
import { connect } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import { recordCommandAlone } from "../audit/recording.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import type { Output } from "./output.ts";

/**
 * Copies everything into an empty database of either engine, keys and audit trail included, and says what was proved
 * of the copy. The database that is copied stays as it is.
 *
 * @throws Refused when there is something in the target, or the copy is not the same; the target is then empty.
 */
export async function copyCommand(
  {
    database,
    clock,
    operator,
    output,
  }: { database: OpenDatabase; clock: Clock; operator: string; output: Output },
  targetUrl: string,
): Promise<void> {
  const target = await connect(targetUrl, "create");
  try {
    const now = toInstant(clock.now());
    await migrate(target, now);
    const { organizations, rows, chains } = await copyDatabase(database, target);
    await recordCommandAlone(target, {
      organizationId: "",
      command: "copy",
      operator,
      time: now,
    });
    output.words(
      `Copied ${organizations} organizations, ${rows} rows and ${chains} chains of the audit trail: every table has as many rows as before, every chain is whole and ends where it did, and every organization exports the same bytes.`,
    );
    output.words("Stop the servers of the old database before you start any on the new one.");
  } finally {
    await target.close();
  }
}
