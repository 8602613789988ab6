import { countText } from "../base/format.ts";

/** What a practice that begins has already, and what is next. */

export interface Beginning {
  locations: number;
  patients: number;
  staff: number;
  authorizations: number;
  sessions: number;
  encounters: number;
  hasCertificates: boolean;
  /** How many people have a passkey, or are signed in. */
  signedIn: number;
}

/** Whether there are sessions and a second person has signed in. */
export function isUnderWay({ sessions, signedIn }: Beginning): boolean {
  return sessions > 0 && signedIn > 1;
}

/** Whether a practice has nothing of its own yet. */
export function isEmpty({ patients, authorizations, sessions }: Beginning): boolean {
  return patients + authorizations + sessions === 0;
}

const SHEETS = [
  ["patients", "clients"],
  ["staff", "staff"],
  ["authorizations", "authorizations"],
  ["sessions", "appointments"],
] as const;

/** The four sheets of an office, with how many records of each there are. */
export function sheetsOf(beginning: Beginning): { name: string; count: number }[] {
  // The administrator is there from the beginning, unless there are keys alone.
  return SHEETS.map(([field, name]) => ({
    name,
    count: Math.max(0, beginning[field] - (field === "staff" ? 1 : 0)),
  }));
}

/** Checks whose findings say of a practice that it does not have a thing yet, and what is said instead. */
export function notYet(
  beginning: Beginning,
  totals: Readonly<Record<string, number>>,
): { check: string; sentence: string; way?: string }[] {
  const { NO_AUTHORIZATION: none = 0, NOT_DOCUMENTED: open = 0 } = totals;
  return [
    ...(beginning.authorizations === 0 && none > 0
      ? [
          {
            check: "NO_AUTHORIZATION",
            sentence: `No authorizations yet: ${countText(none, "session")}`,
            way: "Import authorizations",
          },
        ]
      : []),
    ...(beginning.encounters === 0 && open > 0
      ? [
          {
            check: "NOT_DOCUMENTED",
            sentence: `Nothing is documented yet: ${countText(open, "session")}`,
          },
        ]
      : []),
    ...(!beginning.hasCertificates && beginning.sessions > 0
      ? [
          {
            check: "CREDENTIALS_ENDED",
            sentence: "No certificates yet: credentials are not checked",
          },
        ]
      : []),
  ];
}
