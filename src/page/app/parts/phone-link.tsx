import { phoneAddress } from "../lib/contact.ts";
import { phoneText } from "../lib/format.ts";

/** A number, as a phone calls it. */
export function PhoneLink({ number }: { number: string }) {
  return <a href={phoneAddress(number)}>{phoneText(number)}</a>;
}
