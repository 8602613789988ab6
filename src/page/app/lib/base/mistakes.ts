import type { Issue } from "./failure.ts";
import { words } from "./format.ts";
import { labelOf } from "./labels.ts";
import type { RecordDescription } from "./record-fields.ts";

/** What the API found to be wrong, by the field of a form. */

export type Path = readonly (string | number)[];

/** The messages by the joined path of the field: `payors.0.memberId`. */
export type Mistakes = ReadonlyMap<string, string>;

export function mistakeAt(mistakes: Mistakes, path: Path): string | undefined {
  return mistakes.get(path.join("."));
}

/**
 * Sorts issues into those of fields that a form has, and others.
 *
 * @param pathOf the path of an issue in the form's values.
 */
export function sortedMistakes(
  issues: readonly Issue[],
  description: RecordDescription,
  pathOf: (path: Path) => Path,
): { atFields: Mistakes; others: string[] } {
  const atFields = new Map<string, string>();
  const others: string[] = [];
  for (const issue of issues) {
    const path = pathOf(issue.path);
    if (isFieldOf(description, path)) atFields.set(path.join("."), plainText(issue));
    else others.push(plainText(issue));
  }
  return { atFields, others };
}

function isFieldOf(description: RecordDescription, path: Path): boolean {
  const [name, ...rest] = path.filter((step) => typeof step === "string");
  const field = name === undefined ? undefined : description[name];
  if (field === undefined) return false;
  return rest.length === 0 || (field.fields !== undefined && isFieldOf(field.fields, rest));
}

/** Rules that are told in other words than to a programmer; the words may use parts of the message. */
const WORDS: [rule: RegExp, words: string | ((...parts: string[]) => string)][] = [
  [/deliverable US phone number/, "Please check this phone number: it cannot be called."],
  [/calendar date|date that exists|ISO 8601|time with Z/i, "Please enter a date."],
  [/Invalid email/, "Please check this email address."],
  [/^is already the email of/, "This email address belongs to somebody else."],
  [/^is no \w+ of the file/, "This is not there any more. Please choose another."],
  [/^must be an id of 1 to/i, "This is matched to nothing. Please choose what it is."],
  [/^Has (changed|been deleted) since/, "Somebody else has changed this meanwhile."],
  [/^is no \w+:|^Invalid enum value/, "Please choose one of the list."],
  [
    /^has the role \w+, and must have/,
    "This person’s role does not fit here. Please choose another.",
  ],
  [
    /^must be ([A-Z_]+)\b.* where this user is the (\w+) of (\w+)/,
    (_, role, field, type) =>
      `Must stay ${words(role).toLowerCase()}: ${labelOf(type).toLowerCase()} have this person as ${labelOf(field).toLowerCase()}.`,
  ],
  [/^is before (\w+)/, (_, field) => `Must not be before “${labelOf(field)}”.`],
  [
    /^String must contain at (least|most) (\d+)/,
    (_, limit, count) => `Please enter at ${limit} ${count} characters.`,
  ],
];

const REQUIRED =
  /^(Required|is required|is missing|must not be empty|String must contain at least 1 character)/i;

/** A message for somebody who did not write a file: without the names of the record and the field in front. */
export function plainText({ message, path, reason }: Issue): string {
  const text = path.length === 0 ? message : message.replace(/^(\w+ [\w-]+: )?([\w.[\]]+: )?/, "");
  if (reason === "required" || REQUIRED.test(text)) return "Please fill this in.";
  for (const [rule, replacement] of WORDS) {
    const parts = rule.exec(text);
    if (parts !== null)
      return typeof replacement === "string" ? replacement : replacement(...parts);
  }
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
