import { phoneValue } from "../base/format.ts";
import { LEFT_EMPTY, type MatchOption, matchOf, type OptionsOf, partsOf } from "./import-words.ts";
import type { Line } from "../base/lines.ts";
import { plain } from "../base/plain.ts";
import { guessField } from "./table.ts";
import type { Role } from "../base/wire.ts";

/** A sheet of an office, the rows of CSV that it becomes, and what brings back what was there before them. */

export interface Sheet {
  name: string;
  type: string;
  /** What all people of the sheet are, if no column says it. */
  role: Role | undefined;
  headings: string[];
  rows: string[][];
  /** The field of each heading; undefined for those that are left out. */
  fields: (string | undefined)[];
  /** The values of words that were chosen, by field and word; an empty one leaves the word as it is. */
  words: Record<string, Record<string, string>>;
  /** An id for each row, for sheets without ids. */
  ids: string[];
}

/** The columns of somebody who cares for a patient, in the patient's row: a record of their own. */
export const GUARDIAN = {
  name: "guardian.name",
  firstName: "guardian.firstName",
  lastName: "guardian.lastName",
  phoneNumber: "guardian.phoneNumber",
  email: "guardian.email",
} as const;

const GUARDIAN_FIELDS: readonly string[] = Object.values(GUARDIAN);

const GUARDIAN_HEADING =
  /^(?:(?:parentguardian|guardianparent|parent|guardian|caregiver|mother|father|responsibleparty)1?)(.*)$/;

/** The rest of such a heading. */
const GUARDIAN_NAMES: Record<string, readonly string[]> = {
  [GUARDIAN.name]: ["", "name", "fullname", "names"],
  [GUARDIAN.firstName]: ["first", "firstname"],
  [GUARDIAN.lastName]: ["last", "lastname"],
  [GUARDIAN.phoneNumber]: ["phone", "phonenumber", "cell", "mobile"],
  [GUARDIAN.email]: ["email", "emailaddress"],
};

/** The field of each heading, each field of one heading only: of the first that names it. */
export function guessFields(
  headings: readonly string[],
  fields: readonly string[],
  labelOf: (field: string) => string,
): (string | undefined)[] {
  const guessed = headings.map((heading) => {
    const rest = GUARDIAN_HEADING.exec(plain(heading))?.[1];
    const guardian = GUARDIAN_FIELDS.find(
      (field) =>
        fields.includes(field) && rest !== undefined && GUARDIAN_NAMES[field]?.includes(rest),
    );
    return guardian ?? guessField(heading, fields, labelOf);
  });
  return guessed.map((field, index) => (guessed.indexOf(field) === index ? field : undefined));
}

/** What the people of a sheet without roles are, by the name of its file and what their headings say. */
export function guessRole(fileName: string, headings: readonly string[]): Role {
  const name = plain(fileName);
  const kinds: [RegExp, Role][] = [
    [/client|patient|child|kid|learner/, "PATIENT"],
    [/caregiver|parent|guardian|famil/, "CAREGIVER"],
    [/technician|rbt|therapist/, "TECHNICIAN"],
    [/clinician|bcba|provider/, "CLINICIAN"],
  ];
  const [, role] = kinds.find(([words]) => words.test(name)) ?? [];
  const isOfPatients = headings.some((each) =>
    /dob|birth|guardian|parent|^client|^patient/.test(plain(each)),
  );
  return role ?? (isOfPatients ? "PATIENT" : "TECHNICIAN");
}

/** A record of the practice with what a sheet may say of it. */
export interface KnownCaregiver {
  publicId: string;
  name: string;
  email: string;
  phoneNumber: string;
}

/** The rows of CSV. */
export interface Prepared {
  head: string[];
  rows: string[][];
  /** The number of the sheet's row, as a spreadsheet counts, from which each comes. */
  sources: number[];
}

/**
 * The rows of CSV that a sheet becomes: words as values, a role and ids where it has none, and its guardians as
 * caregivers, one for all rows with the same email, else the same name and phone.
 *
 * @param known the caregivers who are there already.
 */
