import { Command } from "@commander-js/extra-typings";
import { distributeTables } from "../../db/postgresql/citus.ts";
import { CommandError } from "../lib/command-error.ts";
import type { CommandContext, WholeDatabaseContext } from "./context.ts";
import { onDatabase } from "./database.ts";
import { record } from "./recording.ts";

export function command(context: CommandContext) {
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
export async function distributeCommand(context: WholeDatabaseContext): Promise<void> {
  const { database, output } = context;
  if (database.engine === "sqlite")
    throw new CommandError(
      "Only PostgreSQL with Citus can be distributed; copy the file into it, and give its URL.",
    );
  const tables = await database.changeSchema(distributeTables);
  if (tables.length === 0) return output.message("The tables are distributed already.");
  await record(context, { command: "distribute" });
  for (const table of tables) output.result(table);
  output.message(
    "The tables are distributed; all rows of an organization are on one server. This is experimental.",
  );
}
