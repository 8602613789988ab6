import { useAnswer } from "../lib/answer.ts";
import { delivererOf, type DoubleBooking, doubleBookings, peopleOf } from "../lib/booking.ts";
import type { Query } from "../lib/api.ts";
import {
  addDays,
  type CalendarDate,
  dateOf,
  parseCalendarDate,
  type TimeZone,
  today,
} from "../lib/dates.ts";
import { dayText, rangeText, SESSION_STATUSES, timesText, timeText, words } from "../lib/format.ts";
import { practiceZone, weekOf } from "../lib/me.ts";
import { useNames } from "../lib/people.ts";
import { openedSession } from "../lib/opened.ts";
import { addressOf, addressWith, goTo, place } from "../lib/place.ts";
import { sessionsOfDays, type Span } from "../lib/sessions.ts";
import type { Session } from "../lib/wire.ts";
import { Choices, isTable, ShowAs } from "../parts/choices.tsx";
import { DayGrid } from "../parts/day-grid.tsx";
import { Field } from "../parts/field.tsx";
import { Answered, Empty } from "../parts/notices.tsx";
import { PersonField } from "../parts/person-field.tsx";
import { StaffField } from "../parts/staff-field.tsx";
import { WeekGrid } from "../parts/week-grid.tsx";

/** The sessions of a day of the whole clinic, or of a week of one person, in the practice's time zone. */

/** The kinds of people with sessions, each with the API's filter. */
const KINDS = [
  { whose: "clinic", name: "Whole clinic", filter: undefined },
  { whose: "clinician", name: "Clinician", filter: "clinicianId" },
  { whose: "technician", name: "Technician", filter: "technicianId" },
  { whose: "patient", name: "Patient", filter: "clientId" },
] as const;

type Kind = (typeof KINDS)[number];

export function Schedule() {
  const { query } = place.value;
  const kind = KINDS.find(({ whose }) => whose === query.get("whose")) ?? KINDS[0];
  const person = query.get("person") ?? undefined;
  const zone = practiceZone();
  const day = query.has("day") ? parseCalendarDate(query.get("day") ?? "") : today(zone);
  return (
    <main>
      <header class="view-header">
        <h1 tabIndex={-1}>Schedule</h1>
        <p class="lead">
          {day && (kind.filter === undefined ? dayText(day) : weekText(day))} · times in {zone}
        </p>
      </header>
      <Toolbar kind={kind} person={person} day={day} />
      {day === undefined ? (
        <p class="notice failure" role="alert">
          “{query.get("day")}” is not a date.
        </p>
      ) : kind.filter === undefined ? (
        <Days query={{}} span={{ first: day, count: 1, zone }} />
      ) : person === undefined ? (
        <Empty>
          <p>Choose whose week to show.</p>
        </Empty>
      ) : (
        <Days query={{ [kind.filter]: person }} span={{ first: weekOf(day), count: 7, zone }} />
      )}
    </main>
  );
}

function weekText(day: CalendarDate): string {
  const week = weekOf(day);
  return rangeText(week, addDays(week, 6));
}

function Toolbar(properties: {
  kind: Kind;
  person: string | undefined;
  day: CalendarDate | undefined;
}) {
  const { kind, person, day } = properties;
  const pick = (id: string | undefined): void => goTo(addressWith({ person: id }));
  const isWeek = kind.filter !== undefined;
  const step = isWeek ? 7 : 1;
  const name = isWeek ? "week" : "day";
  return (
    <form class="toolbar" onSubmit={(event) => event.preventDefault()}>
      <Choices
        label="Whose sessions"
        choices={KINDS.map(({ whose, name: choice }) => ({
          name: choice,
          address: addressWith({
            whose: whose === "clinic" ? undefined : whose,
            person: undefined,
          }),
          isChosen: whose === kind.whose,
        }))}
      />
      {kind.whose === "patient" && (
        <PersonField label={kind.name} role="PATIENT" id={person} onPick={pick} />
      )}
      {(kind.whose === "clinician" || kind.whose === "technician") && (
        <StaffField kind={kind.whose} label={kind.name} id={person} none="Choose" onPick={pick} />
      )}
      <Field
        type="date"
        label="Day"
        value={day ?? ""}
        onChange={(date) => goTo(addressWith({ day: date }))}
      />
      <div class="choices" role="group" aria-label="Other days">
        <a
          href={addressWith({ day: day && addDays(day, -step) })}
          aria-label={`The ${name} before`}
        >
          ‹
        </a>
        <a href={addressWith({ day: undefined })}>{isWeek ? "This week" : "Today"}</a>
        <a href={addressWith({ day: day && addDays(day, step) })} aria-label={`The ${name} after`}>
          ›
        </a>
      </div>
      <ShowAs picture={isWeek ? "Week" : "Day"} />
    </form>
  );
}

function Days({ query, span }: { query: Query; span: Span }) {
  const answer = useAnswer(JSON.stringify([query, span]), (signal) =>
    sessionsOfDays(query, span, signal),
  );
  return (
    <Answered answer={answer}>
      {(sessions) =>
        sessions.length === 0 ? (
          <Empty>
            <p>No session starts {span.count === 1 ? "on this day" : "in this week"}.</p>
          </Empty>
        ) : (
          <Sessions sessions={sessions} span={span} />
        )
      }
    </Answered>
  );
}

