import type { Instant } from "../lib/instant.ts";
import { localDate, type TimeZone } from "../lib/time-zone.ts";
import type { SessionStatus } from "../sessions/model.ts";
import type { FeedSession } from "./repository.ts";

/** A calendar of sessions in iCalendar (RFC 5545), which tells of no patient. */
export interface Feed {
  organizationId: string;
  organizationName: string;
  timezone: TimeZone;
  /** The first instant of the day in that zone. No clock time is in a feed, so that it changes with its data alone. */
  today: Instant;
  /** Where the page is, such as `https://caseload.example`. */
  origin: string;
  sessions: readonly FeedSession[];
}

/** Statuses of RFC 5545. Sessions that do not take place stay, so that nobody looks for them. */
const statuses: Record<SessionStatus, "CONFIRMED" | "TENTATIVE" | "CANCELLED"> = {
  CONFIRMED: "CONFIRMED",
  UNCONFIRMED: "TENTATIVE",
  REQUESTED_TO_CANCEL: "TENTATIVE",
  DECLINED: "CANCELLED",
  PATIENT_NO_SHOW: "CANCELLED",
};

/** `SEQUENCE` is a 32-bit integer. */
const SEQUENCES = 2 ** 31;

/**
 * The text of a feed. Without `METHOD`, with which Outlook would take it for invitations; and without time zones, since
 * nothing recurs: every calendar shows UTC in its own zone.
 */
export function feedText(feed: Feed): string {
  const name = escaped(feed.organizationName);
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Caseload//Sessions//EN",
    "CALSCALE:GREGORIAN",
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    `X-WR-TIMEZONE:${feed.timezone}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...feed.sessions.flatMap((session) => eventLines(session, feed)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function eventLines(session: FeedSession, feed: Feed): string[] {
  const { publicId, sequence, startTime, endTime } = session;
  const status = statuses[session.status as SessionStatus];
  return [
    "BEGIN:VEVENT",
    `UID:${escaped(`${publicId}.${feed.organizationId}@caseload`)}`,
    `DTSTAMP:${utc(feed.today)}`,
    `SEQUENCE:${sequence % SEQUENCES}`,
    `DTSTART:${utc(startTime)}`,
    ...(endTime > startTime ? [`DTEND:${utc(endTime)}`] : []),
    `SUMMARY:${escaped(summary(session))}`,
    `LOCATION:${escaped(session.locationName)}`,
    `URL:${feed.origin}/#/schedule?date=${localDate(startTime, feed.timezone)}&session=${encodeURIComponent(publicId)}`,
    `STATUS:${status}`,
    `TRANSP:${status === "CANCELLED" ? "TRANSPARENT" : "OPAQUE"}`,
    "END:VEVENT",
  ];
}

/** Of what kind the session is and where; never its title, which may name the patient. */
function summary({ isSupervision, serviceName, codeName, placeOfService, status }: FeedSession) {
  // Several programs show a cancelled entry of a subscription like any other, and somebody drives there.
  const cancelled = statuses[status as SessionStatus] === "CANCELLED" ? "Cancelled: " : "";
  const kind = `${isSupervision === 1 ? "Supervision: " : ""}${serviceName ?? codeName ?? ""}`;
  const place = placeOfService.toLowerCase().replaceAll("_", " ");
  const note = status === "REQUESTED_TO_CANCEL" ? " (cancellation requested)" : "";
  return `${cancelled}${kind}, ${place}${note}`;
}

/** `2026-03-11T15:00:00.000Z` as `20260311T150000Z`. */
function utc(instant: Instant): string {
  return `${instant.slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

/** Text as a value: line breaks and what separates values are escaped, other control characters are left out. */
function escaped(text: string): string {
  return text
    .replaceAll(/\r\n|\r|[\u2028\u2029]/g, "\n")
    .replaceAll(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll(/\p{Cc}/gu, "");
}

/** In octets, without the line break. */
const LINE_LENGTH = 75;

const encoder = new TextEncoder();

/** A line in pieces of at most 75 octets, divided between characters, of which every other one begins with a space. */
function folded(line: string): string {
  if (encoder.encode(line).length <= LINE_LENGTH) return line;
  let text = "";
  let length = 0;
  for (const character of line) {
    const octets = encoder.encode(character).length;
    if (length + octets > LINE_LENGTH) {
      text += "\r\n ";
      length = 1;
    }
    text += character;
    length += octets;
  }
  return text;
}
