import { labelOf } from "../../lib/base/labels.ts";
import { nameOf, useNames, useStaff } from "../../lib/person/people.ts";
import type { StaffKind } from "../../lib/base/roles.ts";
import { useShown } from "../../lib/base/unread.ts";
import type { User } from "../../lib/base/wire.ts";
import { Field } from "./field.tsx";

type Named = Pick<User, "publicId">;

/** A field to choose one of the staff by name. */
export function StaffField(properties: {
  kind: StaffKind;
  /** Its kind, if left out. */
  label?: string;
  id: string | null;
  /** The label of the empty choice. */
  none?: string;
  /** What is said of some of them, who come first in that order. */
  remarks?: ReadonlyMap<string, string> | undefined;
  mistake?: string | undefined;
  hint?: string | undefined;
  onPick: (id: string | null) => void;
}) {
  const { kind, label = labelOf(kind), id, none = "Nobody", mistake, hint, onPick } = properties;
  const { remarks = new Map<string, string>() } = properties;
  const staff = useStaff(kind);
  useShown(staff.failure);
  const order = [...remarks.keys()];
  const placeOf = ({ publicId }: Named): number =>
    remarks.has(publicId) ? order.indexOf(publicId) : order.length;
  const choices = (staff.value ?? [])
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((each) => ({
      value: each.publicId,
      name: [nameOf(each), remarks.get(each.publicId)].filter(Boolean).join(": "),
    }));
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
