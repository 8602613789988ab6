import type { Line } from "./lines.ts";

/** A person as a line of a practice file. */
export function personLine(publicId: string, fields: Readonly<Record<string, unknown>>): Line {
  return { type: "user", publicId, ...fields };
}
