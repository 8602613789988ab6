/** Validation of deliverable United States phone numbers. */

type Library = typeof import("libphonenumber-js/max");

// This module is also part of the page, whose TypeScript configuration has no `require`.
declare const require: (library: "libphonenumber-js/max") => Library;

/** Loaded on first use: parsing the metadata of all countries would slow down every start. */
let library: Library | undefined;

/** libphonenumber's country codes of the 50 states and DC, and of the territories. */
const UNITED_STATES = new Set(["US", "PR", "GU", "VI", "AS", "MP"]);

/**
 * Types of numbers that no family's own phone has. `PERSONAL_NUMBER` is the follow-me service of the non-geographic
 * area codes 500, 521 to 529, 533, 544 and so on.
 */
const NOT_A_PERSONS_OWN = new Set(["TOLL_FREE", "PREMIUM_RATE", "PERSONAL_NUMBER"]);

/**
 * Area codes in service that the metadata does not know yet, with the day since when (NANPA). Looked at with each
 * release: those that the metadata knows by then go, which the tests say.
 */
export const NEW_AREA_CODES: Readonly<Record<string, string>> = {
  // Illinois, with 309
  "861": "2023-02-24",
  // Ohio, with 440
  "436": "2024-03-01",
  // Houston, with 713, 281, 832 and 346
  "621": "2025-01-23",
  // Detroit, with 313
  "679": "2025-11-07",
};
const NEW_NUMBER = new RegExp(`^\\+1(?:${Object.keys(NEW_AREA_CODES).join("|")})[2-9]\\d{6}$`);

/** Exchanges without private subscribers: N11 is reserved for services (911), 976 for premium-rate numbers. */
const NOBODYS_EXCHANGE = /^(?:.11|976)/;

/**
 * Digits typed by counting, with 9 followed by 0 or 10, and 10 by 11 or 1. Any ten consecutive digits of one of these
 * are a placeholder.
 */
const COUNTING_RUNS = [
  "0123456789".repeat(2),
  "12345678910".repeat(2),
  "12345678910111213141516",
  "9876543210".repeat(2),
  "10987654321".repeat(2),
];

/**
 * Whether `text` is a United States number in E.164 (`+1` and ten digits, no separators) to which calls and messages
 * can be delivered: its area code and exchange are in use by libphonenumber's full metadata, or its area code is new; it is neither toll-free
 * nor premium-rate nor a follow-me number, and no placeholder typed to get past a form. Specification: `caregiver.phone`
 * of `POST /v1/intake-leads`.
 *
 * @example
 * isDeliverableUsPhone("+14155552671"); // true
 * isDeliverableUsPhone("+12125550123"); // false: kept for films
 * isDeliverableUsPhone("+16042345678"); // false: Vancouver, Canada
 * isDeliverableUsPhone("(415) 555-2671"); // false: not E.164
 */
export function isDeliverableUsPhone(text: string): boolean {
  // The library would also accept spaces, brackets and extensions.
  if (!/^\+1\d{10}$/.test(text)) return false;
  return (NEW_NUMBER.test(text) || isKnown(text)) && !isPlaceholder(text.slice(2));
}

/** Whether the metadata has a number of a person in the United States. */
function isKnown(text: string): boolean {
  library ??= require("libphonenumber-js/max");
  const number = library.parsePhoneNumber(text);
  // With full metadata, a number is valid exactly if it has a type, so `isValid` need not be called as well.
  const type = number?.getType();
  return (
    number !== undefined &&
    type !== undefined &&
    UNITED_STATES.has(number.country ?? "") &&
    !NOT_A_PERSONS_OWN.has(type)
  );
}

/**
 * Placeholders that are valid by the metadata. A repeated digit or a counting run must fill all ten digits: the last
 * seven alone may be real, since taxi companies and law firms buy numbers such as 222-2222 and 234-5678. The exception
 * is 555-5555, because the exchange 555 has no subscribers.
 */
function isPlaceholder(nationalNumber: string): boolean {
  const subscriber = nationalNumber.slice(3);
  const isFictitious = /^55501\d\d$/.test(subscriber);
  const isDirectoryAssistance = subscriber === "5551212";
  const isOneDigit = /^(\d)\1*$/.test(nationalNumber) || subscriber === "5555555";
  const isCountingRun = COUNTING_RUNS.some((run) => run.includes(nationalNumber));
  return (
    isFictitious ||
    isDirectoryAssistance ||
    isOneDigit ||
    isCountingRun ||
    NOBODYS_EXCHANGE.test(subscriber)
  );
}

/** Whether a text is a phone number, in any form: of the United States, or with another country's code. */
export function isPhoneNumber(text: string): boolean {
  library ??= require("libphonenumber-js/max");
  const number = library.parsePhoneNumberFromString(text, "US");
  return number !== undefined && (number.isValid() || NEW_NUMBER.test(number.number));
}
