import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { useResponse } from "../lib/response.ts";
import {
  addDays,
  type CalendarDate,
  dateOf,
  daysBetween,
  instantAt,
  minutesOf,
  parseCalendarDate,
  type TimeZone,
  today,
} from "../lib/dates.ts";
import { useDraft } from "../lib/draft.ts";
import { type Term, outsideText, withOutsideTerm } from "../lib/authorizations.ts";
import { dateText, rangeText, SESSION_STATUSES, timesText } from "../lib/format.ts";
import { weekOf } from "../lib/me.ts";
import { mayWrite } from "../lib/rights.ts";
import { sessionsOfDays } from "../lib/sessions.ts";
import type { Session } from "../lib/wire.ts";
import { Check, Field } from "../parts/field.tsx";
import { ResponseView } from "../parts/notices.tsx";
import { type Stretch, WeekGrid } from "../parts/week-grid.tsx";
import { BookingDialog, bookText } from "./booking.tsx";
import { type Added, Outcome, type Plan } from "./what-if-outcome.tsx";

/** What is planned, before it is booked. */
interface Draft {
  /** Of the authorization. */
  id: string;
  added: Added[];
  cancelled: Session[];
  /** The smallest sequence of the weeks that showed them. */
  since: number | undefined;
}

const NOTHING = { added: [], cancelled: [], since: undefined };

/**
 * The what-if: sessions are added by dragging in a week or with a form, and booked ones are selected to be
 * cancelled. The API calculates the periods. Nothing is written until the sessions are booked.
 */
export function WhatIfPanel(properties: {
  /** The authorizations that can be booked on, with the names of their services. */
  authorizations: { id: string; serviceLine: string; name: string; term: Term | undefined }[];
  patientId: string;
  /** The selected one; in a pool, one must be selected. */
  chosen: string | undefined;
  zone: TimeZone;
  /** What else is said about the weeks to come. */
  children?: ComponentChildren;
}) {
  const { authorizations, patientId, zone, children } = properties;
  const name = `What-if ${authorizations[0]?.id} ${properties.chosen}`;
  const [draft, setDraft] = useDraft<Draft>(name, {
    id: properties.chosen ?? authorizations[0]?.id ?? "",
    ...NOTHING,
  });
  const { id, added, cancelled, since } = draft;
  const [week, setWeek] = useState(weekOf(today(zone)));

  const term = authorizations.find((authorization) => authorization.id === id)?.term;

  const [isBooking, setBooking] = useState(false);
  const isPlanned = added.length + cancelled.length > 0;

  const choose = (next: string): void => setDraft({ ...NOTHING, id: next, added });
  const add = (stretches: Stretch[]): void => {
    const more = stretches.map(({ day, from, to }) => ({
      startTime: instantAt(day, from, zone),
      endTime: instantAt(day, to, zone),
    }));
    setDraft({ ...draft, added: [...added, ...more] });
  };
  const plan: Plan = {
    added,
    cancelled,
    since,
    onRemove: (index) => setDraft({ ...draft, added: added.toSpliced(index, 1) }),
    onToggle(session, sequence) {
      const rest = cancelled.filter(({ publicId }) => publicId !== session.publicId);
      setDraft({
        ...draft,
        cancelled: rest.length < cancelled.length ? rest : [...cancelled, session],
        since: sequence === undefined ? since : Math.min(since ?? sequence, sequence),
      });
    },
  };

  return (
    <section class="panel what-if" aria-labelledby="what-if">
      <div class="list-head">
        <h2 id="what-if">Would more sessions fit?</h2>
        {authorizations.length > 1 && (
          <Field
            class="inline"
            label="Booked on"
            value={id}
            choices={authorizations.map((each) => ({
              value: each.id,
              name: withOutsideTerm(each.name, each.term, zone),
            }))}
            onType={choose}
          />
        )}
      </div>
      <p class="hint">
        Drag sessions out in the week, or type them; choose a booked one to see what cancelling it
        would free. Nothing is booked or changed until you confirm.
      </p>
      {children}
      <NewSession name={name} zone={zone} term={term} onAdd={add} />
      <div class="what-if-body">
        <div>
          <WeekChoice week={week} zone={zone} onChoose={setWeek} />
          <BookedWeek
            id={id}
            week={week}
            zone={zone}
            term={term}
            plan={plan}
            onDrag={(stretch) => add([stretch])}
          />
        </div>
        <div class="outcome">
          <Outcome id={id} zone={zone} term={term} plan={plan} />
          {isPlanned && mayWrite("session") && (
            <button type="button" class="primary" onClick={() => setBooking(true)}>
              {bookText(plan)}…
            </button>
          )}
        </div>
      </div>
      {isBooking && (
        <BookingDialog
          authorizationId={id}
          serviceLine={authorizations.find((each) => each.id === id)?.serviceLine ?? ""}
          patientId={patientId}
          plan={plan}
          zone={zone}
          onDone={() => {
            setBooking(false);
            setDraft({ ...draft, added: [], cancelled: [] });
          }}
          onClose={() => setBooking(false)}
        />
      )}
    </section>
  );
}

