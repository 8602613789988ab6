import type { UserRow } from "../../db/schema.ts";
import type { Role } from "../access/roles.ts";
import { emailKey } from "../lib/email.ts";
import type { Instant } from "../lib/instant.ts";
import { digitsOfPhone, foldForSearch } from "../lib/text.ts";
import { storer } from "../schema/record-map.ts";
import { userMap } from "../schema/users.ts";
import { NEW_PATIENT_STATUS } from "./model.ts";

const columnsOf = storer(userMap);

/** A user's own fields by their names on the wire. Absent fields are null or get their default. */
export type UserFields = Parameters<typeof columnsOf>[0] & {
  publicId: string;
  role: Role;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The row of a user, including derived columns. */
export function userRow(organizationId: string, user: UserFields): UserRow {
  const columns = columnsOf(user);
  return {
    organization_id: organizationId,
    ...columns,
    user_status: user.role === "PATIENT" ? (columns.user_status ?? NEW_PATIENT_STATUS) : null,
    ...derivedColumns(columns),
  };
}

/** The columns that a search covers. */
type SearchedColumns = Pick<
  UserRow,
  "first_name" | "last_name" | "email" | "phone_number" | "internal_record_id"
>;

/**
 * The columns that are derived from others, and must be written with them.
 *
 * Lists are sorted by the folded names. `email_key` is unique in the organization and serves lookups by email address. `search_text` has one folded line per
 * searched column, and one for the digits of the phone number. Terms contain no white space, so a match cannot span two
 * columns.
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
    last_name_key: foldForSearch(last_name),
    first_name_key: foldForSearch(first_name),
    email_key: email === null ? null : emailKey(email),
    search_text: foldForSearch(searched.filter((text) => text !== null).join("\n")),
  };
}
