import { labelOf } from "../lib/labels.ts";
import { nameOf, useNames, useStaff } from "../lib/people.ts";
import type { StaffKind } from "../lib/roles.ts";
import { Field } from "./field.tsx";

/** A field to choose one of the staff by name. */
export function StaffField(properties: {
  kind: StaffKind;
  /** Its kind, if left out. */
  label?: string;
  id: string | null;
  /** The label of the empty choice. */
  none?: string;
  mistake?: string | undefined;
  hint?: string | undefined;
  onPick: (id: string | null) => void;
}) {
  const { kind, label = labelOf(kind), id, none = "Nobody", mistake, hint, onPick } = properties;
  const staff = useStaff(kind);
  const choices = (staff.value ?? []).map((each) => ({ value: each.publicId, name: nameOf(each) }));
  const isListed = id === null || choices.some(({ value }) => value === id);
  // Inactive people are not in the list, but may have sessions.
  const name = useNames(isListed || staff.isLoading ? [] : [id]);
  const empty = staff.failure?.message ?? (staff.isLoading ? "Loading…" : none);
  return (
    <Field
      label={label}
      value={id ?? ""}
      mistake={mistake}
      hint={hint}
      choices={[
        { value: "", name: empty },
        ...(isListed ? [] : [{ value: id, name: name(id) }]),
        ...choices,
      ]}
      onType={(picked) => onPick(picked || null)}
    />
  );
}