/** Maximum number of weeks of a repeated session: two years. */
const MAX_WEEKS = 104;

/** A form for sessions at the same time in each of some weeks, or in each week until the authorization ends. */
function NewSession(properties: {
  /** Of the draft. */
  name: string;
  zone: TimeZone;
  term: Term | undefined;
  onAdd: (stretches: Stretch[]) => void;
}) {
  const { name, zone, term, onAdd } = properties;
  const [typed, setTyped] = useDraft(`${name}, new`, {
    ...{ day: today(zone) as string, from: "09:00", to: "11:00" },
    ...{ weeks: "1", isUntilEnd: false },
  });
  const { day, from, to, weeks, isUntilEnd } = typed;
  const type = (changed: Partial<typeof typed>): void => setTyped({ ...typed, ...changed });
  const [mistake, setMistake] = useState<string>();
  const mistakeId = useId();

  const first = parseCalendarDate(day);
  const untilEnd = term && first && Math.floor(daysBetween(first, term.endDate) / 7) + 1;
  const submit = (event: Event): void => {
    event.preventDefault();
    const count = isUntilEnd ? untilEnd : Number(weeks);
    const wrong = mistakeIn({ first, from, to, count, term: isUntilEnd ? term : undefined });
    setMistake(wrong);
    if (wrong !== undefined || first === undefined || count === undefined) return;
    const stretch = { from: minutesOf(from), to: minutesOf(to) };
    onAdd(
      Array.from({ length: count }, (_, index) => ({ ...stretch, day: addDays(first, index * 7) })),
    );
  };
  return (
    <form class="toolbar" aria-label="Add a session" noValidate onSubmit={submit}>
      <Field
        class="short"
        label="Day"
        type="date"
        value={day}
        onType={(text) => type({ day: text })}
      />
      <Field
        class="short"
        label="From"
        type="time"
        value={from}
        onType={(text) => type({ from: text })}
      />
      <Field
        class="short"
        label="To"
        type="time"
        value={to}
        onType={(text) => type({ to: text })}
      />
      <Field
        class="short"
        label="Weeks"
        type="number"
        value={isUntilEnd && untilEnd !== undefined ? String(untilEnd) : weeks}
        isDisabled={isUntilEnd}
        onType={(text) => type({ weeks: text })}
      />
      {term !== undefined && (
        <Check
          label={`Until it ends (${dateText(term.endDate)})`}
          isChecked={isUntilEnd}
          onChange={(isChecked) => type({ isUntilEnd: isChecked })}
        />
      )}
      <button type="submit" class="primary" aria-describedby={mistakeId}>
        Add
      </button>
      <p id={mistakeId} class="mistake" role="alert">
        {mistake}
      </p>
    </form>
  );
}

