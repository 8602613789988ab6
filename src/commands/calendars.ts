import { Command } from "@commander-js/extra-typings";
import { requireOrganization } from "../organizations/repository.ts";
import { createCalendar } from "../calendar/service.ts";
import { nameArgument, originArgument } from "./arguments.ts";
import type { CommandContext, DatabaseContext } from "./context.ts";
import { onDatabase } from "./database.ts";
import { unknownUserAsCommandError } from "./organization.ts";
import { writeRecorded } from "./recording.ts";
import { printedOnce } from "./standard-output.ts";

export function command(context: CommandContext) {
  const calendars = new Command("calendars").description(
    "feeds of one's own sessions for calendar programs",
  );
  calendars
    .command("create")
    .description("create a calendar of a user and print its secret path, once")
    .requiredOption("--organization <id>", "the organization of the user")
    .requiredOption("--user <id>", "whose sessions")
    .option("--name <text>", "what it is for, such as the device", nameArgument)
    .option("--url <url>", "print the whole address on this server", originArgument)
    .action(
      printedOnce(
        context,
        "the address is lost: create another calendar.",
        onDatabase(context, createCalendarCommand),
      ),
    );
  return calendars;
}

/**
 * Creates a calendar and prints its path or address, alone on standard output.
 *
 * @throws CommandError for an unknown organization or user, one who is inactive or no staff, and beyond five.
 */
export async function createCalendarCommand(
  context: DatabaseContext,
  {
    organization: organizationId,
    user: userId,
    name,
    url = "",
  }: { organization: string; user: string; name?: string; url?: string },
): Promise<void> {
  const { output } = context;
  const { id, path } = await writeRecorded(
    context,
    { organizationId, command: "calendars create", target: userId },
    async (trx, now) => {
      await requireOrganization(trx, organizationId);
      return createCalendar(trx, { organizationId, userId, name }, now);
    },
    (calendar) => ({ keyId: calendar.id }),
  ).catch(unknownUserAsCommandError({ organizationId, userId }));
  output.result(`${url}${path}`);
  output.message(
    `Created the calendar ${id}. Whoever has its address sees the times of ${userId}; it cannot be shown again.`,
  );
}
