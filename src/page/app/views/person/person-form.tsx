import { useState } from "preact/hooks";
import { useDraft } from "../../lib/base/draft.ts";
import { deletionOf, newId } from "../../lib/base/lines.ts";
import { me } from "../../lib/base/me.ts";
import {
  defaultsOf,
  formOfPerson,
  newPersonLines,
  OF_STAFF,
  personLine,
  withOwnInsurance,
} from "../../lib/person/person-record.ts";
import { addressOf, goTo } from "../../lib/base/place.ts";
import {
  fieldsOf,
  picked,
  type RecordDescription,
  USUAL_VALUES,
} from "../../lib/base/record-fields.ts";
import { writableRoles } from "../../lib/base/rights.ts";
import { words } from "../../lib/base/format.ts";
import type { Role, User } from "../../lib/base/wire.ts";
import { write } from "../../lib/base/write.ts";
import { Dialog } from "../../parts/base/dialog.tsx";
import { EditRecordDialog } from "../../parts/record/edit-record.tsx";
import { Field } from "../../parts/base/field.tsx";
import type { FormField } from "../../parts/record/control.ts";
import { type FormSection, RecordForm, type Saving } from "../../parts/record/record-form.tsx";

/** The forms of a new person and of changes of one. */

const caregiver = {
  fields: picked(fieldsOf("user", "CAREGIVER"), ["firstName", "lastName", "email", "phoneNumber"]),
};

function usual(name: string): FormField {
  return { name, kind: "choice", values: USUAL_VALUES[name] ?? [] };
}

/** Fields that have a control of their own here. */
const controls: Record<string, FormField> = {
  sex: usual("sex"),
  userStatus: usual("userStatus"),
  newCaregiver: { name: "newCaregiver", label: "Or a new caregiver" },
};

/** The sections of a role. What every role has is in the first. */
function sectionsOf(role: Role, description: RecordDescription): FormSection[] {
  const isThere = (name: string): boolean =>
    name in description && !(OTHERS.includes(role) && OF_STAFF.includes(name));
  return formOfPerson
    .map(({ fields, ...section }) => ({
      ...section,
      fields: fields.filter(isThere).map((name) => controls[name] ?? name),
    }))
    .filter(({ fields }) => fields.length > 0);
}

/** A dialog for a new person, with the role to begin with. */
export function NewPersonDialog(properties: { role: string | undefined }) {
  const roles = writableRoles();
  const [role, setRole] = useDraft(
    "Role of a new person",
    roles.find((each) => each === properties.role) ?? "PATIENT",
    () => false,
  );
  return (
    <Dialog title="New person">
      <Field
        label="Role"
        value={role}
        choices={roles.map((each) => ({ value: each, name: words(each) }))}
        onType={(picked) => setRole(picked as Role)}
      />
      <NewPersonForm role={role} />
    </Dialog>
  );
}

function NewPersonForm({ role }: { role: Role }) {
  // The same ids each time that it is sent, so that a repeated request adds nobody twice.
  const [ids] = useState(() => [newId("usr_"), newId("usr_")] as const);
  const description = {
    ...fieldsOf("user", role),
    ...(role === "PATIENT" && { newCaregiver: caregiver }),
  };
  const save = async ({ values }: Saving): Promise<void> => {
    const lines = newPersonLines(ids, role, values);
    // Only administrators may delete people.
    const undo = me().key.role === "ADMIN" ? deletionOf(lines) : undefined;
    await write({ done: "The person was added.", lines, undo });
    goTo(addressOf(["people", ids[0]]), "replace");
  };
  return (
    <RecordForm
      label="New person"
      description={description}
      sections={sectionsOf(role, description)}
      // The caregiver of a new patient is the second record of the file.
      pathOf={([line, ...path]) => (line === 3 ? ["newCaregiver", ...path] : path)}
      stored={defaultsOf(role)}
      complete={withOwnInsurance}
      save="Add"
      onSave={save}
    />
  );
}

/** A dialog for changes of a person's record. */
export function EditPersonDialog({ person }: { person: User }) {
  const { publicId, role } = person;
  const description = fieldsOf("user", role);
  return (
    <EditRecordDialog
      type="user"
      id={publicId}
      description={description}
      sections={[...sectionsOf(role, description), ...roleSection(role)]}
      done="The record was changed."
      complete={withOwnInsurance}
      // With another role, fields go that it does not have.
      change={({ changed, before }, { createdAt, updatedAt, ...stored }) => ({
        lines: [personLine(publicId, changed)],
        undo: ["role" in changed ? stored : personLine(publicId, before)],
      })}
    />
  );
}

const OTHERS: readonly Role[] = ["PATIENT", "CAREGIVER"];

/** Somebody of the staff may get another role of the staff. */
function roleSection(role: Role): FormSection[] {
  if (OTHERS.includes(role)) return [];
  const values = writableRoles().filter((each) => !OTHERS.includes(each));
  return values.length < 2 ? [] : [{ fields: [{ name: "role", kind: "choice", values }] }];
}
