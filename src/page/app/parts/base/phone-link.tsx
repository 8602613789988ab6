import { phoneAddress } from "../../lib/person/contact.ts";
import { phoneText } from "../../lib/base/format.ts";

/** A number, as a phone calls it. */
export function PhoneLink({ number }: { number: string }) {
  return <a href={phoneAddress(number)}>{phoneText(number)}</a>;
}
