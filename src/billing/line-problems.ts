import { isOutside, isUnheld } from "../checks/encounter-checks.ts";
import { haveEnded } from "../checks/session-checks.ts";
import type { Instant } from "../lib/instant.ts";
import { countsAsScheduled, scheduledUnits } from "../utilization/units.ts";
import type { KnownLine } from "./line.ts";
import { type ProblemName, problemNames } from "./problems.ts";
import type { DeliveredEncounter } from "./repository.ts";

/** An encounter, and what its problems depend on. */
export interface Delivered {
  encounter: DeliveredEncounter;
  line: KnownLine;
  authorizedFrom: KnownLine["date"];
  authorizedTo: KnownLine["date"];
  /** Whether its units, after those before it in the same period, are more than authorized. */
  isOver: boolean;
  /** Whether its session takes place, and data are expected of it, and there are none. */
  isUnrecorded: boolean;
  /** Whether a hand-over of it counts. */
  isBilled: boolean;
  /** When the last credential ends of who rendered it. */
  credentialsEnd: Instant | undefined;
}

/** Whether a line has each problem. Those that are checks, too, have the predicates of the checks. */
const holds: Record<ProblemName, (delivered: Delivered) => boolean> = {
  NO_SESSION: ({ encounter }) => encounter.sessionId === null,
  DELIVERED_UNHELD: ({ encounter }) => isUnheld(encounter),
  DELIVERED_TWICE: ({ encounter }) => encounter.isFirstOfSession === 0,
  OUTSIDE_AUTHORIZATION: (delivered) => isOutside(delivered, delivered.line.date),
  // The session is billable, since it has an authorization.
  CREDENTIALS_ENDED: ({ encounter: { status, sessionStart }, credentialsEnd }) =>
    status !== null &&
    sessionStart !== null &&
    countsAsScheduled(status) &&
    haveEnded(credentialsEnd, sessionStart),
  OVER_AUTHORIZED: ({ isOver }) => isOver,
  NO_PAYOR: ({ line }) => line.payorId === null,
  NO_COVERAGE: ({ line }) => line.payorId !== null && line.memberId === null,
  NO_CODE: ({ line }) => line.code === null,
  NO_PROVIDER: ({ encounter, line }) => encounter.sessionId !== null && line.renderedById === null,
  NO_NPI: ({ line }) =>
    line.renderedById !== null && isBlank(line.renderedByNpi) && isBlank(line.supervisedByNpi),
  UNITS_DIFFER: ({ line: { startTime, endTime, units, billingUnitMinutes } }) =>
    startTime !== null &&
    endTime !== null &&
    billingUnitMinutes !== null &&
    scheduledUnits(startTime, endTime, billingUnitMinutes) !== units,
  NO_UNITS: () => false,
  NOTHING_RECORDED: ({ isUnrecorded }) => isUnrecorded,
};

/** An encounter of 0 units delivers nothing: there is nothing in it to be wrong. */
export function problemsOf(delivered: Delivered): ProblemName[] {
  if (delivered.line.units === 0) return delivered.isBilled ? [] : ["NO_UNITS"];
  return problemNames.filter((name) => holds[name](delivered));
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === "";
}
