import { useState } from "preact/hooks";
import { useResponse } from "../lib/response.ts";
import { getAll } from "../lib/api.ts";
import { type Authorization, authorizationsOf, type Patient } from "../lib/authorizations.ts";
import { presentAt } from "../../../lib/presence.ts";
import {
  addDays,
  type CalendarDate,
  clockText,
  dateOf,
  parseCalendarDate,
  type TimeZone,
} from "../lib/dates.ts";
import { dayText, unitsText, whenText } from "../lib/format.ts";
import { newId } from "../lib/lines.ts";
import { practiceZone } from "../lib/me.ts";
import { useDraft } from "../lib/draft.ts";
import { type Draft, newSession } from "../lib/opened.ts";
import { readPerson, useNames } from "../lib/people.ts";
import { booking } from "../lib/session-changes.ts";
import { sessionsOfDays } from "../lib/sessions.ts";
import type { OverviewEntry, Session } from "../lib/wire.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Check, type Choice, Field } from "../parts/field.tsx";
import { useNamedList } from "../parts/named.ts";
import { PersonField } from "../parts/person-field.tsx";
import { PlaceFields } from "../parts/place-fields.tsx";
import { StaffField } from "../parts/staff-field.tsx";
import { instantsOf, TimeFields } from "../parts/time-fields.tsx";
import { useWarnings, WarningList } from "../parts/warnings.tsx";
import { useWriting } from "../parts/writing.tsx";

/** A dialog for a new session, or for one of every week. */

/** The most sessions that one form makes. */
const MAX_SESSIONS = 60;

export function NewSessionDialog() {
  const draft = newSession.value;
  if (draft === undefined) return null;
  const close = (): void => {
    newSession.value = undefined;
  };
  return (
    <Dialog title="New session" onClose={close}>
      <NewSessionForm draft={draft} onDone={close} />
    </Dialog>
  );
}

const DEFAULT_START = 9 * 60;
const DEFAULT_LENGTH = 60;

/** What the form keeps until it is saved. Empty texts of `what` and `locationId` are their defaults. */
interface Fields {
  clientId: string | null;
  technicianId: string | null;
  clinicianId: string | null;
  /** An authorization, a service line without one, or a non-billable code. */
  what: string;
  locationId: string;
  placeOfService: Session["placeOfService"];
  title: string;
  isSupervision: boolean;
  until: string;
}

