import type { Database } from "../../db/database.ts";
import { recordCommandAlone } from "../audit/trail.ts";
import type { CheckName } from "../checks/checks.ts";
import type { Finding } from "../checks/model.ts";
import { readChecks, showFindings } from "../checks/service.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { CommandError } from "../lib/command-error.ts";
import { organizationOf } from "./organization.ts";
import { type Output, tableLines } from "./output.ts";
import { rethrowWindowError } from "./errors.ts";

export interface ChecksOptions {
  /** Required if there are several organizations. */
  organizationId?: string | undefined;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  /** Default: all. */
  checks?: readonly CheckName[] | undefined;
  patientId?: string | undefined;
  /** The API's response, without pagination. */
  json?: boolean | undefined;
  /** Fail if there are findings, for use of the exit status. */
  fail?: boolean | undefined;
}

/**
 * Prints all findings of the checks endpoint.
 *
 * @throws CommandError for an unknown organization; if there are several and none is given; for an invalid window; and,
 * with `fail`, if there are findings, after printing them.
 */
export async function checksCommand(
  {
    database,
    clock,
    operator,
    output,
  }: { database: Database; clock: Clock; operator: string; output: Output },
  { organizationId: asked, json = false, fail = false, ...query }: ChecksOptions,
): Promise<void> {
  const now = toInstant(clock.now());
  const { organizationId, report, patientIds } = await database.read(async (db) => {
    const organizationId = await organizationOf(db, asked);
    const { window, totals, findings } = await readChecks(db, {
      ...{ organizationId, now },
      ...query,
    }).catch(rethrowWindowError);
    const { data, patientIds } = await showFindings(db, organizationId, findings);
    return { organizationId, patientIds, report: { ...window, totals, data } };
  });
  await recordCommandAlone(database, {
    ...{ organizationId, command: "checks", operator },
    ...{ time: now, patientIds },
  });
  const { data, startDate, endDate } = report;
  if (json) output.result(JSON.stringify(report, null, 2));
  else if (data.length === 0)
    output.result(`Nothing needs attention from ${startDate} to ${endDate}.`);
  else for (const line of findingLines(data)) output.result(line);
  if (fail && data.length > 0)
    throw new CommandError(
      `${data.length} finding${data.length === 1 ? "" : "s"} from ${startDate} to ${endDate}.`,
    );
}

/**
 * One line per finding:
 *
 *     DATE        CHECK             PATIENT   PROVIDER  FINDING
 *     2026-03-12  NO_AUTHORIZATION  Leo Park  Ana Ruiz  A billable session of 4 units on 2026-03-12 has …
 */
function findingLines(findings: readonly Finding[]): string[] {
  return tableLines(
    ["DATE", "CHECK", "PATIENT", "PROVIDER", "FINDING"],
    findings.map((finding) => [
      finding.date,
      finding.check,
      nameOf(finding.patientFirstName, finding.patientLastName),
      nameOf(finding.providerFirstName, finding.providerLastName),
      finding.message,
    ]),
  );
}

function nameOf(firstName: string | null, lastName: string | null): string {
  return [firstName, lastName].filter((name) => name !== null).join(" ");
}
