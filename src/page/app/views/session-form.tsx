import { useContext } from "preact/hooks";
import { clockText, dateOf, minutesOfDay, type TimeZone } from "../lib/dates.ts";
import { useDraft } from "../lib/draft.ts";
import { practiceZone } from "../lib/me.ts";
import { countText } from "../lib/format.ts";
import { changeOf } from "../lib/session-changes.ts";
import { authorizationIn, changedFields } from "../lib/session-record.ts";
import { changedAlong, changeOfAll } from "../lib/together.ts";
import { Since } from "../lib/since.ts";
import { instantsOf, type Times, timesQuestion } from "../lib/times.ts";
import type { Session } from "../lib/wire.ts";
import { Button } from "../parts/button.tsx";
import { PlanForm } from "../parts/plan-form.tsx";
import { SessionStaff } from "../parts/session-staff.tsx";
import { Staying, type Together, TogetherSwitch } from "../parts/together.tsx";
import { TimeFields } from "../parts/time-fields.tsx";

/** A form for the time and the people of a session, and of those that belong together with it. */
export function SessionForm(properties: {
  session: Session;
  authorizationId: string | undefined;
  together: Together | undefined;
  onDone: () => void;
}) {
  const { authorizationId, together } = properties;
  const zone = practiceZone();
  // With the session that it changes: if somebody else changes that meanwhile, saving says so.
  const [draft, setDraft] = useDraft(
    `Change ${properties.session.publicId}`,
    draftOf(properties.session, useContext(Since), zone),
  );
  const { session, since, times, technicianId, clinicianId } = draft;

  const instants = instantsOf(times, zone);
  const wanted = instants && {
    ...instants,
    technicianId,
    ...(session.isBillable && { clinicianId }),
  };
  const change = wanted === undefined ? {} : changedFields(session, wanted);
  const isChanged = Object.keys(change).length > 0;
  const { along, staying } = changedAlong(session, change, together?.along ?? [], zone);
  const all = isChanged ? [{ session, change }, ...along] : [];
  const isAlone = all.length <= 1;
  const done = (): void => {
    together?.setOn(false);
    properties.onDone();
  };
  return (
    <Since.Provider value={since}>
      <PlanForm
        label="Change time or people"
        planned={{
          sessions: all.map((each) => ({ ...each.session, ...each.change }) as Session),
          instead: all.map((each) => each.session.publicId),
          authorizationOf: (id) =>
            id === session.publicId
              ? authorizationId
              : authorizationIn(together?.records ?? [], id),
          zone,
        }}
        change={
          !isChanged || together?.isReady === false
            ? undefined
            : isAlone
              ? changeOf(session, change, "The session was changed.")
              : changeOfAll(all, `${countText(all.length, "session")} were changed.`)
        }
        question={
          "startTime" in change || "endTime" in change ? timesQuestion(times, zone) : undefined
        }
        save={isAlone ? "Save" : `Save ${all.length} sessions`}
        buttons={<Button onClick={properties.onDone}>Back</Button>}
        onDone={done}
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
        below={<Staying together={together} leftOut={staying} />}
      >
        <TogetherSwitch together={together} />
      </PlanForm>
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
