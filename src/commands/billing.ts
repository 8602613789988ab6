import { Command, Option } from "@commander-js/extra-typings";
import { BillingLine } from "../billing/model.ts";
import { problems } from "../billing/problems.ts";
import { handedOverNames } from "../billing/line.ts";
import { type BillingLines, type BillingRequest, readBillingLines } from "../billing/service.ts";
import { batchSheet, columnsOf, columnsOfBatch, spreadsheetOf } from "../billing/spreadsheet.ts";
import { type LineState, stateNames } from "../billing/states.ts";
import { ConfigurationError } from "../config.ts";
import type { Db } from "../../db/database.ts";
import { CommandError } from "../lib/command-error.ts";
import { csvRow } from "../lib/csv.ts";
import { toInstant } from "../lib/instant.ts";
import { patientsOf } from "../lib/patients.ts";
import { writeRecordedFile } from "../practice-file/import-command.ts";
import { InvalidFile } from "../practice-file/import-state.ts";
import { linesOf } from "../practice-file/lines.ts";
import { Mistakes } from "../practice-file/mistakes.ts";
import { readPracticeFile } from "../practice-file/read-file.ts";
import { batchArgument, dateArgument, problemsArgument, statesArgument } from "./arguments.ts";
import type { CommandContext, DatabaseContext, FlagsOf } from "./context.ts";
import { onDatabase } from "./database.ts";
import { rethrowWindowError } from "./errors.ts";
import { organizationOf } from "./organization.ts";
import { tableOf } from "./output.ts";
import { readRecorded } from "./recording.ts";
import { failIfUnprinted } from "./standard-output.ts";

const declared = () =>
  new Command("billing")
    .description("print billing lines, one for each encounter, and hand them over")
    .option("--organization <id>", "needed if there are several organizations")
    .option("--start <date>", "first day; 90 days before today unless given", dateArgument)
    .option("--end <date>", "last day; today unless given", dateArgument)
    .option("--payor <id>", "only lines of this payor")
    .option("--patient <id>", "only lines of this patient")
    .option("--provider <id>", "only lines of sessions that this person delivered")
    .option("--state <name>", `one of ${stateNames.join(", ")}, or several`, statesArgument)
    .option(
      "--problem <name>",
      "only lines with this problem, or with any of several",
      problemsArgument,
    )
    .option("--batch <name>", "only lines with a hand-over of this batch; of all days")
    .option("--as-billed", "with --batch: what was handed over in it, as CSV")
    .option("--json", "as JSON")
    .addOption(new Option("--csv", "as CSV, for a spreadsheet").conflicts("json"))
    .option(
      "--bill <batch>",
      "print the lines that are READY, and hand them over in this batch",
      batchArgument,
    )
    .option("--with-problems", "with --bill: also the lines that are PROBLEM");

export type BillingFlags = FlagsOf<typeof declared>;

export const command = (context: CommandContext) =>
  declared().action(async (flags) => {
    if (flags.bill !== undefined)
      failIfUnprinted(
        context,
        `what was handed over is printed by: caseload billing --batch ${JSON.stringify(flags.bill)} --as-billed`,
      );
    await onDatabase(context, billingCommand)(flags);
  });

/** What is printed. */
interface Report extends Pick<BillingLines, "window" | "totals" | "batches"> {
  data: BillingLine[];
}

/**
 * Prints all lines of the endpoint, and with `bill` hands them over, in the transaction in which they were read.
 *
 * @throws ConfigurationError for flags that do not go together.
 * @throws CommandError for an unknown organization; if there are several and none is given; for an invalid window.
 */
export async function billingCommand(
  context: DatabaseContext,
  { asBilled, ...given }: BillingFlags,
): Promise<void> {
  if (asBilled === true) return printBatch(context, given);
  const { organization, json, csv, ...flags } = given;
  const { output } = context;
  const { bill, start, end, payor, patient, provider, problem, batch } = flags;
  const filter = {
    ...{ startDate: start, endDate: end, payorId: payor, patientId: patient },
    ...{ providerId: provider, problems: problem, batch, states: statesOf(flags) },
  };
  const report =
    bill === undefined
      ? await readRecorded(
          context,
          { command: "billing", organization },
          (db, about) => readReport(db, { ...about, ...filter }),
          ({ data }) => patientsOf(data),
        )
      : await billed(context, { organization, filter, bill });
  const { window, totals, batches, data } = report;
  if (json) return output.result(JSON.stringify({ ...window, totals, batches, data }, null, 2));
  const columns = bill === undefined ? columnsOf : columnsOfBatch;
  const lines = csv
    ? spreadsheetOf(columns(BillingLine.properties), data).map(csvRow)
    : tableLines(report);
  for (const line of lines) output.result(line);
}

