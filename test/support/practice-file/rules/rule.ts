import { recordTypes } from "../../../../src/schema/record-types.ts";
import type { Fields } from "../practice-file.ts";

/**
 * One rule of the practice file, broken: lines behind the organization's, imported over the full practice, and the
 * mistakes that are reported. `rules.test.ts` breaks each rule by the command with a file, over HTTP, and by the command
 * with a folder of CSV.
 */
export interface Rule {
  rule: string;
  /** The organization's line, if it is not the full practice's. */
  organization?: Fields;
  lines: readonly Line[];
  mistakes: readonly Mistake[];
  /** What CSV does if it is not the same. */
  csv?: CsvCase | undefined;
}

/** A record, or the text or bytes of a line. */
export type Line = Fields | string | Buffer;

/**
 * The number of the line; type and id; the field, as `payors.0.payorId`; the message; and the value that the command
 * shows, if it is not simply the field's in the line.
 */
export type Mistake = readonly [
  line: number,
  record: string,
  field: string,
  message: string,
  shown?: string,
];

export type CsvCase =
  /** Why the rule cannot be broken by CSV. */
  | { cannot: string }
  /** The folder is refused as a whole. */
  | { files?: Record<string, string | Buffer>; refusal: string }
  /** Files besides the organization's, and mistakes as reported, with `F` for the folder. */
  | { files?: Record<string, string | Buffer>; reports: readonly string[] };

/** Cells are texts, and have no other type than their column. */
export const CELLS_ARE_TEXTS: CsvCase = { cannot: "cells are texts" };
/** `yes` and `5` are read as what their column holds. */
export const READ_BY_COLUMN: CsvCase = { cannot: "a cell is read as what its column holds" };
export const NO_LINES: CsvCase = { cannot: "rows are no JSON" };

export function rule(
  rule: string,
  lines: Line | readonly Line[],
  mistakes: readonly Mistake[],
  csv?: CsvCase,
): Rule {
  return { rule, lines: [lines].flat() as Line[], mistakes, csv };
}

/** The refusal of a folder whose file has a column that its type does not have. */
export function noColumn(file: string, name: string): CsvCase {
  return { refusal: `F/${file}:1: "${name}" is no field; the columns are …` };
}

// Messages that many rules have.

export const NO_ID = "must be an id of 1 to 128 letters, digits, underscores or hyphens";
export const NO_GOAL_ID =
  "must be an id that begins with goal_, of letters, digits, underscores or hyphens";
export const NO_FIELD = "is no field of this record";
export const REQUIRED = "is required";
export const NO_DATE = "must be a date that exists, such as 2026-03-01";
export const NO_TIME = "must be a time with Z or an offset, such as 2026-03-01T14:00:00Z";
export const NO_TEXT = "must be text";
export const YES_OR_NO = "must be yes or no";
export const NO_LIST = "must be a list";
export const FORBIDDEN_CHARACTER = "must not contain U+0000 or an unpaired surrogate";
export const TYPES = recordTypes.join(", ");
export const ROLES =
  "ADMIN, BILLING_MANAGER, SCHEDULING_MANAGER, CLINICIAN, TECHNICIAN, PATIENT, CAREGIVER, CLINICAL_ADMIN, PAYROLL_ADMIN, CLINICAL_SUPERADMIN";
export const nowhere = (type: string): string => `is no ${type} of the file or the database`;

/** A record without some fields. */
export function without({ ...record }: Fields, ...fields: string[]): Fields {
  for (const field of fields) delete record[field];
  return record;
}
