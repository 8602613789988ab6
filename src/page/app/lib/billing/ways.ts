import type { ProblemName } from "../../../../billing/problems.ts";
import { get, withQuery } from "../base/api.ts";
import {
  mayBill,
  mayPlan,
  mayPutOnAuthorization,
  mayWrite,
  writableRoles,
} from "../base/rights.ts";
import { addressOf, addressOfSession } from "../base/place.ts";
import { rowName } from "../person/people.ts";
import type { BillingLine, Session } from "../base/wire.ts";

/** How each problem of a line is mended: by whoever may, the first of its ways; by nobody else. */

/** What is done at the line itself. */
export type Act = "correct" | "remove" | "npi";

/** A way: an act at the line, or the address of the place where it is mended. */
export type Way = { words: string } & ({ act: Act } | { address: string });

interface Mending {
  words: string;
  may: () => boolean;
  to: Act | ((line: BillingLine, sessionId: string | null) => string);
}

const authorization: Mending = {
  words: "The authorization",
  may: () => mayWrite("authorization"),
  to: ({ authorizationId }) => addressOf(["utilization", authorizationId]),
};
const sessionOr = (line: BillingLine, sessionId: string | null): string =>
  sessionId === null
    ? addressOf(["utilization", line.authorizationId])
    : addressOfSession(sessionId);
const session: Mending = { words: "The session", may: mayPlan, to: sessionOr };
const mayCorrect = () => mayWrite("encounter");
const correct: Mending = { words: "Correct", may: mayCorrect, to: "correct" };
const remove: Mending = { words: "Remove", may: mayCorrect, to: "remove" };
const otherAuthorization: Mending = {
  words: "Put on authorization",
  may: mayPutOnAuthorization,
  to: sessionOr,
};
const toPerson = (id: string) => addressOf(["people", id]);

/** In the order in which they are tried. */
const MENDINGS: Record<ProblemName, readonly Mending[]> = {
  NO_SESSION: [correct],
  DELIVERED_UNHELD: [remove, session],
  DELIVERED_TWICE: [remove, session],
  NO_UNITS: [remove, session],
  OUTSIDE_AUTHORIZATION: [otherAuthorization, authorization],
  OVER_AUTHORIZED: [otherAuthorization, authorization],
  NO_PAYOR: [authorization],
  NO_COVERAGE: [
    {
      words: "The insurance",
      may: () => writableRoles().includes("PATIENT"),
      to: ({ patientId }) => toPerson(patientId),
    },
  ],
  NO_CODE: [
    {
      words: "The service",
      may: () => mayWrite("serviceLine"),
      to: ({ serviceLineId }) =>
        addressOf(["practice"], {
          ...{ open: "edit-entry", "open.id": serviceLineId, "open.type": "serviceLine" },
        }),
    },
  ],
  NO_NPI: [{ words: "NPI", may: mayBill, to: "npi" }],
  UNITS_DIFFER: [correct, session],
  NO_PROVIDER: [session],
  CREDENTIALS_ENDED: [
    {
      words: "The credentials",
      may: () => writableRoles().includes("CLINICAL_ADMIN"),
      to: ({ renderedById, patientId }) => toPerson(renderedById ?? patientId),
    },
  ],
  NOTHING_RECORDED: [
    {
      words: "The goals",
      may: () => mayWrite("goal"),
      to: ({ patientId }) => addressOf(["goals"], { patientId }),
    },
  ],
};

/** The first way that who is signed in may go; undefined if none. */
export function wayOf(
  problem: ProblemName,
  line: BillingLine,
  sessionId: string | null,
): Way | undefined {
  const mending = MENDINGS[problem].find(({ may }) => may());
  if (mending === undefined) return undefined;
  const { words, to } = mending;
  return typeof to === "string" ? { words, act: to } : { words, address: to(line, sessionId) };
}

/** Whose a problem is, for whoever may not mend it, and the address where they do. */
export function ownerOf(
  problem: ProblemName,
  line: BillingLine,
  sessionId: string | null,
): { ask: string; address: string } {
  const address = MENDINGS[problem]
    .map(({ to }) => (typeof to === "string" ? sessionOr : to)(line, sessionId))
    .at(-1) as string;
  const owners: Partial<Record<ProblemName, string>> = {
    NO_PROVIDER: "scheduling",
    CREDENTIALS_ENDED: "an administrator",
    NOTHING_RECORDED: rowName(line, "renderedBy"),
  };
  return { ask: `Ask ${owners[problem] || "billing"}`, address };
}

/** The sessions of a line's patient and day on which it may be put. */
export async function sessionsOf(line: BillingLine): Promise<readonly Session[]> {
  const { patientId: clientId, date, timezone } = line;
  const query = { clientId, startDate: date, endDate: date, timezone };
  const { data } = await get<{ data: Session[] }>(withQuery("sessions", query));
  return data.filter(({ isBillable }) => isBillable);
}
