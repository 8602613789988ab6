import { Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { invite } from "../access/service.ts";
import { recordCommand } from "../audit/trail.ts";
import { pageOrigin } from "../config.ts";
import { intakeStageKeys } from "../intake-leads/model.ts";
import { CommandError } from "../lib/command-error.ts";
import { newPublicId } from "../lib/ids.ts";
import { toInstant } from "../lib/instant.ts";
import { parseTimeZone } from "../lib/time-zone.ts";
import { listOrganizationIds } from "../organizations/repository.ts";
import { writeRecordedFile } from "../practice-file/import-command.ts";
import { InvalidFile } from "../practice-file/import-state.ts";
import type { Line } from "../practice-file/lines.ts";
import { Mistakes } from "../practice-file/mistakes.ts";
import { readPracticeFile } from "../practice-file/read-file.ts";
import type { CommandContext } from "./context.ts";
import { closing, openMigrated } from "./database.ts";
import { LOST_LINK } from "./invite.ts";
import { failIfUnprinted } from "./standard-output.ts";

interface Beginning {
  name: string;
  timezone: string;
  admin: { firstName: string; lastName: string };
  location: string | undefined;
  origin: string | undefined;
}

export function command(context: CommandContext) {
  return new Command("begin")
    .description(
      "make a practice in an empty database, and print a link with which its administrator registers a passkey",
    )
    .requiredOption("--name <text>", "the name of the practice", textArgument)
    .requiredOption("--timezone <zone>", "such as America/Denver", zoneArgument)
    .requiredOption("--admin <name>", "first and last name of the administrator", nameArgument)
    .option("--location <text>", "the name of its first location (default: its own)", textArgument)
    .option("--origin <url>", "where browsers open the page, as in serve (or ORIGIN)")
    .action(async ({ name, timezone, admin, location, origin }) => {
      const at = pageOrigin(origin, context.environment);
      const beginning = { name, timezone, admin, location, origin: at };
      failIfUnprinted(context, LOST_LINK);
      await beginCommand(context, beginning);
    });
}

function textArgument(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return text.trim();
}

function zoneArgument(text: string): string {
  const zone = parseTimeZone(text);
  if (zone === undefined)
    throw new InvalidArgumentError("It must be an IANA time zone, such as America/Denver.");
  return zone;
}

/** The last word is the last name, unless a comma says otherwise. */
function nameArgument(text: string): Beginning["admin"] {
  const [, lastFirst, firstLast] = /^([^,]+),(.+)$/.exec(text) ?? [];
  const [, first, last] = /^(.+)\s(\S+)$/.exec(text.trim()) ?? [];
  const firstName = (firstLast ?? first ?? "").trim();
  const lastName = (lastFirst ?? last ?? "").trim();
  if (firstName === "" || lastName === "")
    throw new InvalidArgumentError('It must be a first and a last name: "Tara Begaye".');
  return { firstName, lastName };
}

/** Makes a practice with a location, the stages of leads and an administrator, and invites that person. */
async function beginCommand(context: CommandContext, beginning: Beginning): Promise<void> {
  const { clock, operator, output } = context;
  const now = toInstant(clock.now());
  const ids = {
    organization: newPublicId("org_", clock.now()),
    admin: newPublicId("usr_", clock.now()),
  };
  const database = await openMigrated(context);
  await closing(database, async () => {
    const mistakes = new Mistakes(true);
    const file = await readPracticeFile(linesOf(beginning, ids, clock.now()), { mistakes });
    if (file === undefined) throw new Error("The first line is no organization");
    const organizationId = ids.organization;
    const options = { now, operator, name: "begin" };
    const { url, expiresAt } = await database
      .write(
        async (trx) => {
          const [existing] = await listOrganizationIds(trx);
          if (existing !== undefined)
            throw new CommandError(
              `The database has a practice, ${existing}. caseload invite makes a link for one of its people.`,
            );
          await writeRecordedFile(trx, file, options);
          const userId = ids.admin;
          const origin = beginning.origin ?? "";
          const act = { organizationId, command: "invite", operator, time: now, target: userId };
          await recordCommand(trx, act);
          return invite(trx, { organizationId, userId, origin }, now);
        },
        { organizationId },
      )
      .catch((error: unknown) => {
        if (!(error instanceof InvalidFile)) throw error;
        throw new CommandError(error.mistakes.report("begin").join("\n"));
      });
    output.message(`Made the practice ${organizationId}, ${beginning.name}.`);
    output.result(url);
    if (beginning.origin === undefined)
      output.message(
        "Put the address of the page in front of it, such as http://localhost:3000 or https://caseload.example, or give --origin.",
      );
    output.message(
      `The link registers a passkey of ${beginning.admin.firstName} ${beginning.admin.lastName} once, until ${expiresAt}. It is not stored.`,
    );
  });
}

/** What the stages of leads are called. */
const STAGES: Record<(typeof intakeStageKeys)[number], string> = {
  LEAD: "New lead",
  WAITLIST: "Waiting list",
  VERIFIED_BENEFITS: "Benefits verified",
  AUTH_REQUESTED: "Authorization requested",
  AUTH_APPROVED: "Authorization approved",
  ASSESSMENT_SCHEDULED: "Assessment scheduled",
  THERAPY_SCHEDULED: "Therapy scheduled",
  ACTIVE: "Active",
  INACTIVE: "Inactive",
  SERVICES_PAUSED: "Services paused",
  DISCHARGED: "Discharged",
  ARCHIVED: "Archived",
};

async function* linesOf(
  { name, timezone, admin, location = name }: Beginning,
  ids: { organization: string; admin: string },
  now: number,
): AsyncGenerator<Line> {
  const records = [
    { type: "organization", publicId: ids.organization, name, timezone },
    { type: "location", publicId: newPublicId("loc_", now), name: location },
    ...intakeStageKeys.map((key, index) => ({
      ...{ type: "intakeStage", publicId: newPublicId("stage_", now), key },
      ...{ name: STAGES[key], position: index + 1 },
    })),
    { type: "user", publicId: ids.admin, role: "ADMIN", ...admin },
  ];
  for (const [index, input] of records.entries()) yield { number: index + 1, input, problems: [] };
}
