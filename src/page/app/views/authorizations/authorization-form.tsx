import { useState } from "preact/hooks";
import { poolName } from "../../lib/authorizations/authorizations.ts";
import { addDays, type CalendarDate, parseCalendarDate, today } from "../../lib/base/dates.ts";
import { readEndings } from "../../lib/authorizations/endings.ts";
import { Failure } from "../../lib/base/failure.ts";
import { linesOfChange, type Values } from "../../lib/base/form-values.ts";
import { countText, dateText, unitsText, words } from "../../lib/base/format.ts";
import { changeFrom, nextFrom, splitsTerm } from "../../lib/authorizations/from-day.ts";
import { type Change, type Line, newId } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import {
  type Ending,
  serviceTermsIn,
  type ServiceTerm,
} from "../../lib/authorizations/rebinding.ts";
import { usePerson } from "../../lib/person/people.ts";
import { fieldsOf, picked } from "../../lib/base/record-fields.ts";
import type { FormField } from "../../parts/record/control.ts";
import { EditRecordDialog } from "../../parts/record/edit-record.tsx";
import { Field } from "../../parts/base/field.tsx";
import type { FormSection, Saving } from "../../parts/record/record-form.tsx";
import { type NewProperties, NewAuthorizations } from "./new-authorizations.tsx";

/** The form of an authorization, alone or in a pool of its patient. */

const fields = fieldsOf("authorization");

/** What an authorization has, whose units are its pool's. */
export const memberDescription = picked(fields, [
  "serviceLineId",
  "authorizationNumber",
  "authorizationStatus",
  "authorizationDate",
  "authorizationExpirationDate",
]);

/** What it has besides if it is in no pool. */
const OWN_FIELDS = ["payorId", "authorizedUnitsQuantity", "authorizedUnitFrequency"];

/** What one that is in no pool has. */
export const aloneDescription = { ...memberDescription, ...picked(fields, OWN_FIELDS) };

const description = { ...aloneDescription, ...picked(fields, ["authorizationPoolId"]) };

/** In a pool, payor and units are the pool's. */
function sectionsWith(pools: FormField[]) {
  return ({ authorizationPoolId }: Values): FormSection[] => {
    const [service = "", number = "", status = "", ...dates] = Object.keys(memberDescription);
    const [payor = "", ...units] = authorizationPoolId ? [] : OWN_FIELDS;
    return [{ fields: [service, payor, number, status, ...units, ...dates, ...pools] }];
  };
}

/** The pools that it can be in, if its patient has any. */
function usePoolField(patientId: string): FormField[] {
  const patient = usePerson(patientId).value;
  if (patient?.role !== "PATIENT" || patient.authorizationPools.length === 0) return [];
  const choices = patient.authorizationPools.map((pool) => ({
    value: pool.publicId,
    name: `${poolName(pool)}, ${pool.isUnlimited ? "no limit" : unitsText(pool.totalUnits)} ${words(pool.unitFrequency).toLowerCase()}`,
  }));
  return [{ name: "authorizationPoolId", label: "Pool", choices }];
}

export function NewAuthorizationForm({ patientId, values, takeOver }: NewProperties) {
  // The same id each time that it is sent, so that a repeated request adds nothing twice.
  const [publicId] = useState(() => newId("auth_"));
  return (
    <NewAuthorizations
      label="New authorization"
      description={description}
      sections={sectionsWith(usePoolField(patientId))}
      stored={values}
      linesOf={(typed) => [{ type: "authorization", publicId, patientId, ...typed }]}
      done={() => "The authorization was added."}
      shown={publicId}
      takeOver={takeOver}
    />
  );
}

/**
 * A dialog for changes of an authorization, from its beginning or from a later day. It may go into a pool of its patient or
 * leave it.
 */
export function EditAuthorizationDialog({ id, patientId }: { id: string; patientId: string }) {
  const zone = practiceZone();
  const [nextId] = useState(() => newId("auth_"));
  const [isLater, setLater] = useState(false);
  const [typedDay, setDay] = useState<string>(today(zone));
  const day = isLater ? parseCalendarDate(typedDay) : undefined;
  return (
    <EditRecordDialog
      type="authorization"
      id={id}
      description={description}
      sections={sectionsWith(usePoolField(patientId))}
      done="The authorization was changed."
      change={(saving, stored) =>
        isLater ? laterChange(saving, stored, { day, nextId }) : wholeChange(saving, stored)
      }
    >
      {(values, stored) => (
        <div class="toolbar">
          <Field
            label="From which day"
            class="wide"
            value={isLater ? "later" : ""}
            choices={[
              { value: "", name: "From its beginning: changes past weeks, too" },
              { value: "later", name: "From a later day" },
            ]}
            onType={(choice) => setLater(choice === "later")}
          />
          {isLater && <Field label="Day" type="date" value={typedDay} onType={setDay} />}
          {day !== undefined && <BothQuantities values={values} stored={stored} day={day} />}
        </div>
      )}
    </EditRecordDialog>
  );
}

/** In a pool, the payor is the pool's. */
function wholeChange({ changed, before }: Saving, stored: Line) {
  const isMoved = (changed.authorizationPoolId ?? null) !== null;
  return linesOfChange(
    {
      changed: { ...changed, ...(isMoved && { payorId: null }) },
      before: { ...before, ...(isMoved && { payorId: stored.payorId }) },
    },
    stored,
  );
}

/** @throws Failure if the day is not one on which it can change. */
async function laterChange(
  { changed }: Saving,
  stored: Line,
  { day, nextId }: { day: CalendarDate | undefined; nextId: string },
): Promise<Change> {
  const zone = practiceZone();
  const [term] = serviceTermsIn([stored]) as [ServiceTerm];
  if (day === undefined || !splitsTerm(term, day))
    throw new Failure(
      `The day must be after ${dateText(term.startDate)} and not after ${dateText(term.endDate)}.`,
    );
  const endings = await readEndings([{ ...term, endDate: addDays(day, -1) }], zone);
  const next = nextFrom({ stored, changed, publicId: nextId }, day);
  return changeFrom({ stored, next, ending: endings[0] as Ending }, day, zone);
}

/** `Until Dec 2, 2026: 80 units weekly, as it was. From Dec 3, 2026: 60 units weekly.` */
function BothQuantities(properties: { values: Values; stored: Values; day: CalendarDate }) {
  const { values, stored, day } = properties;
  if (stored.authorizedUnitsQuantity == null) return null;
  const quantity = ({ authorizedUnitsQuantity, authorizedUnitFrequency }: Values): string =>
    `${countText(Number(authorizedUnitsQuantity), "unit")} ${words(String(authorizedUnitFrequency)).toLowerCase()}`;
  return (
    <p class="hint">
      Until {dateText(addDays(day, -1))}: {quantity(stored)}, as it was. From {dateText(day)}:{" "}
      {quantity(values)}. Sessions from then on go along.
    </p>
  );
}
