import type {
  DescribedType,
  RecordDescription,
  TypeDescription,
} from "../../../record-description.ts";

export type { FieldDescription, RecordDescription } from "../../../record-description.ts";

/** The fields of records, for forms. They are described by the schemas that the API validates with. */

/** Set when the page is bundled, at each place that names it. */
declare const RECORD_DESCRIPTIONS: Record<DescribedType, TypeDescription>;

const descriptions = RECORD_DESCRIPTIONS;

/** The fields of a type of record, in the order of the practice file; of one kind only, such as a role, if it has several. */
export function fieldsOf(type: DescribedType, kind?: string): RecordDescription {
  const { fields, kinds } = descriptions[type];
  const own = kinds.find(({ of }) => kind !== undefined && of.includes(kind));
  if (own === undefined) return fields;
  return Object.fromEntries(
    Object.entries(fields).filter((_, index) => own.fields.includes(index)),
  );
}

/** Some fields of a description. */
export function picked(description: RecordDescription, names: readonly string[]) {
  return Object.fromEntries(
    names.flatMap((name) => (description[name] ? [[name, description[name]]] : [])),
  );
}

const lead = fieldsOf("lead").client?.fields;

/** Of fields of people that store any text, the values that others in the practice understand. */
export const USUAL_VALUES: Readonly<Record<string, readonly string[]>> = {
  userStatus: lead?.intakeStatusKey?.values ?? [],
  sex: lead?.sex?.values ?? [],
};

/** The kinds of a type of record, such as roles. */
export function kindsOf(type: DescribedType): readonly string[] {
  return descriptions[type].kinds.flatMap(({ of }) => of);
}
