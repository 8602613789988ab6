import type { Database, Db } from "../../db/database.ts";
import { organizationExists } from "../access/repository.ts";
import { recordCommandAlone } from "../audit/trail.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { noSuchOrganization, CommandError } from "../lib/command-error.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import { listAuthorizationsByNumber, organizationsWith } from "../utilization/repository.ts";
import {
  authorizedUnits,
  findScope,
  readCommittedUtilization,
  readLedger,
} from "../utilization/service.ts";
import type { Output } from "./output.ts";
import { rethrowAsCommandError } from "./errors.ts";
import { ledgerLines, utilizationLines, type UtilizationReport } from "./utilization-report.ts";

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
    }).catch(rethrowAsCommandError);
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

/** An authorization or a pool, and its organization. */
interface Subject {
  organizationId: string;
  publicId: string;
}

/**
 * Finds the authorization or pool with an id, or else the only authorization with that number.
 *
 * @throws CommandError if there is none, or if there are several.
 */
export async function findSubject(db: Db, id: string, asked: string | undefined): Promise<Subject> {
  const organizations = await organizationsWith(db, id);
  const byId = organizations.map((organizationId) => ({ organizationId, publicId: id }));
  const named = byId.length > 0 ? byId : await listAuthorizationsByNumber(db, id);
  const subjects = named.filter((one) => asked === undefined || one.organizationId === asked);
  const [only, ...others] = subjects;
  if (only === undefined) {
    if (asked === undefined)
      throw new CommandError(
        `There is no authorization or pool ${id}; "caseload utilization --overview" lists the current ones.`,
      );
    if (!(await organizationExists(db, asked))) throw noSuchOrganization(asked);
    throw new CommandError(`The organization ${asked} has no authorization or pool ${id}.`);
  }
  if (others.length === 0) return only;
  if (byId.length > 0)
    throw new CommandError(
      `Several organizations have ${id}: ${organizations.join(", ")}. Name one with --organization.`,
    );
  const ids = subjects.map(({ organizationId, publicId }) => `${publicId} of ${organizationId}`);
  throw new CommandError(
    `Several authorizations have the number ${id}: ${ids.join(", ")}. Give the id of one.`,
  );
}
