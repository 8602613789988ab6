import type { Issue } from "./failure.ts";
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

/** Rules that are told in other words than to a programmer. */
const WORDS: [rule: RegExp, words: string][] = [
  [/deliverable US phone number/, "Please check this phone number: it cannot be called."],
  [/calendar date|ISO 8601/i, "Please enter a date."],
  [/Invalid email/, "Please check this email address."],
];

const REQUIRED = /^(Required|is required|is missing|String must contain at least 1 character)/i;

/** A message for somebody who did not write a file: without the names of the record and the field in front. */
function plainText({ message, path, reason }: Issue): string {
  const text = path.length === 0 ? message : message.replace(/^(\w+ [\w-]+: )?([\w.[\]]+: )?/, "");
  if (reason === "required" || REQUIRED.test(text)) return "Please fill this in.";
  const words = WORDS.find(([rule]) => rule.test(text))?.[1];
  if (words !== undefined) return words;
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
