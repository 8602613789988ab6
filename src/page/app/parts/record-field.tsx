import { useId } from "preact/hooks";
import { today } from "../lib/dates.ts";
import { phoneText, phoneValue } from "../lib/format.ts";
import { choiceText, labelOf } from "../lib/labels.ts";
import { newId } from "../lib/lines.ts";
import { practiceZone } from "../lib/me.ts";
import { type Mistakes, mistakeAt, type Path } from "../lib/mistakes.ts";
import { nameOf, staffKindOf, usePerson, useStaff } from "../lib/people.ts";
import type { FieldDescription, RecordDescription } from "../lib/record-fields.ts";
import { Check, type Choice, Field, zoneNames } from "./field.tsx";
import { NAMED_LISTS, useNamedList } from "./named.ts";
import { PersonField } from "./person-field.tsx";
import { StaffField } from "./staff-field.tsx";

/** The fields of a record, each with the control of its kind. */

export type Values = Readonly<Record<string, unknown>>;

/** A field as a form shows it: its name, and what differs from its description. */
export interface FormField extends Partial<FieldDescription> {
  name: string;
  label?: string;
  hint?: string;
}

interface ControlProperties {
  field: FieldDescription & FormField;
  path: Path;
  value: unknown;
  mistakes: Mistakes;
  onChange: (value: unknown) => void;
}

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
  const { kind, isList = false, names } = properties.field;
  if (isList) {
    if (kind === "group") return <Entries {...properties} />;
    return kind === "record" ? <Picks {...properties} /> : <Texts {...properties} />;
  }
  if (kind === "group") return <Group {...properties} />;
  if (kind === "boolean") return <YesOrNo {...properties} />;
  if (kind !== "record") return <Text {...properties} />;
  if (names !== "user") return <NamedChoice {...properties} />;
  return staffKindOf(properties.field.roles ?? []) ? (
    <StaffChoice {...properties} />
  ) : (
    <OnePerson {...properties} />
  );
}

function labelIn({ label, name }: FormField): string {
  return label ?? labelOf(name);
}

/** Properties that all controls with one line pass on. */
function lineOf({ field, path, mistakes }: ControlProperties) {
  const mistake = mistakeAt(mistakes, path);
  return { label: labelIn(field), hint: field.hint, mistake, isRequired: field.isRequired };
}

const INPUT_TYPES: Record<string, "email" | "tel"> = {
  email: "email",
  phone: "tel",
  phoneNumber: "tel",
};

/** Longer texts are prose. */
const MAX_LINE = 300;