function NewSessionForm({ draft, onDone }: { draft: Draft; onDone: () => void }) {
  const zone = practiceZone();
  const { from = DEFAULT_START, to = from + DEFAULT_LENGTH } = draft;
  const name = `New session ${JSON.stringify(draft)}`;
  const [times, setTimes] = useDraft(`${name}, times`, {
    day: draft.day as string,
    from: clockText(from % 1440),
    to: clockText(to % 1440),
  });
  const [fields, setFields] = useDraft<Fields>(`${name}, fields`, {
    ...{ clientId: null, technicianId: null, clinicianId: null, ...draft },
    ...{ what: "", locationId: "", placeOfService: "OFFICE", title: "" },
    ...{ isSupervision: false, until: "" },
  });
  const [ids] = useState(() => Array.from({ length: MAX_SESSIONS }, () => newId("apt_")));
  const change = (changes: Partial<Fields>): void => setFields({ ...fields, ...changes });
  const day = parseCalendarDate(times.day);
  const { patient, choices, isLoading } = useChoices(fields.clientId, day, zone);
  const locations = useNamedList("locations");
  const writing = useWriting(onDone);

  const choice = choices.find(({ value }) => value === fields.what) ?? choices[0];
  const locationId = fields.locationId || (patient?.locationIds[0] ?? locations[0]?.publicId ?? "");
  const instants = instantsOf(times, zone);
  const sessions =
    instants === undefined || choice === undefined
      ? []
      : weekly(times.day as CalendarDate, fields.until).map((each, index) =>
          sessionOf({ ...fields, locationId, patient }, choice, {
            publicId: ids[index] ?? "",
            ...(instantsOf({ ...times, day: each }, zone) ?? instants),
          }),
        );
  const warnings = useWarnings({
    planned: sessions,
    instead: [],
    authorizationId: choice?.authorizationId,
    zone,
  });
  return (
    <form
      class="session-form"
      aria-label="New session"
      onSubmit={(event) => {
        event.preventDefault();
        if (sessions.length > 0)
          void writing.run(booking(sessions, [], choice?.authorizationId, undefined));
      }}
    >
      <div class="toolbar">
        <PersonField
          label="Patient"
          role="PATIENT"
          id={fields.clientId}
          onPick={(clientId) => change({ clientId, what: "" })}
        />
        <Field
          label="What"
          class="wide"
          value={choice?.value ?? ""}
          choices={choices}
          isDisabled={isLoading}
          onType={(what) => change({ what })}
        />
        <TimeFields times={times} onChange={setTimes} />
        <StaffField
          kind="technician"
          id={fields.technicianId}
          onPick={(technicianId) => change({ technicianId })}
        />
        {choice?.isBillable === true && (
          <StaffField
            kind="clinician"
            id={fields.clinicianId ?? patient?.primaryClinicianId ?? null}
            onPick={(clinicianId) => change({ clinicianId })}
          />
        )}
        <PlaceFields
          placeOfService={fields.placeOfService}
          locationId={locationId}
          onChange={change}
        />
        <Field
          label="Title"
          value={fields.title}
          placeholder={choice?.title}
          maxLength={200}
          onType={(title) => change({ title })}
        />
        <Field
          label="Repeat weekly until"
          type="date"
          value={fields.until}
          onType={(until) => change({ until })}
        />
        <Check
          label="Supervision"
          isChecked={fields.isSupervision}
          onChange={(isSupervision) => change({ isSupervision })}
        />
      </div>
      {sessions[0] !== undefined && <Supervises session={sessions[0]} zone={zone} />}
      {sessions.length > 1 && (
        <p class="hint">
          {sessions.length} sessions, the last on{" "}
          {dayText(dateOf(sessions.at(-1)?.startTime ?? sessions[0]!.startTime, zone))}
          {sessions.length === MAX_SESSIONS && `, the most that can be made at once`}.
        </p>
      )}
      <WarningList warnings={warnings} />
      <div class="buttons">
        <button
          type="submit"
          class="primary"
          disabled={writing.isWriting || sessions.length === 0 || !warnings.isKnown}
        >
          {sessions.length > 1 ? `Book ${sessions.length} sessions` : "Book"}
        </button>
      </div>
      {writing.notice}
    </form>
  );
}

/** The days of a session that repeats: its own, and the same day of each week until another. */
function weekly(day: CalendarDate, until: string): CalendarDate[] {
  const days = [day];
  for (
    let next = addDays(day, 7);
    next <= until && days.length < MAX_SESSIONS;
    next = addDays(next, 7)
  )
    days.push(next);
  return days;
}

/** What a session can be: of an authorization that is in force, of a service without one, or not billable. */
interface What extends Choice {
  title: string;
  isBillable: boolean;
  /** The service line or the non-billable code. */
  id: string;
  authorizationId?: string;
}

