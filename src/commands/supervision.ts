import { Command } from "@commander-js/extra-typings";
import { CommandError } from "../lib/command-error.ts";
import type { SupervisionEntry } from "../supervision/model.ts";
import { readSupervision } from "../supervision/service.ts";
import { monthArgument, shareOfOneArgument } from "./arguments.ts";
import type { CommandContext, DatabaseContext, FlagsOf } from "./context.ts";
import { onDatabase } from "./database.ts";
import { countOf, tableOf } from "./output.ts";
import { readRecorded } from "./recording.ts";

const declared = () =>
  new Command("supervision")
    .description("print how much technicians are supervised in a month, and what is to be booked")
    .option("--organization <id>", "needed if there are several organizations")
    .option("--month <month>", "such as 2027-01; this month unless given", monthArgument)
    .option(
      "--required-share <share>",
      "supervised share of the hours; 0.05 unless given",
      shareOfOneArgument,
    )
    .option("--json", "as JSON")
    .option("--fail", "exit with status 1 if somebody is short");

export type SupervisionFlags = FlagsOf<typeof declared>;

export const command = (context: CommandContext) =>
  declared().action(onDatabase(context, supervisionCommand));

/**
 * Prints all entries of the supervision endpoint.
 *
 * @throws CommandError for an unknown organization; if there are several and none is given; and, with `fail`, if
 * somebody is short, after printing.
 */
export async function supervisionCommand(
  context: DatabaseContext,
  { organization, json, fail, ...query }: SupervisionFlags,
): Promise<void> {
  const { output } = context;
  const command = { command: "supervision", organization };
  const report = await readRecorded(context, command, (db, about) =>
    readSupervision(db, { ...about, ...query }),
  );
  const { month, data, totals } = report;
  if (json) output.result(JSON.stringify(report, null, 2));
  else if (data.length === 0) output.result(`There are no technicians in ${month}.`);
  else for (const line of entryLines(data)) output.result(line);
  if (fail && totals.SHORT > 0)
    throw new CommandError(
      `${totals.SHORT} technician${totals.SHORT === 1 ? " lacks" : "s lack"} supervision in ${month}.`,
    );
}

/**
 * One line per technician, with delivered and booked hours and contacts:
 *
 *     TECHNICIAN  STATE  SERVICE        SUPERVISED   SHARE         CONTACTS  OBSERVED  TO BOOK
 *     Ana Ruiz    SHORT  32.50 / 40.00  1.00 / 1.00  3.08% / 2.50%  1 / 1     1 / 1     1.00 hours, 1 contact
 */
function entryLines(entries: readonly SupervisionEntry[]): string[] {
  return tableOf(entries, {
    TECHNICIAN: (entry) => `${entry.technicianFirstName} ${entry.technicianLastName}`,
    STATE: (entry) => entry.state,
    SERVICE: (entry) => `${entry.hoursDelivered.toFixed(2)} / ${entry.hoursBooked.toFixed(2)}`,
    SUPERVISED: (entry) =>
      `${entry.supervisedDelivered.toFixed(2)} / ${entry.supervisedBooked.toFixed(2)}`,
    SHARE: (entry) => `${percent(entry.shareDelivered)} / ${percent(entry.shareBooked)}`,
    CONTACTS: (entry) => `${entry.contactsDelivered} / ${entry.contactsBooked}`,
    OBSERVED: (entry) => `${entry.observedDelivered} / ${entry.observedBooked}`,
    "TO BOOK": neededText,
  });
}

function percent(share: number | null): string {
  return share === null ? "-" : `${(share * 100).toFixed(2)}%`;
}

function neededText({ hoursNeeded, contactsNeeded, observationNeeded }: SupervisionEntry): string {
  return [
    hoursNeeded > 0 ? `${hoursNeeded.toFixed(2)} hours` : "",
    contactsNeeded > 0 ? countOf(contactsNeeded, "contact") : "",
    observationNeeded ? "one with a client" : "",
  ]
    .filter((text) => text !== "")
    .join(", ");
}
