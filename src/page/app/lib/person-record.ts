import type { Line } from "./lines.ts";
import type { Change } from "./write.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A person as a line of a practice file. */
export function personLine(publicId: string, fields: Fields): Line {
  return { type: "user", publicId, ...fields };
}

/** A change of some fields of a person, from their present values. */
export function personChange(change: {
  id: string;
  from: Fields;
  to: Fields;
  done: string;
}): Change {
  const { id, from, to, done } = change;
  return { done, lines: [personLine(id, to)], undo: [personLine(id, from)] };
}
