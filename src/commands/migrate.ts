import { Command } from "commander";
import { connect } from "../../db/connect.ts";
import { recordCommandAlone } from "../audit/trail.ts";
import { toInstant } from "../lib/instant.ts";
import type { CommandContext, UrlContext } from "./context.ts";
import { bringUpToDate, closing } from "./database.ts";

export function command(context: CommandContext): Command {
  return new Command("migrate")
    .description("bring the database up to date")
    .action(() => migrateDatabase(context));
}

/** Applies pending migrations, creating the database if needed, and prints the applied steps. */
export async function migrateDatabase(context: UrlContext): Promise<void> {
  const { url, safety, clock, operator, output } = context;
  const database = await connect(url, "create", safety);
  await closing(database, async () => {
    const applied = await bringUpToDate(database, context);
    const time = toInstant(clock.now());
    await recordCommandAlone(database, {
      organizationId: "",
      command: "migrate",
      operator,
      time,
      ...(applied.length > 0 && { target: applied.join(" ") }),
    });
    for (const name of applied) output.result(name);
    output.message(
      applied.length === 0 ? "The database is up to date." : "The database is now up to date.",
    );
  });
}
