import { useResponse } from "../lib/response.ts";
import { doubleBookings, peopleOf, presentAt } from "../lib/booking.ts";
import type { Query } from "../lib/query.ts";
import {
  addDays,
  type CalendarDate,
  parseCalendarDate,
  type TimeZone,
  today,
} from "../lib/dates.ts";
import {
  dayText,
  rangeText,
  SESSION_STATUSES,
  timesText,
  timeText,
  whenText,
} from "../lib/format.ts";
import { me, practiceZone, weekOf } from "../lib/me.ts";
import { nameOf, useNames, useStaff } from "../lib/people.ts";
import { newSession, openedSession } from "../lib/opened.ts";
import { addressOf, addressWith, goTo, place } from "../lib/place.ts";
import { mayPlan } from "../lib/rights.ts";
import { changeOf } from "../lib/session-changes.ts";
import { moved, sessionsOfDays, type Span } from "../lib/sessions.ts";
import type { Session, User } from "../lib/wire.ts";
import { Choices, isTable } from "../parts/choices.tsx";
import { DayGrid, type Row } from "../parts/day-grid.tsx";
import { Field } from "../parts/field.tsx";
import { useNamedList } from "../parts/named.ts";
import type { Shift } from "../parts/moving.ts";
import { ResponseView, Empty } from "../parts/notices.tsx";
import { PersonField } from "../parts/person-field.tsx";
import { StaffField } from "../parts/staff-field.tsx";
import { Toolbar } from "../parts/toolbar.tsx";
import { ViewHeader } from "../parts/view-header.tsx";
import { WeekGrid } from "../parts/week-grid.tsx";
import { useWriting } from "../parts/writing.tsx";
import { ScheduleTable } from "./schedule-table.tsx";

/** The sessions of a day or a week of the whole clinic, or of a week of one person, in the practice's time zone. */

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
  const isWeek = kind.filter !== undefined || query.get("as") === "week";
  return (
    <main class="schedule">
      <ViewHeader
        title="Schedule"
        lead={
          <>
            <span class="print-only">{me().organization.name} · </span>
            {day && (isWeek ? weekText(day) : dayText(day))} · times in {zone}
          </>
        }
      >
        <div class="actions">
          {mayPlan() && day !== undefined && (
            <button
              type="button"
              class="primary"
              onClick={() => {
                const whose = kind.filter === undefined ? {} : { [kind.filter]: person ?? null };
                newSession.value = { ...whose, day };
              }}
            >
              New session
            </button>
          )}
          <button type="button" onClick={() => print()}>
            Print
          </button>
        </div>
      </ViewHeader>
      <Controls kind={kind} person={person} day={day} isWeek={isWeek} />
      {day === undefined ? (
        <p class="notice failure" role="alert">
          “{query.get("day")}” is not a date.
        </p>
      ) : kind.filter !== undefined && person === undefined ? (
        <Empty>Choose whose week to show.</Empty>
      ) : (
        <Days
          query={{
            ...(kind.filter && { [kind.filter]: person }),
            status: query.get("status") ?? undefined,
          }}
          span={isWeek ? { first: weekOf(day), count: 7, zone } : { first: day, count: 1, zone }}
          isClinic={kind.filter === undefined}
        />
      )}
    </main>
  );
}

function weekText(day: CalendarDate): string {
  const week = weekOf(day);
  return rangeText(week, addDays(week, 6));
}

interface ControlsProperties {
  kind: Kind;
  person: string | undefined;
  day: CalendarDate | undefined;
  isWeek: boolean;
}

function Controls({ kind, person, day, isWeek }: ControlsProperties) {
  const pick = (id: string | null): void => goTo(addressWith({ person: id }));
  const step = isWeek ? 7 : 1;
  const name = isWeek ? "week" : "day";
  const as = place.value.query.get("as") ?? undefined;
  const forms =
    kind.filter === undefined
      ? [
          { name: "Day", form: undefined },
          { name: "Day as a list", form: "table" },
          { name: "Week as a list", form: "week" },
        ]
      : [
          { name: "Week", form: undefined },
          { name: "Table", form: "table" },
        ];
  return (
    <Toolbar>
      <Choices
        label="Whose sessions"
        choices={KINDS.map(({ whose, name: choice }) => ({
          name: choice,
          address: addressWith({
            ...{ whose: whose === "clinic" ? undefined : whose, person: undefined },
            ...{ team: undefined, as: undefined },
          }),
          isChosen: whose === kind.whose,
        }))}
      />
      {kind.whose === "patient" && (
        <PersonField label={kind.name} role="PATIENT" id={person ?? null} onPick={pick} />
      )}
      {(kind.whose === "clinician" || kind.whose === "technician") && (
        <StaffField kind={kind.whose} id={person ?? null} none="Choose" onPick={pick} />
      )}
      <Field
        label="Day"
        type="date"
        value={day ?? ""}
        onChange={(date) => goTo(addressWith({ day: date }))}
      />
      <div class="choices keep" role="group" aria-label="Other days">
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
      <Choices
        label="Show as"
        choices={forms.map(({ name: choice, form }) => ({
          name: choice,
          address: addressWith({ as: form }),
          isChosen: form === as,
        }))}
      />
      <Filters isClinic={kind.filter === undefined} />
    </Toolbar>
  );
}

