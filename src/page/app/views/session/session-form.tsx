import { useContext } from "preact/hooks";
import {
  clockText,
  dateOf,
  minutesOfDay,
  parseCalendarDate,
  type TimeZone,
} from "../../lib/base/dates.ts";
import { useDraft } from "../../lib/base/draft.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { countText } from "../../lib/base/format.ts";
import { clinicianOf } from "../../lib/session/overlaps.ts";
import { changeOf } from "../../lib/session/session-changes.ts";
import {
  authorizationIn,
  bound,
  changedFields,
  kindOfChoice,
} from "../../lib/session/session-record.ts";
import { changedAlong, changeOfAll } from "../../lib/session/together.ts";
import { instantsOf, type Times, timesQuestion } from "../../lib/session/times.ts";
import type { Session } from "../../lib/base/wire.ts";
import { Since } from "../../lib/base/response.ts";
import { Button } from "../../parts/base/button.tsx";
import { usePatientChoices } from "../../parts/session/patient-choices.ts";
import { PlanForm } from "../../parts/session/plan-form.tsx";
import { SessionFields } from "../../parts/session/session-fields.tsx";
import { Staying, type Together, TogetherSwitch } from "../../parts/session/together.tsx";
import { Supervises } from "./supervises.tsx";

/** A form for all fields of a session, time and people first, and of those that belong together with it. */
export function SessionForm(properties: {
  session: Session;
  authorizationId: string | undefined;
  /** Whether there are encounters, which have its authorization. */
  isDocumented: boolean;
  together: Together | undefined;
  onDone: () => void;
}) {
  const { authorizationId, isDocumented, together } = properties;
  const zone = practiceZone();
  // With the session that it changes: if somebody else changes that meanwhile, saving says so.
  const [draft, setDraft] = useDraft(
    `Change ${properties.session.publicId}`,
    draftOf(properties.session, useContext(Since), zone),
  );
  const { since, times, what, clinicianId, isTelehealth, ...fields } = draft;
  const session = bound(draft.session, authorizationId);
  const records = together?.records ?? [];

  const { choices } = usePatientChoices(session.clientId, parseCalendarDate(times.day), zone);
  const kind = kindOfChoice(choices.find(({ value }) => value === what));
  const { isBillable = session.isBillable } = kind;
  const instants = instantsOf(times, zone);
  const { session: _, ...own } = fields;
  const wanted = instants && {
    ...instants,
    ...own,
    ...(isBillable && { clinicianId, isTelehealth }),
    ...kind,
  };
  const change = wanted === undefined ? {} : changedFields(session, wanted as Partial<Session>);
  const isChanged = Object.keys(change).length > 0;
  const alike = (together?.along ?? []).map((one) =>
    bound(one, authorizationIn(records, one.publicId)),
  );
  const { along, staying } = changedAlong(session, change, alike, zone);
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
          <SessionFields
            typed={draft}
            onChange={(changes) => setDraft({ ...draft, ...changes })}
            isBillable={isBillable}
            what={
              isDocumented
                ? undefined
                : {
                    value: what,
                    choices: [{ value: "", name: "As it is" }, ...choices],
                    onType: (value) => setDraft({ ...draft, what: value }),
                  }
            }
          />
        }
        below={<Staying together={together} leftOut={staying} />}
      >
        {isDocumented && (
          <p class="hint">
            It is documented: Put on authorization changes its authorization together with that.
          </p>
        )}
        <Supervises session={{ ...session, ...change } as Session} zone={zone} />
        <TogetherSwitch together={together} />
      </PlanForm>
    </Since.Provider>
  );
}

function draftOf(session: Session, since: number | undefined, zone: TimeZone) {
  const { startTime, endTime, technicianId, title, placeOfService, locationId } = session;
  const { isSupervision, isClientPresent } = session;
  const times: Times = {
    day: dateOf(startTime, zone),
    from: clockText(minutesOfDay(startTime, zone)),
    to: clockText(minutesOfDay(endTime, zone)),
  };
  return {
    ...{ session, since, times, technicianId, title, placeOfService, locationId },
    ...{ isSupervision, isClientPresent, what: "" },
    clinicianId: clinicianOf(session),
    isTelehealth: session.isBillable && session.isTelehealth,
  };
}