function Text(properties: ControlProperties) {
  const { field, value, onChange } = properties;
  const { kind, values, maxLength = 0 } = field;
  const common = {
    ...lineOf(properties),
    hint: field.hint ?? doubtOf(field, value),
    maxLength: field.maxLength,
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
      : kind !== "text"
        ? "date"
        : maxLength > MAX_LINE
          ? "prose"
          : INPUT_TYPES[field.name];
  const suggestions = field.name === "timezone" ? zoneNames : values;
  return <Field {...common} value={text} type={type} suggestions={suggestions} />;
}

const EMAIL = /^\S+@\S+\.\S+$/;
const PHONE = /^\+\d{11,15}$/;

/** What to look at again: it can be stored, and is probably not meant. */
function doubtOf({ name }: FormField, value: unknown): string | undefined {
  const text = String(value ?? "");
  if (text === "") return undefined;
  if (INPUT_TYPES[name] === "email" && !EMAIL.test(text)) return "No complete email address yet.";
  if (INPUT_TYPES[name] === "tel" && !PHONE.test(text)) return "No complete phone number yet.";
  if (name === "birthDate" && text > today(practiceZone())) return "This day is in the future.";
  return undefined;
}

function isPhone({ name }: FormField): boolean {
  return INPUT_TYPES[name] === "tel";
}

/** A value as a text of its input. The day of an instant is its day in UTC, as records show it. */
function textOf(value: unknown, field: FormField): string {
  const text = String(value ?? "");
  if (isPhone(field)) return phoneText(text);
  return field.kind === "instant" ? text.slice(0, 10) : text;
}

/** The value of a typed text: null for none, and the text itself if it is no number, so that the API can refuse it. */
function valueOf(text: string, field: FormField): unknown {
  const { kind } = field;
  if (text.trim() === "") return null;
  if (isPhone(field)) return phoneValue(text);
  if (kind === "instant") return `${text}T00:00:00.000Z`;
  const number = text.replaceAll(",", "").trim();
  // A number that is still being typed, such as `1.`, stays a text.
  return kind === "number" && String(Number(number)) === number ? Number(number) : text;
}

function YesOrNo({ field, value, onChange }: ControlProperties) {
  return <Check label={labelIn(field)} isChecked={value === true} onChange={onChange} />;
}

function Texts(properties: ControlProperties) {
  const { value, onChange } = properties;
  const texts = (value as string[] | null) ?? [];
  return (
    <Field
      {...lineOf(properties)}
      value={texts.join(", ")}
      onChange={(text) =>
        onChange(
          text
            .split(",")
            .map((each) => each.trim())
            .filter(Boolean),
        )
      }
      hint="With commas between them"
    />
  );
}

function OnePerson(properties: ControlProperties) {
  const { field, value, onChange } = properties;
  return (
    <PersonField
      {...lineOf(properties)}
      role={field.roles?.[0] ?? ""}
      id={value as string | null}
      onPick={onChange}
    />
  );
}

function NamedChoice(properties: ControlProperties) {
  const { field, value, onChange } = properties;
  const choices = useNamedChoices(field);
  return (
    <Field
      {...lineOf(properties)}
      value={String(value ?? "")}
      choices={[{ value: "", name: "–" }, ...choices]}
      onType={(id) => onChange(id === "" ? null : id)}
    />
  );
}

function StaffChoice(properties: ControlProperties) {
  const { field, value, onChange } = properties;
  return (
    <StaffField
      {...lineOf(properties)}
      kind={staffKindOf(field.roles ?? []) ?? "provider"}
      id={value as string | null}
      none="–"
      onPick={onChange}
    />
  );
}

function useNamedChoices({ names }: FieldDescription): Choice[] {
  const list = useNamedList(NAMED_LISTS[names as keyof typeof NAMED_LISTS]);
  return list.map(({ publicId, name }) => ({ value: publicId, name }));
}

function useStaffChoices({ roles = [] }: FieldDescription): Choice[] {
  const staff = useStaff(staffKindOf(roles) ?? "provider").value ?? [];
  return staff.map((person) => ({ value: person.publicId, name: nameOf(person) }));
}

/** Several records, each with a button to remove it, and a choice to add one. */
function Picks(properties: ControlProperties) {
  return properties.field.names === "user" ? (
    <StaffPicks {...properties} />
  ) : (
    <NamedPicks {...properties} />
  );
}

function NamedPicks(properties: ControlProperties) {
  return <PicksOf {...properties} choices={useNamedChoices(properties.field)} />;
}

function StaffPicks(properties: ControlProperties) {
  return <PicksOf {...properties} choices={useStaffChoices(properties.field)} />;
}

function PicksOf(properties: ControlProperties & { choices: Choice[] }) {
  const { field, value, choices, onChange } = properties;
  const ids = (value as string[] | null) ?? [];
  const label = labelIn(field);
  const others = choices.filter((choice) => !ids.includes(choice.value));
  return (
    <div class="picks" role="group" aria-label={label}>
      <Field
        {...lineOf(properties)}
        value=""
        choices={[{ value: "", name: ids.length === 0 ? "–" : "Add…" }, ...others]}
        onType={(picked) => picked !== "" && onChange([...ids, picked])}
      />
      <ul>
        {ids.map((id) => (
          <Pick
            key={id}
            id={id}
            isPerson={field.names === "user"}
            name={choices.find((choice) => choice.value === id)?.name}
            onRemove={() => onChange(ids.filter((each) => each !== id))}
          />
        ))}
      </ul>
    </div>
  );
}

function Pick(properties: {
  id: string;
  isPerson: boolean;
  name: string | undefined;
  onRemove: () => void;
}) {
  const { id, isPerson, name, onRemove } = properties;
  const person = usePerson(isPerson && name === undefined ? id : undefined).value;
  const text = name ?? (person ? nameOf(person) : id);
  return (
    <li>
      <bdi>{text}</bdi>
      <button type="button" aria-label={`Remove ${text}`} onClick={onRemove}>
        ×
      </button>
    </li>
  );
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
          <button type="button" class="link" onClick={() => onChange(entries.toSpliced(index, 1))}>
            Remove
          </button>
        </fieldset>
      ))}
      <button type="button" onClick={() => onChange([...entries, newEntry(field.fields)])}>
        Add {label.toLowerCase()}
      </button>
    </div>
  );
}

/** A new entry: with its id, if it has one, and its objects, all of whose fields may be missing. */
function newEntry(fields: RecordDescription = {}): Values {
  const groups = Object.keys(fields).filter(
    (name) => fields[name]?.kind === "group" && !fields[name].isList,
  );
  const ofGroups = Object.fromEntries(groups.map((name) => [name, {}]));
  return { ...("publicId" in fields && { publicId: newId() }), ...ofGroups };
}
