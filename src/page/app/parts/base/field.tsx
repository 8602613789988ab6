import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { meaningOf, shownText, type TypedKind } from "../../lib/base/typed.ts";
import { type Control, useUnsaid } from "./unsaid.ts";

/** A labeled field: an input, a choice or a check, with the message about what is wrong with it. */

export interface Choice {
  value: string;
  name: string;
}

export interface FieldProperties {
  label: string;
  value: string;
  type?:
    "text" | "search" | "email" | "tel" | "date" | "time" | "number" | "list" | "prose" | undefined;
  /** Makes it a select. */
  choices?: readonly Choice[] | undefined;
  /** Usual values, offered while typing. */
  suggestions?: readonly string[] | undefined;
  /** Called with every keystroke that gives a value: with the value that is meant, such as `7.5` for `7,5`. */
  onType?: (value: string) => void;
  /** Called with the complete value, when the field is left; until then the typed text stays in the field. */
  onChange?: (value: string) => void;
  mistake?: string | undefined;
  hint?: ComponentChildren;
  /** Classes besides `field`: `short`, `wide`. */
  class?: string | undefined;
  placeholder?: string | undefined;
  isRequired?: boolean | undefined;
  isDisabled?: boolean | undefined;
  maxLength?: number | undefined;
}

export function Field(properties: FieldProperties) {
  const { label, type = "text", choices, suggestions, hint } = properties;
  const id = useId();
  const { own, ...typing } = useTyping(properties);
  const mistake = own ?? properties.mistake;
  const common = {
    id,
    ...typing,
    disabled: properties.isDisabled,
    required: properties.isRequired,
    "aria-invalid": mistake === undefined ? undefined : true,
    "aria-describedby": describedBy(id, { mistake, hint }),
  };
  const texts = {
    placeholder: properties.placeholder,
    autocomplete: "off",
  };
  return (
    <Labeled id={id} label={label} class={properties.class} mistake={mistake} hint={hint}>
      {choices !== undefined ? (
        <select {...common}>
          {choices.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      ) : type === "prose" ? (
        <textarea rows={3} {...common} {...texts} />
      ) : (
        <input
          type={(["number", "list"].includes(type) ? "text" : type) as "text"}
          inputMode={type === "number" ? "decimal" : undefined}
          // Else browsers take years of six digits.
          max={type === "date" ? "9999-12-31" : undefined}
          list={suggestions && `${id}-list`}
          spellcheck={false}
          {...common}
          {...texts}
        />
      )}
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
    </Labeled>
  );
}

/** The names of the texts of a form. */
type TextName<Form> = {
  [Name in keyof Form]: Form[Name] extends string ? Name : never;
}[keyof Form];

/** For fields of a form's texts: the value of each by its name, and what is typed. */
export function textsOf<Form>(form: Form, onChange: (form: Form) => void) {
  return (name: TextName<Form>) => ({
    value: String(form[name]),
    onType: (text: string) => onChange({ ...form, [name]: text }),
  });
}

/** The ids of what is said of a field besides its label: what is wrong, and its hint. */
export function describedBy(
  id: string,
  { mistake, hint }: { mistake?: string | undefined; hint?: ComponentChildren },
): string | undefined {
  const ids = [mistake !== undefined && `${id}-mistake`, hint && `${id}-hint`];
  return ids.filter(Boolean).join(" ") || undefined;
}

/** The label and the message of a field, around its control, which has the id. */
export function Labeled(properties: {
  id: string;
  label: string;
  class?: string | undefined;
  mistake?: string | undefined;
  hint?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { id, label, mistake, hint, children } = properties;
  return (
    <div class={["field", properties.class].filter(Boolean).join(" ")}>
      <label for={id}>{label}</label>
      {children}
      {hint && <small id={`${id}-hint`}>{hint}</small>}
      {mistake !== undefined && (
        <small id={`${id}-mistake`} class="mistake">
          {mistake}
        </small>
      )}
    </div>
  );
}

/** The kind of what is typed into a control; of most, a text. */
function kindOf(type: FieldProperties["type"] = "text"): TypedKind {
  return ["number", "tel", "list", "date", "time"].includes(type) ? (type as TypedKind) : "text";
}

/**
 * The value of a control and its events, and what is wrong with its content. What is typed stays in the control until it
 * is left. With `onChange`, it is no value until it is complete: a date that is typed, which has a value after each
 * digit, when it is left or by Enter.
 */
function useTyping(properties: FieldProperties) {
  const { type = "text", value, choices, onType, onChange, maxLength } = properties;
  const { mistake: own, look, follow, onInvalid } = useUnsaid();
  /** The text, and the value as which the form has it. */
  const [typed, setTyped] = useState<{ text: string; as: string }>();
  const isBeingTyped = useRef(false);
  if (choices !== undefined) {
    const choose = (event: { currentTarget: Control }) =>
      (onType ?? onChange)?.(event.currentTarget.value);
    return { own, value, onInvalid, onChange: choose };
  }
  const kind = kindOf(type);
  /** Notes what is in the control; the value that it means, if it means any. */
  const read = (control: Control): string | undefined => {
    const isIncomplete = control.validity.badInput;
    const meaning = meaningOf(control.value, kind, {
      ...(maxLength && { maxLength }),
      isIncomplete,
    });
    // What browsers find out by themselves they also take back.
    control.setCustomValidity(isIncomplete ? "" : (meaning.mistake ?? ""));
    follow(control);
    setTyped({ text: control.value, as: (onType && meaning.value) ?? value });
    return meaning.value;
  };
  const type_ = ({ currentTarget }: { currentTarget: Control }): void => {
    const meant = read(currentTarget);
    if (meant !== undefined && meant !== value) onType?.(meant);
  };
  const complete = ({ currentTarget }: { currentTarget: Control }): void => {
    isBeingTyped.current = false;
    const meant = read(currentTarget);
    if (meant !== undefined && currentTarget.validity.valid) onChange?.(meant.trim());
  };
  return {
    own,
    value: typed?.as === value ? typed.text : shownText(value, kind),
    onInvalid,
    onInput: type_,
    onKeyDown: (event: { key: string; currentTarget: Control }) => {
      if (onChange === undefined) return;
      if (event.key !== "Enter") isBeingTyped.current = kind === "date";
      else if (isBeingTyped.current) complete(event);
    },
    // A date that becomes incomplete, and then empty, has had no value in between: that is no input to some browsers.
    onKeyUp: kind === "date" || kind === "time" ? type_ : undefined,
    onChange: (event: { currentTarget: Control }) => {
      if (onChange !== undefined && !isBeingTyped.current) complete(event);
    },
    onBlur: (event: { currentTarget: Control }) => {
      if (typed !== undefined) (isBeingTyped.current ? complete : type_)(event);
      isBeingTyped.current = false;
      look(event);
      if (event.currentTarget.validity.valid) setTyped(undefined);
    },
  };
}

/** A yes or no. */
export function Check(properties: {
  label: ComponentChildren;
  isChecked: boolean;
  isDisabled?: boolean;
  onChange: (isChecked: boolean) => void;
}) {
  const { label, isChecked, isDisabled, onChange } = properties;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

/** The names of IANA time zones, to choose from. */
export { zoneNames } from "../../../../lib/zone-rules.ts";