/** The error of the form, as a sentence. */
function mistakeIn(typed: {
  first: CalendarDate | undefined;
  from: string;
  to: string;
  count: number | undefined;
  /** The end of the authorization, if the session is repeated until then. */
  term: Term | undefined;
}): string | undefined {
  const { first, from, to, count = 0, term } = typed;
  if (first === undefined) return "Choose a day.";
  if (from === "" || to === "") return "Enter a start and an end time.";
  if (minutesOf(to) <= minutesOf(from)) return "It has to end after it begins.";
  if (term !== undefined && count < 1)
    return `The authorization ends on ${dateText(term.endDate)}, before that day.`;
  if (!Number.isInteger(count) || count < 1 || count > MAX_WEEKS)
    return `Weeks must be a whole number from 1 to ${MAX_WEEKS}.`;
  return undefined;
}

function WeekChoice(properties: {
  week: CalendarDate;
  zone: TimeZone;
  onChoose: (week: CalendarDate) => void;
}) {
  const { week, zone, onChoose } = properties;
  return (
    <div class="list-head">
      <h3>{rangeText(week, addDays(week, 6))}</h3>
      <div class="choices" role="group" aria-label="Week">
        <button
          type="button"
          aria-label="The week before"
          onClick={() => onChoose(addDays(week, -7))}
        >
          ‹
        </button>
        <button type="button" onClick={() => onChoose(weekOf(today(zone)))}>
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
  term: Term | undefined;
  plan: Plan;
  onDrag: (stretch: Stretch) => void;
}) {
  const { id, week, zone, term, plan, onDrag } = properties;
  const booked = useResponse(`${id} ${week} ${zone}`, (signal) =>
    sessionsOfDays({ authorizationId: id }, { first: week, count: 7, zone }, signal),
  );
  return (
    <ResponseView response={booked}>
      {(sessions) => (
        <WeekGrid
          week={week}
          zone={zone}
          items={slotsOf(sessions, plan, { term, zone, sequence: booked.sequence })}
          onPick={(stretch) => {
            if (stretch.from < stretch.to) onDrag(stretch);
          }}
        >
          {({ isPressed, note, onChoose, ...slot }) => (
            <button type="button" aria-pressed={isPressed} onClick={onChoose}>
              <strong>{timesText(slot, zone)}</strong> {note}
            </button>
          )}
        </WeekGrid>
      )}
    </ResponseView>
  );
}

/** Booked and added sessions as blocks of the week, each with its action. */
function slotsOf(
  sessions: Session[],
  { added, cancelled, onRemove, onToggle }: Plan,
  shown: { term: Term | undefined; zone: TimeZone; sequence: number | undefined },
) {
  const { term, zone, sequence } = shown;
  const cancelledIds = new Set(cancelled.map(({ publicId }) => publicId));
  return [
    ...sessions.map((session) => {
      const isCancelled = cancelledIds.has(session.publicId);
      const outside = outsideOf(session, term, zone);
      return {
        key: session.publicId,
        startTime: session.startTime,
        endTime: session.endTime,
        class: isCancelled
          ? "slot-cancelled"
          : `status-${session.status.toLowerCase()}${outside === undefined ? "" : " double"}`,
        isPressed: isCancelled,
        note: isCancelled
          ? "cancelled: keep it"
          : [outside, SESSION_STATUSES[session.status]].filter(Boolean).join(", "),
        onChoose: () => onToggle(session, sequence),
      };
    }),
    ...added.map((session, index) => ({
      key: `added ${index}`,
      ...session,
      class: "slot-added",
      isPressed: undefined,
      note: "added: remove",
      onChoose: () => onRemove(index),
    })),
  ];
}

/** Where a session outside the authorization's dates is: `after its end`. */
function outsideOf(
  { startTime }: Added,
  term: Term | undefined,
  zone: TimeZone,
): string | undefined {
  const day = dateOf(startTime, zone);
  if (term === undefined || (day >= term.startDate && day <= term.endDate)) return undefined;
  return outsideText(day, term);
}
