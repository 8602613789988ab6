import { broughtTexts } from "../../lib/attention/findings.ts";
import { doubleBookings, isGroupAmong, peopleOf } from "../../lib/session/overlaps.ts";
import { type DateRange, moved, type TimeZone } from "../../lib/base/dates.ts";
import { SESSION_STATUSES, STATUS_NAMES, timesText, whenText } from "../../lib/base/format.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { useNamedPeople } from "../../lib/person/people.ts";
import type { Stretch } from "../../lib/session/plan.ts";
import {
  addressOf,
  addressOfFilter,
  addressOfSession,
  goTo,
  parameter,
} from "../../lib/base/place.ts";
import { mayPlan } from "../../lib/base/rights.ts";
import { roleFieldOf, rowsOf, type ScheduleRow } from "../../lib/schedule/schedule-rows.ts";
import { changeOf } from "../../lib/session/session-changes.ts";
import { kindOfSession, SESSION_KINDS, type SessionKind } from "../../lib/session/session-kinds.ts";
import type { Service, Session } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { isTable } from "../../parts/base/choices.tsx";
import { DayGrid, type Row } from "../../parts/schedule/day-grid.tsx";
import { Legend } from "../../parts/base/legend.tsx";
import { useNamedList } from "../../parts/base/named.ts";
import { Empty } from "../../parts/base/notices.tsx";
import type { Shift } from "../../parts/schedule/moving.ts";
import { WeekGrid } from "../../parts/schedule/week-grid.tsx";
import { useWriting } from "../../parts/base/writing.tsx";
import { openNewSession } from "../session/new-session.tsx";
import { shownKind } from "./schedule-controls.tsx";
import { ScheduleTable } from "./schedule-table.tsx";

/** The sessions of the schedule's days. */

/** What the colors and edges of these sessions mean, and of no others. */
function keysOf(
  sessions: readonly Session[],
  kindOf: (session: Session) => SessionKind,
): [string, string][] {
  const kinds = new Set(sessions.map(kindOf));
  const statuses = new Set(sessions.map(({ status }) => status));
  return [
    ...(Object.keys(SESSION_KINDS) as SessionKind[])
      .filter((kind) => kinds.has(kind))
      .map((kind): [string, string] => [`kind-${kind.toLowerCase()}`, SESSION_KINDS[kind].name]),
    ...STATUS_NAMES.filter(([status]) => status !== "CONFIRMED" && statuses.has(status)).map(
      ([status, name]): [string, string] => [`status-${status.toLowerCase()}`, name],
    ),
  ];
}

interface SessionsProperties {
  sessions: Session[];
  days: DateRange;
  isClinic: boolean;
  team: Set<string> | undefined;
}

