import type { Role } from "../callers/roles.ts";
import type { OwnedType, RecordType } from "../schema/record-types.ts";

/** What the page's forms know of the fields of records. */

export interface FieldDescription {
  /** A text if left out, unless it names a record or has fields. */
  kind?: "date" | "instant" | "number" | "boolean" | "choice";
  /** Whether a record must have it; a form may ask for no value all the same, if it may be null. */
  isRequired?: boolean;
  isList?: true;
  /** Left out of short texts, which most are. */
  maxLength?: number;
  /** All values of a choice, or usual values of a text. */
  values?: readonly string[];
  /** The type of the record whose id it is, and the roles that a person may have. */
  names?: OwnedType;
  roles?: readonly Role[];
  /** The fields of an object. */
  fields?: RecordDescription;
}

export type RecordDescription = Record<string, FieldDescription>;

/** The fields of a type of record, and by their places those that each kind of it has: roles of users, `isBillable`. */
export interface TypeDescription {
  fields: RecordDescription;
  kinds: readonly { of: readonly string[]; fields: readonly number[] }[];
}

/** The types of record that the page has forms for. */
export type FormedType = Exclude<RecordType, "encounter" | "treatmentPlan" | "goal">;

/** Those, and the body of `POST /v1/intake-leads`. */
export type DescribedType = FormedType | "lead";
