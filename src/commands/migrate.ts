import { Command } from "@commander-js/extra-typings";
import { connect } from "../../db/connect.ts";
import type { CommandContext, UrlContext } from "./context.ts";
import { bringUpToDate, closing, NO_BACKUP } from "./database.ts";
import { record } from "./recording.ts";

export function command(context: CommandContext) {
  return new Command("migrate")
    .description("bring the database up to date")
    .option("--no-backup", NO_BACKUP)
    .action(({ backup }) => migrateDatabase({ ...context, backup }));
}

/** Applies pending migrations, creating the database if needed, and prints the applied steps. */
export async function migrateDatabase(context: UrlContext & { backup?: boolean }): Promise<void> {
  const { url, safety, output } = context;
  const database = await connect(url, "create", safety);
  await closing(database, async () => {
    const applied = await bringUpToDate(database, context);
    const act = { command: "migrate", target: applied.join(" ") || undefined };
    await record({ ...context, database }, act);
    for (const name of applied) output.result(name);
    output.message(
      applied.length === 0 ? "The database is up to date." : "The database is now up to date.",
    );
  });
}
