import { useState } from "preact/hooks";
import { useAnswer } from "../lib/answer.ts";
import {
  addDays,
  type CalendarDate,
  instantAt,
  parseCalendarDate,
  startOfWeek,
  type TimeZone,
  today,
} from "../lib/dates.ts";
import { rangeText, timesText, words } from "../lib/format.ts";
import { sessionsOfWeek } from "../lib/sessions.ts";
import type { Session } from "../lib/wire.ts";
import { Answered } from "../parts/notices.tsx";
import { useNamed } from "../parts/named.ts";
import { type Stretch, WeekGrid } from "../parts/week-grid.tsx";
import { type Added, Outcome, type Plan } from "./what-if-outcome.tsx";

/**
 * Would these sessions fit? One drags them out of a week or types them, and chooses booked ones that would be
 * cancelled; the API says what that does to the periods. Nothing is booked, and nothing is kept.
 */
export function WhatIfPanel(properties: {
  authorizations: { id: string; serviceLine: string }[];
  /** The one that is looked at; of a pool, one has to be chosen. */
  chosen: string | undefined;
  zone: TimeZone;
}) {
  const { authorizations, zone } = properties;
  const serviceLine = useNamed("service-lines");
  const [id, setId] = useState(properties.chosen ?? authorizations[0]?.id ?? "");
  const [week, setWeek] = useState(startOfWeek(today(zone)));
  const [added, setAdded] = useState<Added[]>([]);
  const [cancelled, setCancelled] = useState<Session[]>([]);

  const choose = (next: string): void => {
    setId(next);
    setCancelled([]);
  };
  const add = (stretches: Stretch[]): void => {
    const more = stretches.map(({ day, from, to }) => ({
      startTime: instantAt(day, from, zone),
      endTime: instantAt(day, to, zone),
    }));
    setAdded([...added, ...more]);
  };
  const plan: Plan = {
    added,
    cancelled,
    onRemove: (index) => setAdded(added.toSpliced(index, 1)),
    onToggle(session) {
      const rest = cancelled.filter(({ publicId }) => publicId !== session.publicId);
      setCancelled(rest.length < cancelled.length ? rest : [...cancelled, session]);
    },
  };

  return (
    <section class="panel what-if" aria-labelledby="what-if">
      <div class="list-head">
        <h2 id="what-if">Would more sessions fit?</h2>
        {authorizations.length > 1 && (
          <label class="field inline">
            <span>Booked on</span>
            <select value={id} onChange={(event) => choose(event.currentTarget.value)}>
              {authorizations.map((authorization) => (
                <option key={authorization.id} value={authorization.id}>
                  {serviceLine(authorization.serviceLine)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <p class="hint">
        Drag sessions out in the week, or type them; choose a booked one to see what cancelling it
        would free. Nothing is booked or changed.
      </p>
      <NewSession zone={zone} onAdd={add} />
      <div class="what-if-body">
        <div>
          <WeekChoice week={week} zone={zone} onChoose={setWeek} />
          <BookedWeek
            id={id}
            week={week}
            zone={zone}
            plan={plan}
            onDrag={(stretch) => add([stretch])}
          />
        </div>
        <Outcome id={id} zone={zone} plan={plan} />
      </div>
    </section>
  );
}

/** The most weeks in which a typed session can be repeated. */
const MOST_WEEKS = 52;

/** Sessions that are typed, at the same time in each of some weeks. */
function NewSession({ zone, onAdd }: { zone: TimeZone; onAdd: (stretches: Stretch[]) => void }) {
  const [day, setDay] = useState<string>(today(zone));
  const [from, setFrom] = useState("09:00");
  const [to, setTo] = useState("11:00");
  const [weeks, setWeeks] = useState("1");
  const submit = (event: Event): void => {
    event.preventDefault();
    const first = parseCalendarDate(day);
    if (first === undefined) return;
    const stretch = { from: minutes(from), to: minutes(to) };
    const count = Math.min(Number(weeks), MOST_WEEKS);
    onAdd(
      Array.from({ length: count }, (_, week) => ({ ...stretch, day: addDays(first, week * 7) })),
    );
  };
  return (
    <form class="toolbar" aria-label="Add a session" onSubmit={submit}>
      <TypedField label="Day" type="date" value={day} onType={setDay} />
      <TypedField label="From" type="time" value={from} onType={setFrom} />
      <TypedField label="To" type="time" value={to} onType={setTo} />
      <TypedField label="Weeks" type="number" value={weeks} onType={setWeeks} />
      <button type="submit" class="primary">
        Add
      </button>
    </form>
  );
}

function TypedField(properties: {
  label: string;
  type: "date" | "time" | "number";
  value: string;
  onType: (text: string) => void;
}) {
  const { label, type, value, onType } = properties;
  return (
    <label class="field short">
      <span>{label}</span>
      <input
        type={type}
        required
        value={value}
        {...(type === "number" && { min: 1, max: MOST_WEEKS })}
        onInput={(event) => onType(event.currentTarget.value)}
      />
    </label>
  );
}

/** Minutes from midnight of a time such as `09:30`. */
function minutes(clock: string): number {
  const [hours = 0, rest = 0] = clock.split(":").map(Number);
  return hours * 60 + rest;
}

function WeekChoice(properties: {
  week: CalendarDate;
  zone: TimeZone;
  onChoose: (week: CalendarDate) => void;
}) {
  const { week, zone, onChoose } = properties;
  return (
    <div class="list-head">
      <h3>
        {rangeText(week, addDays(week, 6))} <small>times in {zone}</small>
      </h3>
      <div class="choices" role="group" aria-label="Week">
        <button
          type="button"
          aria-label="The week before"
          onClick={() => onChoose(addDays(week, -7))}
        >
          ‹
        </button>
        <button type="button" onClick={() => onChoose(startOfWeek(today(zone)))}>
          This week
        </button>
        <button
          type="button"
          aria-label="The week after"
          onClick={() => onChoose(addDays(week, 7))}
        >
          ›
        </button>
      </div>
    </div>
  );
}

function BookedWeek(properties: {
  id: string;
  week: CalendarDate;
  zone: TimeZone;
  plan: Plan;
  onDrag: (stretch: Stretch) => void;
}) {
  const { id, week, zone, plan, onDrag } = properties;
  const booked = useAnswer(`${id} ${week} ${zone}`, (signal) =>
    sessionsOfWeek({ authorizationId: id }, week, zone, signal),
  );
  return (
    <Answered answer={booked}>
      {(sessions) => (
        <WeekGrid week={week} zone={zone} items={slotsOf(sessions, plan)} onDrag={onDrag}>
          {({ isPressed, note, onChoose, ...slot }) => (
            <button type="button" aria-pressed={isPressed} onClick={onChoose}>
              <strong>{timesText(slot, zone)}</strong> {note}
            </button>
          )}
        </WeekGrid>
      )}
    </Answered>
  );
}

/** Booked and added sessions as the week shows them, each with what choosing it does. */
function slotsOf(sessions: Session[], { added, cancelled, onRemove, onToggle }: Plan) {
  const cancelledIds = new Set(cancelled.map(({ publicId }) => publicId));
  return [
    ...sessions.map((session) => {
      const isCancelled = cancelledIds.has(session.publicId);
      return {
        key: session.publicId,
        startTime: session.startTime,
        endTime: session.endTime,
        class: isCancelled ? "slot-cancelled" : `status-${session.status.toLowerCase()}`,
        isPressed: isCancelled,
        note: isCancelled ? "cancelled: keep it" : words(session.status),
        onChoose: () => onToggle(session),
      };
    }),
    ...added.map((session, index) => ({
      key: `added ${index}`,
      ...session,
      class: "slot-added",
      isPressed: undefined,
      note: "added: take away",
      onChoose: () => onRemove(index),
    })),
  ];
}
