/** Telephone numbers at which somebody in the United States can really be reached. */

type Library = typeof import("libphonenumber-js/max");

// The page's types, of which this is a part, know of no runtime.
declare const require: (library: "libphonenumber-js/max") => Library;

/** Loaded with the first number, as the plans of all countries would take 4 ms of each start. */
let library: Library | undefined;

/** The country codes of libphonenumber for the 50 states with DC, and for the territories. */
const UNITED_STATES = new Set(["US", "PR", "GU", "VI", "AS", "MP"]);

/**
 * No family's own telephone is at such a number: the caller would pay nothing, or too much, or reaches a
 * service that follows its user about (area codes that are no place: 500, 521 to 529, 533, 544 and so on).
 */
const NOT_A_PERSONS_OWN = new Set(["TOLL_FREE", "PREMIUM_RATE", "PERSONAL_NUMBER"]);

/** Exchanges that nobody is given: N11 dials a service, 976 costs its caller by the minute. */
const NOBODYS_EXCHANGE = /^(?:.11|976)/;

/**
 * What people type who count instead of giving a number. After 9 comes 0 or 10, and after 10 comes 11 or 1;
 * whatever ten digits lie in one of these, wherever they begin, are a counting run.
 */
const COUNTING_RUNS = [
  "0123456789".repeat(2),
  "12345678910".repeat(2),
  "12345678910111213141516",
  "9876543210".repeat(2),
  "10987654321".repeat(2),
];

/**
 * Whether `text` is a United States number in E.164 (`+1` and ten digits, nothing between) to which
 * a call or a message can be delivered. That is a number of an area and an exchange in use,
 * by libphonenumber's full metadata, which is neither toll-free nor premium nor without a place, and no
 * placeholder of those that people type to get past a form (`caregiver.phone` of `POST /v1/intake-leads`).
 *
 * @example
 * isDeliverableUsPhone("+14155552671"); // true
 * isDeliverableUsPhone("+12125550123"); // false: kept for films
 * isDeliverableUsPhone("+16042345678"); // false: Vancouver, Canada
 * isDeliverableUsPhone("(415) 555-2671"); // false: not E.164
 */
export function isDeliverableUsPhone(text: string): boolean {
  // The library would also read spaces, brackets and extensions.
  if (!/^\+1\d{10}$/.test(text)) return false;
  library ??= require("libphonenumber-js/max");
  const number = library.parsePhoneNumber(text);
  // With full metadata, a number is valid if it has a type; to ask for both takes twice as long.
  const type = number?.getType();
  return (
    number !== undefined &&
    type !== undefined &&
    UNITED_STATES.has(number.country ?? "") &&
    !NOT_A_PERSONS_OWN.has(type) &&
    !isPlaceholder(number.nationalNumber)
  );
}

/**
 * Placeholders that the metadata takes for valid. One digit and counting runs are looked for in
 * the whole ten digits, because a subscriber's seven alone may well be such a number: taxis and
 * lawyers pay for 222-2222 and 234-5678. Only 555-5555 is nobody's anywhere, as the exchange 555
 * has no subscribers.
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
