import type { UserRow } from "../../db/schema.ts";
import type { Role } from "../access/roles.ts";
import { emailKey } from "../lib/email.ts";
import type { Instant } from "../lib/instant.ts";
import { digitsOfPhone, foldForSearch } from "../lib/text.ts";
import { storer } from "../schema/record-map.ts";
import { userMap } from "../schema/users.ts";
import { NEW_PATIENT_STATUS } from "./model.ts";

const columnsOf = storer(userMap);

/** A user's own fields, as the API and a practice file call them; what is left out is null, or has its default. */
export type UserFields = Parameters<typeof columnsOf>[0] & {
  publicId: string;
  role: Role;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The row of a user, with what is computed from its fields. */
export function userRow(organizationId: string, user: UserFields): UserRow {
  const columns = columnsOf(user);
  return {
    organization_id: organizationId,
    ...columns,
    user_status: user.role === "PATIENT" ? (columns.user_status ?? NEW_PATIENT_STATUS) : null,
    ...derivedColumns(columns),
  };
}

/** The columns in which a search finds a user. */
type SearchedColumns = Pick<
  UserRow,
  "first_name" | "last_name" | "email" | "phone_number" | "internal_record_id"
>;

/**
 * The columns of a user that are computed from others: whoever writes one of those writes these, too.
 *
 * `email_key` is unique in the organization and is what addresses are looked up by; `search_text` holds one
 * folded line for each searched column, so that no term (which has no white space) runs over two of them, and one for the
 * digits of the phone number.
 *
 * @example
 * derivedColumns({
 *   first_name: "Ana", last_name: "Muñoz", email: "Ana@Maple.example", phone_number: null, internal_record_id: null,
 * }); // { email_key: "ana@maple.example", search_text: "ana\nmunoz\nana@maple.example" }
 */
export function derivedColumns(user: SearchedColumns): Pick<UserRow, "email_key" | "search_text"> {
  const { first_name, last_name, email, phone_number, internal_record_id } = user;
  const digits = phone_number === null ? null : digitsOfPhone(phone_number);
  const searched = [first_name, last_name, email, phone_number, internal_record_id, digits];
  return {
    email_key: email === null ? null : emailKey(email),
    search_text: foldForSearch(searched.filter((text) => text !== null).join("\n")),
  };
}

/** The patients among users, as the audit trail names whom an answer tells of. */
export function patientIdsOf(users: readonly Pick<UserRow, "public_id" | "role">[]): string[] {
  return users.filter(({ role }) => role === "PATIENT").map(({ public_id }) => public_id);
}
