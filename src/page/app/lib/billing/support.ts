import type { TimeZone } from "../base/dates.ts";
import { dateOf } from "../base/dates.ts";
import { countText, dateText, rangeText, shareText, timeText, unitsText } from "../base/format.ts";
import { addressOf, addressOfRecord, addressOfSession } from "../base/place.ts";
import { patientName, rowName } from "../person/people.ts";
import type { BillingSupport } from "../base/wire.ts";

/** What supports a line, in sentences, each with the way to what it says. */

export interface Proof {
  name: string;
  text: string;
  address: string | undefined;
}

export function proofsOf(support: BillingSupport, zone: TimeZone): Proof[] {
  const { line } = support;
  const person = (id: string | null) => (id === null ? undefined : addressOf(["people", id]));
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
    {
      name: "Recorded",
      text: recordedText(support),
      address: addressOf(["goals"], { patientId: line.patientId }),
    },
    ...changesSince(support, zone),
  ].filter(({ text }) => text !== "");
}

function renderedText({ line, session, credentials }: BillingSupport, zone: TimeZone): string {
  const name = rowName(line, "renderedBy");
  if (session === null) return "No session: nobody is known to have rendered it";
  if (name === "") return "Nobody";
  const held = credentials.map(
    ({ credentialType, credentialNumber, expiresAt }) =>
      `${credentialType} ${credentialNumber}, until ${dateText(dateOf(expiresAt, zone))}`,
  );
  return `${name}: ${held.join("; ") || "no credential in force"}`;
}

function supervisionText({ supervision, line }: BillingSupport): string {
  if (supervision === null) return "";
  const { supervisedMinutes, month, shareDelivered, contactsDelivered, observedDelivered } =
    supervision;
  return `${supervisedMinutes} of ${countText(line.minutes ?? 0, "minute")}; in ${month} ${shareText(shareDelivered)} of the service, ${countText(contactsDelivered, "contact")}, ${observedDelivered} with a client`;
}

function authorizedText({ line, authorization }: BillingSupport): string {
  const { startDate, endDate, periodStartDate, periodEndDate } = authorization;
  const { unitsAuthorized, unitsBefore, unitsLeft } = authorization;
  const term = `${line.authorizationNumber}, ${rangeText(startDate, endDate)}`;
  if (periodStartDate === null || periodEndDate === null) return `${term}: it does not count`;
  const period = rangeText(periodStartDate, periodEndDate);
  const [of, left] =
    unitsAuthorized === null
      ? ["", "without a limit"]
      : [` of ${unitsText(unitsAuthorized)}`, `${unitsText(unitsLeft ?? 0)} left with it`];
  return `${term}: ${unitsText(unitsBefore ?? 0)}${of} units of ${period} used before, ${left}`;
}

function recordedText({ line, recorded }: BillingSupport): string {
  if (recorded === null) return "";
  const { entries, goals, firstAt, lastAt } = recorded;
  if (firstAt === null || lastAt === null) return "Nothing recorded";
  const times = [firstAt, lastAt].map((time) => timeText(time, line.timezone)).join(" – ");
  return `${countText(entries, "data point")} on ${countText(goals, "goal")}, ${times}`;
}

const TYPES: Partial<Record<string, string>> = {
  encounter: "the delivery",
  session: "the session",
  authorization: "the authorization",
  authorizationPool: "the pool",
  payor: "the payor",
  serviceLine: "the service",
};

/** What has changed since the line was handed over, in a sentence for each write. */
function changesSince({ line, session, changes }: BillingSupport, zone: TimeZone): Proof[] {
  const named = new Map([
    [line.patientId, patientName(line)],
    [line.renderedById, rowName(line, "renderedBy")],
    [line.supervisedById, rowName(line, "supervisedBy")],
  ]);
  const since = changes.filter(({ isSince }) => isSince);
  return [...Map.groupBy(since, ({ sequence }) => sequence).values()].map((together) => {
    const [{ changedAt, changedBy }] = together as [(typeof together)[0]];
    const what = together.map(({ type, publicId }) => TYPES[type] ?? named.get(publicId));
    const who = changedBy === null ? "" : `, by ${changedBy}`;
    const when = changedAt === null ? "" : `, ${dateText(dateOf(changedAt, zone))}`;
    const ofDelivery = session && addressOfSession(session.sessionId);
    const places = together.flatMap(
      (change) => (change.type === "encounter" ? ofDelivery : addressOfRecord(change)) ?? [],
    );
    return {
      name: "Changed after it was handed over",
      text: `${what.join(", ")}${who}${when}`,
      address: places[0],
    };
  });
}
