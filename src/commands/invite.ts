import { Command } from "@commander-js/extra-typings";
import { pageOrigin } from "../config.ts";
import { invite } from "../access/service.ts";
import type { CommandContext, DatabaseContext } from "./context.ts";
import { onDatabase } from "./database.ts";
import { organizationOf, unknownUserAsCommandError } from "./organization.ts";
import { writeRecorded } from "./recording.ts";
import { printedOnce } from "./standard-output.ts";

export const LOST_LINK = 'the link is lost: make another with "caseload invite".';

export function command(context: CommandContext) {
  return new Command("invite")
    .description("print a link with which one person registers a passkey, once, within seven days")
    .argument("<user-id>")
    .requiredOption("--organization <id>", "the organization of the user")
    .option("--origin <url>", "where browsers open the page, as in serve (or ORIGIN)")
    .action((userId, { organization, origin }) =>
      printedOnce(
        context,
        LOST_LINK,
        onDatabase(context, inviteCommand),
      )({
        ...{ organizationId: organization, userId },
        origin: pageOrigin(origin, context.environment),
      }),
    );
}

/** Invites a person, and prints the link as the only text on standard output. */
export async function inviteCommand(
  context: DatabaseContext,
  { origin, ...user }: { organizationId: string; userId: string; origin: string | undefined },
): Promise<void> {
  const { database, output } = context;
  const { organizationId, userId } = user;
  await database.read((db) => organizationOf(db, organizationId));
  const { url, expiresAt } = await writeRecorded(
    context,
    { organizationId, command: "invite", target: userId },
    (trx, time) => invite(trx, { ...user, origin: origin ?? "" }, time),
  ).catch(unknownUserAsCommandError(user));
  output.result(url);
  if (origin === undefined)
    output.message(
      "Put the address of the page in front of it, such as http://localhost:3000 or https://caseload.example, or give --origin.",
    );
  output.message(`The link can be used once, until ${expiresAt}. It is not stored.`);
}
