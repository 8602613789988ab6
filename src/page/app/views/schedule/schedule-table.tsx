import { peopleOf } from "../../lib/session/overlaps.ts";
import { dateOf, type TimeZone } from "../../lib/base/dates.ts";
import { dayText, SESSION_STATUSES, timesText, words } from "../../lib/base/format.ts";
import type { Session } from "../../lib/base/wire.ts";
import { SessionLink } from "../../parts/session/session-link.tsx";
import { type Column, ListTable } from "../../parts/base/list-table.tsx";

/** Sessions as a table, in order of start. */
export function ScheduleTable(properties: {
  sessions: Session[];
  zone: TimeZone;
  name: (id: string) => string;
  doubles: ReadonlySet<string>;
}) {
  const { sessions, zone, name, doubles } = properties;
  const days = Map.groupBy(sessions, ({ startTime }) => dateOf(startTime, zone));
  const columns: Column<Session>[] = [
    { name: "Time", cell: (session) => timesText(session, zone) },
    {
      name: "Session",
      cell: ({ publicId, title }) => <SessionLink id={publicId}>{title}</SessionLink>,
    },
    { name: "Patient", cell: ({ clientId }) => clientId && name(clientId) },
    {
      name: "By",
      class: "words",
      cell: (session) =>
        peopleOf(session)
          .filter((id) => id !== session.clientId)
          .map(name)
          .join(", "),
    },
    {
      name: "Status",
      class: "words",
      cell: ({ publicId, status }) => (
        <>
          {SESSION_STATUSES[status]}
          {doubles.has(publicId) && <span class="badge warning">Double-booked</span>}
        </>
      ),
    },
    { name: "Place", class: "words", cell: ({ placeOfService }) => words(placeOfService) },
    { name: "Billable", cell: ({ isBillable }) => (isBillable ? "Yes" : "No") },
  ];
  return (
    <ListTable
      label="Sessions as a table"
      columns={columns}
      keyOf={({ publicId }) => publicId}
      groups={[...days].map(([day, rows]) => ({ key: day, heading: dayText(day), rows }))}
    />
  );
}
