import { isSame } from "./same.ts";
import type { FindingChanges, Session } from "./wire.ts";

/** Lines of a practice file, and ids of new records. */

/** A record as a line; missing fields stay unchanged. */
export interface Line {
  type: string;
  publicId: string;
  [field: string]: unknown;
}

/** What is written in one transaction. */
export interface Change {
  /** A sentence about the change, without the name of a patient: `The session was cancelled.` */
  done: string;
  /** What the bar says of the findings that it brings and mends; without it nothing is asked about them. */
  tell?: (findings: FindingChanges) => readonly string[];
  lines: Line[];
  /** The lines that undo it; undefined if it cannot be undone. */
  undo?: Line[] | undefined;
  /** The session that it changes, as it was on the screen. */
  session?: Session | undefined;
  /** The sessions that it changes, if they are several, to say which of them somebody else has changed. */
  sessions?: readonly Session[] | undefined;
  /** Whether the view shows what was done, with a way to undo it, so that the bar need not. */
  isShown?: boolean;
}

/** What a record is called: a person's name, a title, a number; empty for what has none. */
export function nameOfLine(line: Line): string {
  const { type, firstName, lastName, name, title, authorizationNumber } = line;
  if (type === "user") return `${firstName ?? ""} ${lastName ?? ""}`;
  return String(name ?? title ?? authorizationNumber ?? "");
}

/** The lines that delete some records. */
export function deletionOf(lines: readonly Line[]): Line[] {
  return lines.map(({ type, publicId }) => ({ type, publicId, deleted: true }));
}

/** The alphabet of the API's ids, without i, l, o and u, which are easily misread. */
const ID_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/** A random id as long as the API's own, such as `apt_…`. */
export function newId(prefix = ""): string {
  const bytes = crypto.getRandomValues(new Uint8Array(26));
  return prefix + Array.from(bytes, (byte) => ID_DIGITS[byte % ID_DIGITS.length]).join("");
}

/**
 * Whether stored records are as lines have left them, so that undoing these takes nothing of anybody's back. A new
 * record, which its undo deletes, has nothing else in it either.
 */
export function isAsWritten(
  lines: readonly Line[],
  undo: readonly Line[],
  stored: readonly Line[],
): boolean {
  return lines.every((line) => {
    const now = stored.find(
      ({ type, publicId }) => type === line.type && publicId === line.publicId,
    );
    if (now === undefined || line.deleted === true)
      return (now === undefined) === (line.deleted === true);
    const isNew = undo.some(
      ({ publicId, deleted }) => publicId === line.publicId && deleted === true,
    );
    return Object.entries(now).every(([field, value]) =>
      field in line ? isSame(value, line[field]) : !isNew || isEmpty(value),
    );
  });
}

function isEmpty(value: unknown): boolean {
  return value === null || value === false || value === "" || isSame(value, []);
}
