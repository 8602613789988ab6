/** Set when the page is bundled, at each place that names it. */
declare const CSV_COLUMNS: Record<string, readonly string[]>;

/** The columns of a spreadsheet of each type. */
export const columnsOfTypes = CSV_COLUMNS;

/** The types of records that a spreadsheet may have, each behind those that it refers to. */
export const TYPES = Object.keys(columnsOfTypes);
