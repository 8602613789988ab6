import { Field } from "./field.tsx";
import { useNamedList } from "./named.ts";

/** A field to choose one payor or all. */
export function PayorField(properties: {
  id: string | undefined;
  onPick: (id: string | undefined) => void;
}) {
  const { id, onPick } = properties;
  const payors = useNamedList("payors").map(({ publicId, name }) => ({ value: publicId, name }));
  const isListed = id === undefined || payors.some(({ value }) => value === id);
  const others = isListed ? [] : [{ value: id, name: id }];
  return (
    <Field
      label="Payor"
      value={id ?? ""}
      choices={[{ value: "", name: "All" }, ...others, ...payors]}
      onType={(picked) => onPick(picked || undefined)}
    />
  );
}
