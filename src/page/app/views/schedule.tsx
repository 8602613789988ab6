import { useId } from "preact/hooks";
import { useAnswer } from "../lib/answer.ts";
import type { Query } from "../lib/api.ts";
import {
  addDays,
  type CalendarDate,
  dateOf,
  ownZone,
  parseCalendarDate,
  startOfWeek,
  type TimeZone,
  today,
  zoneNamed,
} from "../lib/dates.ts";
import { dayText, rangeText, timesText, timeText, words } from "../lib/format.ts";
import { nameOf, useNames, useStaff } from "../lib/people.ts";
import { addressWith, goTo, place } from "../lib/place.ts";
import { sessionsOfWeek } from "../lib/sessions.ts";
import type { Session } from "../lib/wire.ts";
import { Choices, isTable, ShowAs } from "../parts/choices.tsx";
import { Answered, Empty } from "../parts/notices.tsx";
import { ZoneField } from "../parts/fields.tsx";
import { PersonField } from "../parts/person-field.tsx";
import { WeekGrid } from "../parts/week-grid.tsx";

/** The sessions of a week of one clinician, technician or patient. */

/** Whose week it can be, with the API's filter for that. */
const KINDS = [
  { whose: "clinician", name: "Clinician", filter: "clinicianId" },
  { whose: "technician", name: "Technician", filter: "technicianId" },
  { whose: "patient", name: "Patient", filter: "clientId" },
] as const;

type Kind = (typeof KINDS)[number];

export function Schedule() {
  const { query } = place.value;
  const kind = KINDS.find(({ whose }) => whose === query.get("whose")) ?? KINDS[0];
  const id = query.get("person") ?? undefined;
  const zone = zoneNamed(query.get("timezone") ?? ownZone());
  const day = query.has("week")
    ? parseCalendarDate(query.get("week") ?? "")
    : today(zone ?? ownZone());
  const week = day && startOfWeek(day);
  return (
    <main>
      <header class="view-header">
        <h1 tabIndex={-1}>Schedule</h1>
        <p class="lead">
          {week && rangeText(week, addDays(week, 6))}
          {zone && ` · times in ${zone}`}
        </p>
      </header>
      <Toolbar kind={kind} id={id} week={week} />
      {zone === undefined && (
        <p class="notice failure" role="alert">
          There is no time zone “{query.get("timezone")}”. Zones are spelled as in America/New_York.
        </p>
      )}
      {week === undefined && (
        <p class="notice failure" role="alert">
          “{query.get("week")}” is no date.
        </p>
      )}
      {id === undefined && (
        <Empty>
          <p>Choose whose week to show.</p>
        </Empty>
      )}
      {id !== undefined && week !== undefined && zone !== undefined && (
        <Week query={{ [kind.filter]: id }} week={week} zone={zone} />
      )}
    </main>
  );
}

function Toolbar(properties: {
  kind: Kind;
  id: string | undefined;
  week: CalendarDate | undefined;
}) {
  const { kind, id, week } = properties;
  const { query } = place.value;
  const pick = (person: string | undefined): void => goTo(addressWith({ person }));
  return (
    <form class="toolbar" onSubmit={(event) => event.preventDefault()}>
      <Choices
        label="Whose week"
        choices={KINDS.map(({ whose, name }) => ({
          name,
          address: addressWith({ whose, person: undefined }),
          isChosen: whose === kind.whose,
        }))}
      />
      {kind.whose === "patient" ? (
        <PersonField label={kind.name} role="PATIENT" id={id} onPick={pick} />
      ) : (
        <StaffField kind={kind.whose} label={kind.name} id={id} onPick={pick} />
      )}
      <ZoneField
        label="Time zone"
        value={query.get("timezone") ?? ""}
        placeholder={ownZone()}
        onChange={(timezone) => goTo(addressWith({ timezone }))}
      />
      <div class="choices" role="group" aria-label="Week">
        <a href={addressWith({ week: week && addDays(week, -7) })} aria-label="The week before">
          ‹
        </a>
        <a href={addressWith({ week: undefined })}>This week</a>
        <a href={addressWith({ week: week && addDays(week, 7) })} aria-label="The week after">
          ›
        </a>
      </div>
      <ShowAs picture="Week" />
    </form>
  );
}

