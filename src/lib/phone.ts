/** Telephone numbers at which somebody in the United States can really be reached. */
import parsePhoneNumber from "libphonenumber-js/max";

/** The country codes of libphonenumber for the 50 states with DC, and for the territories. */
const UNITED_STATES = new Set(["US", "PR", "GU", "VI", "AS", "MP"]);

/** The caller would pay nothing, or too much: no family's own telephone is at such a number. */
const NOT_A_PERSONS_OWN = new Set(["TOLL_FREE", "PREMIUM_RATE"]);

/** Ten digits that only count up or down, going round from 9 to 0: `2345678901` lies in the first. */
const COUNTING_UP = "0123456789012345678";
const COUNTING_DOWN = "9876543210987654321";

/**
 * Whether `text` is a United States number in E.164 (`+1` and ten digits, nothing between) to which
 * a call or a message can be delivered. That is a number of an area and an exchange in use,
 * by libphonenumber's full metadata, which is neither toll-free nor premium, and no placeholder of
 * those that people type to get past a form. Decisions 6.
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
  const number = parsePhoneNumber(text);
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
  const isCountingRun =
    COUNTING_UP.includes(nationalNumber) || COUNTING_DOWN.includes(nationalNumber);
  return isFictitious || isDirectoryAssistance || isOneDigit || isCountingRun;
}
