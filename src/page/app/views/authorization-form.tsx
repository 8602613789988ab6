import { useState } from "preact/hooks";
import { poolName } from "../lib/authorizations.ts";
import type { Values } from "../lib/form-values.ts";
import { unitsText, words } from "../lib/format.ts";
import { newId } from "../lib/lines.ts";
import { usePerson } from "../lib/people.ts";
import { addressOf, goTo } from "../lib/place.ts";
import { fieldsOf, type RecordDescription } from "../lib/record-fields.ts";
import { write } from "../lib/write.ts";
import type { FormField } from "../parts/control.ts";
import { EditRecordDialog } from "../parts/edit-record.tsx";
import { type FormSection, RecordForm } from "../parts/record-form.tsx";
import { successorOf, type TakeOver, useTakeOver } from "./take-over.tsx";

/** The form of an authorization, alone or in a pool of its patient. */

const fields = fieldsOf("authorization");

function picked(names: readonly string[]): RecordDescription {
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}

/** What an authorization has, whose units are its pool's. */
export const memberDescription = picked([
  "serviceLineId",
  "authorizationNumber",
  "authorizationStatus",
  "authorizationDate",
  "authorizationExpirationDate",
]);

/** What it has besides if it is in no pool. */
const OWN_FIELDS = ["payorId", "authorizedUnitsQuantity", "authorizedUnitFrequency"];

const description: RecordDescription = {
  ...memberDescription,
  ...picked([...OWN_FIELDS, "authorizationPoolId"]),
};

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

export function NewAuthorizationForm(properties: {
  patientId: string;
  values: Values;
  takeOver?: TakeOver;
}) {
  const { patientId, values } = properties;
  const takeOver = useTakeOver(properties.takeOver);
  // The same id each time that it is sent, so that a repeated request adds nothing twice.
  const [publicId] = useState(() => newId("auth_"));
  const record = { type: "authorization", publicId };
  return (
    <RecordForm
      label="New authorization"
      description={description}
      sections={sectionsWith(usePoolField(patientId))}
      stored={values}
      save="Add"
      onSave={async ({ values: typed, since }) => {
        const made = [{ ...record, patientId, ...typed }];
        const successors = successorOf(publicId, typed);
        await write(takeOver.changeOf("The authorization was added.", made, successors), since);
        goTo(addressOf(["utilization", publicId]), "replace");
      }}
    >
      {(typed) => takeOver.notice(successorOf(publicId, typed))}
    </RecordForm>
  );
}

/** A dialog for changes of an authorization, which may go into a pool of its patient or leave it. */
export function EditAuthorizationDialog({ id, patientId }: { id: string; patientId: string }) {
  return (
    <EditRecordDialog
      type="authorization"
      id={id}
      description={description}
      sections={sectionsWith(usePoolField(patientId))}
      done="The authorization was changed."
      change={({ changed, before }, { type, publicId, payorId }) => {
        const isMoved = (changed.authorizationPoolId ?? null) !== null;
        return {
          lines: [{ type, publicId, ...changed, ...(isMoved && { payorId: null }) }],
          undo: [{ type, publicId, ...before, ...(isMoved && { payorId }) }],
        };
      }}
    />
  );
}
