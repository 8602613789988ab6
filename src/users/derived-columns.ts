import type { UserRow } from "../../db/schema.ts";
import { emailKey } from "../lib/email.ts";
import { foldForSearch } from "../lib/text.ts";

/** The columns in which a search finds a user (decisions 3). */
type SearchedColumns = Pick<
  UserRow,
  "first_name" | "last_name" | "email" | "phone_number" | "internal_record_id"
>;

/**
 * The columns of a user that are computed from others: whoever writes one of those writes these, too.
 *
 * `email_key` is unique in the organization and is what addresses are looked up by; `search_text` holds one
 * folded line for each searched column, so that no term (which has no white space) runs over two of them.
 *
 * @example
 * derivedColumns({
 *   first_name: "Ana", last_name: "Muñoz", email: "Ana@Maple.example", phone_number: null, internal_record_id: null,
 * }); // { email_key: "ana@maple.example", search_text: "ana\nmunoz\nana@maple.example" }
 */
export function derivedColumns(user: SearchedColumns): Pick<UserRow, "email_key" | "search_text"> {
  const { first_name, last_name, email, phone_number, internal_record_id } = user;
  const searched = [first_name, last_name, email, phone_number, internal_record_id];
  return {
    email_key: email === null ? null : emailKey(email),
    search_text: foldForSearch(searched.filter((text) => text !== null).join("\n")),
  };
}
