import { type Cause, causesOf, groupsOf } from "./findings.ts";
import type { Finding } from "../base/wire.ts";

/** Causes of findings as an inbox: what has happened, and what is to come; or of each person. */

export interface Section {
  /** What tells it from the others: its heading, or whose it is. */
  key: string;
  heading: string;
  /** Whose causes they are, if it leads to them. */
  personId: string | null;
  /** How many findings they are. */
  count: number;
  causes: Cause[];
}

export type Grouping = "cause" | "patient" | "provider";

/** The sections that have findings. What is mended in one act is one row, so none is in two sections. */
export function inboxOf(findings: readonly Finding[], by: Grouping, today: string): Section[] {
  if (by !== "cause")
    return groupsOf(findings, by).map(({ id, name, findings: own }) => ({
      ...{ key: id ?? name, heading: name, personId: id, count: own.length },
      causes: causesOf(own, id ?? name),
    }));
  const parts = [
    { key: "past", heading: "Until yesterday", own: findings.filter(({ date }) => date < today) },
    { key: "next", heading: "From today on", own: findings.filter(({ date }) => date >= today) },
  ];
  return parts
    .filter(({ own }) => own.length > 0)
    .map(({ key, heading, own }) => ({
      ...{ key, heading, personId: null, count: own.length },
      causes: causesOf(own, key),
    }));
}
