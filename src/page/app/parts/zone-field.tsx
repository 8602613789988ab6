import { useId, useState } from "preact/hooks";

/** A field for a time zone by its name in the IANA database. Whether there is such a zone, the asked one says. */
export function ZoneField(properties: {
  label: string;
  value: string;
  /** What an empty field stands for. */
  placeholder: string;
  onChange: (zone: string) => void;
}) {
  const { label, value, placeholder, onChange } = properties;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        list={`${id}-names`}
        value={value}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
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
