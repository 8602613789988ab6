import type { CalendarDate, DateRange } from "../lib/calendar-date.ts";

/** What is looked at to find something: sessions, encounters, or subjects (standalone authorizations, and pools), goals. */
type Looked = "session" | "encounter" | "subject" | "goal";

/**
 * The checks (docs/checks.md): names, in the order of findings on the same day and of the page; what each is of;
 * descriptions; and the messages of findings, which contain dates and numbers but no names.
 */
export const checks = {
  OUTSIDE_AUTHORIZATION: {
    of: ["session", "encounter"],
    description: "An encounter or booked session outside the dates of its authorization.",
    message: (facts: {
      units: number;
      date: CalendarDate;
      isDelivered: boolean;
      authorized: DateRange;
    }) => {
      const { units, date, isDelivered, authorized } = facts;
      const what = `${countOf(units, "unit")} ${units === 1 ? "was" : "were"} ${isDelivered ? "delivered" : "booked"} on ${date}`;
      return date < authorized.startDate
        ? `${what}, before the authorization begins on ${authorized.startDate}.`
        : `${what}, after the authorization ended on ${authorized.endDate}.`;
    },
  },
  NO_AUTHORIZATION: {
    of: ["session"],
    description: "A billable session of a client that has no authorization.",
    message: ({ units, date }: { units: number; date: CalendarDate }) =>
      `A billable session of ${countOf(units, "unit")} on ${date} has no authorization.`,
  },
  OVER_AUTHORIZED: {
    of: ["subject"],
    description:
      "A period of an authorization or pool with more units delivered or booked than authorized.",
    message: (facts: {
      period: DateRange;
      committed: number;
      authorized: number;
      excess: number;
    }) => {
      const { committed, authorized, excess } = facts;
      return `${countOf(committed, "unit")} ${committed === 1 ? "is" : "are"} delivered or booked ${daysOf(facts.period)}, ${excess} more than the ${authorized} authorized.`;
    },
  },
  NOT_DOCUMENTED: {
    of: ["session"],
    description: "A billable session that has ended and has no encounter.",
    message: ({ units, date }: { units: number; date: CalendarDate }) =>
      `A session of ${countOf(units, "unit")} on ${date} has ended, and has no encounter.`,
  },
  DELIVERED_UNHELD: {
    of: ["encounter"],
    description: "An encounter of a session that was declined or that the patient missed.",
    message: ({
      units,
      date,
      isDeclined,
    }: {
      units: number;
      date: CalendarDate;
      isDeclined: boolean;
    }) =>
      `${countOf(units, "unit")} ${units === 1 ? "was" : "were"} delivered on ${date} in a session that was ${isDeclined ? "declined" : "a no-show"}.`,
  },
  DELIVERED_TWICE: {
    of: ["session"],
    description: "A session with more than one encounter that has units.",
    message: ({
      encounters,
      date,
      units,
    }: {
      encounters: number;
      date: CalendarDate;
      units: number;
    }) =>
      `A session on ${date} has ${encounters} encounters, with ${countOf(units, "unit")} besides those of the first.`,
  },
  PROVIDER_OVERLAP: {
    of: ["session"],
    description:
      "A session that overlaps an earlier one of the same provider with another client, or without one. The technician at a supervision counts as a provider, too. Sessions of a group do not overlap each other (`isGroup` of the service line), nor a supervision the group of its client.",
    message: (facts: Overlap) => overlapText(facts, "provider"),
  },
  PATIENT_OVERLAP: {
    of: ["session"],
    description:
      "A billable session that overlaps an earlier one of the same client. Supervision does not count.",
    message: (facts: Overlap) => overlapText(facts, "patient"),
  },
  CREDENTIALS_ENDED: {
    of: ["session"],
    description:
      "A billable session that begins after all credentials of its provider have expired.",
    message: ({ date, endedOn }: { date: CalendarDate; endedOn: CalendarDate }) =>
      `A session on ${date} has a provider whose last credential expired on ${endedOn}.`,
  },
  PROVIDER_LEFT: {
    of: ["session"],
    description: "A coming session of a technician or clinician who is no longer active.",
    message: ({ date }: { date: CalendarDate }) =>
      `A session on ${date} has a provider who is no longer active.`,
  },
  RENEWAL_DUE: {
    of: ["subject"],
    description:
      "An authorization or pool that is in use, ends in the window, today or later, and has no successor.",
    message: ({
      isPool,
      date,
      sessions,
    }: {
      isPool: boolean;
      date: CalendarDate;
      sessions: number;
    }) =>
      `${isPool ? "A pool" : "An authorization"} ends on ${date} without a successor; ${sessions === 0 ? "no session is" : `${countOf(sessions, "session")} ${sessions === 1 ? "is" : "are"}`} booked after it.`,
  },
  PATIENT_LEFT: {
    of: ["session"],
    description: "A coming session of a patient who is no longer active.",
    message: ({ date }: { date: CalendarDate }) =>
      `A session on ${date} has a patient who is no longer active.`,
  },
  GOAL_MET: {
    of: ["goal"],
    description: "A goal that is being taught, and whose criterion is met.",
    message: ({ points, unit }: { points: number; unit: PointUnit }) =>
      points === 1
        ? `The last ${unitNouns[unit]} that counts meets the criterion.`
        : `The last ${points} ${unitNouns[unit]}s that count meet the criterion.`,
  },
  GOAL_SILENT: {
    of: ["goal"],
    description:
      "A goal that is being taught, and on which nothing was recorded in the last six sessions or more.",
    message: ({ sessions }: { sessions: number }) =>
      `Nothing was recorded in the last ${countOf(sessions, "session")}.`,
  },
  GOAL_NO_LONGER_MET: {
    of: ["goal"],
    description:
      "A goal in maintenance, or mastered, of which the last two points that count do not meet its criterion.",
    message: ({ unit }: { unit: PointUnit }) =>
      `The last 2 ${unitNouns[unit]}s that count do not meet the criterion.`,
  },
  GOAL_PAST: {
    of: ["goal"],
    description: "A goal that is being taught after its target date.",
    message: ({ date }: { date: CalendarDate }) => `The target date was ${date}.`,
  },
} as const satisfies Record<string, { of: readonly Looked[]; [said: string]: unknown }>;

