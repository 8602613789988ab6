import type { Values } from "./form-values.ts";
import { choiceText, labelOf } from "./labels.ts";

/** Two states of a record, as the page explains the change of somebody else. */

type NameOf = (id: string) => string;

/**
 * The changes from one state to another: `Status: Confirmed → Cancelled`. Empty if there are none.
 *
 * @param timeOf the text of start and end, which are one difference.
 */
export function differences<State extends Values>(
  before: State,
  after: State,
  name: NameOf,
  timeOf?: (state: State) => string,
): string[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => field !== "updatedAt",
  );
  const changes = fields
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => {
      if (timeOf !== undefined && (field === "startTime" || field === "endTime"))
        return `Time: ${timeOf(before)} → ${timeOf(after)}`;
      return `${labelOf(field)}: ${valueText(before[field], name)} → ${valueText(after[field], name)}`;
    });
  return [...new Set(changes)];
}

/** The ids of people whom the differences name. */
export function peopleIn(before: Values, after: Values): string[] {
  const values = [before, after].flatMap((state) => Object.values(state).flat());
  return values.filter((value) => typeof value === "string" && isPersonId(value)) as string[];
}

function isPersonId(text: string): boolean {
  return text.startsWith("usr_");
}

function valueText(value: unknown, name: NameOf): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value))
    return value.some((each) => typeof each === "object")
      ? `${value.length}`
      : value.map((each) => valueText(each, name)).join(", ") || "none";
  const text = String(value);
  return isPersonId(text) ? name(text) : choiceText(text);
}
