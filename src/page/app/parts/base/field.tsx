import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";

/** A labeled field: an input, a choice or a check, with the message about what is wrong with it. */

export interface Choice {
  value: string;
  name: string;
}

export interface FieldProperties {
  label: string;
  value: string;
  type?:
    | "text"
    | "search"
    | "email"
    | "tel"
    | "date"
    | "time"
    | "month"
    | "number"
    | "prose"
    | undefined;
  /** Makes it a select. */
  choices?: readonly Choice[] | undefined;
  /** Usual values, offered while typing. */
  suggestions?: readonly string[] | undefined;
  /** Called with every keystroke. */
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
  const { label, type = "text", choices, suggestions, mistake, hint } = properties;
  const id = useId();
  const common = {
    id,
    ...useTyping(properties),
    disabled: properties.isDisabled,
    required: properties.isRequired,
    "aria-invalid": mistake === undefined ? undefined : true,
    "aria-describedby": mistake === undefined ? undefined : `${id}-mistake`,
  };
  const texts = {
    placeholder: properties.placeholder,
    autocomplete: "off",
    maxLength: properties.maxLength,
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
          type={(type === "number" ? "text" : type) as "text"}
          inputMode={type === "number" ? "decimal" : undefined}
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
      {hint && <small>{hint}</small>}
      {mistake !== undefined && (
        <small id={`${id}-mistake`} class="mistake">
          {mistake}
        </small>
      )}
    </div>
  );
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * The value of a control and its events. With `onChange`, what is being typed is kept in the control until it is
 * complete: a date that is typed, which has a value after each digit, when it is left or by Enter.
 */
function useTyping({ type = "text", value, choices, onType, onChange }: FieldProperties) {
  const [typed, setTyped] = useState<string>();
  const isBeingTyped = useRef(false);
  if (onType !== undefined || choices !== undefined) {
    const change = (event: { currentTarget: Control }) =>
      (onType ?? onChange)?.(event.currentTarget.value);
    return choices === undefined ? { value, onInput: change } : { value, onChange: change };
  }
  const complete = ({ currentTarget }: { currentTarget: Control }): void => {
    isBeingTyped.current = false;
    onChange?.(currentTarget.value.trim());
  };
  return {
    value: typed ?? value,
    onInput: (event: { currentTarget: Control }) => setTyped(event.currentTarget.value),
    onKeyDown: (event: { key: string; currentTarget: Control }) => {
      if (event.key !== "Enter") isBeingTyped.current = ["date", "month"].includes(type);
      else if (isBeingTyped.current) complete(event);
    },
    onChange: (event: { currentTarget: Control }) => {
      if (!isBeingTyped.current) complete(event);
    },
    onBlur: (event: { currentTarget: Control }) => {
      if (isBeingTyped.current && typed !== undefined) complete(event);
      isBeingTyped.current = false;
      setTyped(undefined);
    },
  };
}

/** A yes or no. */
export function Check(properties: {
  label: ComponentChildren;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}) {
  const { label, isChecked, onChange } = properties;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

/** The names of IANA time zones, to choose from. */
export const zoneNames: readonly string[] = Intl.supportedValuesOf("timeZone");
