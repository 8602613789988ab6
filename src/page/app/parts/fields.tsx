import { useId, useState } from "preact/hooks";

/** Fields of toolbars, whose values are in the URL. Text that is being typed is kept until it is complete. */

interface FieldProperties {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Properties of an input that keep the typed text while the view is rendered again. */
function useTyping({ value, onChange }: FieldProperties) {
  const [typed, setTyped] = useState<string>();
  return {
    value: typed ?? value,
    onInput: (event: { currentTarget: HTMLInputElement }) => setTyped(event.currentTarget.value),
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      onChange(event.currentTarget.value.trim()),
    onBlur: () => setTyped(undefined),
  };
}

export function DateField(properties: FieldProperties) {
  return (
    <label class="field">
      <span>{properties.label}</span>
      <input type="date" {...useTyping(properties)} />
    </label>
  );
}

export function MonthField(properties: FieldProperties) {
  return (
    <label class="field">
      <span>{properties.label}</span>
      <input type="month" placeholder="2026-10" {...useTyping(properties)} />
    </label>
  );
}

/** A field for an IANA time zone. The API validates it. */
export function ZoneField(
  properties: FieldProperties & {
    /** The meaning of an empty field. */
    placeholder: string;
  },
) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{properties.label}</label>
      <input
        id={id}
        type="text"
        list={`${id}-names`}
        placeholder={properties.placeholder}
        autocomplete="off"
        spellcheck={false}
        {...useTyping(properties)}
      />
      <ZoneNames id={`${id}-names`} />
    </div>
  );
}

function ZoneNames({ id }: { id: string }) {
  const [names] = useState(() => Intl.supportedValuesOf("timeZone"));
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}