export function prepare(
  sheet: Sheet,
  optionsOf: OptionsOf,
  known: readonly KnownCaregiver[] = [],
): Prepared {
  const { rows, fields, role, ids } = sheet;
  const own = fields.flatMap((field, index) =>
    field === undefined || GUARDIAN_FIELDS.includes(field) ? [] : [{ field, index }],
  );
  const added = {
    publicId: !fields.includes("publicId"),
    role: role !== undefined && !fields.includes("role"),
    caregiverId: fields.some((field) => field !== undefined && GUARDIAN_FIELDS.includes(field)),
  };
  const guardians = new Map<string, Guardian>();
  const records = rows.map((row, at) => {
    const record: Record<string, string> = {};
    if (added.publicId) record.publicId = ids[at] ?? "";
    if (added.role) record.role = role ?? "";
    for (const { field, index } of own)
      record[field] = cellOf(sheet, field, row[index] ?? "", optionsOf(field));
    const guardian = added.caregiverId ? guardianOf(sheet, at, record.lastName ?? "") : undefined;
    if (guardian === undefined) return record;
    const first = guardians.get(guardian.key) ?? guardian;
    guardians.set(guardian.key, first);
    first.publicId = known.find((each) => isSame(each, first))?.publicId ?? first.publicId;
    return { ...record, caregiverId: first.publicId };
  });
  const caregivers = [...guardians.values()].map(({ key, row, ...caregiver }) => ({
    ...caregiver,
    role: "CAREGIVER",
  }));
  const all: Record<string, string>[] = [...records, ...caregivers];
  const head = [...new Set(all.flatMap((record) => Object.keys(record)))];
  return {
    head,
    rows: all.map((record) => head.map((field) => record[field] ?? "")),
    sources: [...rows.map((_, at) => at + 2), ...[...guardians.values()].map(({ row }) => row)],
  };
}

interface Guardian {
  /** What makes them the same person. */
  key: string;
  /** The row that names them first. */
  row: number;
  publicId: string;
  firstName: string;
  lastName: string;
  phoneNumber: string;
  email: string;
}

/** The guardian of a row; undefined if it names none. */
function guardianOf(sheet: Sheet, at: number, childsLastName: string): Guardian | undefined {
  const { rows, fields, ids } = sheet;
  const cell = (field: string): string => {
    const index = fields.indexOf(field);
    return index < 0 ? "" : (rows[at]?.[index]?.trim() ?? "");
  };
  const whole = nameParts(cell(GUARDIAN.name));
  const firstName = cell(GUARDIAN.firstName) || whole.firstName;
  const lastName = cell(GUARDIAN.lastName) || whole.lastName || childsLastName;
  const phoneNumber = phoneValue(cell(GUARDIAN.phoneNumber));
  const email = cell(GUARDIAN.email);
  if (firstName === "" && email === "" && phoneNumber === "") return undefined;
  // Two people with one name, of whom nothing else is known, are two.
  const named = phoneNumber === "" ? `row ${at}` : `${plain(firstName + lastName)} ${phoneNumber}`;
  const key = email === "" ? named : email.toLowerCase();
  return {
    key,
    row: at + 2,
    publicId: `${ids[at]}_caregiver`,
    firstName,
    lastName,
    phoneNumber,
    email,
  };
}

/** `Ruiz, Maria` and `Maria Ruiz` */
function nameParts(name: string): { firstName: string; lastName: string } {
  const [last = "", first] = name.split(",").map((part) => part.trim());
  if (first !== undefined) return { firstName: first, lastName: last };
  const words = name.split(/\s+/);
  return { firstName: words.slice(0, -1).join(" ") || name, lastName: words.slice(1).at(-1) ?? "" };
}

function isSame(known: KnownCaregiver, guardian: Guardian): boolean {
  if (guardian.email !== "") return known.email.toLowerCase() === guardian.email.toLowerCase();
  return (
    guardian.phoneNumber !== "" &&
    known.phoneNumber === guardian.phoneNumber &&
    plain(known.name) === plain(guardian.firstName + guardian.lastName)
  );
}

/** A cell as the API reads it. */
function cellOf(
  { words }: Sheet,
  field: string,
  cell: string,
  options: readonly MatchOption[] | undefined,
): string {
  if (field === "phoneNumber") return phoneValue(cell.trim());
  if (options === undefined) return cell;
  return partsOf(cell)
    .map((word) => words[field]?.[word] || matchOf(word, options) || word)
    .filter((value) => value !== LEFT_EMPTY)
    .join(";");
}

/** The records as they were; those that were not there are deleted. */
export function undoOf(type: string, ids: readonly string[], before: readonly Line[]): Line[] {
  const stored = new Map(before.map((line) => [line.publicId, line]));
  return [...new Set(ids)].map(
    (publicId) => stored.get(publicId) ?? { type, publicId, deleted: true },
  );
}

/** What a row calls its record: a person's name, a title, a number; empty if it says none. */
export function nameOfRow(head: readonly string[], row: readonly string[]): string {
  const cell = (field: string): string => row[head.indexOf(field)] ?? "";
  const person = [cell("firstName"), cell("lastName")].filter(Boolean).join(" ");
  return person || cell("name") || cell("title") || cell("authorizationNumber");
}
