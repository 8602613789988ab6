import {
  dateMeant,
  dateOf,
  endOfDay,
  type Instant,
  parseCalendarDate,
  today,
} from "../../lib/base/dates.ts";
import { choiceText } from "../../lib/base/labels.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { elementsOf } from "../../lib/base/typed.ts";
import { type ControlProperties, type FormField, lineOf } from "./control.ts";
import { Field, zoneNames } from "../base/field.tsx";

/** Controls of fields that are typed, or chosen among values. */

const INPUT_TYPES: Record<string, "email" | "tel"> = {
  email: "email",
  phone: "tel",
  phoneNumber: "tel",
};

/** Set when the page is bundled. */
declare const MAX_SHORT_TEXT: number;

/** Longer texts are prose. */
const MAX_LINE = 300;

export function Text(properties: ControlProperties) {
  const { field, value, onChange } = properties;
  const { kind, values, maxLength = MAX_SHORT_TEXT } = field;
  const common = {
    ...lineOf(properties),
    hint: field.hint ?? doubtOf(field, value),
    maxLength,
    onType: (text: string) => onChange(valueOf(text, field)),
  };
  const text = textOf(value, field);
  if (kind === "choice") {
    const none = field.isRequired && text !== "" ? [] : [{ value: "", name: "–" }];
    const own = (values ?? []).map((each) => ({ value: each, name: choiceText(each) }));
    return <Field {...common} value={text} choices={[...none, ...own]} />;
  }
  const type =
    kind === "number"
      ? "number"
      : kind !== undefined
        ? "date"
        : maxLength > MAX_LINE
          ? "prose"
          : INPUT_TYPES[field.name];
  const suggestions = field.name === "timezone" ? zoneNames : values;
  return <Field {...common} value={text} type={type} suggestions={suggestions} />;
}

const EMAIL = /^\S+@\S+\.\S+$/;
const PHONE = /^\+(1\d{10}|[2-9]\d{6,14})$/;

/** What to look at again: it can be stored, and is probably not meant. */
function doubtOf({ name }: FormField, value: unknown): string | undefined {
  const text = String(value ?? "");
  if (text === "") return undefined;
  if (INPUT_TYPES[name] === "email" && !EMAIL.test(text)) return "No complete email address yet.";
  if (INPUT_TYPES[name] === "tel" && !PHONE.test(text.replaceAll(/[\s()./-]/g, "")))
    return "No complete phone number yet.";
  if (name === "birthDate" && text > today(practiceZone())) return "This day is in the future.";
  return undefined;
}

/**
 * A value as a text of its input. The instants of forms are until when something is valid, which shows as its last day;
 * the checks hold sessions against `expiresAt` to the millisecond, so that is never a mere date.
 */
function textOf(value: unknown, { kind, name }: FormField): string {
  if (kind !== "instant" || !value) return String(value ?? "");
  const dayOf = name === "expiresAt" ? dateOf : dateMeant;
  return dayOf(value as Instant, practiceZone());
}

/** The value of a text: null for none, and the text itself where it is no number, for the API to refuse. */
function valueOf(text: string, { kind }: FormField): unknown {
  if (text.trim() === "") return null;
  const day = kind === "instant" ? parseCalendarDate(text) : undefined;
  if (day !== undefined) return endOfDay(day, practiceZone());
  return kind === "number" && !Number.isNaN(Number(text)) ? Number(text) : text;
}

export function Texts(properties: ControlProperties) {
  const { value, onChange } = properties;
  return (
    <Field
      {...lineOf(properties)}
      type="list"
      value={((value as string[] | null) ?? []).join(", ")}
      onType={(text) => onChange(elementsOf(text))}
      hint="With commas between them"
    />
  );
}