function StaffField(properties: {
  kind: "clinician" | "technician";
  label: string;
  id: string | undefined;
  onPick: (id: string | undefined) => void;
}) {
  const { kind, label, id, onPick } = properties;
  const staff = useStaff(kind);
  const fieldId = useId();
  const isListed = staff.value?.some(({ publicId }) => publicId === id) === true;
  return (
    <div class="field">
      <label for={fieldId}>{label}</label>
      <select id={fieldId} value={id ?? ""} onChange={(event) => onPick(event.currentTarget.value)}>
        <option value="">
          {staff.failure?.message ?? (staff.isLoading ? "Loading…" : "Choose")}
        </option>
        {id !== undefined && !isListed && <option value={id}>{id}</option>}
        {staff.value?.map((person) => (
          <option key={person.publicId} value={person.publicId}>
            {nameOf(person)}
          </option>
        ))}
      </select>
    </div>
  );
}

function Week(properties: { query: Query; week: CalendarDate; zone: TimeZone }) {
  const { query, week, zone } = properties;
  const answer = useAnswer(JSON.stringify([query, week, zone]), (signal) =>
    sessionsOfWeek(query, week, zone, signal),
  );
  return (
    <Answered answer={answer}>
      {(sessions) => <Sessions sessions={sessions} week={week} zone={zone} />}
    </Answered>
  );
}

function Sessions({
  sessions,
  week,
  zone,
}: {
  sessions: Session[];
  week: CalendarDate;
  zone: TimeZone;
}) {
  const name = useNames(patientsOf(sessions), week);
  const { query } = place.value;
  const shown = (session: Session): string =>
    peopleOf(session)
      .filter((id) => ![...query.values()].includes(id))
      .map(name)
      .join(", ");
  if (sessions.length === 0)
    return (
      <Empty>
        <p>No session starts in this week.</p>
      </Empty>
    );
  if (isTable()) return <Table sessions={sessions} zone={zone} people={shown} />;
  const items = sessions.map((session) => ({
    ...session,
    key: session.publicId,
    class: `status-${session.status.toLowerCase()}`,
  }));
  return (
    <>
      <StatusLegend />
      <WeekGrid week={week} zone={zone} items={items}>
        {(session) => (
          <>
            <time dateTime={session.startTime}>{timesText(session, zone)}</time>
            <strong>{shown(session) || session.title}</strong>
            <span class="detail">
              {shown(session) !== "" && session.title}
              {session.status !== "CONFIRMED" && <em> {words(session.status)}</em>}
            </span>
          </>
        )}
      </WeekGrid>
    </>
  );
}

function patientsOf(sessions: Session[]): string[] {
  const ids = sessions.map(({ clientId }) => clientId);
  return [...new Set(ids)].filter((id) => id !== null);
}

function peopleOf(session: Session): string[] {
  const ids = [
    session.clientId,
    session.isBillable ? session.clinicianId : null,
    session.technicianId,
  ];
  return ids.filter((id) => id !== null);
}

function StatusLegend() {
  return (
    <ul class="legend" aria-hidden="true">
      {["CONFIRMED", "UNCONFIRMED", "REQUESTED_TO_CANCEL", "DECLINED", "PATIENT_NO_SHOW"].map(
        (status) => (
          <li key={status}>
            <i class={`status-${status.toLowerCase()}`} /> {words(status)}
          </li>
        ),
      )}
    </ul>
  );
}

function Table(properties: {
  sessions: Session[];
  zone: TimeZone;
  people: (session: Session) => string;
}) {
  const { sessions, zone, people } = properties;
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label="Sessions as a table">
      <table class="plain">
        <thead>
          <tr>
            {["Day", "From", "To", "Session", "With", "Status", "Place", "Billable"].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.publicId}>
              <th scope="row">{dayText(dateOf(session.startTime, zone))}</th>
              <td class="date">{timeText(session.startTime, zone)}</td>
              <td class="date">{timeText(session.endTime, zone)}</td>
              <td>{session.title}</td>
              <td>{people(session)}</td>
              <td>{words(session.status)}</td>
              <td>{words(session.placeOfService)}</td>
              <td>{session.isBillable ? "Yes" : "No"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
