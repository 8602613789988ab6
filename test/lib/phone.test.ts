import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parsePhoneNumber } from "libphonenumber-js/max";
import { isDeliverableUsPhone, isPhoneNumber, NEW_AREA_CODES } from "../../src/lib/phone.ts";

/** A number with the reason for its result. */
type Case = [text: string, because: string];

const accepted: Case[] = [
  ["+14155552671", "San Francisco; only some numbers of the exchange 555 are fictitious"],
  ["+12125551234", "New York"],
  ["+12022243121", "Washington, DC"],
  ["+19072694000", "Alaska"],
  ["+18085551234", "Hawaii"],
  ["+17875551234", "Puerto Rico"],
  ["+19395551234", "Puerto Rico's second area code"],
  ["+16715551234", "Guam"],
  ["+13405551234", "the US Virgin Islands"],
  ["+16846331234", "American Samoa"],
  ["+16702341234", "the Northern Mariana Islands"],
  ["+13242345678", "an area code since 2025, which the metadata knows"],
  ["+14362345670", "Ohio since 2024, which the metadata does not know"],
  ["+16212345670", "Houston since 2025, likewise"],
  ["+16792345670", "Detroit since 2025, likewise"],
  ["+18612345670", "Illinois since 2023, likewise"],
];

const notE164: Case[] = [
  ["", "an empty text"],
  ["4155552671", "no country code"],
  ["14155552671", "no plus"],
  ["+1 415 555 2671", "spaces"],
  ["+1-415-555-2671", "hyphens"],
  ["+1(415)5552671", "brackets"],
  ["+14155552671 ", "white space after it"],
  [" +14155552671", "white space before it"],
  ["+14155552671\n", "a line end after it"],
  ["+14155552671x5", "an extension"],
  ["+14155552671;ext=5", "an extension"],
  ["tel:+14155552671", "a URI"],
  ["+1415555267", "a digit too few"],
  ["+141555526711", "a digit too many"],
  ["+1415555267١", "a digit of another script"],
  ["＋14155552671", "a full-width plus"],
  ["+1415555CALL", "letters for digits"],
  ["\u0000+14155552671", "U+0000"],
];

const notInTheUnitedStates: Case[] = [
  ["+447911123456", "a British mobile, with its own country code"],
  ["+16042345678", "Vancouver, Canada"],
  ["+18765551234", "Jamaica"],
  ["+12425551234", "the Bahamas"],
];

const notInUse: Case[] = [
  ["+10000000000", "no area code begins with 0"],
  ["+11234567890", "no area code begins with 1"],
  ["+12111234567", "211 is a service and no area code"],
  ["+19115551234", "911 is a service and no area code"],
  ["+12120551234", "no exchange begins with 0"],
  ["+12121551234", "no exchange begins with 1"],
  ["+14115551234", "411 is a service and no area code"],
  ["+16845551234", "no exchange of American Samoa"],
  ["+12129112368", "911 is a service and no exchange"],
  ["+12122112368", "211 is a service and no exchange"],
  ["+17878112368", "811 is a service in Puerto Rico, too"],
  ["+16210551234", "no exchange begins with 0, in a new area either"],
  ["+16211551234", "nor with 1"],
  ["+16219112368", "911 is a service in a new area, too"],
  ...["457", "465", "471", "483", "565", "624", "729", "837", "924"].map((area): Case => [
    `+1${area}2345670`,
    "an area code of which nobody has looked up whether it is in service",
  ]),
];

const notAPersonsOwn: Case[] = [
  ["+18002345678", "toll-free"],
  ["+18332345678", "toll-free, of a later code"],
  ["+18882345678", "toll-free, of a later code"],
  ["+19002345678", "premium"],
  ["+12129762368", "976, the premium exchange of every area"],
  ["+16799762368", "976 in a new area"],
  ["+15002345678", "500, an area code that is no place"],
  ["+15212345678", "no place: the first of 521 to 529"],
  ["+15292345678", "no place: the last of 521 to 529"],
  ["+15332345678", "no place"],
  ["+15442345678", "no place"],
  ["+15662345678", "no place"],
  ["+15772345678", "no place"],
  ["+15882345678", "no place"],
];

