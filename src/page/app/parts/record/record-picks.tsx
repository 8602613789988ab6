import { nameOf, useNames, useStaff } from "../../lib/person/people.ts";
import { NAMED_LISTS, type PracticeType } from "../../lib/practice/practice.ts";
import { staffKindOf } from "../../lib/base/roles.ts";
import { Button } from "../base/button.tsx";
import { type ControlProperties, type FormField, labelIn, lineOf } from "./control.ts";
import { type Choice, Field } from "../base/field.tsx";
import { choicesOf, useNamedList } from "../base/named.ts";
import { PersonField } from "../base/person-field.tsx";
import { StaffField } from "../base/staff-field.tsx";

/** Controls of fields that refer to other records. */

/** One record: somebody of the staff or an element of a list, to choose; somebody else, to search. */
export function Pick(properties: ControlProperties) {
  const { field, value, onChange } = properties;
  if (field.names !== "user") return <NamedChoice {...properties} />;
  const { roles = [] } = field;
  const common = { ...lineOf(properties), id: value as string | null, onPick: onChange };
  const kind = staffKindOf(roles);
  return kind === undefined ? (
    <PersonField {...common} role={roles[0] ?? ""} />
  ) : (
    <StaffField {...common} kind={kind} none="–" />
  );
}

function NamedChoice(properties: ControlProperties) {
  const { field, value, onChange } = properties;
  return (
    <Field
      {...lineOf(properties)}
      value={String(value ?? "")}
      choices={[{ value: "", name: "–" }, ...useChoices(field)]}
      onType={(id) => onChange(id === "" ? null : id)}
    />
  );
}

/** The records that a field may name. */
function useChoices({ names, roles = [], choices }: FormField): readonly Choice[] {
  const isPerson = names === "user";
  const staff = useStaff(isPerson ? (staffKindOf(roles) ?? "provider") : undefined).value ?? [];
  const list = useNamedList(NAMED_LISTS[names as PracticeType]);
  if (choices !== undefined) return choices;
  return isPerson
    ? staff.map((person) => ({ value: person.publicId, name: nameOf(person) }))
    : choicesOf(list);
}

/** Several records, each with a button to remove it, and a choice to add one. */
export function Picks(properties: ControlProperties) {
  const { field, value, onChange } = properties;
  const choices = useChoices(field);
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
          <Picked
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

function Picked(properties: {
  id: string;
  isPerson: boolean;
  name: string | undefined;
  onRemove: () => void;
}) {
  const { id, isPerson, name, onRemove } = properties;
  const nameOfPerson = useNames(isPerson && name === undefined ? [id] : []);
  const text = name ?? nameOfPerson(id);
  return (
    <li>
      <bdi>{text}</bdi>
      <Button aria-label={`Remove ${text}`} onClick={onRemove}>
        ×
      </Button>
    </li>
  );
}
