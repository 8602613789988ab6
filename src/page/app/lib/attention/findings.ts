import { countText, dateText, rangeText, shortDateText } from "../base/format.ts";
import type { Finding, FindingChanges } from "../base/wire.ts";

/** Findings of the checks, as the page shows them. */

export type CheckName = Finding["check"];

/** Money that is not paid or must be given back; a day by which something must be done; a schedule that cannot be kept. */
type Stake = "money" | "deadline" | "schedule";

export const STAKES: Record<Stake, string> = {
  money: "Costs money",
  deadline: "Has a deadline",
  schedule: "Cannot be kept",
};

/** What findings of a check have in common, and who has to do something about it. */
interface CheckText {
  name: string;
  /** Its name in a row. */
  short: string;
  /** What is lost where nobody mends it. */
  stake: Stake;
  /** Whose findings are one cause. */
  cause: "subject" | "patient" | "provider" | "goal";
  /** What several findings are, behind their number; left out where each is a cause by itself. */
  several?: string;
}

/** The checks as the page names them, in the order of the API (a test compares them: its own table has sentences that the page needs not). */
export const CHECKS: Record<CheckName, CheckText> = {
  OUTSIDE_AUTHORIZATION: {
    name: "Outside the authorization",
    short: "Outside",
    stake: "money",
    cause: "subject",
    several: "sessions outside the authorization’s dates",
  },
  NO_AUTHORIZATION: {
    name: "No authorization",
    short: "No authorization",
    stake: "money",
    cause: "patient",
    several: "billable sessions without an authorization",
  },
  OVER_AUTHORIZED: {
    name: "Over the authorized units",
    short: "Over",
    stake: "money",
    cause: "subject",
    several: "periods over the authorized units",
  },
  NOT_DOCUMENTED: {
    name: "Not documented",
    short: "Not documented",
    stake: "money",
    cause: "provider",
    several: "sessions that have ended and are not documented",
  },
  DELIVERED_UNHELD: {
    name: "Delivered, yet cancelled or missed",
    short: "Not held",
    stake: "money",
    cause: "patient",
    several: "encounters of cancelled or missed sessions",
  },
  DELIVERED_TWICE: {
    name: "Delivered twice",
    short: "Twice",
    stake: "money",
    cause: "patient",
    several: "sessions that are documented more than once",
  },
  PROVIDER_OVERLAP: {
    name: "Provider double-booked",
    short: "Staff twice",
    stake: "schedule",
    cause: "provider",
    several: "sessions that overlap another one",
  },
  PATIENT_OVERLAP: {
    name: "Patient double-booked",
    short: "Patient twice",
    stake: "schedule",
    cause: "patient",
    several: "sessions that overlap another one",
  },
  CREDENTIALS_ENDED: {
    name: "Credentials ended",
    short: "Credentials",
    stake: "deadline",
    cause: "provider",
    several: "sessions after it",
  },
  PROVIDER_LEFT: {
    name: "Provider has left",
    short: "Staff left",
    stake: "schedule",
    cause: "provider",
    several: "coming sessions of somebody who has left",
  },
  RENEWAL_DUE: {
    name: "Renewal due",
    short: "Renewal",
    stake: "deadline",
    cause: "patient",
    several: "authorizations that end without a successor",
  },
  PATIENT_LEFT: {
    name: "Patient has left",
    short: "Patient left",
    stake: "schedule",
    cause: "patient",
    several: "coming sessions of somebody who has left",
  },
  GOAL_MET: {
    name: "Goal met",
    short: "Goal met",
    stake: "deadline",
    cause: "goal",
  },
  GOAL_SILENT: {
    name: "Nothing recorded",
    short: "Goal silent",
    stake: "deadline",
    cause: "goal",
  },
  GOAL_NO_LONGER_MET: {
    name: "Goal no longer met",
    short: "Goal lost",
    stake: "deadline",
    cause: "goal",
  },
  GOAL_PAST: {
    name: "Target date past",
    short: "Goal past",
    stake: "deadline",
    cause: "goal",
  },
};

/** The message of a finding, with dates in the page's format. */
export function sentenceOf({ message }: Finding, date = dateText): string {
  return message
    .replace(/\d{4}-\d{2}-\d{2}/g, date)
    .replace("has ended, and has no encounter", "has ended, and is not documented");
}

/** How many findings of a change are told. */
const MOST_TOLD = 8;

/**
 * What a change brings, in sentences. Of a finding of which only ids or units have changed, what is more of it is said.
 */
export function broughtTexts({ brought, mended, totals }: FindingChanges): string[] {
  const before = Map.groupBy(mended, subjectOf);
  const sentences = brought.flatMap((finding) => {
    const former = finding.units === null ? undefined : before.get(subjectOf(finding))?.shift();
    if (former === undefined) return [withProvider(finding, sentenceOf(finding))];
    const more = (finding.units ?? 0) - (former.units ?? 0);
    if (more <= 0) return [];
    const text = `${CHECKS[finding.check].name}: ${countText(more, "unit")} more.`;
    return [withProvider(finding, text)];
  });
  const told = [...new Set(sentences)];
  const left = told.length - MOST_TOLD + (totals.brought - brought.length);
  return left > 0 ? [...told.slice(0, MOST_TOLD), `${countText(left, "finding")} more.`] : told;
}

