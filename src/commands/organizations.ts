import { Command } from "@commander-js/extra-typings";
import type { Db } from "../../db/database.ts";
import { listOrganizations } from "../organizations/repository.ts";
import { countSessions } from "../sessions/repository.ts";
import { countUsers } from "../users/repository.ts";
import type { CommandContext, DatabaseContext } from "./context.ts";
import { onDatabase } from "./database.ts";
import { printItems } from "./output.ts";

export function command(context: CommandContext) {
  const organizations = new Command("organizations").description(
    "list the organizations of the database",
  );
  organizations
    .command("list")
    .description("list their ids, names and counts")
    .option("--json", "as JSON")
    .action(onDatabase(context, listOrganizationsCommand));
  return organizations;
}

/** Lists the organizations with their numbers of users, patients and sessions. */
export async function listOrganizationsCommand(
  { database, output }: Pick<DatabaseContext, "database" | "output">,
  { json }: { json?: boolean },
): Promise<void> {
  const organizations = await database.read(async (db) => {
    const list = await listOrganizations(db);
    return Promise.all(
      list.map(async ({ public_id, name }) => ({
        id: public_id,
        name,
        counts: await countsOf(db, public_id),
      })),
    );
  });
  printItems(output, organizations, {
    json,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      USERS: ({ counts }) => counts.users,
      PATIENTS: ({ counts }) => counts.patients,
      SESSIONS: ({ counts }) => counts.sessions,
    },
  });
}

async function countsOf(db: Db, organizationId: string) {
  return {
    users: await countUsers(db, organizationId),
    patients: await countUsers(db, organizationId, "PATIENT"),
    sessions: await countSessions(db, organizationId, {}),
  };
}
