import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import {
  addDays,
  type CalendarDate,
  type Instant,
  type Slot,
  type TimeZone,
} from "../../lib/base/dates.ts";
import { clockOf, dayText, hourText } from "../../lib/base/format.ts";
import { serverClock } from "../../lib/base/server-clock.ts";
import { type Hours, type Placed, shareOfHours } from "../../lib/schedule/week.ts";
import type { Shift, useMoving } from "./moving.ts";

/** What the grids of a day and of a week have in common. */

export type Item = Slot & { key: string; class: string };

export function HourLabels({ hours, class: own }: { hours: Hours; class: string }) {
  return (
    <ol class={own} aria-hidden="true">
      {Array.from({ length: hours.last - hours.first }, (_, index) => (
        <li key={index}>{hourText(hours.first + index)}</li>
      ))}
    </ol>
  );
}

/** Where a slot is, moved by a shift: along the hours of its grid, from left to right or down, and in its lane. */
export function positionOf(
  { from, to, lane, lanes }: Omit<Placed<Slot>, "item">,
  { first, last }: Hours,
  { minutes, days }: Shift,
  isAcross: boolean,
) {
  const length = (last - first) * 60;
  const start = `${((from + minutes - first * 60) / length) * 100}%`;
  const extent = `${((to - from) / length) * 100}%`;
  const beside = `${(lane / lanes + days) * 100}%`;
  const breadth = `${100 / lanes}%`;
  return isAcross
    ? { "--left": start, "--width": extent, "--top": beside, "--height": breadth }
    : { "--top": start, "--height": extent, "--left": beside, "--width": breadth };
}

/** Where now is along the hours of a day's grid; undefined on another day, and outside of its hours. */
export function useNowAlong(day: CalendarDate, zone: TimeZone, hours: Hours): string | undefined {
  const [now, setNow] = useState(serverClock.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverClock.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  const moment = new Date(now).toISOString() as Instant;
  const share = shareOfHours(moment, { day, zone, hours });
  return share === undefined ? undefined : `${share * 100}%`;
}

/** In milliseconds. */
const MINUTE = 60_000;

/** A slot, which can be moved. */
export function MovableSlot(properties: {
  slot: Placed<Item>;
  day: CalendarDate;
  /** Slots with fewer minutes have less text. */
  short: number;
  moving: ReturnType<typeof useMoving>;
  position: (shift: Shift) => Record<string, string>;
  children: ComponentChildren;
}) {
  const { slot, day, short, moving, position, children } = properties;
  const { key, class: own } = slot.item;
  const shift = moving.shiftOf(key);
  const isMoved = shift.minutes !== 0 || shift.days !== 0;
  return (
    <li
      class={`slot ${slot.to - slot.from < short ? "short " : ""}${own}${isMoved ? " moved" : ""}`}
      style={position(shift)}
      {...moving.handlersOf(key)}
    >
      {children}
      {isMoved && (
        <span class="moved-time" role="status">
          {shift.days !== 0 && `${dayText(addDays(day, shift.days))}, `}
          {clockOf(slot.from + shift.minutes)} – {clockOf(slot.to + shift.minutes)}
        </span>
      )}
    </li>
  );
}
