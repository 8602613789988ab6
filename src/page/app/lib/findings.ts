import { dateText } from "./format.ts";
import type { Finding } from "./wire.ts";

/** What the checks found, as the page says it. */

export type CheckName = Finding["check"];

/** What the checks are called, in the order of their cards: what costs money first. */
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
};

/** The sentence of a finding with its dates as the page writes them. */
export function sentenceOf({ message }: Finding): string {
  return message.replace(/\d{4}-\d{2}-\d{2}/g, dateText);
}

/** Findings of one person, or of nobody. */
export interface Group {
  id: string | null;
  name: string;
  findings: Finding[];
}

/** Findings by patient or by provider, those with the most first; within a group in their own order. */
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
