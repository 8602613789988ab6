import { useState } from "preact/hooks";
import type { Values } from "../lib/form-values.ts";
import { type Line, newId } from "../lib/lines.ts";
import type { Path } from "../lib/mistakes.ts";
import { addressOf, goTo } from "../lib/place.ts";
import { type Successor, successorOf } from "../lib/rebinding.ts";
import { fieldsOf, type RecordDescription } from "../lib/record-fields.ts";
import { write } from "../lib/write.ts";
import { EditRecordDialog } from "../parts/edit-record.tsx";
import { type FormSection, RecordForm } from "../parts/record-form.tsx";
import { memberDescription } from "./authorization-form.tsx";
import { type TakeOver, useTakeOver } from "./take-over.tsx";

/** The form of a pool: its units, and authorizations that are added to it. */

const description: RecordDescription = {
  ...fieldsOf("authorizationPool"),
  members: { isList: true, fields: memberDescription },
};

function sectionsWith(label: string): FormSection[] {
  const members = { name: "members", label };
  return [{ fields: ["payorId", "totalUnits", "unitFrequency", "isUnlimited", members] }];
}

/** The lines of a pool's new members. */
function memberLines(unique: string, common: Values, members: unknown): Line[] {
  return ((members ?? []) as Values[]).map((member, index) => ({
    type: "authorization",
    publicId: `auth_${unique}${index}`,
    ...common,
    ...member,
  }));
}

function deletionOf(lines: readonly Line[]): Line[] {
  return lines.map(({ type, publicId }) => ({ type, publicId, deleted: true }));
}

/** The members as authorizations that sessions can move to. */
function successorsIn(lines: readonly Line[]): Successor[] {
  return lines.flatMap((line) => successorOf(line.publicId, line));
}

/** The place in the form of a mistake: the members are the records behind the pool. */
function pathInPool([line, ...path]: Path): Path {
  return Number(line) > 2 ? ["members", Number(line) - 3, ...path] : path;
}

export function NewPoolForm(properties: {
  patientId: string;
  values: Values;
  takeOver?: TakeOver;
}) {
  const { patientId, values } = properties;
  const takeOver = useTakeOver(properties.takeOver);
  // The same ids each time that it is sent, so that a repeated request adds nothing twice.
  const [unique] = useState(newId);
  const publicId = `apool_${unique}`;
  return (
    <RecordForm
      label="New pool"
      description={description}
      sections={sectionsWith("Authorizations")}
      pathOf={pathInPool}
      stored={values}
      save="Add"
      onSave={async ({ values: { members, ...own }, since }) => {
        const totalUnits = own.totalUnits ?? (own.isUnlimited === true ? 0 : null);
        const made = [
          { type: "authorizationPool", publicId, patientId, ...own, totalUnits },
          ...memberLines(unique, { authorizationPoolId: publicId, patientId }, members),
        ];
        await write(takeOver.changeOf("The pool was added.", made, successorsIn(made)), since);
        goTo(addressOf(["utilization", publicId]), "replace");
      }}
    >
      {({ members }) => takeOver.notice(successorsIn(memberLines(unique, {}, members)))}
    </RecordForm>
  );
}

/** A dialog for changes of a pool's own units, which adds authorizations to it. */
export function EditPoolDialog({ id }: { id: string }) {
  const [unique] = useState(newId);
  return (
    <EditRecordDialog
      type="authorizationPool"
      id={id}
      description={description}
      sections={sectionsWith("New authorizations")}
      pathOf={pathInPool}
      done="The pool was changed."
      change={({ changed, before }, { type, publicId, patientId }) => {
        const { members, ...own } = changed;
        const { members: _, ...former } = before;
        const added = memberLines(unique, { authorizationPoolId: id, patientId }, members);
        return {
          lines: [{ type, publicId, ...own }, ...added],
          undo: [{ type, publicId, ...former }, ...deletionOf(added)],
        };
      }}
    />
  );
}
