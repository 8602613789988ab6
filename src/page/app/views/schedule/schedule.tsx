import { getAll } from "../../lib/base/api.ts";
import {
  addDays,
  type CalendarDate,
  type DateRange,
  ownZone,
  parseCalendarDate,
  today,
} from "../../lib/base/dates.ts";
import { dayText, rangeText, weekdayText, zoneText } from "../../lib/base/format.ts";
import { me, practiceZone, weekOf } from "../../lib/base/me.ts";
import { usePerson } from "../../lib/person/people.ts";
import { parameter } from "../../lib/base/place.ts";
import type { Query } from "../../lib/base/query.ts";
import { useRemembered } from "../../lib/base/response.ts";
import { mayPlan } from "../../lib/base/rights.ts";
import { shownOf, teamOf } from "../../lib/schedule/schedule-rows.ts";
import type { Session } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Empty, ResponseView } from "../../parts/base/notices.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import { openNewSession } from "../session/new-session.tsx";
import { ScheduleControls, shownKind } from "./schedule-controls.tsx";
import { ScheduleSessions } from "./schedule-sessions.tsx";

/** The sessions of a day or a week of the whole clinic, or of a week of one person, in the practice's time zone. */
export function Schedule() {
  const zone = practiceZone();
  const text = parameter("date");
  const day = text === undefined ? today(zone) : parseCalendarDate(text);
  const isWeek = shownKind().filter !== undefined || parameter("as") === "week";
  const days = day && daysFrom(day, isWeek);
  return (
    <main class="schedule">
      <ViewHeader
        title="Schedule"
        lead={
          days && (
            <>
              <span class="print-only">
                {me().organization.name} · {daysText(days, dayText)}
              </span>
              {/* What the field of the day does not say. */}
              <span class="screen-only">{daysText(days, weekdayText)}</span>
              {/* Whose clock it is need not be said where all clocks show it. */}
              <span class={zone === ownZone() ? "print-only" : undefined}> · {zoneText(zone)}</span>
            </>
          )
        }
        filters={<ScheduleControls day={day} step={isWeek ? 7 : 1} />}
      >
        <div class="actions">
          <Button class="quiet" onClick={() => print()}>
            Print
          </Button>
          {mayPlan() && day !== undefined && <NewSessionButton day={day} />}
        </div>
      </ViewHeader>
      {days === undefined ? (
        <p class="notice failure" role="alert">
          “{text}” is not a date.
        </p>
      ) : (
        <Shown days={days} />
      )}
    </main>
  );
}

/** A day, or its week. */
function daysFrom(day: CalendarDate, isWeek: boolean): DateRange {
  const first = isWeek ? weekOf(day) : day;
  return { startDate: first, endDate: addDays(first, isWeek ? 6 : 0) };
}

function daysText({ startDate, endDate }: DateRange, textOf: (day: string) => string): string {
  return startDate === endDate ? textOf(startDate) : rangeText(startDate, endDate);
}

function NewSessionButton({ day }: { day: CalendarDate }) {
  const { filter } = shownKind();
  const person = parameter("person") ?? null;
  const draft = { ...(filter && { [filter]: person }), date: day };
  return (
    <Button class="primary" onClick={() => openNewSession(draft)}>
      New session
    </Button>
  );
}

function Shown({ days }: { days: DateRange }) {
  const { filter } = shownKind();
  const person = parameter("person");
  if (filter !== undefined && person === undefined)
    return <Empty>Choose whose week to show.</Empty>;
  return (
    <Days
      query={{ ...(filter && { [filter]: person }), status: parameter("status") }}
      days={days}
      isClinic={filter === undefined}
    />
  );
}

function Days(properties: { query: Query; days: DateRange; isClinic: boolean }) {
  const { days, isClinic } = properties;
  // What began the evening before may last until this day.
  const query = { ...properties.query, ...days, goesOn: "true", timezone: practiceZone() };
  const response = useRemembered(`schedule ${JSON.stringify(query)}`, (reading) =>
    getAll<Session>("sessions", query, reading),
  );
  const team = useTeam();
  return (
    <ResponseView response={response}>
      {(all) => (
        <ScheduleSessions
          sessions={shownOf(all, { location: parameter("location"), team })}
          {...{ days, isClinic, team }}
        />
      )}
    </ResponseView>
  );
}

/** The clinician of the chosen team and their technicians; undefined for everybody. */
function useTeam(): Set<string> | undefined {
  const leader = parameter("team");
  const record = usePerson(leader).value;
  return leader === undefined ? undefined : teamOf(leader, record);
}
