import type {
  DescribedType,
  RecordDescription,
  TypeDescription,
} from "../../record-description.ts";

export type { FieldDescription, RecordDescription } from "../../record-description.ts";

/** The fields of records, for forms. They are described by the schemas that the API validates with. */

/** Set when the page is bundled. */
declare const RECORD_DESCRIPTIONS: Record<DescribedType, TypeDescription>;
declare const CSV_COLUMNS: Record<string, readonly string[]>;

/** The columns of a spreadsheet of each type. */
export const columnsOfTypes = CSV_COLUMNS;

/** All types of records but the practice itself, each behind those that it refers to. */
export const TYPES = Object.keys(columnsOfTypes);

/** Whether the page knows the fields of a type. */
export function isDescribed(type: string): type is DescribedType {
  return type in RECORD_DESCRIPTIONS;
}

/** The fields of a type of record, in the order of the practice file; of one kind only, such as a role, if it has several. */
export function fieldsOf(type: DescribedType, kind?: string): RecordDescription {
  const { fields, kinds } = RECORD_DESCRIPTIONS[type];
  const names = kind === undefined ? undefined : kinds[kind];
  if (names === undefined) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

/** The kinds of a type of record, such as roles. */
export function kindsOf(type: DescribedType): readonly string[] {
  return Object.keys(RECORD_DESCRIPTIONS[type].kinds);
}
