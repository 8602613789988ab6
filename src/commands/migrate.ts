import { connect } from "../../db/connect.ts";
import type { ConnectionSafety } from "../../db/postgresql/url.ts";
import { recordCommandAlone } from "../audit/trail.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { bringUpToDate } from "./database.ts";
import type { Output } from "./output.ts";

/** Applies pending migrations, creating the database if needed, and prints the applied steps. */
export async function migrateDatabase({
  url,
  safety,
  clock,
  operator,
  output,
}: {
  url: string;
  safety?: ConnectionSafety;
  clock: Clock;
  operator: string;
  output: Output;
}): Promise<void> {
  const database = await connect(url, "create", safety);
  try {
    const applied = await bringUpToDate(database, url, clock, output);
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
  } finally {
    await database.close();
  }
}
