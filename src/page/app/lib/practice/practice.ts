import { words } from "../base/format.ts";
import type { Line } from "../base/lines.ts";

/** What the practice sets up once, and its records refer to. */

/** The lists of the API by the type of their records, in the order in which they are shown. */
export const NAMED_LISTS = {
  location: "locations",
  payor: "payors",
  serviceLine: "service-lines",
  nonBillableCode: "non-billable-codes",
  intakeStage: "intake-stages",
  specialization: "specializations",
  intakeLabel: "intake-labels",
} as const;

export type PracticeType = keyof typeof NAMED_LISTS;

export const PRACTICE_TYPES = Object.keys(NAMED_LISTS) as readonly PracticeType[];

/** The records of a list: stages in their order, others by name. */
export function listed(lines: readonly Line[], type: PracticeType): Line[] {
  const byName = (a: Line, b: Line): number => String(a.name).localeCompare(String(b.name), "en");
  return lines
    .filter((line) => line.type === type)
    .sort((a, b) => Number(a.position ?? 0) - Number(b.position ?? 0) || byName(a, b));
}

/** What is said beside the name: `15 minutes a unit, 97153 HM`. */
export function detailsOf(line: Line): string {
  const { billingUnitMinutes, code, modifiers, key } = line;
  const details = [];
  if (line.type === "serviceLine") {
    details.push(billingUnitMinutes === null ? "by visit" : `${billingUnitMinutes} minutes a unit`);
    const claimed = [code ?? "no code", ...((modifiers as string[] | undefined) ?? [])];
    details.push(claimed.join(" "));
    if (line.isGroup === true) details.push("held as a group");
  }
  if (typeof key === "string") details.push(`stands for ${words(key).toLowerCase()}`);
  if (line.isActive === false) details.push("not offered any more");
  return details.join(", ");
}

/** The position of a record behind all others. */
export function nextPosition(lines: readonly Line[]): number {
  return Math.max(0, ...lines.map(({ position }) => Number(position))) + 1;
}

/**
 * The lines that move a record of an ordered list up or down, and those that bring it back: none where it cannot move.
 * Positions need not be different, so those that must be get others.
 */
export function reordering(lines: readonly Line[], id: string, by: 1 | -1) {
  const from = lines.findIndex(({ publicId }) => publicId === id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= lines.length) return { lines: [], undo: [] };
  const order = lines.toSpliced(from, 1).toSpliced(to, 0, lines[from] as Line);
  const old = lines.map(({ position }) => Number(position));
  const isStrict = old.every((position, index) => index === 0 || position > Number(old[index - 1]));
  const changed = order
    .map((line, index) => ({ line, position: isStrict ? Number(old[index]) : index + 1 }))
    .filter(({ line, position }) => line.position !== position);
  const lineOf = ({ type, publicId }: Line, position: unknown): Line => ({
    ...{ type, publicId, position },
  });
  return {
    lines: changed.map(({ line, position }) => lineOf(line, position)),
    undo: changed.map(({ line }) => lineOf(line, line.position)),
  };
}

/** Who still names a record that cannot be removed. */
export interface Use {
  type: string;
  publicId: string;
  /** `3 others`, `more than 1,000 others`; empty if there are none. */
  others: string;
}

/** What the refusal of a deletion says; undefined if it is another one. */
export function useIn(message: string): Use | undefined {
  const found = /is named by (\w+) ([\w-]+)(?: and (.*? others?))?\.?$/.exec(message);
  if (found === null) return undefined;
  const [, type = "", publicId = "", others = ""] = found;
  return { type, publicId, others };
}
