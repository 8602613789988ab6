/**
 * The problems of billing lines (docs/billing.md), in the order in which a line lists them, in the words of an
 * office, and with their descriptions.
 */
export const problems = {
  NO_SESSION: {
    words: "No session",
    description: "The encounter names no session: time, place and provider are unknown.",
  },
  DELIVERED_UNHELD: {
    words: "Cancelled or missed",
    description: "The session was declined, or the patient missed it.",
  },
  DELIVERED_TWICE: {
    words: "Documented twice",
    description: "An earlier encounter names the same session.",
  },
  OUTSIDE_AUTHORIZATION: {
    words: "Outside the authorization",
    description: "The day is outside the dates of the authorization.",
  },
  CREDENTIALS_ENDED: {
    words: "Credentials ended",
    description: "All credentials of the provider had expired when the session began.",
  },
  OVER_AUTHORIZED: {
    words: "Over the authorized units",
    description:
      "With this encounter, more units are delivered in the period than the authorization or pool has.",
  },
  NO_PAYOR: {
    words: "No payor",
    description: "The authorization has no payor.",
  },
  NO_COVERAGE: {
    words: "No insurance on this day",
    description:
      "The patient has no insurance with this payor in force on the day, with a member id.",
  },
  NO_CODE: {
    words: "Service without code",
    description: "The service line has no procedure code.",
  },
  NO_PROVIDER: {
    words: "Nobody delivered it",
    description: "The session has neither a technician nor a clinician.",
  },
  NO_NPI: {
    words: "No NPI",
    description: "Neither the provider nor the supervisor has an NPI.",
  },
  UNITS_DIFFER: {
    words: "Units differ from the time",
    description: "The units are other ones than the length of the session gives.",
  },
} as const;

export type ProblemName = keyof typeof problems;

export const problemNames = Object.keys(problems) as ProblemName[];
