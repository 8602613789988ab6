import { holdsSlot } from "../utilization/oracle.ts";
import { localAt, startOf } from "../lib/zoned.ts";

/**
 * An independent oracle for the supervision report, as simple as possible: time is cut at every start and end of a
 * session, and each piece is asked, for each technician, who is where. Uses nothing of `src/`.
 */
export interface SupervisionPractice {
  timezone: string | null;
  technicians: { publicId: string; firstName: string; lastName: string; isActive: boolean }[];
  sessions: SupervisedSession[];
}

export interface SupervisedSession {
  publicId: string;
  startTime: string;
  endTime: string;
  status: string;
  isBillable: boolean;
  isSupervision: boolean;
  isClientPresent: boolean;
  technicianId: string | null;
  clientId: string | null;
  authorizationId: string | null;
  hasEncounter: boolean;
}

export interface SupervisionQuery {
  month?: string;
  requiredShare?: string;
  technicianId?: string;
  page?: number;
  pageSize?: number;
}

const STATES = ["SHORT", "BOOKED", "MET", "NO_HOURS"];

/** The body of the 200. */
export function expectedSupervision(
  practice: SupervisionPractice,
  query: SupervisionQuery,
  now: string,
) {
  const timezone = practice.timezone ?? "UTC";
  const today = localAt(now, timezone).toPlainDate();
  const month = Temporal.PlainYearMonth.from(query.month ?? today.toString().slice(0, 7));
  const [first, next] = [0, 1].map((more) => month.add({ months: more }).toPlainDate({ day: 1 }));
  const begins = (date: Temporal.PlainDate) => startOf(date, timezone);
  const isInMonth = ({ startTime }: SupervisedSession) =>
    begins(first!) <= Date.parse(startTime) && Date.parse(startTime) < begins(next!);
  const isElapsed = (day: number) =>
    Temporal.PlainDate.compare(first!.add({ days: day }), today) <= 0;
  const elapsed = Array.from({ length: month.daysInMonth }, (_, day) => day).filter(isElapsed);

  const requiredShare = query.requiredShare ?? "0.05";
  const entries = practice.technicians
    .map((technician) => {
      const of = (kind: Kind) => figuresOf(technician.publicId, practice, kind, now, isInMonth);
      return { technician, booked: of("booked"), delivered: of("delivered") };
    })
    .filter(
      ({ technician, booked }) =>
        technician.isActive || booked.service > 0n || booked.supervision > 0n,
    )
    .filter(({ technician }) => (query.technicianId ?? technician.publicId) === technician.publicId)
    .map(({ technician, booked, delivered }) =>
      entryOf(technician, booked, delivered, requiredShare),
    )
    .sort((a, b) => {
      const keys = (entry: typeof a) => [
        STATES.indexOf(entry.state),
        -entry.hoursNeeded,
        -entry.contactsNeeded,
      ];
      const differing = keys(a).findIndex((key, place) => key !== keys(b)[place]);
      if (differing >= 0) return keys(a)[differing]! - keys(b)[differing]!;
      return a.technicianId < b.technicianId ? -1 : 1;
    });
  const { page = 1, pageSize = 25 } = query;
  return {
    month: month.toString(),
    startDate: first!.toString(),
    endDate: next!.subtract({ days: 1 }).toString(),
    timezone,
    requiredShare: Number(requiredShare),
    elapsedShare: halfUp(BigInt(elapsed.length), BigInt(month.daysInMonth), 4),
    totals: Object.fromEntries(
      STATES.map((state) => [state, entries.filter((entry) => entry.state === state).length]),
    ),
    data: entries.slice((page - 1) * pageSize, page * pageSize),
    pagination: {
      ...{ page, pageSize, totalCount: entries.length },
      totalPages: Math.ceil(entries.length / pageSize),
    },
  };
}

type Kind = "booked" | "delivered";
interface Figures {
  service: bigint;
  supervision: bigint;
  contacts: number;
  observed: number;
}

