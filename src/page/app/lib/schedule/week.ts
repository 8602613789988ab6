import {
  type CalendarDate,
  dateOf,
  type Instant,
  MINUTES_OF_DAY,
  minutesOfDay,
  type Slot,
  type TimeZone,
} from "../base/dates.ts";

/** Sessions laid out in the columns of a week. */

/** The position of a slot in the column of its day. */
export interface Placed<Item extends Slot> {
  item: Item;
  /** Minutes from midnight; a slot that continues on the next day ends with its day. */
  from: number;
  to: number;
  /** Which of the lanes that share the time, from 0. */
  lane: number;
  lanes: number;
}

/** Minimum height of a slot, in minutes. */
const SHORTEST = 20;

/** Whether a slot is on a day, if only with its end. */
function isOn({ startTime, endTime }: Slot, day: CalendarDate, zone: TimeZone): boolean {
  const first = dateOf(startTime, zone);
  if (first >= day) return first === day;
  const last = dateOf(endTime, zone);
  return last > day || (last === day && minutesOfDay(endTime, zone) > 0);
}

/** The slots of a day, side by side if they overlap; one over midnight is on both days. */
export function placed<Item extends Slot>(
  items: readonly Item[],
  day: CalendarDate,
  zone: TimeZone,
): Placed<Item>[] {
  const slots = items
    .filter((item) => isOn(item, day, zone))
    .map((item) => {
      const from = dateOf(item.startTime, zone) === day ? minutesOfDay(item.startTime, zone) : 0;
      const to =
        dateOf(item.endTime, zone) === day ? minutesOfDay(item.endTime, zone) : MINUTES_OF_DAY;
      return { item, from, to: Math.max(to, from + SHORTEST), lane: 0, lanes: 1 };
    })
    .sort((a, b) => a.from - b.from || b.to - a.to);
  for (const cluster of clusters(slots)) {
    const ends: number[] = [];
    for (const slot of cluster) {
      const free = ends.findIndex((end) => end <= slot.from);
      slot.lane = free === -1 ? ends.length : free;
      ends[slot.lane] = slot.to;
    }
    for (const slot of cluster) slot.lanes = ends.length;
  }
  return slots;
}

/** Groups slots, in order of start, that overlap in a chain. */
function clusters<Item extends Slot>(slots: Placed<Item>[]): Placed<Item>[][] {
  const groups: Placed<Item>[][] = [];
  let end = -1;
  for (const slot of slots) {
    if (slot.from >= end) groups.push([]);
    groups.at(-1)?.push(slot);
    end = Math.max(end, slot.to);
  }
  return groups;
}

/** From the first hour to the last, at which it ends. */
export interface Hours {
  first: number;
  last: number;
}

/** How far a moment is along the hours of a day, from 0 to 1; undefined on another day, and outside of them. */
export function shareOfHours(
  moment: Instant,
  { day, zone, hours: { first, last } }: { day: CalendarDate; zone: TimeZone; hours: Hours },
): number | undefined {
  const share = (minutesOfDay(moment, zone) / 60 - first) / (last - first);
  return dateOf(moment, zone) === day && share >= 0 && share <= 1 ? share : undefined;
}

/** The hours to show: a working day, extended to earlier and later slots. */
export function hoursOf(slots: readonly { from: number; to: number }[]): Hours {
  const first = Math.min(8, ...slots.map(({ from }) => Math.floor(from / 60)));
  const last = Math.max(18, ...slots.map(({ to }) => Math.ceil(to / 60)));
  return { first, last };
}
