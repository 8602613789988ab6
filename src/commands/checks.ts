import { Command } from "@commander-js/extra-typings";
import type { Finding } from "../checks/model.ts";
import { readChecks, showFindings } from "../checks/service.ts";
import { CommandError } from "../lib/command-error.ts";
import { checksArgument, dateArgument } from "./arguments.ts";
import type { CommandContext, DatabaseContext, FlagsOf } from "./context.ts";
import { onDatabase } from "./database.ts";
import { rethrowWindowError } from "./errors.ts";
import { countOf, tableOf } from "./output.ts";
import { readRecorded } from "./recording.ts";

const declared = () =>
  new Command("checks")
    .description(
      "print what needs attention: sessions outside their authorization, exceeded units, …",
    )
    .option("--organization <id>", "needed if there are several organizations")
    .option("--start <date>", "first day; 28 days before today unless given", dateArgument)
    .option("--end <date>", "last day; 28 days after today unless given", dateArgument)
    .option("--check <name>", "only this check, or several separated by commas", checksArgument)
    .option("--patient <id>", "only findings about this patient")
    .option("--json", "as JSON")
    .option("--fail", "exit with status 1 if there are findings");

export type ChecksFlags = FlagsOf<typeof declared>;

export const command = (context: CommandContext) =>
  declared().action(onDatabase(context, checksCommand));

/**
 * Prints all findings of the checks endpoint.
 *
 * @throws CommandError for an unknown organization; if there are several and none is given; for an invalid window; and,
 * with `fail`, if there are findings, after printing them.
 */
export async function checksCommand(
  context: DatabaseContext,
  { organization, start, end, check, patient, json, fail }: ChecksFlags,
): Promise<void> {
  const { output } = context;
  const query = { startDate: start, endDate: end, checks: check, patientId: patient };
  const { report } = await readRecorded(
    context,
    { command: "checks", organization },
    async (db, about) => {
      const reading = readChecks(db, { ...about, ...query });
      const { window, totals, count, page } = await reading.catch(rethrowWindowError);
      const data: Finding[] = [];
      const named = new Set<string>();
      for (let from = 0; from < count; from += FINDINGS_PER_PAGE) {
        const findings = await page(from, from + FINDINGS_PER_PAGE);
        const shown = await showFindings(db, about.organizationId, findings);
        data.push(...shown.data);
        for (const id of shown.patientIds) named.add(id);
      }
      return { patientIds: [...named], report: { ...window, totals, data } };
    },
    ({ patientIds }) => patientIds,
  );
  const { data, startDate, endDate } = report;
  if (json) output.result(JSON.stringify(report, null, 2));
  else if (data.length === 0)
    output.result(`Nothing needs attention from ${startDate} to ${endDate}.`);
  else for (const line of findingLines(data)) output.result(line);
  if (fail && data.length > 0)
    throw new CommandError(`${countOf(data.length, "finding")} from ${startDate} to ${endDate}.`);
}

/** Each page reads the sessions of its days, so that it has many findings. */
const FINDINGS_PER_PAGE = 5_000;

/**
 * One line per finding:
 *
 *     DATE        CHECK             PATIENT   PROVIDER  FINDING
 *     2026-03-12  NO_AUTHORIZATION  Leo Park  Ana Ruiz  A billable session of 4 units on 2026-03-12 has …
 */
function findingLines(findings: readonly Finding[]): string[] {
  return tableOf(findings, {
    DATE: ({ date }) => date,
    CHECK: ({ check }) => check,
    PATIENT: ({ patientFirstName, patientLastName }) => nameOf(patientFirstName, patientLastName),
    PROVIDER: ({ providerFirstName, providerLastName }) =>
      nameOf(providerFirstName, providerLastName),
    FINDING: ({ message }) => message,
  });
}

function nameOf(firstName: string | null, lastName: string | null): string {
  return [firstName, lastName].filter((name) => name !== null).join(" ");
}
