import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { addDays, type CalendarDate, clockText, type TimeZone, today } from "../lib/dates.ts";
import { dayText, hourText } from "../lib/format.ts";
import { hoursOf, type Placed, placed, type Slot } from "../lib/week.ts";

/** A week as seven columns of hours; on narrow screens as a list by day. */

/** A time span of a day, in minutes from midnight. */
export interface Stretch {
  day: CalendarDate;
  from: number;
  to: number;
}

/** Dragging snaps to this many minutes. */
const SNAP = 15;

/** Shorter sessions have one line of text, in minutes. */
const TWO_LINES = 45;

export function WeekGrid<Item extends Slot & { key: string; class: string }>(properties: {
  /** The first of seven days. */
  week: CalendarDate;
  zone: TimeZone;
  items: readonly Item[];
  children: (item: Item) => ComponentChildren;
  /** Called with the dragged time span, if dragging is supported. */
  onDrag?: (stretch: Stretch) => void;
}) {
  const { week, zone, items, children, onDrag } = properties;
  const days = Array.from({ length: 7 }, (_, index) => {
    const day = addDays(week, index);
    return { day, slots: placed(items, day, zone) };
  });
  const hours = hoursOf(days.flatMap(({ slots }) => slots));
  const count = hours.last - hours.first;
  const now = today(zone);
  return (
    <div class={onDrag ? "week draggable" : "week"} style={{ "--hours": String(count) }}>
      <ol class="week-hours" aria-hidden="true">
        {Array.from({ length: count }, (_, index) => (
          <li key={index}>{hourText(hours.first + index)}</li>
        ))}
      </ol>
      {days.map(({ day, slots }) => (
        <section key={day} class={day === now ? "day today" : "day"} aria-label={dayText(day)}>
          <h2 aria-current={day === now ? "date" : undefined}>{dayText(day)}</h2>
          <Column day={day} hours={hours} onDrag={onDrag}>
            {slots.map((slot) => (
              <li
                key={slot.item.key}
                class={`slot ${slot.to - slot.from < TWO_LINES ? "short " : ""}${slot.item.class}`}
                style={position(slot, hours)}
              >
                {children(slot.item)}
              </li>
            ))}
          </Column>
        </section>
      ))}
    </div>
  );
}

interface Hours {
  first: number;
  last: number;
}

function position({ from, to, lane, lanes }: Placed<Slot>, hours: Hours) {
  const start = hours.first * 60;
  const length = (hours.last - hours.first) * 60;
  return {
    "--top": `${((from - start) / length) * 100}%`,
    "--height": `${((to - from) / length) * 100}%`,
    "--left": `${(lane / lanes) * 100}%`,
    "--width": `${100 / lanes}%`,
  };
}

function Column(properties: {
  day: CalendarDate;
  hours: Hours;
  onDrag: ((stretch: Stretch) => void) | undefined;
  children: ComponentChildren;
}) {
  const { day, hours, onDrag, children } = properties;
  const list = useRef<HTMLUListElement>(null);
  const [drag, setDrag] = useState<{ anchor: number; end: number }>();

  const minutesAt = (event: PointerEvent): number => {
    const { top, height } = list.current?.getBoundingClientRect() ?? { top: 0, height: 1 };
    const share = Math.min(Math.max((event.clientY - top) / height, 0), 1);
    const minutes = hours.first * 60 + share * (hours.last - hours.first) * 60;
    return Math.round(minutes / SNAP) * SNAP;
  };
  const start = (event: PointerEvent): void => {
    // Touch scrolls; on touch screens, sessions are added with the form.
    if (event.button !== 0 || event.pointerType === "touch" || event.target !== list.current)
      return;
    list.current?.setPointerCapture(event.pointerId);
    const anchor = minutesAt(event);
    setDrag({ anchor, end: anchor });
  };
  const move = (event: PointerEvent): void => {
    if (drag !== undefined) setDrag({ ...drag, end: minutesAt(event) });
  };
  const finish = (event: PointerEvent): void => {
    if (drag === undefined) return;
    const end = minutesAt(event);
    setDrag(undefined);
    if (end !== drag.anchor)
      onDrag?.({ day, from: Math.min(drag.anchor, end), to: Math.max(drag.anchor, end) });
  };
  const dragged = drag && {
    from: Math.min(drag.anchor, drag.end),
    to: Math.max(drag.anchor, drag.end),
  };

  return (
    <ul
      ref={list}
      class="slots"
      {...(onDrag && {
        onPointerDown: start,
        onPointerMove: move,
        onPointerUp: finish,
        onPointerCancel: () => setDrag(undefined),
      })}
    >
      {children}
      {dragged && (
        <li
          class="slot slot-dragged"
          aria-hidden="true"
          style={position({ ...dragged, lane: 0, lanes: 1 } as Placed<Slot>, hours)}
        >
          {clockText(dragged.from)} – {clockText(dragged.to)}
        </li>
      )}
    </ul>
  );
}
