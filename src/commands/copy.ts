import { Command } from "commander";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { ALL_PATIENTS } from "../audit/chain.ts";
import { type CommandAct, recordCommandAlone } from "../audit/trail.ts";
import { copyDatabase } from "../copy/copy.ts";
import { toInstant } from "../lib/instant.ts";
import type { CommandContext, WholeDatabaseContext } from "./context.ts";
import { onDatabase, placeOf } from "./database.ts";
import { countOf } from "./output.ts";

export function command(context: CommandContext): Command {
  return new Command("copy")
    .argument("<target>")
    .description(
      "copy everything into an empty database, such as a postgres: URL, and verify the copy; no server may be running",
    )
    .action(onDatabase(context, copyCommand));
}

/**
 * Copies the whole database, including keys and audit trail, into an empty database of either engine, and verifies the
 * copy. The source is not changed, except for the audit row about the copy, which is also in the copy.
 *
 * @throws CommandError if servers run on either database, the target is not empty, or verification fails; the target is
 * then empty.
 */
export async function copyCommand(
  {
    database,
    safety,
    clock,
    operator,
    output,
  }: WholeDatabaseContext & Pick<CommandContext, "safety">,
  targetUrl: string,
): Promise<void> {
  const target = await connect(targetUrl, "create", safety);
  try {
    for (const each of [database, target]) await each.lock("exclusive");
    const time = toInstant(clock.now());
    await migrate(target, time);
    const act = { organizationId: "", command: "copy", operator, time };
    const copied: CommandAct = { ...act, patientIds: ALL_PATIENTS, target: placeOf(targetUrl) };
    // Written before the copy, so that the copy contains it.
    await recordCommandAlone(database, copied);
    const { organizations, rows, chains } = await copyDatabase(database, target).catch(
      async (error: unknown) => {
        await recordCommandAlone(database, { ...copied, status: 1 });
        throw error;
      },
    );
    output.message(
      `Copied ${countOf(organizations, "organization")}, ${countOf(rows, "row")} and ${countOf(chains, "audit chain")}. Row counts, audit chains and exports are identical.`,
    );
    output.message("From now on, start servers only on the new database.");
  } finally {
    await target.close();
  }
}
