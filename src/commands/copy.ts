import { connect } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import type { ConnectionSafety } from "../../db/postgresql/url.ts";
import { ALL_PATIENTS } from "../audit/chain.ts";
import { type CommandAct, recordCommandAlone } from "../audit/recording.ts";
import { copyDatabase } from "../copy/copy.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { placeOf } from "./database.ts";
import type { Output } from "./output.ts";

interface CopyDependencies {
  database: OpenDatabase;
  safety?: ConnectionSafety;
  clock: Clock;
  operator: string;
  output: Output;
}

/**
 * Copies everything into an empty database of either engine, keys and audit trail included, and says what was proved
 * of the copy. The database that is copied stays as it is but for the row that tells of it, which the copy has, too.
 *
 * @throws Refused when servers run on either, there is something in the target, or the copy is not the same; the target
 * is then empty.
 */
export async function copyCommand(
  { database, safety, clock, operator, output }: CopyDependencies,
  targetUrl: string,
): Promise<void> {
  const target = await connect(targetUrl, "create", safety);
  try {
    for (const each of [database, target]) await each.lock("exclusive");
    const time = toInstant(clock.now());
    await migrate(target, time);
    const act = { organizationId: "", command: "copy", operator, time };
    const copied: CommandAct = { ...act, patientIds: ALL_PATIENTS, target: placeOf(targetUrl) };
    // It is part of what is copied.
    await recordCommandAlone(database, copied);
    const { organizations, rows, chains } = await copyDatabase(database, target).catch(
      async (error: unknown) => {
        await recordCommandAlone(database, { ...copied, status: 1 });
        throw error;
      },
    );
    output.words(
      `Copied ${organizations} organizations, ${rows} rows and ${chains} chains of the audit trail: every table has as many rows as before, every chain is whole and ends where it did, and every organization exports the same bytes.`,
    );
    output.words("From now on start servers on the new database alone.");
  } finally {
    await target.close();
  }
}
