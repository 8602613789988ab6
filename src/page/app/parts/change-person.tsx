import { personChange } from "../lib/person-record.ts";
import { useWriting } from "./writing.tsx";

/** A button that changes some fields of a person. */
export function ChangePersonButton(
  properties: { label: string } & Parameters<typeof personChange>[0],
) {
  const { label, ...change } = properties;
  const { run, isWriting, notice } = useWriting();
  return (
    <>
      <button type="button" disabled={isWriting} onClick={() => run(personChange(change))}>
        {label}
      </button>
      {notice}
    </>
  );
}
