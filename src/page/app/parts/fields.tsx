import { useId, useState } from "preact/hooks";

/** Fields of toolbars, whose values are in the URL. What is being typed is kept until one is done with it. */

interface FieldProperties {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** What an input needs to show what is typed while it is, though the view is drawn anew meanwhile. */
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

/** A field for a time zone by its name in the IANA database. Whether there is such a zone, the asked one says. */
export function ZoneField(
  properties: FieldProperties & {
    /** What an empty field stands for. */
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
