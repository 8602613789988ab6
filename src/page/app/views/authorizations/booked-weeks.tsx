import { useState } from "preact/hooks";
import { getAll } from "../../lib/base/api.ts";
import { addDays, type CalendarDate, type TimeZone, today } from "../../lib/base/dates.ts";
import { rangeText, SESSION_STATUSES, timesText } from "../../lib/base/format.ts";
import { weekOf } from "../../lib/base/me.ts";
import {
  outsideOf,
  type Plan,
  withAdded,
  withoutAdded,
  withToggled,
} from "../../lib/session/plan.ts";
import { useRemembered } from "../../lib/base/response.ts";
import type { Session } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { ResponseView } from "../../parts/base/notices.tsx";
import { WeekGrid } from "../../parts/schedule/week-grid.tsx";

/** A week with the booked sessions of an authorization and those of a plan, and the way to other weeks. */
export function BookedWeeks(properties: { plan: Plan; onChange: (plan: Plan) => void }) {
  const { plan, onChange } = properties;
  const { zone, authorization } = plan;
  const [week, setWeek] = useState(weekOf(today(zone)));
  const booked = useRemembered(`booked on ${authorization.id} ${week} ${zone}`, (reading) => {
    const days = { startDate: week, endDate: addDays(week, 6), timezone: zone };
    return getAll<Session>("sessions", { authorizationId: authorization.id, ...days }, reading);
  });
  return (
    <>
      <WeekChoice week={week} zone={zone} onChoose={setWeek} />
      <ResponseView response={booked}>
        {(sessions) => (
          <WeekGrid
            week={week}
            zone={zone}
            items={slotsOf(sessions, plan, booked.sequence, onChange)}
            onPick={(stretch) => {
              if (stretch.from < stretch.to) onChange(withAdded(plan, [stretch]));
            }}
          >
            {({ isPressed, note, onChoose, ...slot }) => (
              <Button aria-pressed={isPressed} onClick={onChoose}>
                <strong>{timesText(slot, zone)}</strong> {note}
              </Button>
            )}
          </WeekGrid>
        )}
      </ResponseView>
    </>
  );
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
        <Button aria-label="The week before" onClick={() => onChoose(addDays(week, -7))}>
          ‹
        </Button>
        <Button onClick={() => onChoose(weekOf(today(zone)))}>This week</Button>
        <Button aria-label="The week after" onClick={() => onChoose(addDays(week, 7))}>
          ›
        </Button>
      </div>
    </div>
  );
}

/** Booked and added sessions as blocks of the week, each with its action. */
function slotsOf(
  sessions: Session[],
  plan: Plan,
  sequence: number | undefined,
  onChange: (plan: Plan) => void,
) {
  const { added, cancelled } = plan;
  const cancelledIds = new Set(cancelled.map(({ publicId }) => publicId));
  return [
    ...sessions.map((session) => {
      const isCancelled = cancelledIds.has(session.publicId);
      const outside = outsideOf(plan, session);
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
        onChoose: () => onChange(withToggled(plan, session, sequence)),
      };
    }),
    ...added.map((session, index) => ({
      key: `added ${index}`,
      ...session,
      class: "slot-added",
      isPressed: undefined,
      note: "added: remove",
      onChoose: () => onChange(withoutAdded(plan, index)),
    })),
  ];
}
