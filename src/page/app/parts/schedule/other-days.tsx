import { addDays, type CalendarDate } from "../../lib/base/dates.ts";
import { addressWith } from "../../lib/base/place.ts";

/** Links to the day or week before and after the one of the place, and to today's. */
export function OtherDays({ day, step }: { day: CalendarDate | undefined; step: 1 | 7 }) {
  const name = step === 7 ? "week" : "day";
  const addressAfter = (days: number): string => addressWith({ date: day && addDays(day, days) });
  return (
    <div class="choices keep" role="group" aria-label="Other days">
      <a href={addressAfter(-step)} aria-label={`The ${name} before`}>
        ‹
      </a>
      <a href={addressWith({ date: undefined })}>{step === 7 ? "This week" : "Today"}</a>
      <a href={addressAfter(step)} aria-label={`The ${name} after`}>
        ›
      </a>
    </div>
  );
}
