import { type Times, withBeginning } from "../lib/times.ts";
import { Field } from "./field.tsx";

/** Fields for the time of a session; when the beginning moves, the end moves along. */
export function TimeFields({
  times,
  onChange,
}: {
  times: Times;
  onChange: (times: Times) => void;
}) {
  const { day, from, to } = times;
  return (
    <>
      <Field
        label="Day"
        type="date"
        value={day}
        isRequired
        onType={(typed) => onChange({ ...times, day: typed })}
      />
      <Field
        label="From"
        type="time"
        value={from}
        isRequired
        onType={(moved) => onChange(withBeginning(times, moved))}
      />
      <Field
        label="To"
        type="time"
        value={to}
        isRequired
        onType={(typed) => onChange({ ...times, to: typed })}
      />
    </>
  );
}
