import { useState } from "preact/hooks";
import { authorizationsOf } from "../../lib/authorizations/authorizations.ts";
import { addDays, type CalendarDate, parseCalendarDate } from "../../lib/base/dates.ts";
import { dayText, firstOf } from "../../lib/base/format.ts";
import { newId } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { MAX_SESSIONS } from "../../lib/session/new-sessions.ts";
import { booking } from "../../lib/session/session-changes.ts";
import { goingOn, type Next } from "../../lib/session/together.ts";
import type { Session } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Check, Field } from "../../parts/base/field.tsx";
import { PlanForm } from "../../parts/session/plan-form.tsx";
import type { Together } from "../../parts/session/together.tsx";
import { usePatientChoices } from "../../parts/session/patient-choices.ts";

/** A form that books what is missing behind the last session of a slot, in its distance. */
export function SessionRepeat(properties: {
  session: Session;
  together: Together;
  onDone: () => void;
}) {
  const { session, together, onDone } = properties;
  const { alike } = together;
  const zone = practiceZone();
  const [until, setUntil] = useState("");
  const [isWithout, setWithout] = useState(false);
  const [ids] = useState(() => Array.from({ length: MAX_SESSIONS }, () => newId("apt_")));
  const first = addDays(alike.lastDay, alike.distance);
  // What is in force on the first day says how much is left; the patient's record has all authorizations.
  const { patient, choices, isLoading } = usePatientChoices(session.clientId, first, zone);
  const authorizations = patient === undefined ? [] : authorizationsOf(patient);

  const day = parseCalendarDate(until) ?? first;
  const found = goingOn(session, alike, until === "" ? alike.lastDay : day, {
    ...{ zone, authorizations },
  });
  const { without } = found;
  const next = isWithout ? found.next : found.next.filter((each) => !without.includes(each));
  const sessions = next.map((each, index) => sessionOn(session, each, ids[index] ?? ""));
  const bound = new Map(
    next.map(({ authorization }, index) => [ids[index], authorization?.publicId]),
  );
  const [last] = authorizations
    .filter(({ serviceLine }) => session.isBillable && serviceLine.publicId === session.services)
    .filter(({ endDate }) => endDate >= first)
    .toSorted((a, b) => (a.endDate < b.endDate ? 1 : -1));
  const left = choices.find(({ authorizationId }) => authorizationId === last?.publicId)?.name;
  return (
    <PlanForm
      label="Repeat"
      change={
        sessions.length === 0 || isLoading
          ? undefined
          : booking(sessions, (id) => bound.get(id), zone)
      }
      save={sessions.length === 1 ? "Book 1 session" : `Book ${sessions.length} sessions`}
      buttons={<Button onClick={onDone}>Back</Button>}
      onDone={onDone}
      fields={
        <>
          <Field label="Repeat until" type="date" value={until} onType={setUntil} />
          {last && (
            <Button onClick={() => setUntil(last.endDate)}>
              To the end of the authorization, {dayText(last.endDate)}
            </Button>
          )}
        </>
      }
      below={
        <Days label="Left out, since there is one or a clock change leaves the time out">
          {found.leftOut}
        </Days>
      }
    >
      {last && left && <p class="hint">{left}</p>}
      <p class="hint">
        {alike.distance === 7 ? "Every week" : "Every second week"}, behind {dayText(alike.lastDay)}
        {sessions.length > 0 && `: to ${dayText(next.at(-1)?.day ?? first)}`}
        {found.next.length === MAX_SESSIONS && ", the most that can be made at once"}.
      </p>
      {without.length > 0 && (
        <>
          <Days label="Without an authorization">{without.map((each) => each.day)}</Days>
          <Check label="Book these, too" isChecked={isWithout} onChange={setWithout} />
        </>
      )}
    </PlanForm>
  );
}

/** A session as the open one, on another day. */
function sessionOn(open: Session, { startTime, endTime }: Next, publicId: string): Session {
  return { ...open, publicId, startTime, endTime, status: "CONFIRMED" };
}

function Days({ label, children }: { label: string; children: readonly CalendarDate[] }) {
  if (children.length === 0) return null;
  return (
    <p class="hint">
      {label}: {firstOf(children.map(dayText)).join("; ")}.
    </p>
  );
}
