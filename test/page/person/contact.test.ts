import { expect, test } from "bun:test";
import { addressText, mapAddress, phoneAddress } from "../../../src/page/app/lib/person/contact.ts";

/** Where people live and whom to call, as texts and links. */

test("an address has the parts that are known", () => {
  const street = { addressLine1: "397 Orchard Avenue", addressLine2: null };
  expect(addressText({ ...street, city: "Springfield", state: "NY", postalCode: "10001" })).toBe(
    "397 Orchard Avenue, Springfield, NY 10001",
  );
  expect(addressText({ ...street, city: null, state: "NY", postalCode: null })).toBe(
    "397 Orchard Avenue, NY",
  );
  expect(addressText({})).toBe("");
});

test("an address opens in the map of the phone, and a number is called without its spaces", () => {
  expect(mapAddress("4 Elm St #2, York")).toBe("geo:0,0?q=4%20Elm%20St%20%232%2C%20York");
  expect(phoneAddress("+1 (212) 555-0123")).toBe("tel:+12125550123");
});