function figuresOf(
  technicianId: string,
  practice: SupervisionPractice,
  kind: Kind,
  now: string,
  isInMonth: (session: SupervisedSession) => boolean,
): Figures {
  const sessions = practice.sessions.filter((one) => counts(one, kind, now));
  const moments = sessions.flatMap(({ startTime, endTime }) => [startTime, endTime]);
  const cuts = [...new Set(moments.map((moment) => Date.parse(moment)))].sort((a, b) => a - b);
  const figures = { service: 0n, supervision: 0n, contacts: 0, observed: 0 };
  let contact: { isObserved: boolean } | undefined;
  for (const [index, from] of cuts.slice(0, -1).entries()) {
    const length = BigInt(cuts[index + 1]! - from);
    const present = sessions.filter(
      ({ startTime, endTime }) => Date.parse(startTime) <= from && from < Date.parse(endTime),
    );
    const served = present.filter(
      (one) => one.isBillable && one.clientId !== null && one.technicianId === technicianId,
    );
    const supervising = present.filter(
      (one) =>
        one.isSupervision &&
        isInMonth(one) &&
        (one.technicianId === technicianId ||
          (one.technicianId === null &&
            one.clientId !== null &&
            served.some(({ clientId }) => clientId === one.clientId))),
    );
    if (served.some(isInMonth)) figures.service += length;
    if (supervising.length === 0) {
      contact = undefined;
      continue;
    }
    figures.supervision += length;
    if (contact === undefined) figures.contacts += 1;
    contact ??= { isObserved: false };
    if (contact.isObserved) continue;
    contact.isObserved = supervising.some((one) => one.clientId !== null && one.isClientPresent);
    if (contact.isObserved) figures.observed += 1;
  }
  return figures;
}

function counts(session: SupervisedSession, kind: Kind, now: string): boolean {
  if (!holdsSlot(session)) return false;
  if (kind === "booked" || session.hasEncounter) return true;
  const isOver = Date.parse(session.endTime) <= Date.parse(now);
  return session.authorizationId === null && session.status === "CONFIRMED" && isOver;
}

function entryOf(
  { publicId, firstName, lastName }: SupervisionPractice["technicians"][number],
  booked: Figures,
  delivered: Figures,
  requiredShare: string,
) {
  const hasService = booked.service > 0n;
  const [whole = "", decimals = ""] = requiredShare.split(".");
  const unit = 10n ** BigInt(decimals.length);
  const lacksOf = ({ supervision }: Figures) =>
    BigInt(whole + decimals) * booked.service - supervision * unit;
  // A hundredth of an hour is 36 seconds.
  const hundredths = lacksOf(booked) / (unit * 36_000n);
  const isExact = hundredths * unit * 36_000n === lacksOf(booked);
  const hoursNeeded = lacksOf(booked) <= 0n ? 0 : Number(hundredths + (isExact ? 0n : 1n)) / 100;
  const contactsNeeded = hasService ? Math.max(0, 2 - booked.contacts) : 0;
  const observationNeeded = hasService && booked.observed === 0;
  const suffices = lacksOf(delivered) <= 0n && delivered.contacts >= 2 && delivered.observed >= 1;
  const isShort = hoursNeeded > 0 || contactsNeeded > 0 || observationNeeded;
  return {
    technicianId: publicId,
    technicianFirstName: firstName,
    technicianLastName: lastName,
    hoursDelivered: halfUp(delivered.service, 3_600_000n, 2),
    hoursBooked: halfUp(booked.service, 3_600_000n, 2),
    supervisedDelivered: halfUp(delivered.supervision, 3_600_000n, 2),
    supervisedBooked: halfUp(booked.supervision, 3_600_000n, 2),
    contactsDelivered: delivered.contacts,
    contactsBooked: booked.contacts,
    observedDelivered: delivered.observed,
    observedBooked: booked.observed,
    shareDelivered:
      delivered.service === 0n ? null : halfUp(delivered.supervision, delivered.service, 4),
    shareBooked: hasService ? halfUp(booked.supervision, booked.service, 4) : null,
    ...{ hoursNeeded, contactsNeeded, observationNeeded },
    state: !hasService ? "NO_HOURS" : isShort ? "SHORT" : suffices ? "MET" : "BOOKED",
  };
}

/** A quotient with so many decimals; one more is computed, and the last one decides. */
function halfUp(part: bigint, whole: bigint, decimals: number): number {
  const longer = (part * 10n ** BigInt(decimals + 1)) / whole;
  return Number((longer + 5n) / 10n) / 10 ** decimals;
}