/** Prints what was handed over in a batch, in the same bytes whenever it is asked for. */
async function printBatch(
  context: DatabaseContext,
  { organization, batch, csv: _, ...others }: BillingFlags,
): Promise<void> {
  const isFiltered = Object.values(others).some((value) => value !== undefined);
  if (batch === undefined || isFiltered)
    throw new ConfigurationError("--as-billed needs --batch, and stands beside no other filter.");
  const { data } = await readRecorded(
    context,
    { command: "billing", organization },
    (db, about) => readReport(db, { ...about, batch, isWhole: true }),
    (report) => patientsOf(report.data),
  );
  if (data.length === 0) throw new CommandError(`There is no batch ${batch}.`);
  const columns = columnsOfBatch(BillingLine.properties);
  for (const row of batchSheet(columns, batch, data)) context.output.result(csvRow(row));
}

/** The states of the lines that are printed: with `bill` those that it hands over. */
function statesOf({ bill, withProblems, state }: BillingFlags): readonly LineState[] | undefined {
  if (bill === undefined) {
    if (withProblems) throw new ConfigurationError("--with-problems needs --bill.");
    return state;
  }
  const marked: LineState[] = withProblems ? ["READY", "PROBLEM"] : ["READY"];
  if (state !== undefined && state.join() !== marked.join())
    throw new ConfigurationError(
      `--bill hands over lines that are ${marked.join(" or ")}; leave out --state.`,
    );
  return marked;
}

async function readReport(db: Db, request: BillingRequest): Promise<Report> {
  const lines = await readBillingLines(db, request).catch(rethrowWindowError);
  const { window, totals, batches, count } = lines;
  return { window, totals, batches, data: await lines.slice(0, count) };
}

/** Reads lines and hands them over, as an import would, in one transaction. */
async function billed(
  { database, clock, operator }: DatabaseContext,
  asked: {
    organization: string | undefined;
    filter: Omit<BillingRequest, "organizationId" | "now">;
    bill: string;
  },
): Promise<Report> {
  const { organization, filter, bill } = asked;
  const now = toInstant(clock.now());
  const organizationId = await database.read((db) => organizationOf(db, organization));
  return database.write(
    async (trx) => {
      const report = await readReport(trx, { organizationId, now, ...filter });
      if (report.data.length === 0) return report;
      const lines = [
        { type: "organization", publicId: organizationId },
        ...report.data.map((line) => ({
          ...{ type: "encounter", publicId: line.encounterId },
          billed: [{ batch: bill, line: handedOver(line) }],
        })),
      ];
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      const mistakes = new Mistakes(true);
      const file = await readPracticeFile(linesOf([Buffer.from(text)]), { mistakes });
      if (file === undefined) throw new InvalidFile(mistakes);
      await writeRecordedFile(trx, file, { now, operator }).catch(rethrowMistakes);
      return report;
    },
    { organizationId, isLong: true },
  );
}

function handedOver(line: BillingLine): object {
  return Object.fromEntries(handedOverNames.map((name) => [name, line[name]]));
}

/** A record that was stored before some rule came cannot be written as it is. */
function rethrowMistakes(error: unknown): never {
  if (!(error instanceof InvalidFile)) throw error;
  const [first = ""] = error.mistakes.report("lines");
  throw new CommandError(`${first}. Nothing was handed over.`);
}

function tableLines({ window, data }: Report): string[] {
  if (data.length === 0) return [`No lines from ${window.startDate} to ${window.endDate}.`];
  return tableOf(data, {
    DATE: ({ date }) => date,
    PATIENT: ({ patientFirstName, patientLastName }) => `${patientFirstName} ${patientLastName}`,
    SERVICE: ({ code, modifiers, serviceLineName }) =>
      [code ?? serviceLineName, ...modifiers].join(" "),
    UNITS: ({ units }) => units,
    PAYOR: ({ payorName }) => payorName,
    STATE: ({ state }) => state,
    PROBLEMS: ({ problems: names }) =>
      names.map((name) => problems[name].toLowerCase().replace("npi", "NPI")).join(", "),
  });
}