const ANY = { value: "", name: "Any" };

const STATUS_FILTERS = [
  { value: "DECLINED,PATIENT_NO_SHOW", name: "Declined or no-show" },
  ...Object.entries(SESSION_STATUSES).map(([value, name]) => ({ value, name })),
];

function Filters({ isClinic }: { isClinic: boolean }) {
  const { query } = place.value;
  const clinicians = useStaff("clinician").value ?? [];
  const locations = useNamedList("locations");
  return (
    <>
      <Field
        label="Status"
        value={query.get("status") ?? ""}
        choices={[ANY, ...STATUS_FILTERS]}
        onType={(status) => goTo(addressWith({ status }))}
      />
      <Field
        label="Location"
        value={query.get("location") ?? ""}
        choices={[ANY, ...locations.map(({ publicId, name }) => ({ value: publicId, name }))]}
        onType={(location) => goTo(addressWith({ location }))}
      />
      {isClinic && (
        <Field
          label="Team of"
          value={query.get("team") ?? ""}
          choices={[
            { value: "", name: "Everybody" },
            ...clinicians.map((each) => ({ value: each.publicId, name: nameOf(each) })),
          ]}
          onType={(team) => goTo(addressWith({ team }))}
        />
      )}
    </>
  );
}

interface DaysProperties {
  query: Query;
  span: Span;
  isClinic: boolean;
}

function Days({ query, span, isClinic }: DaysProperties) {
  const response = useResponse(JSON.stringify([query, span]), (signal) =>
    sessionsOfDays(query, span, signal),
  );
  const team = useTeam();
  const hasStaff = useStaff("provider").value?.length !== 0;
  const location = place.value.query.get("location");
  return (
    <ResponseView response={response}>
      {(all) => {
        const sessions = all
          .filter(({ locationId }) => location === null || locationId === location)
          .filter((session) => team === undefined || presentAt(session).some((id) => team.has(id)));
        // The grid of a day shows who has no session, too.
        const isGrid = isClinic && !isTable() && span.count === 1 && hasStaff;
        return sessions.length === 0 && !isGrid ? (
          <Empty>No session starts {span.count === 1 ? "on this day" : "in this week"}.</Empty>
        ) : (
          <Sessions
            sessions={sessions}
            since={response.sequence}
            span={span}
            isClinic={isClinic}
            team={team}
          />
        );
      }}
    </ResponseView>
  );
}

/** The clinician of the chosen team and their technicians; undefined for everybody. */
function useTeam(): Set<string> | undefined {
  const leader = place.value.query.get("team");
  const clinicians = useStaff("clinician").value ?? [];
  const person = clinicians.find(({ publicId }) => publicId === leader);
  if (leader === null) return undefined;
  return new Set([
    leader,
    ...(person !== undefined && "careTeamTechnicianIds" in person
      ? person.careTeamTechnicianIds
      : []),
  ]);
}

interface SessionsProperties {
  sessions: Session[];
  since: number | undefined;
  span: Span;
  isClinic: boolean;
  team: Set<string> | undefined;
}

