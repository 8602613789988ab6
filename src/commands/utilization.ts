import { Command, Option } from "@commander-js/extra-typings";
import { ConfigurationError } from "../config.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import { toInstant } from "../lib/instant.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { findScope, readCommittedUtilization, readLedger } from "../utilization/service.ts";
import {
  dateArgument,
  listArgument,
  sessionsArgument,
  shareArgument,
  timeZoneArgument,
} from "./arguments.ts";
import type { CommandContext, DatabaseContext } from "./context.ts";
import { onDatabase } from "./database.ts";
import { rethrowAsCommandError } from "./errors.ts";
import { record } from "./recording.ts";
import { findSubject } from "./subject.ts";
import { overviewCommand } from "./utilization-overview.ts";
import { ledgerLines, utilizationLines, type UtilizationReport } from "./utilization-report.ts";
import { whatIfCommand } from "./utilization-what-if.ts";

export function command(context: CommandContext) {
  return new Command("utilization")
    .argument("[id]")
    .description("print the units of an authorization or pool by period, an overview, or a what-if")
    .option("--organization <id>", "needed if several organizations have the id")
    .option("--timezone <zone>", "IANA time zone; the patient's unless given", timeZoneArgument)
    .option("--start <date>", "first day of the window", dateArgument)
    .option("--end <date>", "last day of the window", dateArgument)
    .option("--explain", "list every session and encounter, and why it counts or not")
    .addOption(
      new Option(
        "--overview",
        "all current authorizations and pools, highest share first",
      ).conflicts(["start", "end", "explain", "add", "cancel"]),
    )
    .option("--date <date>", "with --overview: the day; today unless given", dateArgument)
    .option("--min-share <number>", "with --overview: minimum share, such as 0.85", shareArgument)
    .addOption(
      new Option("--add <start/end>", "what if this session were booked; may be repeated")
        .argParser(sessionsArgument)
        .conflicts(["start", "end", "explain"]),
    )
    .addOption(
      new Option("--cancel <session>", "what if this session were cancelled; may be repeated")
        .argParser(listArgument)
        .conflicts(["start", "end", "explain"]),
    )
    .option("--json", "as JSON")
    .action((publicId, flags) => {
      const { organization: organizationId, overview = false, date, minShare, ...rest } = flags;
      const { start, end, add, cancel, ...common } = rest;
      const isOverview = publicId === undefined;
      if (overview !== isOverview) throw new ConfigurationError("give either an id or --overview");
      if (!isOverview && (date !== undefined || minShare !== undefined))
        throw new ConfigurationError("--date and --min-share go with --overview");
      const options = { ...common, organizationId, width: context.stdout.columns };
      if (isOverview) return onDatabase(context, overviewCommand)({ ...options, date, minShare });
      if (add !== undefined || cancel !== undefined)
        return onDatabase(context, whatIfCommand)({ ...options, publicId, add, cancel });
      const window = { startDate: start, endDate: end };
      return onDatabase(context, utilizationCommand)({ ...options, ...window, publicId });
    });
}

export interface UtilizationOptions {
  /** The id of an authorization or pool; or an authorization's number, if unique. */
  publicId: string;
  /** Required if several organizations have the id. */
  organizationId?: string | undefined;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  timezone?: TimeZone | undefined;
  /** Adds the ledger: all sessions and encounters, and how they count. */
  explain?: boolean | undefined;
  json?: boolean | undefined;
  /** Width of the terminal, in columns. */
  width?: number | undefined;
}

/**
 * Prints the response of the utilization endpoint with the authorized units and, on request, the records behind each
 * number.
 *
 * @throws CommandError for an unknown or ambiguous id; for dates out of order; and if neither the patient nor the
 * command has a time zone.
 */
export async function utilizationCommand(
  context: DatabaseContext,
  {
    organizationId,
    publicId: id,
    explain = false,
    json = false,
    width,
    ...query
  }: UtilizationOptions,
): Promise<void> {
  const { database, clock, output } = context;
  const { report, patientId } = await database.read(async (db) => {
    const scope = await findScope(db, {
      ...(await findSubject(db, id, organizationId)),
      ...query,
      now: toInstant(clock.now()),
    }).catch(rethrowAsCommandError);
    const report: UtilizationReport = {
      ...(await readCommittedUtilization(db, scope)),
      organizationId: scope.request.organizationId,
      unitFrequency: scope.subject.unitFrequency,
      authorizedUnits: scope.subject.unitsAuthorized,
      ...(explain && { ledger: [...(await readLedger(db, scope))] }),
    };
    return { report, patientId: scope.subject.patientId };
  });
  await record(context, {
    organizationId: report.organizationId,
    command: "utilization",
    patientIds: [patientId],
    target: report.publicId,
  });
  if (json) return output.result(JSON.stringify(report, null, 2));
  for (const line of utilizationLines(report, width)) output.result(line);
  for (const line of ledgerLines(report)) output.result(line);
}
