import { addDays, type CalendarDate } from "../lib/dates.ts";
import { clockOf, dayText } from "../lib/format.ts";
import type { Shift } from "./moving.ts";

/** The time to which a slot is being moved, on top of it and for screen readers. */
export function MovedTime(properties: {
  day: CalendarDate;
  slot: { from: number; to: number };
  shift: Shift;
}) {
  const { day, slot, shift } = properties;
  if (shift.minutes === 0 && shift.days === 0) return null;
  const { from, to } = slot;
  return (
    <span class="moved-time" role="status">
      {shift.days !== 0 && `${dayText(addDays(day, shift.days))}, `}
      {clockOf(from + shift.minutes)} – {clockOf(to + shift.minutes)}
    </span>
  );
}
