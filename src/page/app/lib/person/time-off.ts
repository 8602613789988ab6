import { presentAt } from "../../../../lib/presence.ts";
import {
  endOfDay,
  instantAt,
  localInstant,
  minutesOf,
  parseCalendarDate,
  type Slot,
  type TimeZone,
} from "../base/dates.ts";
import type { Line } from "../base/lines.ts";
import { holdsSlot, overlaps } from "../session/overlaps.ts";
import type { Session } from "../base/wire.ts";

/** Time off of a technician: one session without a client. */

/** What the form says. Without times it is whole days, from the first instant of the first to the last of the last. */
interface TimeOff {
  firstDay: string;
  lastDay: string;
  from: string;
  to: string;
}

/** Its span; undefined while it is not one. */
export function timeOffSlot(
  { firstDay, lastDay, from, to }: TimeOff,
  zone: TimeZone,
): Slot | undefined {
  const first = parseCalendarDate(firstDay);
  const last = lastDay === "" ? first : parseCalendarDate(lastDay);
  if (first === undefined || last === undefined || last < first) return undefined;
  const startTime =
    from === "" ? instantAt(first, 0, zone) : localInstant(first, minutesOf(from), zone);
  const endTime = to === "" ? endOfDay(last, zone) : localInstant(last, minutesOf(to), zone);
  if (startTime === undefined || endTime === undefined || endTime <= startTime) return undefined;
  return { startTime, endTime };
}

export function timeOffLine(given: {
  publicId: string;
  slot: Slot;
  technicianId: string;
  locationId: string;
  nonBillableCode: string;
}): Line {
  const { publicId, slot, technicianId, locationId, nonBillableCode } = given;
  return {
    ...{ type: "session", publicId, title: "Time off", status: "CONFIRMED", ...slot },
    ...{ isSupervision: false, isClientPresent: false, placeOfService: "OTHER" },
    ...{ locationId, technicianId, clientId: null, isBillable: false, nonBillableCode },
  };
}

/** The sessions at which somebody is present that overlap a span and hold their slots. */
export function hitBy(span: Slot, sessions: readonly Session[], personId: string): Session[] {
  return sessions
    .filter(holdsSlot)
    .filter((one) => presentAt(one).includes(personId))
    .filter((one) => overlaps(one, span));
}
