import { InvalidArgumentError } from "@commander-js/extra-typings";
import { type ChainHead, parseHead } from "../audit/chain.ts";
import { isRole, type Role, roles } from "../callers/roles.ts";
import { problemNames } from "../billing/problems.ts";
import { MAX_BATCH, stateNames } from "../billing/states.ts";
import type { KeyChoice } from "../config.ts";
import { parseCalendarDate } from "../lib/calendar-date.ts";
import { parseDuration } from "../lib/duration.ts";
import { parseInstant } from "../lib/instant.ts";
import { isBlank } from "../lib/text.ts";
import { isRecordType, type OwnedType, recordTypes } from "../schema/record-types.ts";

/**
 * Parsers of flags and arguments. Each throws commander's InvalidArgumentError for invalid text; commander then names
 * the flag and exits with the status for wrong usage.
 */

/** The parser of an argument, which refuses what `parse` does not understand. */
function argument<Value>(parse: (text: string) => Value | undefined, message: string) {
  return (text: string): Value => {
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(message);
    return value;
  };
}

/** `argument` for a text of some form. */
function form<Value>(pattern: RegExp, read: (text: string) => Value, message: string) {
  return argument((text) => (pattern.test(text) ? read(text) : undefined), message);
}

/** A role, spelled as in the API. */
export const roleArgument = argument(
  (text): Role | undefined => (isRole(text) ? text : undefined),
  `It must be one of ${roles.join(", ")}.`,
);

const READ_ONLY = ":read-only";

/** Collects `ROLE` or `ROLE:read-only`. */
export function keyChoiceArgument(text: string, earlier: readonly KeyChoice[] = []): KeyChoice[] {
  const readOnly = text.endsWith(READ_ONLY);
  const role = roleArgument(readOnly ? text.slice(0, -READ_ONLY.length) : text);
  return [...earlier, { role, readOnly }];
}

export const dateArgument = argument(
  parseCalendarDate,
  "It must be a date that exists, such as 2027-01-31.",
);

/** A time in which the demo and new ids can be made. */
function demoTime<Time extends string>(parse: (text: string) => Time | undefined, example: string) {
  return argument((text) => {
    const time = parse(text);
    return time !== undefined && time >= "1970" && time < "9999" ? time : undefined;
  }, `It must be ${example}, from 1970 to 9998.`);
}

export const demoDateArgument = demoTime(
  parseCalendarDate,
  "a date that exists, such as 2027-01-31",
);
export const clockArgument = demoTime(parseInstant, "an instant such as 2027-01-31T12:00:00Z");

/** The parser of names of a list, separated by commas; in the order of the list. */
function namesOf<Name extends string>(all: readonly Name[]) {
  return argument(
    (text): Name[] | undefined => {
      const names = text.split(",");
      const isKnown = names.every((name) => (all as readonly string[]).includes(name));
      return isKnown ? all.filter((name) => names.includes(name)) : undefined;
    },
    `It must be one or several of ${all.join(", ")}.`,
  );
}

export const statesArgument = namesOf(stateNames);
export const problemsArgument = namesOf(problemNames);

/** The name of a batch. */
export const batchArgument = argument((text) => {
  const batch = text.trim();
  return batch !== "" && batch.length <= MAX_BATCH ? batch : undefined;
}, `It must have 1 to ${MAX_BATCH} characters.`);

/** A date, meaning the start of that UTC day, or an instant. */
export const beginningArgument = momentArgument("T00:00:00.000Z");

/** A date, meaning the end of that UTC day, or an instant. */
export const deadlineArgument = momentArgument("T23:59:59.999Z");

function momentArgument(timeOfDate: string) {
  return argument(
    (text) => parseInstant(parseCalendarDate(text) === undefined ? text : text + timeOfDate),
    "It must be a date such as 2027-01-31, or an instant such as 2027-01-31T12:00:00Z.",
  );
}

/** Heads of audit chains as printed by `audit verify`, separated by white space. */
export function chainHeadsArgument(
  text: string,
  earlier: ReadonlyMap<string, ChainHead> = new Map(),
): Map<string, ChainHead> {
  const heads = new Map(earlier);
  for (const printed of text.trim().split(/\s+/)) {
    const parsed = parseHead(printed);
    if (parsed === undefined)
      throw new InvalidArgumentError('It must be a head as "caseload audit verify" prints it.');
    heads.set(parsed.organizationId, parsed.head);
  }
  return heads;
}

/** A duration in milliseconds. */
export const durationArgument = argument(
  parseDuration,
  "It must be a duration such as 90s, 30m, 24h or 7d.",
);

/** An integer, 0 or more. */
export const countArgument = form(
  /^[0-9]{1,9}$/,
  Number,
  "It must be a whole number below 1,000,000,000.",
);

/** An integer, 1 or more. */
export function positiveArgument(text: string): number {
  if (/^0*$/.test(text)) throw new InvalidArgumentError("It must be 1 or more.");
  return countArgument(text);
}

/** The sequence of an earlier export. */
export const sequenceArgument = form(
  /^[0-9]{1,15}$/,
  Number,
  'It must be a whole number, as an export prints it ("Sequence 12").',
);

export const nameArgument = argument(
  (text) => (isBlank(text) ? undefined : text.trim()),
  "It must not be empty.",
);

/** Addresses of this machine, to which a webhook need not be encrypted. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The address of a webhook's endpoint: https, or http to this machine. */
export function webhookUrlArgument(text: string): string {
  const url = URL.parse(text);
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (url === null || !isSafe)
    throw new InvalidArgumentError(
      "It must be an https: URL, or an http: URL of this machine such as http://127.0.0.1:8080/changed.",
    );
  if (url.username !== "" || url.password !== "")
    throw new InvalidArgumentError("It must not have a user or password; the call is signed.");
  return url.href;
}

/** Collects the values of a repeatable flag. */
export function webhookUrlsArgument(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, webhookUrlArgument(text)];
}

/** The address of a server, without a path. */
export const originArgument = argument((text) => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href === `${url.origin}/` ? url.origin : undefined;
}, "It must be an address such as https://caseload.example.");

/** Collects the values of a repeatable flag. */
export function listArgument(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}

/** Types of records, separated by commas. */
export function recordTypesArgument(text: string): OwnedType[] {
  const types = text.split(",").map((type) => type.trim());
  for (const type of types)
    if (!isRecordType(type) || type === "organization")
      throw new InvalidArgumentError(
        `The types are ${recordTypes.filter((each) => each !== "organization").join(", ")}.`,
      );
  return types as OwnedType[];
}
