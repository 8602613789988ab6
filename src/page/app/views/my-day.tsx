import { useResponse, useGet } from "../lib/response.ts";
import { holdsSlot } from "../lib/booking.ts";
import { type CalendarDate, hasBegun, parseCalendarDate, today } from "../lib/dates.ts";
import { countText, dayText, SESSION_STATUSES, timesText, words } from "../lib/format.ts";
import { me, practiceZone } from "../lib/me.ts";
import { useNames } from "../lib/people.ts";
import { parameter } from "../lib/place.ts";
import { mayDocument } from "../lib/rights.ts";
import { delivery, statusChange } from "../lib/session-changes.ts";
import { sessionsOfDays } from "../lib/sessions.ts";
import type { Session, SessionUtilization } from "../lib/wire.ts";
import { Button } from "../parts/button.tsx";
import { ResponseView, Empty } from "../parts/notices.tsx";
import { OtherDays } from "../parts/other-days.tsx";
import { SessionLink } from "../parts/session-link.tsx";
import { ViewHeader } from "../parts/view-header.tsx";
import { useWriting } from "../parts/writing.tsx";

/** One's own sessions of a day, for a phone: each is delivered, missed or cancelled by one tap. */

export function MyDay() {
  const zone = practiceZone();
  const day = parseCalendarDate(parameter("day") ?? "") ?? today(zone);
  const { role, userId } = me().key;
  const filter = role === "TECHNICIAN" ? "technicianId" : "clinicianId";
  const response = useResponse(`my day ${day}`, (signal) =>
    sessionsOfDays({ [filter]: userId ?? "" }, { first: day, count: 1, zone }, signal),
  );
  const name = useNames((response.value ?? []).flatMap(({ clientId }) => clientId ?? []));
  return (
    <main class="my-day">
      <ViewHeader title="My day" lead={dayText(day)}>
        <OtherDays day={day} step={1} />
      </ViewHeader>
      <ResponseView response={response}>
        {(sessions) =>
          sessions.length === 0 ? (
            <Empty>No session starts on this day.</Empty>
          ) : (
            <ol>
              {sessions.map((session) => (
                <OwnSession
                  key={session.publicId}
                  session={session}
                  day={day}
                  who={session.clientId === null ? undefined : name(session.clientId)}
                />
              ))}
            </ol>
          )
        }
      </ResponseView>
    </main>
  );
}

function OwnSession(properties: { session: Session; day: CalendarDate; who: string | undefined }) {
  const { session, day, who } = properties;
  const zone = practiceZone();
  const writing = useWriting();
  const isHeld = holdsSlot(session);
  const change = (status: Session["status"]) => writing.run(statusChange(session, status));
  return (
    <li class={`panel status-${session.status.toLowerCase()}`}>
      <SessionLink id={session.publicId}>
        <time dateTime={session.startTime}>{timesText(session, zone)}</time>{" "}
        <strong>
          <bdi>{who ?? session.title}</bdi>
        </strong>
      </SessionLink>
      <p class="hint">
        {session.isSupervision && "Supervision, "}
        {words(session.placeOfService)}
        {session.status !== "CONFIRMED" && `, ${SESSION_STATUSES[session.status]}`}
      </p>
      {mayDocument("session", day) && (
        <div class="buttons">
          {isHeld && session.isBillable && hasBegun(session.startTime) && (
            <Delivered session={session} writing={writing} />
          )}
          {isHeld ? (
            <>
              {session.clientId !== null && (
                <Button disabled={writing.isWriting} onClick={() => void change("PATIENT_NO_SHOW")}>
                  No-show
                </Button>
              )}
              <Button disabled={writing.isWriting} onClick={() => void change("DECLINED")}>
                Cancelled
              </Button>
            </>
          ) : (
            <Button disabled={writing.isWriting} onClick={() => void change("CONFIRMED")}>
              It took place
            </Button>
          )}
        </div>
      )}
      {writing.notice}
    </li>
  );
}

/** Whether it is documented, and the units of its length, are no part of a session: they are asked for with each. */
function Delivered(properties: { session: Session; writing: ReturnType<typeof useWriting> }) {
  const { session, writing } = properties;
  const response = useGet<SessionUtilization>(
    `sessions/${encodeURIComponent(session.publicId)}/utilization`,
  );
  if (response.value === undefined) return null;
  const { authorizationId, units, encounters } = response.value;
  if (encounters.length > 0) return <p>✓ Delivered</p>;
  if (authorizationId === null || units === null) return null;
  return (
    <Button
      class="primary"
      disabled={writing.isWriting || response.isLoading}
      onClick={() => void writing.run(delivery(session, authorizationId, units))}
    >
      Delivered: {countText(units, "unit")}
    </Button>
  );
}
