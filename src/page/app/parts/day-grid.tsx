import type { ComponentChildren } from "preact";
import { hoursOf, type Placed, placed, type Slot } from "../lib/week.ts";
import type { CalendarDate, TimeZone } from "../lib/dates.ts";
import { hourText } from "../lib/format.ts";

/** A day as a row of hours for each person; on narrow screens as a list by person. */
export function DayGrid<Item extends Slot & { key: string; class: string }>(properties: {
  day: CalendarDate;
  zone: TimeZone;
  rows: readonly { key: string; name: ComponentChildren; label: string; items: readonly Item[] }[];
  children: (item: Item) => ComponentChildren;
}) {
  const { day, zone, rows, children } = properties;
  const shown = rows.map((row) => ({ ...row, slots: placed(row.items, day, zone) }));
  const hours = hoursOf(shown.flatMap(({ slots }) => slots));
  const count = hours.last - hours.first;
  return (
    <div class="clinic" style={{ "--hours": String(count) }}>
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
            style={{ "--lanes": String(Math.max(...slots.map(({ lanes }) => lanes))) }}
          >
            {slots.map((slot) => (
              <li
                key={slot.item.key}
                class={`slot ${slot.item.class}`}
                style={position(slot, hours)}
              >
                {children(slot.item)}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function position({ from, to, lane, lanes }: Placed<Slot>, hours: { first: number; last: number }) {
  const start = hours.first * 60;
  const length = (hours.last - hours.first) * 60;
  return {
    "--left": `${((from - start) / length) * 100}%`,
    "--width": `${((to - from) / length) * 100}%`,
    "--top": `${(lane / lanes) * 100}%`,
    "--height": `${100 / lanes}%`,
  };
}
