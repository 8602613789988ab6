import { type DoubleBooking, peopleOf } from "../../lib/session/overlaps.ts";
import { dateOf, type TimeZone } from "../../lib/base/dates.ts";
import { dayText, SESSION_STATUSES, timeText, words } from "../../lib/base/format.ts";
import type { Session } from "../../lib/base/wire.ts";
import { SessionLink } from "../../parts/session/session-link.tsx";
import { Table } from "../../parts/base/table.tsx";

/** Sessions as a table, in order of start. */
export function ScheduleTable(properties: {
  sessions: Session[];
  zone: TimeZone;
  name: (id: string) => string;
  doubles: Map<string, DoubleBooking>;
}) {
  const { sessions, zone, name, doubles } = properties;
  return (
    <Table
      label="Sessions as a table"
      headings={["Day", "From", "To", "Session", "Patient", "By", "Status", "Place", "Billable"]}
    >
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
                <SessionLink id={session.publicId}>{session.title}</SessionLink>
              </td>
              <td>{clientId === null ? "" : name(clientId)}</td>
              <td class="words">{staff.map(name).join(", ")}</td>
              <td class="words">
                {SESSION_STATUSES[session.status]}
                {doubles.has(session.publicId) && <span class="badge warning">Double-booked</span>}
              </td>
              <td class="words">{words(session.placeOfService)}</td>
              <td>{session.isBillable ? "Yes" : "No"}</td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
