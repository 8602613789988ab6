import type { OpenDatabase } from "../../db/database.ts";
import { distributeTables } from "../../db/postgresql/citus.ts";
import { recordCommandAlone } from "../audit/recording.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { Refused } from "../lib/refused.ts";
import type { Output } from "./output.ts";

/**
 * Distributes the tables of a database over the servers of Citus, each organization's rows on one of them, and names
 * the tables. Those that are distributed already stay as they are. Experimental.
 *
 * @throws Refused where the database is a file, has no Citus, or is not its coordinator.
 */
export async function distributeCommand({
  database,
  clock,
  operator,
  output,
}: {
  database: OpenDatabase;
  clock: Clock;
  operator: string;
  output: Output;
}): Promise<void> {
  if (database.engine === "sqlite")
    throw new Refused(
      "A file stays on one machine; give the URL of a PostgreSQL with Citus, after copying into it.",
    );
  const tables = await database.changeSchema(distributeTables);
  if (tables.length === 0) return output.words("The tables are distributed already.");
  const time = toInstant(clock.now());
  await recordCommandAlone(database, {
    organizationId: "",
    command: "distribute",
    operator,
    time,
  });
  for (const table of tables) output.result(table);
  output.words(
    "The tables are distributed, each organization's rows on one server. This is experimental.",
  );
}
