import { useId } from "preact/hooks";
import type { Values } from "../../lib/base/form-values.ts";
import { newId } from "../../lib/base/lines.ts";
import { type Mistakes, mistakeAt, type Path } from "../../lib/base/mistakes.ts";
import type { RecordDescription } from "../../lib/base/record-fields.ts";
import { Button } from "../base/button.tsx";
import { type ControlProperties, type FormField, labelIn } from "./control.ts";
import { Check } from "../base/field.tsx";
import { Pick, Picks } from "./record-picks.tsx";
import { Text, Texts } from "./record-text.tsx";

/** The fields of a record, each with the control of its kind. */

/** Some fields of a record or of an object within it; those that the description does not have are left out. */
export function RecordFields(properties: {
  description: RecordDescription;
  /** All of the description, in its order, if left out. */
  fields?: readonly (string | FormField)[] | undefined;
  values: Values;
  mistakes: Mistakes;
  path?: Path;
  onChange: (values: Values) => void;
}) {
  const { description, values, mistakes, path = [], onChange } = properties;
  // Entries get their ids by themselves.
  const { fields = Object.keys(description).filter((name) => name !== "publicId") } = properties;
  return (
    <div class="record-fields">
      {fields.map((each) => {
        const shown = typeof each === "string" ? { name: each } : each;
        const { name } = shown;
        const described = description[name];
        return (
          described && (
            <Control
              key={name}
              field={{ ...described, ...shown }}
              path={[...path, name]}
              value={values[name] ?? null}
              mistakes={mistakes}
              onChange={(value) => onChange({ ...values, [name]: value })}
            />
          )
        );
      })}
    </div>
  );
}

function Control(properties: ControlProperties) {
  const { kind, names, fields, isList = false } = properties.field;
  if (fields !== undefined) return isList ? <Entries {...properties} /> : <Group {...properties} />;
  if (names !== undefined) return isList ? <Picks {...properties} /> : <Pick {...properties} />;
  if (kind === "boolean") return <YesOrNo {...properties} />;
  return isList ? <Texts {...properties} /> : <Text {...properties} />;
}

function YesOrNo({ field, value, onChange }: ControlProperties) {
  return <Check label={labelIn(field)} isChecked={value === true} onChange={onChange} />;
}

function Group({ field, path, value, mistakes, onChange }: ControlProperties) {
  return (
    <fieldset>
      <legend>{labelIn(field)}</legend>
      <RecordFields
        description={field.fields ?? {}}
        values={(value as Values | null) ?? {}}
        mistakes={mistakes}
        path={path}
        onChange={onChange}
      />
    </fieldset>
  );
}

/** Several objects, such as payors or credentials. */
function Entries({ field, path, value, mistakes, onChange }: ControlProperties) {
  const entries = (value as Values[] | null) ?? [];
  const label = labelIn(field);
  const id = useId();
  const mistake = mistakeAt(mistakes, path);
  return (
    <div class="entries" role="group" aria-labelledby={id}>
      <h3 id={id}>{label}</h3>
      {mistake && <p class="mistake">{mistake}</p>}
      {entries.map((entry, index) => (
        <fieldset key={index} aria-label={`${label} ${index + 1}`}>
          <RecordFields
            description={field.fields ?? {}}
            values={entry}
            mistakes={mistakes}
            path={[...path, index]}
            onChange={(changed) => onChange(entries.with(index, changed))}
          />
          <Button class="link" onClick={() => onChange(entries.toSpliced(index, 1))}>
            Remove
          </Button>
        </fieldset>
      ))}
      <Button onClick={() => onChange([...entries, newEntry(field.fields)])}>
        Add {label.toLowerCase()}
      </Button>
    </div>
  );
}

/** A new entry: with its id, if it has one, and its objects, all of whose fields may be missing. */
function newEntry(fields: RecordDescription = {}): Values {
  const groups = Object.keys(fields).filter(
    (name) => fields[name]?.fields !== undefined && !fields[name].isList,
  );
  const ofGroups = Object.fromEntries(groups.map((name) => [name, {}]));
  return { ...("publicId" in fields && { publicId: newId() }), ...ofGroups };
}
