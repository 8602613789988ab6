import { dateMeant, type Instant, type TimeZone } from "./dates.ts";
import { dateText } from "./format.ts";
import type { Values } from "./form-values.ts";
import { choiceText, labelOf } from "./labels.ts";

/** Two states of a record, as the page explains the change of somebody else. */

interface Texts<State> {
  /** The name of a person. */
  name: (id: string) => string;
  /** The practice's. */
  zone: TimeZone;
  /** The text of start and end, which are one difference. */
  timeOf?: ((state: State) => string) | undefined;
}

/** The changes from one state to another: `Status: Confirmed → Cancelled`. Empty if there are none. */
export function differences<State extends Values>(
  before: State,
  after: State,
  { name, zone, timeOf }: Texts<State>,
): string[] {
  const textOf = (value: unknown): string => valueText(value, name, zone);
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => field !== "updatedAt",
  );
  const changes = fields
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => {
      if (timeOf !== undefined && (field === "startTime" || field === "endTime"))
        return `Time: ${timeOf(before)} → ${timeOf(after)}`;
      return `${labelOf(field)}: ${textOf(before[field])} → ${textOf(after[field])}`;
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

/** Of fields that are dates. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T/;

function valueText(value: unknown, name: (id: string) => string, zone: TimeZone): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value))
    return value.some((each) => typeof each === "object")
      ? `${value.length}`
      : value.map((each) => valueText(each, name, zone)).join(", ") || "none";
  const text = String(value);
  if (INSTANT.test(text)) return dateText(dateMeant(text as Instant, zone));
  return isPersonId(text) ? name(text) : choiceText(text);
}
