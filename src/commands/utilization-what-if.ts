import type { Database } from "../../db/database.ts";
import { recordCommandAlone } from "../audit/recording.ts";
import type { Clock } from "../lib/clock.ts";
import { InvalidInput } from "../lib/errors.ts";
import { type Instant, toInstant } from "../lib/instant.ts";
import { Refused } from "../lib/refused.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import type { WhatIf, WhatIfPeriod } from "../utilization/models/what-if.ts";
import { readWhatIf } from "../utilization/what-if-service.ts";
import { type Output, tableLines } from "./output.ts";
import { refuseInWords } from "./refusals.ts";
import { findSubject } from "./utilization.ts";
import { range } from "./utilization-report.ts";

export interface WhatIfOptions {
  /** Of an authorization, or its number where just one has it. */
  publicId: string;
  /** Needed where several organizations have the id. */
  organizationId?: string | undefined;
  timezone?: TimeZone | undefined;
  add?: { startTime: Instant; endTime: Instant }[] | undefined;
  cancel?: string[] | undefined;
  json?: boolean | undefined;
}

/**
 * Prints what becomes of an authorization with some sessions more and some fewer; nothing is booked.
 *
 * @throws Refused for an id that is none of an authorization, or that several organizations have; for a session that is
 * not the authorization's; and where the patient has no time zone and none is given.
 */
export async function whatIfCommand(
  {
    database,
    clock,
    operator,
    output,
  }: { database: Database; clock: Clock; operator: string; output: Output },
  { publicId: id, organizationId: asked, json = false, ...question }: WhatIfOptions,
): Promise<void> {
  const { organizationId, publicId, whatIf, patientId } = await database.read(async (db) => {
    const subject = await findSubject(db, id, asked);
    const answer = await readWhatIf(db, { ...subject, ...question }).catch((error) =>
      refuseSession(error, question.cancel ?? []),
    );
    return { ...subject, ...answer };
  });
  await recordCommandAlone(database, {
    ...{ organizationId, command: "utilization", operator },
    ...{ time: toInstant(clock.now()), patientIds: [patientId], target: publicId },
  });
  if (json) return output.result(JSON.stringify({ organizationId, ...whatIf }, null, 2));
  for (const line of whatIfLines(whatIf, question.add ?? [])) output.result(line);
}

/** Throws a refusal that names the flag; all else as other commands do. */
function refuseSession(error: unknown, cancel: readonly string[]): never {
  const [issue] = error instanceof InvalidInput ? error.issues : [];
  const [list, place] = issue?.path ?? [];
  if (list === "cancel" && typeof place === "number")
    throw new Refused(`--cancel ${cancel[place]}: it is no session of this authorization.`);
  return refuseInWords(error);
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

/** Units as they stand and as they would, against those that are authorized. */
function periodLines(periods: readonly WhatIfPeriod[]): string[] {
  if (periods.length === 0) return ["No period is concerned."];
  return tableLines(
    ["PERIOD", "AUTHORIZED", "NOW", "AFTER", "OVER"],
    periods.map((period) => [
      range(period),
      `${period.unitsAuthorized ?? "no limit"}`,
      `${period.unitsCommitted}`,
      `${period.unitsAfter}`,
      period.unitsOver === 0 ? "" : `${period.unitsOver}`,
    ]),
  );
}
