import type { Term } from "./authorizations.ts";
import { dateText } from "./format.ts";
import type { Finding } from "./wire.ts";

/** Findings of the checks, as the page shows them. */

export type CheckName = Finding["check"];

/** The names of the checks, in the order of their cards: those that cost money first. */
export const CHECK_NAMES: Record<CheckName, string> = {
  OUTSIDE_AUTHORIZATION: "Outside the authorization",
  NO_AUTHORIZATION: "No authorization",
  OVER_AUTHORIZED: "Over the authorized units",
  NOT_DOCUMENTED: "Not documented",
  DELIVERED_UNHELD: "Delivered, yet declined or missed",
  DELIVERED_TWICE: "Delivered twice",
  PROVIDER_OVERLAP: "Provider double-booked",
  PATIENT_OVERLAP: "Patient double-booked",
  CREDENTIALS_ENDED: "Credentials ended",
  PROVIDER_LEFT: "Provider has left",
};

/** The message of a finding, with dates in the page's format. */
export function sentenceOf({ message }: Finding): string {
  return message.replace(/\d{4}-\d{2}-\d{2}/g, dateText);
}

/** The term of a finding's authorization or pool. */
export function termOf(finding: Finding): Term | undefined {
  const { authorizationStartDate: startDate, authorizationEndDate: endDate } = finding;
  return startDate === null || endDate === null ? undefined : { startDate, endDate };
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
