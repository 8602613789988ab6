import { useId, useState } from "preact/hooks";
import { addDays, daysBetween, minutesOf, parseCalendarDate, today } from "../../lib/base/dates.ts";
import { useDraft } from "../../lib/base/draft.ts";
import { dateText } from "../../lib/base/format.ts";
import { type Plan, withAdded } from "../../lib/session/plan.ts";
import { Check, Field, textsOf } from "../../parts/base/field.tsx";
import { Form } from "../../parts/base/form.tsx";

/** Maximum number of weeks of a repeated session: two years. */
const MAX_WEEKS = 104;

/** A form for sessions at the same time in each of some weeks, or in each week until the authorization ends. */
export function AddSessions(properties: {
  /** Of the draft. */
  name: string;
  plan: Plan;
  onChange: (plan: Plan) => void;
}) {
  const { name, plan, onChange } = properties;
  const {
    authorization: { term },
    zone,
  } = plan;
  const [typed, setTyped] = useDraft(
    `${name}, new`,
    {
      ...{ day: today(zone) as string, from: "09:00", to: "11:00" },
      ...{ weeks: "1", isUntilEnd: false },
    },
    () => false,
  );
  const { day, from, to, weeks, isUntilEnd } = typed;
  const text = textsOf(typed, setTyped);
  const [mistake, setMistake] = useState<string>();
  const mistakeId = useId();

  const first = parseCalendarDate(day);
  const untilEnd = term && first && Math.floor(daysBetween(first, term.endDate) / 7) + 1;
  /** The error of the form, as a sentence; else adds its sessions. */
  const added = (): string | undefined => {
    const count = (isUntilEnd ? untilEnd : Number(weeks)) ?? 0;
    if (first === undefined) return "Choose a day.";
    if (from === "" || to === "") return "Enter a start and an end time.";
    if (minutesOf(to) <= minutesOf(from)) return "It has to end after it begins.";
    if (isUntilEnd && term !== undefined && count < 1)
      return `The authorization ends on ${dateText(term.endDate)}, before that day.`;
    if (!Number.isInteger(count) || count < 1 || count > MAX_WEEKS)
      return `Weeks must be a whole number from 1 to ${MAX_WEEKS}.`;
    const stretch = { from: minutesOf(from), to: minutesOf(to) };
    const weekly = Array.from({ length: count }, (_, index) => ({
      ...{ ...stretch, day: addDays(first, index * 7) },
    }));
    onChange(withAdded(plan, weekly));
    return undefined;
  };
  return (
    <Form
      class="toolbar"
      aria-label="Add a session"
      noValidate
      onSubmit={() => setMistake(added())}
    >
      <Field class="short" label="Day" type="date" {...text("day")} />
      <Field class="short" label="From" type="time" {...text("from")} />
      <Field class="short" label="To" type="time" {...text("to")} />
      <Field
        class="short"
        label="Weeks"
        type="number"
        {...text("weeks")}
        value={isUntilEnd && untilEnd !== undefined ? String(untilEnd) : weeks}
        isDisabled={isUntilEnd}
      />
      {term !== undefined && (
        <Check
          label={`Until it ends (${dateText(term.endDate)})`}
          isChecked={isUntilEnd}
          onChange={(isChecked) => setTyped({ ...typed, isUntilEnd: isChecked })}
        />
      )}
      <button type="submit" class="primary" aria-describedby={mistakeId}>
        Add
      </button>
      <p id={mistakeId} class="mistake" role="alert">
        {mistake}
      </p>
    </Form>
  );
}
