import type { Database, Db } from "../../db/database.ts";
import { organizationExists } from "../access/repository.ts";
import { recordCommandAlone } from "../audit/recording.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { noSuchOrganization, Refused } from "../lib/refused.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { organizationsWith } from "../utilization/repository.ts";
import { findScope, readLedger, readUtilization } from "../utilization/service.ts";
import type { Output } from "./output.ts";
import { refuseInWords } from "./refusals.ts";
import { ledgerLines, utilizationLines, type UtilizationReport } from "./utilization-report.ts";

export interface UtilizationOptions {
  /** Of an authorization or a pool. */
  publicId: string;
  /** Needed where several organizations have the id. */
  organizationId?: string | undefined;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  timezone?: TimeZone | undefined;
  /** Adds the ledger: every session and encounter, and how it counts. */
  explain?: boolean | undefined;
  json?: boolean | undefined;
  /** Columns of the terminal. */
  width?: number | undefined;
}

/**
 * Prints what the utilization endpoint answers, beside the authorized units, and on request how each number
 * comes about.
 *
 * @throws Refused for an id that there is not, or that several organizations have; for dates out of order; and
 * where the patient has no time zone and none is given.
 */
export async function utilizationCommand(
  {
    database,
    clock,
    operator,
    output,
  }: { database: Database; clock: Clock; operator: string; output: Output },
  { organizationId, publicId, explain = false, json = false, width, ...query }: UtilizationOptions,
): Promise<void> {
  const time = toInstant(clock.now());
  const { report, patientId } = await database.read(async (db) => {
    const scope = await findScope(db, {
      organizationId: await organizationOf(db, publicId, organizationId),
      publicId,
      ...query,
      now: time,
    }).catch(refuseInWords);
    const report: UtilizationReport = {
      ...(await readUtilization(db, scope)),
      organizationId: scope.request.organizationId,
      unitFrequency: scope.subject.unitFrequency,
      authorizedUnits: scope.subject.isUnlimited === 1 ? null : scope.subject.authorizedUnits,
      ...(explain && { ledger: await readLedger(db, scope) }),
    };
    return { report, patientId: scope.subject.patientId };
  });
  await recordCommandAlone(database, {
    organizationId: report.organizationId,
    command: "utilization",
    operator,
    time,
    patientIds: [patientId],
    target: publicId,
  });
  if (json) return output.result(JSON.stringify(report, null, 2));
  for (const line of utilizationLines(report, width)) output.result(line);
  for (const line of ledgerLines(report)) output.result(line);
}

/**
 * The organization that has an authorization or a pool of the id.
 *
 * @throws Refused where none has, and where several have and none is named.
 */
export async function organizationOf(db: Db, publicId: string, asked: string | undefined) {
  const organizations = await organizationsWith(db, publicId);
  if (asked !== undefined) {
    if (organizations.includes(asked)) return asked;
    if (!(await organizationExists(db, asked))) throw noSuchOrganization(asked);
    throw new Refused(`The organization ${asked} has no authorization or pool ${publicId}.`);
  }
  const [only, ...others] = organizations;
  if (only === undefined)
    throw new Refused(
      `There is no authorization or pool ${publicId}; the users list of the API shows each patient's.`,
    );
  if (others.length > 0)
    throw new Refused(
      `Several organizations have ${publicId}: ${organizations.join(", ")}. Name one with --organization.`,
    );
  return only;
}
