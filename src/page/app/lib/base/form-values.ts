import type { RecordDescription } from "../../../record-description.ts";
import type { Line } from "./lines.ts";

/** The values of a record's form, and what of them is to be saved. */

export type Values = Readonly<Record<string, unknown>>;

/** What is to be saved. */
export interface Saved {
  values: Values;
  /** The fields that differ from the stored record. */
  changed: Values;
  /** The stored values of these. */
  before: Values;
}

/**
 * What of a form is to be saved: fields of its description alone, since what was typed may be of a role that was chosen
 * before.
 *
 * @param stored the fields of the stored record; of a new one its defaults.
 */
export function savedOf(description: RecordDescription, stored: Values, typed: Values): Saved {
  const isChanged = (name: string): boolean =>
    name in typed && JSON.stringify(typed[name] ?? null) !== JSON.stringify(stored[name] ?? null);
  const names = Object.keys(description);
  const valuesOf = (some: readonly string[], valueOf: (name: string) => unknown): Values =>
    Object.fromEntries(some.map((name) => [name, valueOf(name)]));
  const changed = names.filter(isChanged);
  return {
    values: valuesOf(
      names.filter((name) => name in typed || name in stored),
      (name) => (name in typed ? typed[name] : stored[name]),
    ),
    changed: valuesOf(changed, (name) => typed[name]),
    before: valuesOf(changed, (name) => stored[name] ?? null),
  };
}

/** The lines that change a stored record, and those that undo it: the fields that differ, and their former values. */
export function linesOfChange(
  { changed, before }: Pick<Saved, "changed" | "before">,
  { type, publicId }: Line,
) {
  return {
    lines: [{ type, publicId, ...changed }],
    undo: [{ type, publicId, ...before }],
  };
}

/** The fields that are not as they were. */
export function fieldsThatDiffer(values: Values, from: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== from[name]));
}
