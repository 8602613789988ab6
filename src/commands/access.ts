import { Command } from "commander";
import { recordCommand, recordCommandAlone } from "../audit/trail.ts";
import type { Database } from "../../db/database.ts";
import { type Instant, toInstant } from "../lib/instant.ts";
import { listOrganizationIds } from "../organizations/repository.ts";
import type { PersonAccess } from "../sign-in/access-model.ts";
import { listAccess, revokeAccess } from "../sign-in/access-service.ts";
import type { CommandContext, DatabaseContext } from "./context.ts";
import { onDatabase } from "./database.ts";
import { organizationOf, unknownUserAsCommandError } from "./organization.ts";
import { tableLines } from "./output.ts";

/** People read at once. */
const BATCH = 100;

export function command(context: CommandContext): Command {
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
    .action((userId: string, { organization }) =>
      onDatabase(context, revokeAccessCommand)({ organizationId: organization, userId }),
    );
  return access;
}

/** Lists who has access, of one organization or all. */
export async function listAccessCommand(
  { database, clock, operator, output }: DatabaseContext,
  { organization, json = false }: { organization?: string; json?: boolean },
): Promise<void> {
  const time = toInstant(clock.now());
  await recordCommandAlone(database, {
    ...{ organizationId: "", command: "access list", operator, time },
    ...(organization !== undefined && { target: organization }),
  });
  const organizations =
    organization === undefined
      ? await database.read(listOrganizationIds)
      : [await database.read((db) => organizationOf(db, organization))];
  const people: (PersonAccess & { organizationId: string })[] = [];
  for (const organizationId of organizations)
    for (const person of await accessOfAll(database, organizationId, time))
      people.push({ organizationId, ...person });
  if (json) return output.result(JSON.stringify(people, null, 2));
  const head = ["USER", "NAME", "ROLE", "ACTIVE", "INVITED UNTIL", "PASSKEYS", "SIGN-INS", "KEYS"];
  const rows = people.map((person) => [
    person.userId,
    `${person.firstName} ${person.lastName}`,
    person.role,
    person.isActive ? "yes" : "no",
    person.invitation?.expiresAt ?? "",
    person.passkeys.map(({ name }) => name).join(", "),
    String(person.signIns.length),
    person.keys.map(({ id }) => id).join(", "),
  ]);
  for (const line of tableLines(head, rows)) output.result(line);
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
  { database, clock, operator, output }: DatabaseContext,
  user: { organizationId: string; userId: string },
): Promise<void> {
  const { organizationId, userId } = user;
  await database.read((db) => organizationOf(db, organizationId));
  const time = toInstant(clock.now());
  await database
    .write(
      async (trx) => {
        await revokeAccess(trx, user, time);
        const act = { organizationId, command: "access revoke", operator, time, target: userId };
        await recordCommand(trx, act);
      },
      { organizationId },
    )
    .catch(unknownUserAsCommandError(user));
  output.message(`Revoked all access of ${userId}.`);
}
