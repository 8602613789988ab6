import {
  type HandedOver,
  type HandedOverField,
  handedOverNames,
  type StoredBilled,
} from "./line.ts";
import type { LineState } from "./states.ts";

/** Fields that may change after a line was handed over: a person or payor with another name is the same one. */
const NOT_COMPARED: readonly HandedOverField[] = [
  "timezone",
  "patientFirstName",
  "patientLastName",
  "payorName",
  "serviceLineName",
  "renderedByFirstName",
  "renderedByLastName",
  "supervisedByFirstName",
  "supervisedByLastName",
];

export const comparedNames = handedOverNames.filter((name) => !NOT_COMPARED.includes(name));

/** The fields that are other ones now than in the line that was handed over. Those that it does not have are none. */
export function changedFields(
  handedOver: StoredBilled["line"],
  line: HandedOver,
): HandedOverField[] {
  const changed: HandedOverField[] = [];
  if (handedOver === null || handedOver === line) return changed;
  for (const name of comparedNames) {
    const before = handedOver[name];
    if (before === undefined || before === line[name]) continue;
    if (!Array.isArray(before) || before.join() !== line.modifiers.join()) changed.push(name);
  }
  return changed;
}

const LINE = ',"line":';

/**
 * What was handed over, as stored. The line is parsed only if its text is another than today's: it is a kilobyte, and most
 * are the same.
 */
export function storedBilled(text: string, today: HandedOver): StoredBilled {
  // Within texts, quotation marks are escaped.
  const place = text.indexOf(LINE);
  if (text.slice(place + LINE.length, -1) !== JSON.stringify(today)) return JSON.parse(text);
  const { batch, at } = JSON.parse(`${text.slice(0, place)}}`);
  return { batch, at, line: today };
}

export function stateOf(
  billed: StoredBilled | null,
  { problems, changed }: { problems: number; changed: number },
): LineState {
  if (billed === null) return problems === 0 ? "READY" : "PROBLEM";
  return changed === 0 ? "BILLED" : "CHANGED";
}