/** The patient, and what a session of them on a day can be; without a patient what is not billable. */
function useChoices(clientId: string | null, day: CalendarDate | undefined, zone: TimeZone) {
  const codes = useNamedList("non-billable-codes");
  const lines = useNamedList("service-lines");
  // The record has the authorizations, team and location; the overview what is left of them.
  const response = useResponse(
    clientId === null || day === undefined ? undefined : `what ${clientId} ${day} ${zone}`,
    async (signal) => {
      const query = { patientId: clientId ?? "", date: day, timezone: zone };
      const [person, entries] = await Promise.all([
        readPerson(clientId ?? "", signal),
        getAll<OverviewEntry>("authorization-utilization", query, signal),
      ]);
      return { patient: person.role === "PATIENT" ? person : undefined, entries };
    },
  );
  const patient = clientId === null ? undefined : response.value?.patient;
  const entries = response.value?.entries ?? [];
  const inForce = patient === undefined ? [] : authorizationsOf(patient).filter(isOn(day));
  const choices: What[] = [
    ...inForce.map((authorization) => ({
      value: authorization.publicId,
      name: `${leftText(authorization, entries)}${authorization.serviceLine.name}, ${authorization.number}`,
      title: authorization.serviceLine.name,
      isBillable: true,
      id: authorization.serviceLine.publicId,
      authorizationId: authorization.publicId,
    })),
    ...codes.map(({ publicId, name }) => ({
      ...{ value: publicId, name: `Not billable: ${name}`, title: name },
      ...{ isBillable: false, id: publicId },
    })),
    ...(patient === undefined ? [] : lines).map(({ publicId, name }) => ({
      ...{ value: publicId, name: `Without an authorization: ${name}`, title: name },
      ...{ isBillable: true, id: publicId },
    })),
  ];
  return { patient, choices, isLoading: response.isLoading };
}

function isOn(day: CalendarDate | undefined) {
  return ({ startDate, endDate }: Authorization): boolean =>
    day !== undefined && startDate <= day && day <= endDate;
}

/** `12 left: `; of a member of a pool what its pool has. */
function leftText({ publicId, poolId }: Authorization, entries: readonly OverviewEntry[]): string {
  const left = entries.find((entry) => entry.publicId === (poolId ?? publicId))?.unitsLeft;
  return left === undefined || left === null ? "" : `${unitsText(left)} left: `;
}

function sessionOf(
  fields: Fields & { patient: Patient | undefined },
  { isBillable, id, title }: What,
  times: Pick<Session, "publicId" | "startTime" | "endTime">,
): Session {
  const { clientId, technicianId, placeOfService, locationId, isSupervision, patient } = fields;
  const common = {
    ...{ ...times, title: fields.title.trim() || title, status: "CONFIRMED" as const },
    ...{ isSupervision, isClientPresent: clientId !== null, placeOfService, locationId },
    ...{ technicianId, clientId },
  };
  if (!isBillable) return { ...common, isBillable: false, nonBillableCode: id };
  return {
    ...common,
    ...{ isBillable: true, isTelehealth: placeOfService.startsWith("TELEHEALTH"), services: id },
    ...{ clinicianId: fields.clinicianId ?? patient?.primaryClinicianId ?? null },
    providerLocationId: null,
  };
}

/** Whom a supervision without a technician supervises: those who have sessions with its client meanwhile. */
export function Supervises({ session, zone }: { session: Session; zone: TimeZone }) {
  const { isSupervision, technicianId, clientId, startTime, endTime, publicId } = session;
  const isWithoutTechnician = isSupervision && technicianId === null && clientId !== null;
  const response = useResponse(
    isWithoutTechnician ? `supervises ${clientId} ${startTime} ${endTime}` : undefined,
    (signal) => {
      const first = addDays(dateOf(startTime, zone), -1);
      return sessionsOfDays({ clientId: clientId ?? "" }, { first, count: 2, zone }, signal);
    },
  );
  const meanwhile = (response.value ?? []).filter(
    (other) =>
      other.publicId !== publicId &&
      !other.isSupervision &&
      other.startTime < endTime &&
      startTime < other.endTime,
  );
  const ids = [...new Set(meanwhile.flatMap(presentAt))];
  const name = useNames(ids);
  if (!isWithoutTechnician || response.value === undefined) return null;
  return (
    <p class="hint">
      {ids.length === 0
        ? `Supervises nobody: no technician is with the patient ${whenText(session, zone)}.`
        : `Supervises: ${ids.map(name).join(", ")}`}
    </p>
  );
}