const placeholders: Case[] = [
  ["+12125550100", "the first fictitious number of an area"],
  ["+12125550123", "a fictitious number"],
  ["+12125550199", "the last fictitious number of an area"],
  ["+17875550123", "fictitious in Puerto Rico too"],
  ["+12125551212", "directory assistance"],
  ["+12125555555", "555-5555, unassigned in every area"],
  ["+18615550123", "fictitious in a new area, too"],
  ["+12345678910", "one to ten, the country code being the one"],
  ["+12345678901", "up, from 9 on to 0"],
  ["+15678910123", "up, from 10 on to 1"],
  ["+15678910111", "up, from 10 on to 11"],
  ["+16789101112", "six to twelve"],
  ["+16789101234", "up, from 10 on to 1"],
];

const nearPlaceholders: Case[] = [
  ["+12125550099", "the number before the fictitious ones"],
  ["+12125550200", "the number after the fictitious ones"],
  ["+12125551211", "the number before directory assistance"],
  ["+12125551213", "the number after directory assistance"],
  ["+12124440123", "01XX in another exchange"],
  ["+14152345678", "a subscriber's seven digits that count up"],
  ["+17022222222", "a subscriber's seven equal digits, a vanity number"],
  ["+12125555554", "the number before 555-5555"],
  ["+12345678902", "digits that count up, except for the last"],
  ["+12345678911", "one to nine, and 11"],
  ["+16789101113", "six to eleven, and 13"],
  ["+12129752368", "the exchange before 976"],
  ["+12129122368", "the exchange after 911"],
  ["+15302345678", "530, between 529 and 533, is in California"],
  ["+17654321099", "digits that count down, except for the last"],
];

describe("isDeliverableUsPhone (a caregiver's phone in POST /v1/intake-leads)", () => {
  test.each(accepted)("accepts %p: %s", (text) => {
    expect(isDeliverableUsPhone(text)).toBe(true);
  });

  test.each(nearPlaceholders)("accepts %p: %s", (text) => {
    expect(isDeliverableUsPhone(text)).toBe(true);
  });

  test.each(notE164)("refuses %p, which is not strictly E.164: %s", (text) => {
    expect(isDeliverableUsPhone(text)).toBe(false);
  });

  test.each(notInTheUnitedStates)("refuses %p, which is not in the United States: %s", (text) => {
    expect(isDeliverableUsPhone(text)).toBe(false);
  });

  test.each(notInUse)("refuses %p, which is not in use: %s", (text) => {
    expect(isDeliverableUsPhone(text)).toBe(false);
  });

  test.each(notAPersonsOwn)("refuses %p, which does not belong to a person: %s", (text) => {
    expect(isDeliverableUsPhone(text)).toBe(false);
  });

  test.each(placeholders)("refuses %p, which is a placeholder: %s", (text) => {
    expect(isDeliverableUsPhone(text)).toBe(false);
  });

  test("has no new area code that the metadata has come to know", () => {
    const known = Object.keys(NEW_AREA_CODES).filter(
      (area) => parsePhoneNumber(`+1${area}2345670`)?.country !== undefined,
    );
    expect(known).toEqual([]);
  });

  test("refuses ten equal digits", () => {
    const numbers = Array.from("0123456789", (digit) => `+1${digit.repeat(10)}`);
    expect(numbers.filter(isDeliverableUsPhone)).toEqual([]);
  });

  test("refuses ten digits that count up or down, including from 9 to 0", () => {
    const runs = Array.from("0123456789", (_, first) =>
      [1, -1].map((step) =>
        Array.from({ length: 10 }, (_, place) => (first + step * place + 100) % 10).join(""),
      ),
    ).flat();
    expect(runs).toContain("2345678901");
    expect(runs).toContain("7654321098");
    expect(runs.map((run) => `+1${run}`).filter(isDeliverableUsPhone)).toEqual([]);
  });

  test("refuses the hundred fictitious numbers of every area code", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 999 }),
        fc.integer({ min: 100, max: 199 }),
        (area, line) => !isDeliverableUsPhone(`+1${area}5550${line}`),
      ),
      { numRuns: 300 },
    );
  });
});

describe("isPhoneNumber (a note of an import)", () => {
  test.each([
    ["(415) 555-2671", true],
    ["+1 621 234-5670", true],
    ["(679) 234-5670", true],
    ["+44 20 7946 0958", true],
    ["+47 12 34 56 78", false],
    ["(442) 079-460958", false],
    ["(457) 234-5670", false],
    ["none", false],
  ])("of %p is %p", (text, is) => {
    expect(isPhoneNumber(text)).toBe(is);
  });
});
