import { useState } from "preact/hooks";
import {
  clockText,
  dateOf,
  instantAt,
  minutesOf,
  minutesOfDay,
  parseCalendarDate,
  type TimeZone,
} from "../lib/dates.ts";
import { changeOf } from "../lib/session-changes.ts";
import type { Session } from "../lib/wire.ts";
import { Field } from "../parts/field.tsx";
import { StaffField } from "../parts/staff-field.tsx";
import { useWarnings, WarningList } from "../parts/warnings.tsx";
import { useWriting } from "../parts/writing.tsx";

/** A form for the time and the people of a session. */
export function SessionForm(properties: {
  session: Session;
  authorizationId: string | undefined;
  zone: TimeZone;
  onDone: () => void;
}) {
  const { session, authorizationId, zone, onDone } = properties;
  const [day, setDay] = useState<string>(dateOf(session.startTime, zone));
  const [from, setFrom] = useState(clockText(minutesOfDay(session.startTime, zone)));
  const [to, setTo] = useState(clockText(minutesOfDay(session.endTime, zone)));
  const [technicianId, setTechnician] = useState(session.technicianId);
  const [clinicianId, setClinician] = useState(session.isBillable ? session.clinicianId : null);
  const { run, isWriting, notice, isOutdated } = useWriting(onDone);

  const date = parseCalendarDate(day);
  const isTime = date !== undefined && from !== "" && to !== "";
  const change = isTime
    ? changedFields(session, {
        // An unchanged time keeps its seconds.
        startTime: instantAt(date, minutesOf(from), zone),
        // A session that ends before it starts continues after midnight.
        endTime: instantAt(
          date,
          minutesOf(to) + (minutesOf(to) < minutesOf(from) ? 24 * 60 : 0),
          zone,
        ),
        technicianId,
        ...(session.isBillable && { clinicianId }),
      })
    : {};
  const isChanged = Object.keys(change).length > 0;
  const warnings = useWarnings({
    planned: isChanged ? [{ ...session, ...change } as Session] : [],
    instead: [session.publicId],
    authorizationId,
    zone,
  });
  return (
    <form
      class="session-form"
      aria-label="Change time or people"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) void run(changeOf(session, change, "The session was changed."));
      }}
    >
      <div class="toolbar">
        <Field label="Day" type="date" value={day} isRequired onType={setDay} />
        <Field label="From" type="time" value={from} isRequired onType={setFrom} />
        <Field label="To" type="time" value={to} isRequired onType={setTo} />
        {session.isBillable && (
          <StaffField
            kind="clinician"
            label="Clinician"
            id={clinicianId ?? undefined}
            none="Nobody"
            onPick={(id) => setClinician(id ?? null)}
          />
        )}
        <StaffField
          kind="technician"
          label="Technician"
          id={technicianId ?? undefined}
          none="Nobody"
          onPick={(id) => setTechnician(id ?? null)}
        />
      </div>
      <WarningList warnings={warnings} />
      <div class="buttons">
        <button
          type="submit"
          class="primary"
          disabled={isWriting || !isChanged || !warnings.isKnown || isOutdated}
        >
          Save
        </button>
        <button type="button" onClick={onDone}>
          Back
        </button>
      </div>
      {notice}
    </form>
  );
}

/** The fields that differ from the session. */
function changedFields(session: Session, wanted: Partial<Session>): Partial<Session> {
  const entries = Object.entries(wanted).filter(([field, value]) => {
    const stored = session[field as keyof Session];
    const isTime = field === "startTime" || field === "endTime";
    // Time fields have no seconds.
    return isTime ? String(stored).slice(0, 16) !== String(value).slice(0, 16) : stored !== value;
  });
  return Object.fromEntries(entries) as Partial<Session>;
}
