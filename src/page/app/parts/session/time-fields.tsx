import { type Times, withBeginning } from "../../lib/session/times.ts";
import { Field, textsOf } from "../base/field.tsx";

/** Fields for the time of a session; when the beginning moves, the end moves along. */
export function TimeFields({
  times,
  onChange,
}: {
  times: Times;
  onChange: (times: Times) => void;
}) {
  const text = textsOf(times, onChange);
  return (
    <>
      <Field label="Day" type="date" isRequired {...text("day")} />
      <Field
        label="From"
        type="time"
        value={times.from}
        isRequired
        onType={(moved) => onChange(withBeginning(times, moved))}
      />
      <Field label="To" type="time" isRequired {...text("to")} />
    </>
  );
}
