import { useState } from "preact/hooks";
import { clockText, dateOf, minutesOfDay, type TimeZone } from "../lib/dates.ts";
import { changeOf } from "../lib/session-changes.ts";
import type { Session } from "../lib/wire.ts";
import { StaffField } from "../parts/staff-field.tsx";
import { instantsOf, TimeFields } from "../parts/time-fields.tsx";
import { useWarnings, WarningList } from "../parts/warnings.tsx";
import { useWriting } from "../parts/writing.tsx";

/** A form for the time and the people of a session. */
export function SessionForm(properties: {
  session: Session;
  since: number | undefined;
  authorizationId: string | undefined;
  zone: TimeZone;
  onDone: () => void;
}) {
  const { session, since, authorizationId, zone, onDone } = properties;
  const [times, setTimes] = useState({
    day: dateOf(session.startTime, zone) as string,
    from: clockText(minutesOfDay(session.startTime, zone)),
    to: clockText(minutesOfDay(session.endTime, zone)),
  });
  const [technicianId, setTechnician] = useState(session.technicianId);
  const [clinicianId, setClinician] = useState(session.isBillable ? session.clinicianId : null);
  const { run, isWriting, notice, isOutdated } = useWriting(onDone);

  const instants = instantsOf(times, zone);
  const change =
    instants === undefined
      ? {}
      : changedFields(session, {
          ...instants,
          technicianId,
          ...(session.isBillable && { clinicianId }),
        });
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
        if (isChanged) void run(changeOf(session, change, "The session was changed.", since));
      }}
    >
      <div class="toolbar">
        <TimeFields times={times} onChange={setTimes} />
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
    // Time fields have no seconds; an unchanged time keeps its own.
    return isTime ? String(stored).slice(0, 16) !== String(value).slice(0, 16) : stored !== value;
  });
  return Object.fromEntries(entries) as Partial<Session>;
}
