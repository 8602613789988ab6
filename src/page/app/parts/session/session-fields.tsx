import { words } from "../../lib/base/format.ts";
import { fieldsOf } from "../../lib/base/record-fields.ts";
import { isTelehealthAt } from "../../lib/session/new-sessions.ts";
import { type Times, withBeginning } from "../../lib/session/times.ts";
import type { Session } from "../../lib/base/wire.ts";
import { Check, Field, type FieldProperties, textsOf } from "../base/field.tsx";
import { choicesOf, useNamedList } from "../base/named.ts";
import { StaffField } from "../base/staff-field.tsx";

/** What is typed of a session. What a form leaves out has no field. */
export interface SessionTyped extends Pick<
  Session,
  "technicianId" | "placeOfService" | "locationId" | "title" | "isSupervision"
> {
  times?: Times;
  clinicianId: string | null;
  isTelehealth: boolean;
  isClientPresent?: boolean;
}

const places = fieldsOf("session").placeOfService?.values ?? [];

/** The fields of every form of sessions. */
export function SessionFields(properties: {
  typed: SessionTyped;
  onChange: (changes: Partial<SessionTyped>) => void;
  isBillable: boolean;
  /** What it can be, and which of that it is. */
  what?: Pick<FieldProperties, "value" | "choices" | "isDisabled" | "onType"> | undefined;
  /** What is said of some technicians, who come first. */
  remarks?: ReadonlyMap<string, string>;
  /** Its title without one of its own. */
  titled?: string | undefined;
}) {
  const { typed, onChange, isBillable, what, remarks, titled } = properties;
  const { times } = typed;
  const locations = useNamedList("locations");
  const onTimes = (changed: Times): void => onChange({ times: changed });
  return (
    <>
      {what && <Field label="What" class="wide" {...what} />}
      {times && (
        <>
          <Field label="Day" type="date" isRequired {...textsOf(times, onTimes)("day")} />
          {/* The end moves along. */}
          <Field
            label="From"
            type="time"
            isRequired
            value={times.from}
            onType={(moved) => onTimes(withBeginning(times, moved))}
          />
          <Field label="To" type="time" isRequired {...textsOf(times, onTimes)("to")} />
        </>
      )}
      {isBillable && (
        <StaffField
          kind="clinician"
          id={typed.clinicianId}
          onPick={(clinicianId) => onChange({ clinicianId })}
        />
      )}
      <StaffField
        kind="technician"
        remarks={remarks}
        id={typed.technicianId}
        onPick={(technicianId) => onChange({ technicianId })}
      />
      <Field
        label="Place"
        value={typed.placeOfService}
        choices={places.map((place) => ({ value: place, name: words(place) }))}
        onType={(picked) => {
          const placeOfService = picked as Session["placeOfService"];
          onChange({ placeOfService, isTelehealth: isTelehealthAt(placeOfService) });
        }}
      />
      <Field
        label="Location"
        value={typed.locationId}
        choices={choicesOf(locations)}
        onType={(locationId) => onChange({ locationId })}
      />
      <Field
        label="Title"
        value={typed.title}
        placeholder={titled}
        isRequired={titled === undefined}
        maxLength={200}
        onType={(title) => onChange({ title })}
      />
      <Check
        label="Supervision"
        isChecked={typed.isSupervision}
        onChange={(isSupervision) => onChange({ isSupervision })}
      />
      {typed.isClientPresent !== undefined && (
        <Check
          label="Patient is present"
          isChecked={typed.isClientPresent}
          onChange={(isClientPresent) => onChange({ isClientPresent })}
        />
      )}
    </>
  );
}
