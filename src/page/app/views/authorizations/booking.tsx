import { useState } from "preact/hooks";
import { get, type Reading, withQuery } from "../../lib/base/api.ts";
import { dateOf } from "../../lib/base/dates.ts";
import { useDraft } from "../../lib/base/draft.ts";
import { dayText, whenText } from "../../lib/base/format.ts";
import { readPerson } from "../../lib/person/people.ts";
import { templateOf } from "../../lib/session/new-sessions.ts";
import { bookText, type Plan } from "../../lib/session/plan.ts";
import { booking } from "../../lib/session/session-changes.ts";
import { newId } from "../../lib/base/lines.ts";
import type { PageOf, Session, User } from "../../lib/base/wire.ts";
import { Since } from "../../lib/base/response.ts";
import { useNamed, useNamedList } from "../../parts/base/named.ts";
import { PlanForm } from "../../parts/session/plan-form.tsx";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import { SessionFields } from "../../parts/session/session-fields.tsx";

/** A form to book the sessions of a what-if, filled in from the last session of the authorization. */

interface BookingProperties {
  plan: Plan;
  onDone: () => void;
}

export function BookingDialog(properties: BookingProperties) {
  // Reloading would find the booked sessions as the last ones, and reset the form.
  const [{ plan }] = useState(properties);
  return (
    <ReadingDialog
      title="Book these sessions"
      question={`last of ${plan.authorization.id}`}
      read={(reading) => lastSession(plan, reading)}
    >
      {(read) => <BookingForm {...read} {...properties} />}
    </ReadingDialog>
  );
}

/** The last session of an authorization, and the patient for the first one. */
async function lastSession(
  { authorization, patientId }: Plan,
  reading?: Reading,
): Promise<{ last: Session | undefined; patient: User }> {
  const query = { authorizationId: authorization.id, pageSize: 1, sort: "startTime_desc" };
  const [{ data }, patient] = await Promise.all([
    get<PageOf<Session>>(withQuery("sessions", query), reading),
    readPerson(patientId, reading),
  ]);
  return { last: data[0], patient };
}

function BookingForm(properties: BookingProperties & { last: Session | undefined; patient: User }) {
  const { patient, plan, last, onDone } = properties;
  const { authorization, zone } = plan;
  const { id: authorizationId, serviceLine } = authorization;
  const name = useNamed("service-lines");
  const [location] = useNamedList("locations");
  const [template, setTemplate] = useDraft(
    `Book on ${authorizationId}`,
    templateOf(last, patient, serviceLine),
  );
  const [ids] = useState(() => plan.added.map(() => newId("apt_")));

  const title = template.title.trim() || name(serviceLine);
  const locationId = template.locationId || (location?.publicId ?? "");
  const sessions = plan.added.map((added, index): Session => ({
    ...template,
    ...added,
    title,
    locationId,
    publicId: ids[index] ?? newId("apt_"),
    status: "CONFIRMED",
  }));
  return (
    <Since.Provider value={plan.since}>
      <PlanForm
        label="Book these sessions"
        change={booking(sessions, () => authorizationId, zone, plan.cancelled)}
        save={bookText(plan)}
        onDone={onDone}
        head={
          <p class="hint">
            {last === undefined
              ? "The authorization has no session yet."
              : `As its last session, on ${dayText(dateOf(last.startTime, zone))}.`}{" "}
            Check it before you book.
          </p>
        }
        fields={
          <SessionFields
            typed={{ ...template, locationId }}
            onChange={(changes) => setTemplate({ ...template, ...changes })}
            isBillable
            titled={name(serviceLine)}
          />
        }
      >
        <ul class="changes">
          {sessions.map((session) => (
            <li key={session.publicId}>Book {whenText(session, zone)}</li>
          ))}
          {plan.cancelled.map((session) => (
            <li key={session.publicId}>Cancel {whenText(session, zone)}</li>
          ))}
        </ul>
      </PlanForm>
    </Since.Provider>
  );
}
