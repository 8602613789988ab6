import type { User } from "../base/wire.ts";

/** Where people live and whom to call, as texts and links. */

export type AddressField = "addressLine1" | "addressLine2" | "city" | "state" | "postalCode";

/** `397 Orchard Avenue, Springfield, NY 10001` */
export function addressText(address: Partial<Pick<User, AddressField>>): string {
  const region = [address.state, address.postalCode].filter(Boolean).join(" ");
  return [address.addressLine1, address.addressLine2, address.city, region]
    .filter(Boolean)
    .join(", ");
}

/** A link that a phone opens in its map: no other server learns the address from the page. */
export function mapAddress(address: string): string {
  return `geo:0,0?q=${encodeURIComponent(address)}`;
}

/** A link that a phone calls. */
export function phoneAddress(number: string): string {
  return `tel:${number.replaceAll(/[^\d+]/g, "")}`;
}
