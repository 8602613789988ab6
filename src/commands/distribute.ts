import { Command } from "commander";
import { distributeTables } from "../../db/postgresql/citus.ts";
import { recordCommandAlone } from "../audit/trail.ts";
import { CommandError } from "../lib/command-error.ts";
import { toInstant } from "../lib/instant.ts";
import type { CommandContext, WholeDatabaseContext } from "./context.ts";
import { onDatabase } from "./database.ts";

export function command(context: CommandContext): Command {
  return new Command("distribute")
    .description(
      "experimental: on the coordinator of Citus, after migrate, spread the organizations over its servers",
    )
    .action(onDatabase(context, distributeCommand));
}

/**
 * Distributes the tables over the servers of a Citus cluster by organization, and prints their names. Tables that are
 * already distributed are skipped. Experimental.
 *
 * @throws CommandError if the database is a file, or a server that is not the coordinator of a Citus cluster.
 */
export async function distributeCommand({
  database,
  clock,
  operator,
  output,
}: WholeDatabaseContext): Promise<void> {
  if (database.engine === "sqlite")
    throw new CommandError(
      "Only PostgreSQL with Citus can be distributed; copy the file into it, and give its URL.",
    );
  const tables = await database.changeSchema(distributeTables);
  if (tables.length === 0) return output.message("The tables are distributed already.");
  const time = toInstant(clock.now());
  await recordCommandAlone(database, {
    organizationId: "",
    command: "distribute",
    operator,
    time,
  });
  for (const table of tables) output.result(table);
  output.message(
    "The tables are distributed; all rows of an organization are on one server. This is experimental.",
  );
}
