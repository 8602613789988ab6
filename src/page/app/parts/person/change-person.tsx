import { personChange } from "../../lib/person/person-record.ts";
import { Button } from "../base/button.tsx";
import { useWriting } from "../base/writing.tsx";

/** A button that changes some fields of a person. */
export function ChangePersonButton(
  properties: { label: string } & Parameters<typeof personChange>[0],
) {
  const { label, ...change } = properties;
  const { run, isWriting, notice } = useWriting();
  return (
    <>
      <Button disabled={isWriting} onClick={() => run(personChange(change))}>
        {label}
      </Button>
      {notice}
    </>
  );
}
