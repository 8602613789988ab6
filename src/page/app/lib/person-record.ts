import type { Values } from "./form-values.ts";
import type { Change, Line } from "./lines.ts";
import type { Role } from "./wire.ts";

type Fields = Values;

/** A person as a line of a practice file. */
export function personLine(publicId: string, fields: Fields): Line {
  return { type: "user", publicId, ...fields };
}

/** What somebody new of a role has before anything is typed. */
export function defaultsOf(role: Role): Fields {
  return role === "PATIENT" ? { userStatus: "ACTIVE" } : {};
}

/**
 * Somebody new as lines: of a patient with a new caregiver two.
 *
 * @param ids of the person, and of the caregiver.
 */
export function newPersonLines(ids: readonly [string, string], role: Role, fields: Fields): Line[] {
  const [publicId, caregiverId] = ids;
  const { newCaregiver, ...own } = fields as Fields & { newCaregiver?: Fields };
  if (newCaregiver === undefined) return [personLine(publicId, { role, ...own })];
  return [
    personLine(publicId, { role, ...own, caregiverId }),
    personLine(caregiverId, { role: "CAREGIVER", ...newCaregiver }),
  ];
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
