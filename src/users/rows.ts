import type { UserRow } from "../../db/schema.ts";
import { isAdmin, isProvider, type Role, roles } from "../callers/roles.ts";
import { emailKey } from "../lib/email.ts";
import type { Instant } from "../lib/instant.ts";
import { digitsOfPhone, foldForSearch } from "../lib/text.ts";
import { storer } from "../schema/record-map.ts";
import { userMap } from "../schema/users.ts";
import { NEW_PATIENT_STATUS } from "./model.ts";
import { entryColumns } from "./stored-entries.ts";

const columnsOf = storer(userMap);

/** A user's own fields by their names on the wire. Absent fields are null or get their default. */
export type UserFields = Parameters<typeof columnsOf>[0] & {
  publicId: string;
  role: Role;
  createdAt: Instant;
  updatedAt: Instant;
} & Parameters<typeof entryColumns>[0];

const isPatient = (role: Role) => role === "PATIENT";
const isEmployee = (role: Role) => isProvider(role) || isAdmin(role);

/** Who has the columns that not every user has. */
const havers: Partial<Record<keyof UserRow, (role: Role) => boolean>> = {
  user_status: isPatient,
  sex: isPatient,
  birth_date: isPatient,
  caregiver_id: isPatient,
  address_line1: isPatient,
  address_line2: isPatient,
  city: isPatient,
  state: isPatient,
  postal_code: isPatient,
  country: isPatient,
  time_zone: isPatient,
  internal_record_id: isPatient,
  primary_clinician_id: isPatient,
  primary_location_id: isEmployee,
  compliance_credentials: isProvider,
  payors: isPatient,
  credentials: isProvider,
  credentials_end: isProvider,
};

/** By role, null in the columns that its users do not have. */
const nullsOf = new Map(
  roles.map((role) => {
    const others = Object.entries(havers).filter(([, has]) => !has(role));
    return [role, Object.fromEntries(others.map(([column]) => [column, null]))];
  }),
);

/** The row of a user, including derived columns. Fields that users of its role do not have are not stored. */
export function userRow(organizationId: string, user: UserFields): UserRow {
  const columns = columnsOf(user);
  columns.user_status ??= NEW_PATIENT_STATUS;
  // One object that grows: an import makes tens of thousands of these rows.
  const own = Object.assign(
    columns,
    entryColumns(user),
    { organization_id: organizationId },
    nullsOf.get(user.role),
  );
  return Object.assign(own, derivedColumns(own));
}

/** The columns that a search covers. */
type SearchedColumns = Pick<
  UserRow,
  "first_name" | "last_name" | "email" | "phone_number" | "internal_record_id"
>;

/**
 * The columns that are derived from others, and must be written with them.
 *
 * Lists are sorted by the folded names. `email_key` is unique in the organization and serves lookups by email address.
 * `search_text` has one folded line per searched column, and one for the digits of the phone number. Terms contain no
 * white space, so a match cannot span two columns.
 *
 * @example
 * derivedColumns({
 *   first_name: "Ana", last_name: "Muñoz", email: "Ana@Maple.example", phone_number: null, internal_record_id: null,
 * });
 * // { last_name_key: "munoz", first_name_key: "ana", email_key: "ana@maple.example",
 * //   search_text: "ana\nmunoz\nana@maple.example" }
 */
export function derivedColumns(
  user: SearchedColumns,
): Pick<UserRow, "last_name_key" | "first_name_key" | "email_key" | "search_text"> {
  const { first_name, last_name, email, phone_number, internal_record_id } = user;
  const digits = phone_number === null ? null : digitsOfPhone(phone_number);
  const searched = [first_name, last_name, email, phone_number, internal_record_id, digits];
  return {
    last_name_key: sortKey(last_name),
    first_name_key: sortKey(first_name),
    email_key: email === null ? null : emailKey(email),
    search_text: foldForSearch(searched.filter((text) => text !== null).join("\n")),
  };
}

/** Characters of a name by which lists are sorted. Folding can multiply its length; indexes of PostgreSQL have a limit. */
const SORTED_CHARACTERS = 200;

function sortKey(name: string): string {
  const key = foldForSearch(name);
  return key.length <= SORTED_CHARACTERS ? key : [...key].slice(0, SORTED_CHARACTERS).join("");
}
