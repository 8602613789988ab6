import {
  type CalendarDate,
  dateOf,
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

/** The slots that start on a day, side by side if they overlap. */
export function placed<Item extends Slot>(
  items: readonly Item[],
  day: CalendarDate,
  zone: TimeZone,
): Placed<Item>[] {
  const slots = items
    .filter(({ startTime }) => dateOf(startTime, zone) === day)
    .map((item) => {
      const from = minutesOfDay(item.startTime, zone);
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

/** The hours to show: a working day, extended to earlier and later slots. */
export function hoursOf(slots: readonly { from: number; to: number }[]): Hours {
  const first = Math.min(8, ...slots.map(({ from }) => Math.floor(from / 60)));
  const last = Math.max(18, ...slots.map(({ to }) => Math.ceil(to / 60)));
  return { first, last };
}