function Sessions({ sessions, since, span, isClinic, team }: SessionsProperties) {
  const name = useNames(sessions.flatMap(peopleOf));
  const staff = useStaff("provider").value ?? [];
  const writing = useWriting();
  const person = place.value.query.get("person");
  const doubles = doubleBookings(sessions);
  const { first, count, zone } = span;
  if (isTable() || (isClinic && count === 7))
    return <ScheduleTable sessions={sessions} zone={zone} name={name} doubles={doubles} />;
  const items = sessions.map((session) => ({
    ...session,
    key: session.publicId,
    class: `status-${session.status.toLowerCase()}${doubles.has(session.publicId) ? " double" : ""}`,
  }));
  const slot = (session: Session, row?: string) => (
    <Slot
      row={row ?? person}
      session={session}
      zone={zone}
      name={name}
      isDouble={doubles.has(session.publicId)}
    />
  );
  const move = (key: string, shift: Shift): void => {
    const session = sessions.find(({ publicId }) => publicId === key);
    if (session === undefined) return;
    const times = moved(session, shift, zone);
    void writing.run(
      changeOf(session, times, `Moved to ${whenText({ ...session, ...times }, zone)}.`, since),
    );
  };
  const onMove = mayPlan() && !writing.isWriting ? move : undefined;
  const book = (draft: typeof newSession.value): void => {
    newSession.value = draft;
  };
  const whose = KINDS.find((kind) => kind.whose === place.value.query.get("whose"))?.filter;
  return (
    <>
      {writing.notice}
      <Doubles count={doubles.size} />
      <StatusLegend />
      {isClinic ? (
        <DayGrid
          day={first}
          zone={zone}
          rows={rowsOf(items, { name, staff, team })}
          onMove={onMove}
          onPick={
            mayPlan()
              ? (row, from) => book({ day: first, from, ...roleFieldOf(staff, row) })
              : undefined
          }
        >
          {slot}
        </DayGrid>
      ) : (
        <WeekGrid
          week={first}
          zone={zone}
          items={items}
          onMove={onMove}
          onPick={
            mayPlan()
              ? ({ day, from, to }) =>
                  book({
                    day,
                    from,
                    ...(to > from && { to }),
                    ...(whose && { [whose]: person }),
                  })
              : undefined
          }
        >
          {slot}
        </WeekGrid>
      )}
    </>
  );
}

/** The field of a session that names somebody of the staff. */
function roleFieldOf(staff: readonly User[], id: string) {
  const person = staff.find(({ publicId }) => publicId === id);
  if (person === undefined) return {};
  return person.role === "TECHNICIAN" ? { technicianId: id } : { clinicianId: id };
}

/**
 * A row for each active provider and each one who is present at a session, by name; then the sessions without a
 * provider. A session with several people is in the row of each.
 */
function rowsOf<Item extends Session>(
  items: Item[],
  {
    name,
    staff,
    team,
  }: { name: (id: string) => string; staff: User[]; team: Set<string> | undefined },
): Row<Item>[] {
  const active = staff.map(({ publicId }) => publicId);
  const ids = new Set([...active, ...items.flatMap(presentAt)]);
  const rows = [...ids]
    .filter((id) => team === undefined || team.has(id))
    .map((id) => {
      const person = staff.find(({ publicId }) => publicId === id);
      const label = person === undefined ? name(id) : nameOf(person);
      const own = items.filter((item) => presentAt(item).includes(id));
      const isTechnician =
        person === undefined ? own[0]?.technicianId === id : person.role === "TECHNICIAN";
      const day = place.value.query.get("day") ?? undefined;
      const whose = isTechnician ? "technician" : "clinician";
      const week = addressOf(["schedule"], { whose, person: id, day });
      return { key: id, label, name: <a href={week}>{label}</a>, items: own };
    })
    .sort((a, b) => a.label.localeCompare(b.label, "en"));
  const nobodys = items.filter((item) => presentAt(item).length === 0);
  const last = { key: "", label: "Nobody yet", name: "Nobody yet", items: nobodys };
  return nobodys.length === 0 ? rows : [...rows, last];
}

function Slot(properties: {
  session: Session;
  /** Whose row or week it is in. */
  row: string | null;
  zone: TimeZone;
  name: (id: string) => string;
  isDouble: boolean;
}) {
  const { session, row, zone, name, isDouble } = properties;
  const { title, status, clientId } = session;
  const people = peopleOf(session).filter((id) => id !== row);
  const first = clientId !== null && clientId !== row ? [clientId] : people;
  const who = first.map(name).join(", ");
  const others = people.filter((id) => !first.includes(id)).map(name);
  const times = timesText(session, zone);
  // A narrow slot says the start alone.
  const start = times.split("–", 1)[0] ?? "";
  return (
    <button
      type="button"
      title={`${times} ${[who, ...others, title].filter(Boolean).join(", ")}`}
      onClick={() => (openedSession.value = session.publicId)}
    >
      <time dateTime={session.startTime}>
        {start}
        <span class="rest">{times.slice(start.length)}</span>
      </time>
      <strong>
        <bdi>{who || title}</bdi>
      </strong>
      <span class="detail">
        {isDouble && <em class="double-mark">Double-booked </em>}
        {status !== "CONFIRMED" && <em>{SESSION_STATUSES[status]} </em>}
        {session.isSupervision && "Supervision "}
        {who !== "" && title}
      </span>
    </button>
  );
}

function Doubles({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p class="doubles">
      <strong>{count} sessions are double-booked:</strong> somebody who is present, or the patient,
      is in another one at the same time.
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
