import type { Database, Db } from "../../db/database.ts";
import { organizationExists } from "../access/repository.ts";
import { recordCommandAlone } from "../audit/recording.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { noSuchOrganization, Refused } from "../lib/refused.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { listAuthorizationsByNumber, organizationsWith } from "../utilization/repository.ts";
import {
  authorizedUnits,
  findScope,
  readCommittedUtilization,
  readLedger,
} from "../utilization/service.ts";
import type { Output } from "./output.ts";
import { refuseInWords } from "./refusals.ts";
import { ledgerLines, utilizationLines, type UtilizationReport } from "./utilization-report.ts";

export interface UtilizationOptions {
  /** Of an authorization or a pool; or the number of an authorization, where just one has it. */
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
  {
    organizationId,
    publicId: id,
    explain = false,
    json = false,
    width,
    ...query
  }: UtilizationOptions,
): Promise<void> {
  const time = toInstant(clock.now());
  const { report, patientId } = await database.read(async (db) => {
    const scope = await findScope(db, {
      ...(await findSubject(db, id, organizationId)),
      ...query,
      now: time,
    }).catch(refuseInWords);
    const report: UtilizationReport = {
      ...(await readCommittedUtilization(db, scope)),
      organizationId: scope.request.organizationId,
      unitFrequency: scope.subject.unitFrequency,
      authorizedUnits: authorizedUnits(scope.subject),
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
    target: report.publicId,
  });
  if (json) return output.result(JSON.stringify(report, null, 2));
  for (const line of utilizationLines(report, width)) output.result(line);
  for (const line of ledgerLines(report)) output.result(line);
}

/** An authorization or a pool, and whose it is. */
interface Subject {
  organizationId: string;
  publicId: string;
}

/**
 * The authorization or the pool of an id, or else the one authorization that has it for its number.
 *
 * @throws Refused where there is none, and where there are several and the organization does not tell them apart.
 */
export async function findSubject(db: Db, id: string, asked: string | undefined): Promise<Subject> {
  const organizations = await organizationsWith(db, id);
  const byId = organizations.map((organizationId) => ({ organizationId, publicId: id }));
  const named = byId.length > 0 ? byId : await listAuthorizationsByNumber(db, id);
  const subjects = named.filter((one) => asked === undefined || one.organizationId === asked);
  const [only, ...others] = subjects;
  if (only === undefined) {
    if (asked === undefined)
      throw new Refused(
        `There is no authorization or pool ${id}; the users list of the API shows each patient's.`,
      );
    if (!(await organizationExists(db, asked))) throw noSuchOrganization(asked);
    throw new Refused(`The organization ${asked} has no authorization or pool ${id}.`);
  }
  if (others.length === 0) return only;
  if (byId.length > 0)
    throw new Refused(
      `Several organizations have ${id}: ${organizations.join(", ")}. Name one with --organization.`,
    );
  const ids = subjects.map(({ organizationId, publicId }) => `${publicId} of ${organizationId}`);
  throw new Refused(
    `Several authorizations have the number ${id}: ${ids.join(", ")}. Give the id of one.`,
  );
}
