import { useState } from "preact/hooks";
import type { Values } from "../../lib/base/form-values.ts";
import { deletionOf, type Line, newId } from "../../lib/base/lines.ts";
import { fieldsOf, type RecordDescription } from "../../lib/base/record-fields.ts";
import { entryLines, pathAmong } from "../../lib/authorizations/renewals.ts";
import { EditRecordDialog } from "../../parts/record/edit-record.tsx";
import type { FormSection } from "../../parts/record/record-form.tsx";
import { memberDescription } from "./authorization-form.tsx";
import { type NewProperties, NewAuthorizations } from "./new-authorizations.tsx";

/** The form of a pool: its units, and authorizations that are added to it. */

const description: RecordDescription = {
  ...fieldsOf("authorizationPool"),
  members: { isList: true, fields: memberDescription },
};

function sectionsWith(label: string): FormSection[] {
  const members = { name: "members", label };
  return [{ fields: ["payorId", "totalUnits", "unitFrequency", "isUnlimited", members] }];
}

/** The members are the records behind the pool. */
const pathInPool = pathAmong("members", 3);

export function NewPoolForm({ patientId, values, takeOver }: NewProperties) {
  // The same ids each time that it is sent, so that a repeated request adds nothing twice.
  const [unique] = useState(newId);
  const publicId = `apool_${unique}`;
  const linesOf = ({ members, ...own }: Values): Line[] => {
    const totalUnits = own.totalUnits ?? (own.isUnlimited === true ? 0 : null);
    return [
      { type: "authorizationPool", publicId, patientId, ...own, totalUnits },
      ...entryLines(unique, { authorizationPoolId: publicId, patientId }, members),
    ];
  };
  return (
    <NewAuthorizations
      label="New pool"
      description={description}
      sections={sectionsWith("Authorizations")}
      pathOf={pathInPool}
      stored={values}
      linesOf={linesOf}
      done={() => "The pool was added."}
      shown={publicId}
      takeOver={takeOver}
    />
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
        const added = entryLines(unique, { authorizationPoolId: id, patientId }, members);
        return {
          lines: [{ type, publicId, ...own }, ...added],
          undo: [{ type, publicId, ...former }, ...deletionOf(added)],
        };
      }}
    />
  );
}
