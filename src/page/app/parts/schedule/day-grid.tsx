import type { ComponentChildren } from "preact";
import type { CalendarDate, TimeZone } from "../../lib/base/dates.ts";
import { hoursOf, placed } from "../../lib/schedule/week.ts";
import { type Shift, STEP, useMoving } from "./moving.ts";
import { HourLabels, type Item, MovableSlot, positionOf, useNowAlong } from "./slots.tsx";

/** Shorter sessions have narrow text, in minutes. */
const SHORT = 61;

export interface Row<Own> {
  key: string;
  name: ComponentChildren;
  label: string;
  items: readonly Own[];
}

/** A day as a row of hours for each person; on narrow screens as a list by person. */
export function DayGrid<Own extends Item>(properties: {
  day: CalendarDate;
  zone: TimeZone;
  rows: readonly Row<Own>[];
  /** What a slot shows in the row of a key. */
  children: (item: Own, row: string) => ComponentChildren;
  /** Called when a slot was moved, if they can be moved. */
  onMove: ((key: string, shift: Shift) => void) | undefined;
  /** Called with the row and the minutes from midnight of a press on an empty place, if something can be added there. */
  onPick: ((row: string, minutes: number) => void) | undefined;
}) {
  const { day, zone, rows, children, onMove, onPick } = properties;
  const shown = rows.map((row) => ({ ...row, slots: placed(row.items, day, zone) }));
  const hours = hoursOf(shown.flatMap(({ slots }) => slots));
  const count = hours.last - hours.first;
  const now = useNowAlong(day, zone, hours);
  const minutesAt = (row: Element, x: number): number =>
    Math.round((x / row.clientWidth) * count * (60 / STEP)) * STEP;
  const moving = useMoving({
    onMove,
    keys: {
      ArrowLeft: { minutes: -STEP, days: 0 },
      ArrowRight: { minutes: STEP, days: 0 },
    },
    shiftOf: (slot, x) => ({ minutes: minutesAt(slot.parentElement as Element, x), days: 0 }),
  });
  return (
    <div
      class={`clinic ${onPick ? "draggable" : ""} ${now === undefined ? "" : "has-now"}`}
      style={{ "--hours": String(count), "--now": now }}
    >
      <HourLabels class="clinic-hours" hours={hours} />
      {shown.map(({ key, name, label, slots }) => (
        <section key={key} class="clinic-row" aria-label={label}>
          <h2>{name}</h2>
          <ul
            class="clinic-slots"
            style={{ "--lanes": String(Math.max(1, ...slots.map(({ lanes }) => lanes))) }}
            onClick={(event) => {
              if (event.target !== event.currentTarget) return;
              const { left } = event.currentTarget.getBoundingClientRect();
              onPick?.(
                key,
                hours.first * 60 + minutesAt(event.currentTarget, event.clientX - left),
              );
            }}
          >
            {slots.map((slot) => (
              <MovableSlot
                key={slot.item.key}
                slot={slot}
                day={day}
                short={SHORT}
                moving={moving}
                position={(shift) => positionOf(slot, hours, shift, true)}
              >
                {children(slot.item, key)}
              </MovableSlot>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