function subjectOf({
  check,
  date,
  patientId,
  providerId,
  authorizationId,
  poolId,
}: Finding): string {
  return JSON.stringify([check, date, patientId, providerId, authorizationId, poolId]);
}

/** A sentence about somebody on the staff begins with their name. */
function withProvider(finding: Finding, sentence: string): string {
  const isOfProvider = CHECKS[finding.check].cause === "provider" && finding.providerId !== null;
  return isOfProvider ? `${nameIn(finding, "provider")}: ${sentence}` : sentence;
}

/** Findings of one person, or without a person. */
export interface Group {
  id: string | null;
  name: string;
  findings: Finding[];
}

/** Groups findings by patient or provider, those with the most findings first; within a group the order is kept. */
export function groupsOf(findings: readonly Finding[], by: "patient" | "provider"): Group[] {
  const groups = [...Map.groupBy(findings, (finding) => finding[`${by}Id`])];
  return groups
    .map(([id, own]) => ({ id, name: nameIn(own[0], by), findings: own }))
    .sort((a, b) => b.findings.length - a.findings.length || a.name.localeCompare(b.name, "en"));
}

function nameIn(finding: Finding | undefined, by: "patient" | "provider"): string {
  const first = finding?.[`${by}FirstName`];
  const last = finding?.[`${by}LastName`];
  return [first, last].filter(Boolean).join(" ") || `No ${by}`;
}

/** What costs money first, then what has a deadline. */
export const IN_ORDER: readonly CheckName[] = (Object.keys(STAKES) as Stake[]).flatMap((stake) =>
  (Object.keys(CHECKS) as CheckName[]).filter((check) => CHECKS[check].stake === stake),
);

/** Findings with one reason: what somebody settles at once. */
export interface Cause {
  key: string;
  check: CheckName;
  /** Who it is about; null if nobody. */
  person: { id: string; name: string } | null;
  /** The patients, by name, that are not this person. */
  patients: string[];
  findings: Finding[];
  /** What is wrong: the finding's own sentence, or that of several. */
  sentence: string;
}

/**
 * Groups findings by their causes: what costs money first, the largest first.
 *
 * @param part where they stand, which tells a cause from that of the same reason elsewhere.
 */
export function causesOf(findings: readonly Finding[], part = ""): Cause[] {
  const groups = Map.groupBy(findings, (finding) => {
    const { cause } = CHECKS[finding.check];
    const { authorizationId, poolId, patientId, providerId, goalId } = finding;
    const id = {
      ...{ subject: poolId ?? authorizationId, patient: patientId },
      ...{ provider: providerId, goal: goalId },
    };
    return [part, finding.check, id[cause]].filter(Boolean).join(" ");
  });
  return [...groups]
    .map(([key, own]) => causeOf(key, own))
    .sort(
      (a, b) =>
        IN_ORDER.indexOf(a.check) - IN_ORDER.indexOf(b.check) ||
        b.findings.length - a.findings.length,
    );
}

function causeOf(key: string, findings: Finding[]): Cause {
  const [first] = findings as [Finding];
  const { check } = first;
  const { cause, several } = CHECKS[check];
  const by = cause === "provider" ? "provider" : "patient";
  const id = first[`${by}Id`];
  const person = id === null ? null : { id, name: nameIn(first, by) };
  const patients = new Set(
    findings.filter(({ patientId }) => patientId !== null).map((each) => nameIn(each, "patient")),
  );
  if (by === "patient") patients.delete(nameIn(first, "patient"));
  const dates = datesText(findings.map(({ date }) => date));
  const sentence =
    findings.length === 1
      ? sentenceOf(first, shortDateText)
      : `${credentialText(first)}${findings.length} ${several}, ${dates}.${termText(first)}`;
  return { key, check, person, patients: [...patients].sort(), findings, sentence };
}

function datesText(dates: string[]): string {
  const sorted = dates.toSorted();
  return rangeText(sorted[0] ?? "", sorted.at(-1) ?? "");
}

/** When the credential ended, with which the message of such a finding closes. */
function credentialText({ check, message }: Finding): string {
  const end =
    check === "CREDENTIALS_ENDED" ? /(\d{4}-\d{2}-\d{2})\.$/.exec(message)?.[1] : undefined;
  return end === undefined ? "" : `The last credential ends ${dateText(end)}: `;
}

/** Which of a patient's authorizations or pools it is about. */
function termText({ check, authorizationEndDate: end }: Finding): string {
  return CHECKS[check].cause === "subject" && end !== null
    ? ` The authorization ends ${dateText(end)}.`
    : "";
}

/** Findings as the rows of a spreadsheet, with their headings. */
export function findingRows(
  findings: readonly Finding[],
  payor: (id: string) => string,
): (string | number)[][] {
  const headings = ["What", "Day", "Patient", "Provider", "Payor", "Authorization ends", "Units"];
  return [
    [...headings, "In words"],
    ...findings.map((finding) => {
      const { check, date, patientId, providerId, payorId, authorizationEndDate, units } = finding;
      return [
        ...[CHECKS[check].name, date],
        patientId === null ? "" : nameIn(finding, "patient"),
        providerId === null ? "" : nameIn(finding, "provider"),
        ...[payorId === null ? "" : payor(payorId), authorizationEndDate ?? "", units ?? ""],
        sentenceOf(finding),
      ];
    }),
  ];
}
