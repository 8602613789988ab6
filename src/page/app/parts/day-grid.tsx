import type { ComponentChildren } from "preact";
import type { CalendarDate, TimeZone } from "../lib/dates.ts";
import { hourText } from "../lib/format.ts";
import { hoursOf, type Placed, placed, type Slot } from "../lib/week.ts";
import { MovedTime } from "./moved-time.tsx";
import { type Shift, STEP, useMoving } from "./moving.ts";

/** Shorter sessions have narrow text, in minutes. */
const SHORT = 46;

export interface Row<Item> {
  key: string;
  name: ComponentChildren;
  label: string;
  items: readonly Item[];
}

/** A day as a row of hours for each person; on narrow screens as a list by person. */
export function DayGrid<Item extends Slot & { key: string; class: string }>(properties: {
  day: CalendarDate;
  zone: TimeZone;
  rows: readonly Row<Item>[];
  /** What a slot shows in the row of a key. */
  children: (item: Item, row: string) => ComponentChildren;
  /** Called when a slot was moved, if they can be moved. */
  onMove: ((key: string, shift: Shift) => void) | undefined;
  /** Called with the row and the minutes from midnight of a press on an empty place, if something can be added there. */
  onPick: ((row: string, minutes: number) => void) | undefined;
}) {
  const { day, zone, rows, children, onMove, onPick } = properties;
  const shown = rows.map((row) => ({ ...row, slots: placed(row.items, day, zone) }));
  const hours = hoursOf(shown.flatMap(({ slots }) => slots));
  const count = hours.last - hours.first;
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
    <div class={onPick ? "clinic draggable" : "clinic"} style={{ "--hours": String(count) }}>
      <ol class="clinic-hours" aria-hidden="true">
        {Array.from({ length: count }, (_, index) => (
          <li key={index}>{hourText(hours.first + index)}</li>
        ))}
      </ol>
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
            {slots.map((slot) => {
              const { key: id, class: own } = slot.item;
              const { minutes } = moving.shiftOf(id);
              return (
                <li
                  key={id}
                  class={`slot ${slot.to - slot.from < SHORT ? "short " : ""}${own}${minutes === 0 ? "" : " moved"}`}
                  style={position(slot, hours, minutes)}
                  {...moving.handlersOf(id)}
                >
                  {children(slot.item, key)}
                  <MovedTime day={day} slot={slot} shift={moving.shiftOf(id)} />
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </div>
  );
}

function position(
  { from, to, lane, lanes }: Placed<Slot>,
  hours: { first: number; last: number },
  minutes: number,
) {
  const start = hours.first * 60;
  const length = (hours.last - hours.first) * 60;
  return {
    "--left": `${((from + minutes - start) / length) * 100}%`,
    "--width": `${((to - from) / length) * 100}%`,
    "--top": `${(lane / lanes) * 100}%`,
    "--height": `${100 / lanes}%`,
  };
}