/** A grid, or the table where that is asked for or no grid fits. */
export function ScheduleSessions({ sessions, days, isClinic, team }: SessionsProperties) {
  const zone = practiceZone();
  const { startDate: first, endDate } = days;
  const isDay = first === endDate;
  const isDayGrid = isClinic && isDay && !isTable();
  // The grid of a day shows who has no session, too.
  const { value: people, name } = useNamedPeople(sessions.flatMap(peopleOf), isDayGrid);
  const writing = useWriting();
  const services = useNamedList<Service>("service-lines");
  const doubles = doubleBookings(sessions, isGroupAmong(services));
  const kindOf = (session: Session): SessionKind =>
    kindOfSession(session, (id) => services.find(({ publicId }) => publicId === id));
  const items = sessions.map((session) => ({
    ...session,
    key: session.publicId,
    class: `kind-${kindOf(session).toLowerCase()} status-${session.status.toLowerCase()}${doubles.has(session.publicId) ? " double" : ""}`,
  }));
  const rows = isDayGrid ? rowsOf(items, { people, name, team }) : [];
  const isLoading = isDayGrid && people === undefined;
  if (sessions.length === 0 && rows.length === 0 && !isLoading) return <NoSession isDay={isDay} />;
  if (isTable() || (isClinic && !isDay))
    return <ScheduleTable sessions={sessions} zone={zone} name={name} doubles={doubles} />;

  const { filter } = shownKind();
  const person = parameter("person") ?? null;
  const slot = (session: Session, row = person) => (
    <Slot
      row={row}
      session={session}
      zone={zone}
      name={name}
      mark={SESSION_KINDS[kindOf(session)].mark}
      isDouble={doubles.has(session.publicId)}
    />
  );
  const move = (key: string, shift: Shift): void => {
    const session = sessions.find(({ publicId }) => publicId === key);
    if (session === undefined) return;
    const times = moved(session, shift, zone);
    const said = `Moved to ${whenText({ ...session, ...times }, zone)}.`;
    void writing.run({ ...changeOf(session, times, said), tell: broughtTexts });
  };
  const onMove = mayPlan() && !writing.isWriting ? move : undefined;
  const pickInDay = (row: string, from: number): void => {
    openNewSession({ date: first, from, ...roleFieldOf(people?.get(row)) });
  };
  const pickInWeek = ({ day, from, to }: Stretch): void => {
    const whose = filter && { [filter]: person };
    openNewSession({ date: day, from, ...(to > from && { to }), ...whose });
  };
  return (
    <>
      {writing.notice}
      <Doubles count={doubles.size} />
      <Legend keys={keysOf(sessions, kindOf)} />
      {isClinic ? (
        <DayGrid
          day={first}
          zone={zone}
          rows={dayRows(rows)}
          onMove={onMove}
          onPick={mayPlan() ? pickInDay : undefined}
        >
          {slot}
        </DayGrid>
      ) : (
        <WeekGrid
          week={first}
          zone={zone}
          items={items}
          onMove={onMove}
          onPick={mayPlan() ? pickInWeek : undefined}
        >
          {slot}
        </WeekGrid>
      )}
    </>
  );
}

/** The rows of a day, each with the way to the week of its person. */
function dayRows<Item extends Session>(rows: readonly ScheduleRow<Item>[]): Row<Item>[] {
  return rows.map(({ id, name, role, sessions }) => {
    const week = { whose: role, person: id, date: parameter("date") };
    const label = id === null ? name : <a href={addressOf(["schedule"], week)}>{name}</a>;
    return { key: id ?? "", label: name, name: label, items: sessions };
  });
}

function Slot(properties: {
  session: Session;
  /** Whose row or week it is in. */
  row: string | null;
  zone: TimeZone;
  name: (id: string) => string;
  /** The letter of its kind. */
  mark: string;
  isDouble: boolean;
}) {
  const { session, row, zone, name, mark, isDouble } = properties;
  const { title, status, clientId } = session;
  const people = peopleOf(session).filter((id) => id !== row);
  const first = clientId !== null && clientId !== row ? [clientId] : people;
  const who = first.map(name).join(", ");
  const others = people.filter((id) => !first.includes(id)).map(name);
  const times = timesText(session, zone);
  // A narrow slot says the start alone.
  const start = times.split("–", 1)[0] ?? "";
  return (
    <Button
      title={`${times} ${[who, ...others, title].filter(Boolean).join(", ")}`}
      onClick={() => goTo(addressOfSession(session.publicId))}
    >
      {mark !== "" && (
        <b class="kind-mark" aria-hidden="true">
          {mark}
        </b>
      )}
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
    </Button>
  );
}

/** Names the filter that leaves nothing, and the way out of it. */
function NoSession({ isDay }: { isDay: boolean }) {
  const when = isDay ? "on this day" : "in this week";
  const status = parameter("status");
  const isFiltered = [status, parameter("location"), parameter("team")].some(Boolean);
  if (!isFiltered)
    return (
      <Empty>
        <p>No session starts {when}.</p>
      </Empty>
    );
  const names = status
    ?.split(",")
    .map((each) => SESSION_STATUSES[each as Session["status"]].toLowerCase());
  return (
    <Empty>
      <p>
        No session {when} {names ? `is ${names.join(" or ")}` : "matches the filter"}.
      </p>
      <a
        class="button"
        href={addressOfFilter({ status: undefined, location: undefined, team: undefined })}
      >
        Show all sessions
      </a>
    </Empty>
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
