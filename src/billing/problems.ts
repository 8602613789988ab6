import { isOutside, isUnheld } from "../checks/encounter-checks.ts";
import { countsAsScheduled, scheduledUnits } from "../utilization/units.ts";
import { type Credential, haveEnded } from "./credentials.ts";
import type { HandedOver } from "./line.ts";
import type { DeliveredEncounter } from "./repository.ts";

/** An encounter, and what its problems depend on. */
export interface Delivered {
  encounter: DeliveredEncounter;
  line: HandedOver;
  authorizedFrom: HandedOver["date"];
  authorizedTo: HandedOver["date"];
  /** Whether its units, after those before it in the same period, are more than authorized. */
  isOver: boolean;
  /** Of who rendered it. */
  credentials: readonly Credential[];
}

interface Problem {
  description: string;
  holds(delivered: Delivered): boolean;
}

/**
 * The problems of billing lines (docs/billing.md), in the order in which a line lists them. Those that are checks, too, have
 * the predicates of the checks; the patient may be inactive, however.
 */
export const problems = {
  NO_SESSION: {
    description: "The encounter names no session: time, place and provider are unknown.",
    holds: ({ encounter }) => encounter.sessionId === null,
  },
  DELIVERED_UNHELD: {
    description: "The session was declined, or the patient missed it.",
    holds: ({ encounter }) => isUnheld(encounter),
  },
  DELIVERED_TWICE: {
    description: "An earlier encounter names the same session.",
    holds: ({ encounter }) => encounter.isFirstOfSession === 0,
  },
  OUTSIDE_AUTHORIZATION: {
    description: "The day is outside the dates of the authorization.",
    holds: (delivered) => isOutside(delivered, delivered.line.date),
  },
  CREDENTIALS_ENDED: {
    description: "All credentials of the provider had expired when the session began.",
    // The session is billable, since it has an authorization.
    holds: ({ encounter: { status, sessionStart }, credentials }) =>
      status !== null &&
      sessionStart !== null &&
      countsAsScheduled(status) &&
      haveEnded(credentials, sessionStart),
  },
  OVER_AUTHORIZED: {
    description:
      "With this encounter, more units are delivered in the period than the authorization or pool has.",
    holds: ({ isOver }) => isOver,
  },
  NO_PAYOR: {
    description: "The authorization has no payor.",
    holds: ({ line }) => line.payorId === null,
  },
  NO_COVERAGE: {
    description:
      "The patient has no insurance with this payor in force on the day, with a member id.",
    holds: ({ line }) => line.payorId !== null && line.memberId === null,
  },
  NO_CODE: {
    description: "The service line has no procedure code.",
    holds: ({ line }) => line.code === null,
  },
  NO_PROVIDER: {
    description: "The session has neither a technician nor a clinician.",
    holds: ({ encounter, line }) => encounter.sessionId !== null && line.renderedById === null,
  },
  NO_NPI: {
    description: "Neither the provider nor the supervisor has an NPI.",
    holds: ({ line }) =>
      line.renderedById !== null && isBlank(line.renderedByNpi) && isBlank(line.supervisedByNpi),
  },
  UNITS_DIFFER: {
    description: "The units are other ones than the length of the session gives.",
    holds: ({ line: { startTime, endTime, units, billingUnitMinutes } }) =>
      startTime !== null &&
      endTime !== null &&
      billingUnitMinutes !== null &&
      scheduledUnits(startTime, endTime, billingUnitMinutes) !== units,
  },
} as const satisfies Record<string, Problem>;

export type ProblemName = keyof typeof problems;

export const problemNames = Object.keys(problems) as ProblemName[];

export function problemsOf(delivered: Delivered): ProblemName[] {
  return problemNames.filter((name) => problems[name].holds(delivered));
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === "";
}
