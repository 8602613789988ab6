import type { Database } from "../../db/database.ts";
import { recordCommandAlone } from "../audit/recording.ts";
import type { CheckName } from "../checks/checks.ts";
import type { Finding } from "../checks/model.ts";
import { readChecks, showFindings } from "../checks/service.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { Refused } from "../lib/refused.ts";
import { organizationOf } from "./organization.ts";
import { type Output, tableLines } from "./output.ts";
import { refuseWindowInWords } from "./refusals.ts";

export interface ChecksOptions {
  /** Needed where there are several organizations. */
  organizationId?: string | undefined;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  /** All unless given. */
  checks?: readonly CheckName[] | undefined;
  patientId?: string | undefined;
  /** As the API answers it, without pages. */
  json?: boolean | undefined;
  /** Refuses where anything is found, so that the exit status tells. */
  fail?: boolean | undefined;
}

/**
 * Prints what needs somebody's attention: all findings of the checks endpoint.
 *
 * @throws Refused for an organization that there is not; where there are several and none is named; for a window out of
 * order or too long; and, with `fail`, where anything is found, after it is printed.
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
    }).catch(refuseWindowInWords);
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
    throw new Refused(
      `${data.length} finding${data.length === 1 ? "" : "s"} from ${startDate} to ${endDate}.`,
    );
}

/**
 * A line for each finding:
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
