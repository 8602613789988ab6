import { phoneText, phoneValue } from "./format.ts";

/** What is typed into a field, and the value that it means. */

export type TypedKind = "text" | "number" | "tel" | "list" | "date" | "time";

/**
 * What a typed text means: a value, with what is wrong if it cannot be stored, which is kept all the same; or nothing
 * that a field can have.
 */
export interface Meaning {
  value?: string;
  mistake?: string;
}

/** Years before are slips of a hand: `26` for `2026`. */
const FIRST_YEAR = 1900;

/** What is said of a control that browsers cannot read, by its type. */
export const INCOMPLETE: Record<string, string> & { text: string } = {
  date: "This is no complete date, or a day that does not exist.",
  time: "This is no complete time.",
  text: "This cannot be read.",
};

/**
 * What a text means, as a field of a kind has it. Of a control that browsers read, such as of a date, it is the value of
 * the control, and `isIncomplete` says that it holds something that has none.
 */
export function meaningOf(
  text: string,
  kind: TypedKind,
  { maxLength = Infinity, isIncomplete = false } = {},
): Meaning {
  if (isIncomplete) return { mistake: INCOMPLETE[kind] ?? INCOMPLETE.text };
  if (kind === "number") return numberMeant(text);
  if (kind === "date" && text !== "" && Number(text.slice(0, 4)) < FIRST_YEAR)
    return {
      value: text,
      mistake: `This is the year ${Number(text.slice(0, 4))}. Please type all four digits.`,
    };
  const value =
    kind === "tel" ? phoneValue(text) : kind === "list" ? elementsOf(text).join(", ") : text;
  if (value.length <= maxLength) return { value };
  return { value, mistake: `At most ${maxLength} characters: these are ${value.length}.` };
}

/** How a value stands in its field while nobody types. */
export function shownText(value: string, kind: TypedKind): string {
  return kind === "tel" ? phoneText(value) : value;
}

/** The elements of a list with commas between them. */
export function elementsOf(text: string): string[] {
  return text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
}

/** `1,664` and `1,664.5`: commas between thousands. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;

/** A number with a decimal point, or a decimal comma. */
const DECIMAL = /^[+-]?(\d+[.,]?\d*|[.,]\d+)$/;

function numberMeant(text: string): Meaning {
  const typed = text.trim();
  if (typed === "") return { value: "" };
  const plain = GROUPED.test(typed) ? typed.replaceAll(",", "") : typed.replace(",", ".");
  if (!DECIMAL.test(plain)) return { value: text, mistake: "Please enter a number, such as 7.5." };
  return { value: String(Number(plain)) };
}
