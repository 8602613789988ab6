import { CommandError } from "../lib/command-error.ts";
import { InvalidInput } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import type { WhatIf, WhatIfPeriod } from "../utilization/models/what-if.ts";
import { readWhatIf } from "../utilization/what-if-service.ts";
import type { DatabaseContext } from "./context.ts";
import { rethrowAsCommandError } from "./errors.ts";
import { tableOf } from "./output.ts";
import { record } from "./recording.ts";
import { findSubject } from "./subject.ts";
import { range } from "./utilization-report.ts";

export interface WhatIfOptions {
  /** An authorization's id; or its number, if unique. */
  publicId: string;
  /** Required if several organizations have the id. */
  organizationId?: string | undefined;
  timezone?: TimeZone | undefined;
  add?: { startTime: Instant; endTime: Instant }[] | undefined;
  cancel?: string[] | undefined;
  json?: boolean | undefined;
}

/**
 * Prints the utilization of an authorization if sessions were added or cancelled. Nothing is booked.
 *
 * @throws CommandError if the id is unknown, ambiguous or not an authorization's; for a session of another
 * authorization; and if neither the patient nor the command has a time zone.
 */
export async function whatIfCommand(
  context: DatabaseContext,
  { publicId: id, organizationId: organization, json = false, ...question }: WhatIfOptions,
): Promise<void> {
  const { database, output } = context;
  const { organizationId, publicId, whatIf, patientId } = await database.read(async (db) => {
    const subject = await findSubject(db, id, organization);
    const response = await readWhatIf(db, { ...subject, ...question }).catch((error) =>
      rethrowSessionError(error, question.cancel ?? []),
    );
    return { ...subject, ...response };
  });
  const act = { organizationId, command: "utilization", target: publicId };
  await record(context, { ...act, patientIds: [patientId] });
  if (json) return output.result(JSON.stringify({ organizationId, ...whatIf }, null, 2));
  for (const line of whatIfLines(whatIf, question.add ?? [])) output.result(line);
}

/** Rethrows an error about a session with the flag's name; others like `rethrowAsCommandError`. */
function rethrowSessionError(error: unknown, cancel: readonly string[]): never {
  const [issue] = error instanceof InvalidInput ? error.issues : [];
  const [list, place] = issue?.path ?? [];
  if (list === "cancel" && typeof place === "number")
    throw new CommandError(`--cancel ${cancel[place]}: it is not a session of this authorization.`);
  return rethrowAsCommandError(error);
}

function whatIfLines(whatIf: WhatIf, add: readonly { startTime: Instant }[]): string[] {
  const { authorizationPublicId, poolPublicId, timezone, fits, outside } = whatIf;
  return [
    fits ? "It fits." : "It does not fit.",
    ...outside.map((place) => `Starts outside the authorization: ${add[place]?.startTime}`),
    "",
    `Authorization ${authorizationPublicId}, days in ${timezone}`,
    ...periodLines(whatIf.periods),
    ...(whatIf.poolPeriods === null
      ? []
      : ["", `Pool ${poolPublicId}`, ...periodLines(whatIf.poolPeriods)]),
  ];
}

/** Current and resulting units, in relation to the authorized ones. */
function periodLines(periods: readonly WhatIfPeriod[]): string[] {
  if (periods.length === 0) return ["No period is affected."];
  return tableOf(periods, {
    PERIOD: range,
    AUTHORIZED: ({ unitsAuthorized }) => unitsAuthorized ?? "no limit",
    NOW: ({ unitsCommitted }) => unitsCommitted,
    AFTER: ({ unitsAfter }) => unitsAfter,
    OVER: ({ unitsOver }) => unitsOver || "",
  });
}