export type CheckName = keyof typeof checks;

/** The names of the checks, in order. */
export const checkNames = Object.keys(checks) as CheckName[];

/** Whether a check looks at such records. */
export function isOf(check: CheckName, looked: Looked): boolean {
  return (checks[check].of as readonly Looked[]).includes(looked);
}

const unitNouns = { DAY: "day", WEEK: "week", MONTH: "month" };
type PointUnit = keyof typeof unitNouns;

interface Overlap {
  date: CalendarDate;
  /** The number of overlapped earlier sessions, and the greatest overlap in minutes. */
  sessions: number;
  minutes: number;
  /** Whether one of them would be of the same group, if the service were marked as one. */
  hasAlike: boolean;
}

function overlapText({ date, sessions, minutes, hasAlike }: Overlap, whose: string): string {
  const others =
    sessions === 1
      ? `an earlier one of the same ${whose}`
      : `${sessions} earlier ones of the same ${whose}`;
  const time = minutes === 0 ? "less than a minute" : countOf(minutes, "minute");
  return `A session on ${date} overlaps ${others} by ${sessions > 1 ? "up to " : ""}${time}${
    hasAlike ? ", at the same time and place: mark the service as a group if it is one" : ""
  }.`;
}

function daysOf({ startDate, endDate }: DateRange): string {
  return startDate === endDate ? `on ${startDate}` : `from ${startDate} to ${endDate}`;
}

/** Formats `1 unit`, `8 units`. */
function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
