import { expect, test } from "bun:test";
import { balanceText, leftText } from "../../../src/page/app/lib/authorizations/units.ts";

/** Units of a period in words. */

test.each([
  [
    { delivered: 52, booked: 20, authorized: 80 },
    "8 left",
    "52 delivered, 20 booked, 8 left of 80",
  ],
  [
    { delivered: 70, booked: 13.5, authorized: 80 },
    "3.5 over",
    "70 delivered, 13.5 booked, 3.5 over 80",
  ],
  [
    { delivered: 0.1, booked: 0.2, authorized: 0.3 },
    "0 left",
    "0.1 delivered, 0.2 booked, 0 left of 0.3",
  ],
  [{ delivered: 5, booked: 0, authorized: null }, "", "5 delivered, 0 booked, no limit"],
])("%j", (units, left, balance) => {
  expect(leftText(units)).toBe(left);
  expect(balanceText(units)).toBe(balance);
});
