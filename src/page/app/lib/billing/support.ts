import type { TimeZone } from "../base/dates.ts";
import { dateOf } from "../base/dates.ts";
import { countText, dateText, rangeText, timeText, unitsText } from "../base/format.ts";
import { addressOf, addressOfRecord } from "../base/place.ts";
import { nameOf } from "../person/people.ts";
import type { BillingSupport } from "../base/wire.ts";

/** What supports a line, in sentences, each with the way to what it says. */

export interface Proof {
  name: string;
  text: string;
  address: string | undefined;
}

export function proofsOf(support: BillingSupport, zone: TimeZone): Proof[] {
  const { line, session } = support;
  const person = (id: string | null) => (id === null ? undefined : addressOf(["people", id]));
  const at = session && addressOfRecord({ type: "session", publicId: session.sessionId });
  return [
    { name: "Rendered", text: renderedText(support, zone), address: person(line.renderedById) },
    {
      name: "Supervised",
      text: supervisionText(support),
      address: addressOf(["supervision"], { month: support.supervision?.month }),
    },
    {
      name: "Authorized",
      text: authorizedText(support),
      address: addressOf(["utilization", line.authorizationId]),
    },
    { name: "Recorded", text: recordedText(support), address: person(line.patientId) },
    ...support.changes
      .filter(({ isSince }) => isSince)
      .map((change) => ({
        name: "Changed",
        text: changeText(change, zone),
        address: change.type === "encounter" ? (at ?? undefined) : addressOfRecord(change),
      })),
  ].filter(({ text }) => text !== "");
}

function renderedText({ line, session, credentials }: BillingSupport, zone: TimeZone): string {
  const { renderedByFirstName: firstName, renderedByLastName: lastName } = line;
  if (session === null) return "No session: nobody is known to have rendered it";
  if (firstName === null || lastName === null) return "Nobody";
  const held = credentials.map(
    ({ credentialType, credentialNumber, expiresAt }) =>
      `${credentialType} ${credentialNumber}, until ${dateText(dateOf(expiresAt, zone))}`,
  );
  return `${nameOf({ firstName, lastName })}: ${held.join("; ") || "no credential in force"}`;
}

function supervisionText({ supervision, line }: BillingSupport): string {
  if (supervision === null) return "";
  const { supervisedMinutes, month, shareDelivered, contactsDelivered, observedDelivered } =
    supervision;
  const share = shareDelivered === null ? "–" : `${unitsText(shareDelivered * 100)} %`;
  return `${supervisedMinutes} of ${countText(line.minutes ?? 0, "minute")}; in ${month} ${share} of the service, ${countText(contactsDelivered, "contact")}, ${observedDelivered} with a client`;
}

function authorizedText({ line, authorization }: BillingSupport): string {
  const { startDate, endDate, periodStartDate, periodEndDate } = authorization;
  const { unitsAuthorized, unitsBefore, unitsLeft } = authorization;
  const term = `${line.authorizationNumber}, ${rangeText(startDate, endDate)}`;
  if (periodStartDate === null || periodEndDate === null) return `${term}: it does not count`;
  const period = rangeText(periodStartDate, periodEndDate);
  const used = unitsText(unitsBefore ?? 0);
  return unitsAuthorized === null
    ? `${term}: ${used} units of ${period} used before, without a limit`
    : `${term}: ${used} of ${unitsText(unitsAuthorized)} units of ${period} used before, ${unitsText(unitsLeft ?? 0)} left with it`;
}

function recordedText({ line, recorded }: BillingSupport): string {
  if (recorded === null) return "";
  const { entries, goals, firstAt, lastAt } = recorded;
  if (firstAt === null || lastAt === null) return "Nothing recorded";
  const times = [firstAt, lastAt].map((time) => timeText(time, line.timezone)).join(" – ");
  return `${countText(entries, "data point")} on ${countText(goals, "goal")}, ${times}`;
}

/** What is said to have changed. */
const TYPES: Partial<Record<string, string>> = {
  encounter: "The delivery",
  session: "The session",
  authorization: "The authorization",
  authorizationPool: "The pool",
  payor: "The payor",
  serviceLine: "The service",
  user: "A person",
};

function changeText(
  { type, changedAt, changedBy }: BillingSupport["changes"][number],
  zone: TimeZone,
): string {
  const when = changedAt === null ? "" : `, ${dateText(dateOf(changedAt, zone))}`;
  const who = changedBy === null ? "" : ` by ${changedBy}`;
  return `${TYPES[type] ?? type} changed after it was handed over${who}${when}`;
}
