import { fieldsOf, isDescribed } from "./record-fields.ts";

/** Set when the page is bundled: what the fields of a type do not say. */
declare const CSV_COLUMNS: Record<string, readonly string[]>;

/** The columns of a spreadsheet of each type: its fields but lists of objects, which have files of their own, and others. */
export const columnsOfTypes: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(CSV_COLUMNS).map(([type, others]) => {
    const fields = isDescribed(type) ? Object.entries(fieldsOf(type)) : [];
    const own = fields.filter(([, field]) => field.fields === undefined).map(([name]) => name);
    return [type, [...own, ...others]];
  }),
);

/** The types of records that a spreadsheet may have, each behind those that it refers to. */
export const TYPES = Object.keys(columnsOfTypes);
