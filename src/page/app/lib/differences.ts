import { choiceText, labelOf } from "./labels.ts";

/** Two states of a record, as the page explains the change of somebody else. */

export type Fields = Readonly<Record<string, unknown>>;
type NameOf = (id: string) => string;

/**
 * The changes from one state to another: `Status: Confirmed → Cancelled`. Empty if there are none.
 *
 * @param timeOf the text of start and end, which are one difference.
 */
export function differences<State extends Fields>(
  before: State,
  after: State,
  name: NameOf,
  timeOf?: (state: State) => string,
): string[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = fields
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => {
      if (timeOf !== undefined && (field === "startTime" || field === "endTime"))
        return `Time: ${timeOf(before)} → ${timeOf(after)}`;
      return `${labelOf(field)}: ${valueText(before[field], name)} → ${valueText(after[field], name)}`;
    });
  return [...new Set(changes)];
}

function valueText(value: unknown, name: NameOf): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value))
    return value.some((each) => typeof each === "object")
      ? `${value.length}`
      : value.map((each) => valueText(each, name)).join(", ") || "none";
  const text = String(value);
  return text.startsWith("usr_") ? name(text) : choiceText(text);
}
