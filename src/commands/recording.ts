import type { Db } from "../../db/database.ts";
import { type CommandAct, recordCommand, recordCommandAlone } from "../audit/trail.ts";
import { type Instant, toInstant } from "../lib/instant.ts";
import type { DatabaseContext } from "./context.ts";
import { organizationOf } from "./organization.ts";

/** A command in the audit trail. Without an organization, it concerns none, or all. */
type Act = Omit<CommandAct, "operator" | "time"> & { time?: Instant };

/** Records a command in the audit trail, at this time unless another is given, in a transaction of its own. */
export function record(
  { database, clock, operator }: DatabaseContext,
  act: Omit<Act, "organizationId"> & { organizationId?: string },
): Promise<void> {
  const time = toInstant(clock.now());
  return recordCommandAlone(database, { organizationId: "", operator, time, ...act });
}

/**
 * Reads a report on an organization, the only one unless it is named, and then records the command.
 *
 * @param patientsIn whose data the report has.
 * @throws the errors of `organizationOf`.
 */
export async function readRecorded<Report>(
  context: DatabaseContext,
  { command, organization }: { command: string; organization: string | undefined },
  read: (db: Db, about: { organizationId: string; now: Instant }) => Promise<Report>,
  patientsIn: (report: Report) => readonly string[] = () => [],
): Promise<Report> {
  const now = toInstant(context.clock.now());
  const { organizationId, report } = await context.database.read(async (db) => {
    const organizationId = await organizationOf(db, organization);
    return { organizationId, report: await read(db, { organizationId, now }) };
  });
  await record(context, { organizationId, command, patientIds: patientsIn(report) });
  return report;
}

/**
 * Writes to an organization, and records the command in the same transaction.
 *
 * @param detailsOf what the audit trail says of the result.
 */
export function writeRecorded<Result>(
  { database, clock, operator }: DatabaseContext,
  act: Act,
  work: (trx: Db, time: Instant) => Promise<Result>,
  detailsOf: (result: Result) => Pick<Act, "keyId" | "target"> = () => ({}),
): Promise<Result> {
  const { organizationId } = act;
  const time = toInstant(clock.now());
  return database.write(
    async (trx) => {
      const result = await work(trx, time);
      await recordCommand(trx, { operator, time, ...act, ...detailsOf(result) });
      return result;
    },
    { organizationId },
  );
}
