import { useState } from "preact/hooks";
import {
  addDays,
  clockText,
  dateOf,
  MINUTES_OF_DAY,
  parseCalendarDate,
} from "../../lib/base/dates.ts";
import { useDraft } from "../../lib/base/draft.ts";
import { dayText, phoneText, weekdayText } from "../../lib/base/format.ts";
import { newId } from "../../lib/base/lines.ts";
import { remarkOn } from "../../lib/session/free.ts";
import {
  type Draft,
  MAX_SESSIONS,
  sessionOf,
  usualOf,
  weekly,
} from "../../lib/session/new-sessions.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { closeDialog } from "../../lib/base/place.ts";
import { booking } from "../../lib/session/session-changes.ts";
import { instantsOf, type Times, timesQuestion } from "../../lib/session/times.ts";
import type { Session } from "../../lib/base/wire.ts";
import { Check, Field, textsOf } from "../../parts/base/field.tsx";
import { useNamedList } from "../../parts/base/named.ts";
import { usePatientChoices } from "../../parts/session/patient-choices.ts";
import { PersonField } from "../../parts/base/person-field.tsx";
import { PlanForm } from "../../parts/session/plan-form.tsx";
import { SessionFields, type SessionTyped } from "../../parts/session/session-fields.tsx";
import { Supervises } from "./supervises.tsx";
import { useFree } from "./who-is-free.tsx";

/** The form of a new session, or of one of every week. */

const DEFAULT_START = 9 * 60;
const DEFAULT_LENGTH = 60;

/** What the form keeps until it is saved. Empty texts of `what` and `locationId` are their defaults. */
interface Fields extends Omit<SessionTyped, "clinicianId"> {
  clientId: string | null;
  times: Times;
  /** The patient's own, if it is undefined. */
  clinicianId: string | null | undefined;
  /** An authorization, a service line without one, or a non-billable code. */
  what: string;
  until: string;
  /** How many days behind its own it is besides. */
  alsoOn: number[];
}

export function NewSessionForm({ draft }: { draft: Draft }) {
  const zone = practiceZone();
  const [fields, setFields] = useDraft(`New session ${JSON.stringify(draft)}`, fieldsOf(draft));
  const { times } = fields;
  const [ids] = useState(() => Array.from({ length: MAX_SESSIONS }, () => newId("apt_")));
  const change = (changes: Partial<Fields>): void => setFields({ ...fields, ...changes });
  const text = textsOf(fields, setFields);
  const day = parseCalendarDate(times.day);
  const { patient, choices, isLoading } = usePatientChoices(fields.clientId, day, zone);
  const locations = useNamedList("locations");

  const choice = choices.find(({ value }) => value === fields.what) ?? choices[0];
  const usual = usualOf(patient);
  const locationId = fields.locationId || usual.locationId || (locations[0]?.publicId ?? "");
  const { clinicianId = usual.clinicianId } = fields;
  const days = day === undefined ? [] : weekly(day, fields.until, fields.alsoOn);
  const sessions = days.flatMap((each, index) => {
    const instants = instantsOf({ ...times, day: each }, zone);
    if (instants === undefined || choice === undefined) return [];
    const slot = { publicId: ids[index] ?? "", ...instants };
    return [sessionOf({ ...fields, clinicianId, locationId }, choice, slot)];
  });
  const last = sessions.at(-1);
  // Of a patient it is said who is free, whoever is chosen.
  const free = useFree(
    patient === undefined
      ? []
      : sessions.map((each) => ({ ...each, technicianId: null, clinicianId: null }) as Session),
    "technicianId",
  ).value;
  const remarks = new Map(
    free?.candidates.map((candidate) => [
      candidate.person.publicId,
      [remarkOn(candidate, free.patientName, zone), phoneText(candidate.person.phoneNumber)]
        .filter(Boolean)
        .join("; "),
    ]),
  );
  const questions = days.map((each) => timesQuestion({ ...times, day: each }, zone));
  const isWithout =
    patient !== undefined && choices.every(({ authorizationId }) => !authorizationId);
  const authorizationId = choice?.authorizationId;
  return (
    <PlanForm
      label="New session"
      change={sessions.length > 0 ? booking(sessions, () => authorizationId, zone) : undefined}
      question={questions.find((each) => each !== undefined)}
      save={sessions.length > 1 ? `Book ${sessions.length} sessions` : "Book"}
      onDone={closeDialog}
      fields={
        <>
          <PersonField
            label="Patient"
            role="PATIENT"
            id={fields.clientId}
            onPick={(clientId) => change({ clientId, what: "" })}
          />
          <SessionFields
            typed={{ ...fields, clinicianId, locationId }}
            onChange={change}
            isBillable={choice?.isBillable === true}
            what={{
              ...{ value: choice?.value ?? "", choices, isDisabled: isLoading },
              onType: (what) => change({ what }),
            }}
            remarks={remarks}
            titled={choice?.title ?? ""}
          />
          <Field label="Repeat weekly until" type="date" {...text("until")} />
          {day !== undefined && (
            <div class="buttons" role="group" aria-label="Also on">
              <span class="hint">Also on</span>
              {[1, 2, 3, 4, 5, 6].map((behind) => (
                <Check
                  key={behind}
                  label={weekdayText(addDays(day, behind))}
                  isChecked={fields.alsoOn.includes(behind)}
                  onChange={(isOn) =>
                    change({
                      alsoOn: isOn
                        ? [...fields.alsoOn, behind]
                        : fields.alsoOn.filter((each) => each !== behind),
                    })
                  }
                />
              ))}
            </div>
          )}
        </>
      }
    >
      {isWithout && !isLoading && day !== undefined && (
        <p class="hint" role="status">
          No authorization is in force on {dayText(day)}.
        </p>
      )}
      {sessions[0] !== undefined && <Supervises session={sessions[0]} zone={zone} />}
      {last !== undefined && sessions.length > 1 && (
        <p class="hint">
          {sessions.length} sessions, the last on {dayText(dateOf(last.startTime, zone))}
          {sessions.length === MAX_SESSIONS && `, the most that can be made at once`}.
        </p>
      )}
    </PlanForm>
  );
}

/** What the form begins with. */
function fieldsOf(draft: Draft): Fields {
  const { from = DEFAULT_START, to = from + DEFAULT_LENGTH } = draft;
  const { date: day, clientId = null, technicianId = null, clinicianId } = draft;
  return {
    times: { day, from: clockText(from % MINUTES_OF_DAY), to: clockText(to % MINUTES_OF_DAY) },
    ...{ clientId, technicianId, clinicianId, what: "", locationId: "", title: "" },
    ...{
      placeOfService: "OFFICE",
      isTelehealth: false,
      isSupervision: false,
      until: "",
      alsoOn: [],
    },
  };
}
