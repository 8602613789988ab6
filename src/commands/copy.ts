import { existsSync } from "node:fs";
import { Command } from "@commander-js/extra-typings";
import { connect } from "../../db/connect.ts";
import { isServerUrl } from "../../db/postgresql/url.ts";
import { filePath } from "../../db/sqlite/connect.ts";
import { removeDatabase } from "../../db/sqlite/files.ts";
import { ALL_PATIENTS } from "../audit/chain.ts";
import { type CommandAct, recordCommand, recordCommandAlone } from "../audit/trail.ts";
import { type Copied, copyDatabase } from "../copy/copy.ts";
import { CommandError } from "../lib/command-error.ts";
import { toInstant } from "../lib/instant.ts";
import type { CommandContext, WholeDatabaseContext } from "./context.ts";
import { onDatabase, placeOf } from "./database.ts";
import { countOf } from "./output.ts";

export function command(context: CommandContext) {
  return new Command("copy")
    .argument("<target>")
    .description(
      "copy everything into an empty database, such as a postgres: URL, and verify the copy; no server may be running",
    )
    .action((target) => {
      if (placeOf(target) === placeOf(context.url))
        throw new CommandError(`${placeOf(target)} is the database itself. Name an empty one.`);
      return onDatabase(context, copyCommand)(target);
    });
}

/**
 * Copies the whole database, including keys and audit trail, into an empty database of either engine, and verifies the
 * copy. The source is not changed, except for the audit row about the copy, which is also in the copy.
 *
 * @throws CommandError if servers run on either database, the target is not empty, or verification fails; the target is
 * then as it was, and removed if it is a file that the copy has created.
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
  await database.lock("exclusive");
  const isNew = !isServerUrl(targetUrl) && !existsSync(filePath(targetUrl));
  const target = await connect(targetUrl, "create", safety);
  let copied: Copied | undefined;
  try {
    await target.lock("exclusive");
    const time = toInstant(clock.now());
    const act: CommandAct = {
      ...{ organizationId: "", command: "copy", operator, time },
      ...{ patientIds: ALL_PATIENTS, target: placeOf(targetUrl) },
    };
    // The row is written before the copy, so that the copy contains it, and only stays if the copy is done.
    const copying = database.write(
      async (trx) => {
        await recordCommand(trx, act);
        return copyDatabase(trx, target, time);
      },
      { organizationId: "", isTrailOnly: true, isLong: true },
    );
    copied = await copying.catch(async (error: unknown) => {
      await recordCommandAlone(database, { ...act, status: 1 });
      throw error;
    });
  } finally {
    await target.close();
    if (copied === undefined && isNew) removeDatabase(filePath(targetUrl));
  }
  const { organizations, rows, chains } = copied;
  output.message(
    `Copied ${countOf(organizations, "organization")}, ${countOf(rows, "row")} and ${countOf(chains, "audit chain")}. Row counts, audit chains and exports are identical.`,
  );
  output.message("From now on, start servers only on the new database.");
}
