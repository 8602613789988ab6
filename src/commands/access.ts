import { Command } from "@commander-js/extra-typings";
import type { Database } from "../../db/database.ts";
import { seesOwnPatientsOnly } from "../callers/permissions.ts";
import { type Instant, toInstant } from "../lib/instant.ts";
import { getOrganization, listOrganizationIds } from "../organizations/repository.ts";
import type { PersonAccess } from "../access/model.ts";
import { listAccess, revokeAccess } from "../access/service.ts";
import type { CommandContext, DatabaseContext } from "./context.ts";
import { onDatabase } from "./database.ts";
import { organizationOf, unknownUserAsCommandError } from "./organization.ts";
import { printItems } from "./output.ts";
import { record, writeRecorded } from "./recording.ts";

/** People read at once. */
const BATCH = 100;

export function command(context: CommandContext) {
  const access = new Command("access").description("list who may sign in, and take access away");
  access
    .command("list")
    .description("list the people who work for a practice, with all that gives them access now")
    .option("--organization <id>", "only the people of one organization")
    .option("--json", "as JSON")
    .action(onDatabase(context, listAccessCommand));
  access
    .command("revoke <user-id>")
    .description("end a user's invitation, passkeys, sign-ins and keys immediately")
    .requiredOption("--organization <id>", "the organization of the user")
    .action((userId, { organization }) =>
      onDatabase(context, revokeAccessCommand)({ organizationId: organization, userId }),
    );
  return access;
}

interface ListedPerson extends PersonAccess {
  organizationId: string;
  /** Whether they see own patients only. */
  ownPatientsOnly: boolean;
}

/** Lists who has access, of one organization or all. */
export async function listAccessCommand(
  context: DatabaseContext,
  { organization, json }: { organization?: string; json?: boolean },
): Promise<void> {
  const { database, clock, output } = context;
  await record(context, { command: "access list", target: organization });
  const time = toInstant(clock.now());
  const organizations =
    organization === undefined
      ? await database.read(listOrganizationIds)
      : [await database.read((db) => organizationOf(db, organization))];
  const people: ListedPerson[] = [];
  for (const organizationId of organizations) {
    const own = await database.read((db) => getOrganization(db, organizationId));
    for (const person of await accessOfAll(database, organizationId, time)) {
      const ownPatientsOnly = seesOwnPatientsOnly(person.role, own.own_patients_only);
      people.push({ organizationId, ...person, ownPatientsOnly });
    }
  }
  printItems(output, people, {
    json,
    columns: {
      USER: ({ userId }) => userId,
      NAME: ({ firstName, lastName }) => `${firstName} ${lastName}`,
      ROLE: ({ role }) => role,
      ACTIVE: ({ isActive }) => (isActive ? "yes" : "no"),
      "INVITED UNTIL": ({ invitation }) => invitation?.expiresAt ?? "",
      PASSKEYS: ({ passkeys }) => passkeys.map(({ name }) => name).join(", "),
      "SIGN-INS": ({ signIns }) => signIns.length,
      KEYS: ({ keys }) => keys.map(({ id }) => id).join(", "),
      "OWN PATIENTS ONLY": ({ ownPatientsOnly }) => (ownPatientsOnly ? "yes" : ""),
    },
  });
}

function accessOfAll(
  database: Database,
  organizationId: string,
  time: Instant,
): Promise<PersonAccess[]> {
  return database.read(async (db) => {
    const people: PersonAccess[] = [];
    for (let offset = 0; offset === people.length; offset += BATCH)
      people.push(...(await listAccess(db, organizationId, { pageSize: BATCH, offset }, time)));
    return people;
  });
}

/** Takes all access from a user, also on running servers. */
export async function revokeAccessCommand(
  context: DatabaseContext,
  user: { organizationId: string; userId: string },
): Promise<void> {
  const { organizationId, userId } = user;
  await context.database.read((db) => organizationOf(db, organizationId));
  const act = { organizationId, command: "access revoke", target: userId };
  await writeRecorded(context, act, (trx, time) => revokeAccess(trx, user, time)).catch(
    unknownUserAsCommandError(user),
  );
  context.output.message(`Revoked all access of ${userId}.`);
}
