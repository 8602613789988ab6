import type { Database, Db } from "../../db/database.ts";
import { listOrganizations } from "../organizations/repository.ts";
import { countSessions } from "../sessions/repository.ts";
import { countUsers } from "../users/repository.ts";
import { type Output, tableLines } from "./output.ts";

/** Lists the organizations with their numbers of users, patients and sessions. */
export async function listOrganizationsCommand(
  { database, output }: { database: Database; output: Output },
  { json }: { json?: boolean },
): Promise<void> {
  const organizations = await database.read(async (db) => {
    const found = await listOrganizations(db);
    return Promise.all(
      found.map(async ({ public_id, name }) => ({
        id: public_id,
        name,
        counts: await countsOf(db, public_id),
      })),
    );
  });
  if (json === true) return output.result(JSON.stringify(organizations, null, 2));
  const head = ["ID", "NAME", "USERS", "PATIENTS", "SESSIONS"];
  const rows = organizations.map(({ id, name, counts }) => [
    id,
    name,
    ...Object.values(counts).map(String),
  ]);
  for (const line of tableLines(head, rows)) output.result(line);
}

async function countsOf(db: Db, organizationId: string) {
  return {
    users: await countUsers(db, organizationId),
    patients: await countUsers(db, organizationId, "PATIENT"),
    sessions: await countSessions(db, organizationId, {}),
  };
}
