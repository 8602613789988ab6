import { useId } from "preact/hooks";
import { nameOf, usePerson, useStaff } from "../lib/people.ts";

/** A field to choose a clinician or technician by name. */
export function StaffField(properties: {
  kind: "clinician" | "technician";
  label: string;
  id: string | undefined;
  /** The label of the empty choice. */
  none: string;
  onPick: (id: string | undefined) => void;
}) {
  const { kind, label, id, none, onPick } = properties;
  const staff = useStaff(kind);
  const fieldId = useId();
  const isListed = staff.value?.some(({ publicId }) => publicId === id) === true;
  // Inactive people are not in the list, but may have sessions.
  const other = usePerson(isListed ? undefined : id).value;
  return (
    <div class="field">
      <label for={fieldId}>{label}</label>
      <select
        id={fieldId}
        value={id ?? ""}
        onChange={(event) => onPick(event.currentTarget.value || undefined)}
      >
        <option value="">{staff.failure?.message ?? (staff.isLoading ? "Loading…" : none)}</option>
        {id !== undefined && !isListed && (
          <option value={id}>{other === undefined ? id : nameOf(other)}</option>
        )}
        {staff.value?.map((person) => (
          <option key={person.publicId} value={person.publicId}>
            {nameOf(person)}
          </option>
        ))}
      </select>
    </div>
  );
}
