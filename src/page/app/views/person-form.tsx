import { useState } from "preact/hooks";
import { newId } from "../lib/lines.ts";
import { me } from "../lib/me.ts";
import type { Role } from "../lib/people.ts";
import { personLine, personRecord } from "../lib/person-record.ts";
import { addressOf, goTo } from "../lib/place.ts";
import { fieldsOf, type RecordDescription } from "../lib/record-fields.ts";
import { writableRoles } from "../lib/rights.ts";
import { words } from "../lib/format.ts";
import type { User } from "../lib/wire.ts";
import { type Change, write } from "../lib/write.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { useNamedList } from "../parts/named.ts";
import type { FormField, Values } from "../parts/record-field.tsx";
import { type FormSection, RecordForm, type Saving } from "../parts/record-form.tsx";

/** The forms of a new person and of changes of one. */

const lead = fieldsOf("lead");
const client = lead.client?.fields ?? {};

/** Any text is stored; these are what others in the practice understand. */
const status: FormField = {
  name: "userStatus",
  kind: "choice",
  values: client.intakeStatusKey?.values ?? [],
};
const sex: FormField = { name: "sex", kind: "choice", values: client.sex?.values ?? [] };

const caregiver: RecordDescription[string] = {
  kind: "group",
  fields: Object.fromEntries(
    Object.entries(fieldsOf("user", "CAREGIVER")).filter(([name]) =>
      ["firstName", "lastName", "phoneNumber", "email"].includes(name),
    ),
  ),
};

/** Without the credentialing by payors, which offices keep with the payors. */
const { payorCredentialing, ...credentialFields } =
  fieldsOf("user", "CLINICIAN").credentials?.fields ?? {};
const credentials: FormField = { name: "credentials", fields: credentialFields };

/** The fields of all roles; a role has only some of them. */
const sections: FormSection[] = [
  { fields: ["firstName", "lastName", "birthDate", sex, "phoneNumber", "email"] },
  {
    title: "Address",
    fields: ["addressLine1", "addressLine2", "city", "state", "postalCode"],
  },
  {
    title: "Care",
    fields: [
      status,
      "caregiverId",
      { name: "newCaregiver", label: "Or a new caregiver" },
      "primaryClinicianId",
      "clinicianIds",
      "internalRecordId",
    ],
  },
  {
    title: "Work",
    fields: [
      "primaryLocationId",
      "locationIds",
      "careTeamTechnicianIds",
      "specializationIds",
      "complianceCredentials",
    ],
  },
  { fields: ["payors", credentials] },
];

/** The sections of a role. What every role has is in the first. */
function sectionsOf(description: RecordDescription): FormSection[] {
  const isThere = (field: string | FormField): boolean =>
    (typeof field === "string" ? field : field.name) in description;
  return sections
    .map((section) => ({ ...section, fields: section.fields.filter(isThere) }))
    .filter(({ fields }) => fields.length > 0);
}

/** A dialog for a new person, with the role to begin with. */
export function NewPersonDialog(properties: { role: string | undefined; onClose: () => void }) {
  const { onClose } = properties;
  const roles = writableRoles();
  const [role, setRole] = useState(roles.find((each) => each === properties.role) ?? "PATIENT");
  return (
    <Dialog title="New person" onClose={onClose}>
      <Field
        label="Role"
        value={role}
        choices={roles.map((each) => ({ value: each, name: words(each) }))}
        onType={(picked) => setRole(picked as Role)}
      />
      <NewPersonForm role={role} onClose={onClose} />
    </Dialog>
  );
}

function NewPersonForm({ role, onClose }: { role: Role; onClose: () => void }) {
  const [publicId] = useState(() => newId("usr_"));
  const [caregiverId] = useState(() => newId("usr_"));
  const isPatient = role === "PATIENT";
  const description = {
    ...fieldsOf("user", role),
    ...(isPatient && { newCaregiver: caregiver }),
  };
  const save = async ({ values, since }: Saving): Promise<void> => {
    const { newCaregiver, ...fields } = values;
    const isNew = newCaregiver !== undefined;
    const lines = [
      personLine(publicId, { role, ...fields, ...(isNew && { caregiverId }) }),
      ...(isNew
        ? [personLine(caregiverId, { role: "CAREGIVER", ...(newCaregiver as Values) })]
        : []),
    ];
    await write({ done: "The person was added.", lines, undo: deletion(lines), since });
    goTo(addressOf(["people", publicId]));
  };
  return (
    <RecordForm
      label="New person"
      description={description}
      sections={sectionsOf(description)}
      // The caregiver of a new patient is the second record of the file.
      pathOf={([line, ...path]) => (line === 3 ? ["newCaregiver", ...path] : path)}
      stored={{ values: isPatient ? { userStatus: "ACTIVE" } : {}, since: undefined }}
      save="Add"
      onSave={save}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}

/** Only administrators may delete people. */
function deletion(lines: Change["lines"]): Change["undo"] {
  if (me().key.role !== "ADMIN") return undefined;
  return lines.map(({ type, publicId }) => ({ type, publicId, deleted: true }));
}

/** A dialog for changes of a person's record, as it is shown. */
export function EditPersonDialog(properties: {
  person: User;
  since: number | undefined;
  onClose: () => void;
}) {
  const { person, since, onClose } = properties;
  const { publicId, role } = person;
  const description = fieldsOf("user", role);
  // Entries name their payors, whose ids are only in this list.
  const payors = useNamedList("payors");
  if (payors.length === 0 && "payors" in person && person.payors.length > 0) return null;
  return (
    <Dialog title="Edit" onClose={onClose}>
      <RecordForm
        label="Edit"
        description={description}
        sections={sectionsOf(description)}
        stored={{ values: personRecord(person, payors), since }}
        save="Save"
        onSave={(saving) =>
          write({
            done: "The record was changed.",
            lines: [personLine(publicId, saving.changed)],
            undo: [personLine(publicId, saving.before)],
            since: saving.since,
          })
        }
        onDone={onClose}
        onCancel={onClose}
      />
    </Dialog>
  );
}
