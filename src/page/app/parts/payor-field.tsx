import { useNamedList } from "./named.ts";

/** A field to choose one payor or all. */
export function PayorField(properties: {
  id: string | undefined;
  onPick: (id: string | undefined) => void;
}) {
  const { id, onPick } = properties;
  const payors = useNamedList("payors");
  const isListed = payors.some(({ publicId }) => publicId === id);
  return (
    <label class="field">
      <span>Payor</span>
      <select value={id ?? ""} onChange={(event) => onPick(event.currentTarget.value || undefined)}>
        <option value="">All</option>
        {id !== undefined && !isListed && <option value={id}>{id}</option>}
        {payors.map(({ publicId, name }) => (
          <option key={publicId} value={publicId}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
