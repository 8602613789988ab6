import { useContext } from "preact/hooks";
import { clockText, dateOf, minutesOfDay, type TimeZone } from "../lib/dates.ts";
import { useDraft } from "../lib/draft.ts";
import { practiceZone } from "../lib/me.ts";
import { changeOf } from "../lib/session-changes.ts";
import { changedFields } from "../lib/session-record.ts";
import { Since } from "../lib/since.ts";
import { instantsOf, type Times, timesQuestion } from "../lib/times.ts";
import type { Session } from "../lib/wire.ts";
import { Button } from "../parts/button.tsx";
import { PlanForm } from "../parts/plan-form.tsx";
import { SessionStaff } from "../parts/session-staff.tsx";
import { TimeFields } from "../parts/time-fields.tsx";

/** A form for the time and the people of a session. */
export function SessionForm(properties: {
  session: Session;
  authorizationId: string | undefined;
  onDone: () => void;
}) {
  const { authorizationId, onDone } = properties;
  const zone = practiceZone();
  // With the session that it changes: if somebody else changes that meanwhile, saving says so.
  const [draft, setDraft] = useDraft(
    `Change ${properties.session.publicId}`,
    draftOf(properties.session, useContext(Since), zone),
  );
  const { session, since, times, technicianId, clinicianId } = draft;

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
  return (
    <Since.Provider value={since}>
      <PlanForm
        label="Change time or people"
        planned={{
          sessions: isChanged ? [{ ...session, ...change } as Session] : [],
          instead: [session.publicId],
          ...{ authorizationOf: () => authorizationId, zone },
        }}
        change={isChanged ? changeOf(session, change, "The session was changed.") : undefined}
        question={
          "startTime" in change || "endTime" in change ? timesQuestion(times, zone) : undefined
        }
        save="Save"
        buttons={<Button onClick={onDone}>Back</Button>}
        onDone={onDone}
        fields={
          <>
            <TimeFields times={times} onChange={(typed) => setDraft({ ...draft, times: typed })} />
            <SessionStaff
              {...{ clinicianId, technicianId }}
              isBillable={session.isBillable}
              onChange={(picked) => setDraft({ ...draft, ...picked })}
            />
          </>
        }
      />
    </Since.Provider>
  );
}

function draftOf(session: Session, since: number | undefined, zone: TimeZone) {
  const { startTime, endTime, technicianId } = session;
  const times: Times = {
    day: dateOf(startTime, zone),
    from: clockText(minutesOfDay(startTime, zone)),
    to: clockText(minutesOfDay(endTime, zone)),
  };
  const clinicianId = session.isBillable ? session.clinicianId : null;
  return { session, since, times, technicianId, clinicianId };
}
