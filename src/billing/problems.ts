/** The problems of billing lines (docs/billing.md), in the order in which a line lists them, in the words of an office. */
export const problems = {
  NO_SESSION: "No session",
  DELIVERED_UNHELD: "Cancelled or missed",
  DELIVERED_TWICE: "Documented twice",
  OUTSIDE_AUTHORIZATION: "Outside the authorization",
  CREDENTIALS_ENDED: "Credentials ended",
  OVER_AUTHORIZED: "Over the authorized units",
  NO_PAYOR: "No payor",
  NO_COVERAGE: "No insurance on this day",
  NO_CODE: "Service without code",
  NO_PROVIDER: "Nobody delivered it",
  NO_NPI: "No NPI",
  UNITS_DIFFER: "Units differ from the time",
  NO_UNITS: "Nothing to bill",
  NOTHING_RECORDED: "Nothing recorded",
} as const;

export type ProblemName = keyof typeof problems;

export const problemNames = Object.keys(problems) as ProblemName[];
