import type { Stretch } from "../../lib/session/plan.ts";
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { addDays, type CalendarDate, type TimeZone, today } from "../../lib/base/dates.ts";
import { clockOf, dayText } from "../../lib/base/format.ts";
import { type Hours, hoursOf, placed } from "../../lib/schedule/week.ts";
import { NO_SHIFT, type Shift, STEP, useEscape, useMoving } from "./moving.ts";
import { HourLabels, type Item, MovableSlot, positionOf, useNowAlong } from "./slots.tsx";

/** A week as seven columns of hours; on narrow screens as a list by day. */

/** Shorter sessions have one line of text, in minutes. */
const TWO_LINES = 45;

export function WeekGrid<Own extends Item>(properties: {
  /** The first of seven days. */
  week: CalendarDate;
  zone: TimeZone;
  items: readonly Own[];
  children: (item: Own) => ComponentChildren;
  /** Called with the dragged time span, or with one of no length for a press on an empty place. */
  onPick?: ((stretch: Stretch) => void) | undefined;
  /** Called when a slot was moved, if they can be moved. */
  onMove?: ((key: string, shift: Shift) => void) | undefined;
}) {
  const { week, zone, items, children, onPick, onMove } = properties;
  const days = Array.from({ length: 7 }, (_, index) => {
    const day = addDays(week, index);
    return { day, slots: placed(items, day, zone) };
  });
  const hours = hoursOf(days.flatMap(({ slots }) => slots));
  const count = hours.last - hours.first;
  const now = today(zone);
  const along = useNowAlong(now, zone, hours);
  const moving = useMoving({
    onMove,
    keys: {
      ArrowUp: { minutes: -STEP, days: 0 },
      ArrowDown: { minutes: STEP, days: 0 },
      ArrowLeft: { minutes: 0, days: -1 },
      ArrowRight: { minutes: 0, days: 1 },
    },
    shiftOf: (slot, x, y) => {
      const { width, height } = (slot.parentElement as Element).getBoundingClientRect();
      const steps = Math.round((y / height) * count * (60 / STEP));
      return { minutes: steps * STEP, days: Math.round(x / width) };
    },
  });
  return (
    <div
      class={onPick ? "week draggable" : "week"}
      style={{ "--hours": String(count), "--now": along }}
    >
      <HourLabels class="week-hours" hours={hours} />
      {days.map(({ day, slots }) => (
        <section
          key={day}
          class={`day ${day < now ? "past" : day === now ? "today" : ""}`}
          aria-label={dayText(day)}
        >
          <h2 aria-current={day === now ? "date" : undefined}>{dayText(day)}</h2>
          <Column day={day} hours={hours} onPick={onPick}>
            {slots.map((slot) => (
              <MovableSlot
                key={slot.item.key}
                slot={slot}
                day={day}
                short={TWO_LINES}
                moving={moving}
                position={(shift) => positionOf(slot, hours, shift, false)}
              >
                {children(slot.item)}
              </MovableSlot>
            ))}
          </Column>
        </section>
      ))}
    </div>
  );
}

function Column(properties: {
  day: CalendarDate;
  hours: Hours;
  onPick: ((stretch: Stretch) => void) | undefined;
  children: ComponentChildren;
}) {
  const { day, hours, onPick, children } = properties;
  const list = useRef<HTMLUListElement>(null);
  const [drag, setDrag] = useState<{ anchor: number; end: number }>();
  /** A drag ends with a click, which is no press on an empty place. */
  const isClickOfDrag = useRef(false);

  const minutesAt = (event: MouseEvent): number => {
    const { top, height } = list.current?.getBoundingClientRect() ?? { top: 0, height: 1 };
    const share = Math.min(Math.max((event.clientY - top) / height, 0), 1);
    const minutes = hours.first * 60 + share * (hours.last - hours.first) * 60;
    return Math.round(minutes / STEP) * STEP;
  };
  const start = (event: PointerEvent): void => {
    isClickOfDrag.current = false;
    // Touch scrolls.
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
    isClickOfDrag.current = end !== drag.anchor;
    if (isClickOfDrag.current)
      onPick?.({ day, from: Math.min(drag.anchor, end), to: Math.max(drag.anchor, end) });
  };
  const press = (event: MouseEvent): void => {
    if (event.target !== list.current || isClickOfDrag.current) return;
    const from = minutesAt(event);
    onPick?.({ day, from, to: from });
  };
  useEscape(drag !== undefined, () => {
    isClickOfDrag.current = true;
    setDrag(undefined);
  });
  const dragged = drag && {
    from: Math.min(drag.anchor, drag.end),
    to: Math.max(drag.anchor, drag.end),
  };

  return (
    <ul
      ref={list}
      class="slots"
      {...(onPick && {
        onPointerDown: start,
        onPointerMove: move,
        onPointerUp: finish,
        onPointerCancel: () => setDrag(undefined),
        onClick: press,
      })}
    >
      {children}
      {dragged && (
        <li
          class="slot slot-dragged"
          aria-hidden="true"
          style={positionOf({ ...dragged, lane: 0, lanes: 1 }, hours, NO_SHIFT, false)}
        >
          {clockOf(dragged.from)} – {clockOf(dragged.to)}
        </li>
      )}
    </ul>
  );
}