function Sessions({ sessions, span }: { sessions: Session[]; span: Span }) {
  const name = useNames(sessions.flatMap(peopleOf));
  const doubles = doubleBookings(sessions);
  if (isTable())
    return <Table sessions={sessions} zone={span.zone} name={name} doubles={doubles} />;
  const { first, count, zone } = span;
  const items = sessions.map((session) => ({
    ...session,
    key: session.publicId,
    class: `status-${session.status.toLowerCase()}${doubles.has(session.publicId) ? " double" : ""}`,
  }));
  const rowOf = count === 1 ? delivererOf : () => place.value.query.get("person");
  const slot = (session: Session) => (
    <Slot
      session={session}
      zone={zone}
      people={peopleOf(session)
        .filter((id) => id !== rowOf(session))
        .map(name)}
      isDouble={doubles.has(session.publicId)}
    />
  );
  return (
    <>
      <Doubles doubles={doubles} />
      <StatusLegend />
      {count === 7 ? (
        <WeekGrid week={first} zone={zone} items={items}>
          {slot}
        </WeekGrid>
      ) : (
        <DayGrid day={first} zone={zone} rows={rowsOf(items, name)}>
          {slot}
        </DayGrid>
      )}
    </>
  );
}

/** A row for each provider, by name; then the sessions without a provider. */
function rowsOf<Item extends Session>(items: Item[], name: (id: string) => string) {
  const byDeliverer = Map.groupBy(items, delivererOf);
  const rows = [...byDeliverer]
    .filter(([id]) => id !== null)
    .map(([id, own]) => ({
      key: id ?? "",
      label: name(id ?? ""),
      name: <PersonWeek id={id ?? ""} session={own[0]} name={name} />,
      items: own,
    }))
    .sort((a, b) => a.label.localeCompare(b.label, "en"));
  const nobodys = byDeliverer.get(null) ?? [];
  const last = { key: "", label: "Nobody yet", name: "Nobody yet", items: nobodys };
  return nobodys.length === 0 ? rows : [...rows, last];
}

/** A name, as a link to the person's week. */
function PersonWeek(properties: {
  id: string;
  session: Session | undefined;
  name: (id: string) => string;
}) {
  const { id, session, name } = properties;
  const whose = session?.technicianId === id ? "technician" : "clinician";
  const day = place.value.query.get("day") ?? undefined;
  return <a href={addressOf(["schedule"], { whose, person: id, day })}>{name(id)}</a>;
}

function Slot(properties: {
  session: Session;
  zone: TimeZone;
  people: string[];
  isDouble: boolean;
}) {
  const { session, zone, people, isDouble } = properties;
  const { title, status } = session;
  const who = people.join(", ");
  return (
    <button type="button" onClick={() => (openedSession.value = session.publicId)}>
      <time dateTime={session.startTime}>{timesText(session, zone)}</time>
      <strong>
        <bdi>{who || title}</bdi>
      </strong>
      <span class="detail">
        {isDouble && <em class="double-mark">Double-booked </em>}
        {status !== "CONFIRMED" && <em>{SESSION_STATUSES[status]} </em>}
        {who !== "" && title}
      </span>
    </button>
  );
}

function Doubles({ doubles }: { doubles: Map<string, DoubleBooking> }) {
  if (doubles.size === 0) return null;
  return (
    <p class="doubles">
      <strong>{doubles.size} sessions are double-booked:</strong> they overlap another one of the
      same provider or patient.
    </p>
  );
}

function StatusLegend() {
  return (
    <ul class="legend" aria-hidden="true">
      {Object.entries(SESSION_STATUSES).map(([status, name]) => (
        <li key={status}>
          <i class={`status-${status.toLowerCase()}`} /> {name}
        </li>
      ))}
    </ul>
  );
}

function Table(properties: {
  sessions: Session[];
  zone: TimeZone;
  name: (id: string) => string;
  doubles: Map<string, DoubleBooking>;
}) {
  const { sessions, zone, name, doubles } = properties;
  const heads = ["Day", "From", "To", "Session", "Patient", "By", "Status", "Place", "Billable"];
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label="Sessions as a table">
      <table class="plain">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => {
            const { clientId } = session;
            const staff = peopleOf(session).filter((id) => id !== clientId);
            return (
              <tr key={session.publicId}>
                <th scope="row">{dayText(dateOf(session.startTime, zone))}</th>
                <td class="date">{timeText(session.startTime, zone)}</td>
                <td class="date">{timeText(session.endTime, zone)}</td>
                <td>
                  <button
                    type="button"
                    class="link"
                    onClick={() => (openedSession.value = session.publicId)}
                  >
                    {session.title}
                  </button>
                </td>
                <td>{clientId === null ? "" : name(clientId)}</td>
                <td>{staff.map(name).join(", ")}</td>
                <td>
                  {SESSION_STATUSES[session.status]}
                  {doubles.has(session.publicId) && (
                    <span class="badge warning">Double-booked</span>
                  )}
                </td>
                <td>{words(session.placeOfService)}</td>
                <td>{session.isBillable ? "Yes" : "No"}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
