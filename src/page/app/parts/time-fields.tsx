import {
  clockText,
  type Instant,
  instantAt,
  minutesOf,
  parseCalendarDate,
  type TimeZone,
} from "../lib/dates.ts";
import { Field } from "./field.tsx";

/** Day, beginning and end of a session, as they are typed. */
export interface Times {
  day: string;
  from: string;
  to: string;
}

const DAY = 24 * 60;

/** Fields for the time of a session; when the beginning moves, the end moves along. */
export function TimeFields({
  times,
  onChange,
}: {
  times: Times;
  onChange: (times: Times) => void;
}) {
  const { day, from, to } = times;
  const moveFrom = (moved: string): void => {
    const isMoved = from !== "" && to !== "" && moved !== "";
    const end = (minutesOf(to) + minutesOf(moved) - minutesOf(from) + DAY) % DAY;
    onChange({ day, from: moved, to: isMoved ? clockText(end) : to });
  };
  return (
    <>
      <Field
        label="Day"
        type="date"
        value={day}
        isRequired
        onType={(typed) => onChange({ ...times, day: typed })}
      />
      <Field label="From" type="time" value={from} isRequired onType={moveFrom} />
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

/** The instants of complete fields; undefined until then. A session that ends before it starts goes on after midnight. */
export function instantsOf(
  { day, from, to }: Times,
  zone: TimeZone,
): { startTime: Instant; endTime: Instant } | undefined {
  const date = parseCalendarDate(day);
  if (date === undefined || from === "" || to === "") return undefined;
  const end = minutesOf(to) + (minutesOf(to) < minutesOf(from) ? DAY : 0);
  return {
    startTime: instantAt(date, minutesOf(from), zone),
    endTime: instantAt(date, end, zone),
  };
}
