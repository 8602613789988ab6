import { Command, Option } from "@commander-js/extra-typings";
import { DeliveryEntry } from "../delivery/model.ts";
import { type Delivery, readDelivery } from "../delivery/service.ts";
import { csvRow } from "../lib/csv.ts";
import { patientsOf } from "../lib/patients.ts";
import { sessionStatuses } from "../sessions/model.ts";
import { dateArgument, monthArgument } from "./arguments.ts";
import type { CommandContext, DatabaseContext, FlagsOf } from "./context.ts";
import { onDatabase } from "./database.ts";
import { rethrowWindowError } from "./errors.ts";
import { tableLines, tableOf } from "./output.ts";
import { readRecorded } from "./recording.ts";

const declared = () =>
  new Command("delivery")
    .description("print the units delivered in a month, by authorization")
    .option("--organization <id>", "needed if there are several organizations")
    .addOption(
      new Option("--month <month>", "such as 2027-01; last month unless given")
        .argParser(monthArgument)
        .conflicts(["start", "end"]),
    )
    .option("--start <date>", "first day", dateArgument)
    .option("--end <date>", "last day", dateArgument)
    .option("--payor <id>", "only this payor's authorizations")
    .option("--json", "as JSON")
    .addOption(new Option("--csv", "as CSV, for a spreadsheet").conflicts("json"));

export type DeliveryFlags = FlagsOf<typeof declared>;

export const command = (context: CommandContext) =>
  declared().action(onDatabase(context, deliveryCommand));

/**
 * Prints all entries of the delivery endpoint: what was delivered, by authorization.
 *
 * @throws CommandError for an unknown organization; if there are several and none is given; for an invalid window.
 */
export async function deliveryCommand(
  context: DatabaseContext,
  { organization, month, start, end, payor, json, csv }: DeliveryFlags,
): Promise<void> {
  const { output } = context;
  const days = month ?? { startDate: start, endDate: end };
  const delivery = await readRecorded(
    context,
    { command: "delivery", organization },
    (db, about) =>
      readDelivery(db, { ...about, payorId: payor, ...days }).catch(rethrowWindowError),
    ({ entries }) => patientsOf(entries),
  );
  const { window, totals, byPayor, entries } = delivery;
  if (json)
    return output.result(JSON.stringify({ ...window, totals, byPayor, data: entries }, null, 2));
  const lines = csv ? csvLines(entries) : deliveryLines(delivery);
  for (const line of lines) output.result(line);
}

/** One line per authorization and one with the totals; then one per payor, whose hours and visits are not added up. */
function deliveryLines({ window, totals, byPayor, entries }: Delivery): string[] {
  const { startDate, endDate } = window;
  if (entries.length === 0)
    return [`Nothing was booked or delivered from ${startDate} to ${endDate}.`];
  const rows = entries.map((entry) => [
    `${entry.patientFirstName} ${entry.patientLastName}`,
    entry.payorName ?? "",
    entry.authorizationNumber,
    entry.serviceLinePublicId,
    ...amounts(entry),
  ]);
  return [
    ...tableLines(
      ["PATIENT", "PAYOR", "NUMBER", "SERVICE", "ENCOUNTERS", "UNITS", "HOURS", "OUTSIDE"],
      [...rows, [`${startDate} to ${endDate}`, "", "", "", ...amounts(totals)]],
    ),
    "",
    ...tableOf(byPayor, {
      PAYOR: ({ payorName }) => payorName ?? "none",
      ENCOUNTERS: ({ encounters }) => encounters,
      HOURS: ({ hoursDelivered }) => hoursDelivered,
      VISITS: ({ visits }) => visits,
    }),
  ];
}

/** The total has no hours, which would leave out visits. */
function amounts(
  row: Delivery["totals"] & Partial<Pick<DeliveryEntry, "hoursDelivered">>,
): string[] {
  const { encounters, unitsDelivered, hoursDelivered, unitsOutside } = row;
  return [encounters, unitsDelivered, hoursDelivered ?? "", unitsOutside].map(String);
}

const COLUMNS = Object.keys(DeliveryEntry.properties).flatMap((name) =>
  name === "sessions" ? sessionStatuses.map((status) => `sessions.${status}`) : [name],
);

/** The entries as CSV, with one column per session status, such as `sessions.CONFIRMED`. */
function csvLines(entries: readonly DeliveryEntry[]): string[] {
  const rows = entries.map(({ sessions, ...entry }) => [
    ...Object.values(entry),
    ...sessionStatuses.map((status) => sessions[status]),
  ]);
  return [COLUMNS, ...rows].map(csvRow);
}
