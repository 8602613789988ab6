import type { Line } from "../base/lines.ts";
import { BY_CERTIFICATE, constantOf } from "./constants.ts";
import { certificateOf, insuranceEntries, mergedCredentials, mergedPayors } from "./entries.ts";
import type { SheetType } from "./fields.ts";
import {
  fullNameOf,
  nameKey,
  nameKeys,
  type PersonName,
  plain,
  type SplitName,
  splitName,
} from "./names.ts";
import { CLINICIANS, OFFICE, TECHNICIANS } from "./practice.ts";
import type { SheetReader } from "./reader.ts";
import { makeRecords, type RecordOfRows } from "./record.ts";
import { type ReadRow, rowsOf } from "./row.ts";
import { valueOfWord } from "./words.ts";

/** Patients with their guardians and insurances, staff with their certificates, caregivers. */

interface Kind {
  /** Of those who are stored. */
  roles: readonly string[];
  /** The words of a role column that mean them: a list of everybody, as an export is, has others, who are left out. */
  words: RegExp;
  /** What is nobody else's. */
  key: "internalRecordId" | "email";
  /** What tells people of one name apart: of a row (undefined if it does not), and of a stored person. */
  apart: (row: ReadRow) => string | undefined;
  apartOf: (person: Line) => string;
  /** Whether a stored person without the key may be that of a row of the same name. */
  isSame: (apart: string | undefined, other: string, row: ReadRow) => boolean;
  fill: (record: RecordOfRows, name: PersonName | undefined) => void | false;
}

const GROUPS = [TECHNICIANS, CLINICIANS, OFFICE];
const NO_GROUP = "-1";

function groupOf(role: unknown): string {
  return String(GROUPS.findIndex((group) => group.includes(String(role))));
}

const KINDS: Partial<Record<SheetType, Kind>> = {
  patients: {
    roles: ["PATIENT"],
    words: /^(?:patient|client|child)?$/,
    key: "internalRecordId",
    apart: (row) => row.day("birthDate") ?? "",
    apartOf: ({ birthDate }) => text(birthDate),
    isSame: (birth, other) => birth === other,
    fill: fillPatient,
  },
  staff: {
    roles: GROUPS.flat(),
    // Whatever else is no role is a mistake.
    words: /^(?!(?:patient|client|caregiver|guardian|parent)$)/,
    key: "email",
    apart: (row) => groupOf(roleIn(row)),
    apartOf: ({ role }) => groupOf(role),
    isSame: (group, other) => group === NO_GROUP || group === other,
    fill: fillStaff,
  },
  caregivers: {
    roles: ["CAREGIVER"],
    words: /^(?:caregiver|guardian|parent)?$/,
    key: "email",
    apart: (row) => row.get("phoneNumber") || undefined,
    apartOf: ({ phoneNumber }) => text(phoneNumber),
    isSame: (phone, other, row) => phone === other && !row.says("email"),
    fill: ({ reader, row, id, fields, stored }, name) => {
      if (stored === undefined) fields.role = "CAREGIVER";
      const key = guardianKey(row.get("email"), row.get("phoneNumber"), name);
      if (key !== undefined) reader.context.guardians.set(key, id);
    },
  },
};

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function makePeople(reader: SheetReader): void {
  const { roles, words, key, apart, apartOf, isSame, fill } = KINDS[reader.sheet.type] as Kind;
  const { practice } = reader.context;
  const known = practice.storedOfType("user").filter(({ role }) => roles.includes(text(role)));
  const byId = new Set(known.map(({ publicId }) => publicId));
  const byKey = Map.groupBy(known, (each) => text(each[key]).toLowerCase());
  const byName = Map.groupBy(known, (each) => nameKey(each));
  byName.delete("");
  const keyIn = (row: ReadRow): string => row.get(key).toLowerCase();
  const namesakes = (row: ReadRow): Line[] => byName.get(nameKey(nameIn(row))) ?? [];
  const rows = rowsOf(reader).filter((row) => {
    const isOwn = !reader.has("role") || words.test(plain(row.get("role")));
    if (!isOwn) row.note("role", "left out: is of another kind", row.get("role"));
    return isOwn;
  });
  const about = {
    idOf: (row: ReadRow) => (byId.has(row.get("publicId")) ? row.get("publicId") : undefined),
    keyOf: (row: ReadRow) => {
      const [name, other] = [nameKey(nameIn(row)), apart(row)];
      const own = keyIn(row) || (name && other !== undefined && `${name} ${other}`);
      return own ? `${roles[0]} ${own}` : undefined;
    },
    storedFor: (row: ReadRow) => {
      const [own, other] = [keyIn(row), apart(row)];
      const [keyed] = own === "" ? [] : (byKey.get(own) ?? []);
      // Two different keys are two people.
      const [found, ...others] = namesakes(row).filter(
        (each) => (own === "" || !each[key]) && isSame(other, apartOf(each), row),
      );
      return keyed ?? (others.length > 0 ? undefined : found);
    },
  };
  makeRecords("user", rows, about, (record) => {
    const { row, stored } = record;
    const [namesake] = namesakes(row);
    if (reader.sheet.type === "patients" && stored === undefined && namesake !== undefined)
      row.note(NAMES.toReversed(), "same name as a patient who is there", fullNameOf(namesake));
    for (const each of record.rows)
      if (each.says("publicId") && !byId.has(each.get("publicId")))
        each.note("publicId", "left out: is the ID of nobody who is there", each.get("publicId"));
    const name = setName(record);
    record.setOwn();
    return fill(record, name);
  });
}

const NAMES = ["firstName", "lastName", "name"];

/** The name in a row; undefined if it is not whole. */
function nameIn(row: ReadRow): SplitName | undefined {
  const [firstName, lastName] = [row.get("firstName"), row.get("lastName")];
  // Whole names are in one column only where there is no other: of two, one has what is no person, such as a total.
  const areBoth = row.reader.has("firstName") && row.reader.has("lastName");
  const name =
    firstName !== "" && lastName !== ""
      ? { firstName, lastName, isGuess: false }
      : splitName(row.get("name") || (areBoth ? "" : firstName + lastName));
  return name && { ...name, lastName: `${name.lastName} ${row.get("suffix")}`.trim() };
}

/** The name of a record, which is noted where it was split by a guess; a mistake if it is not whole. */
function setName(record: RecordOfRows): PersonName | undefined {
  const { reader, rows, row: first, fields } = record;
  for (const field of NAMES) record.rowOf(field);
  const row = rows.find((each) => nameIn(each) !== undefined) ?? first;
  const name = nameIn(row);
  if (name === undefined) {
    const isParted = reader.has("firstName", "lastName");
    const field = isParted ? (row.says("lastName") ? "firstName" : "lastName") : "name";
    return row.mistake(field, row.says("name") && !isParted ? "first and last name" : "is empty");
  }
  const { firstName, lastName } = name;
  const keys = nameKeys(fullNameOf(name));
  for (const each of rows)
    if (each.says("name") && !nameKeys(each.get("name")).some((key) => keys.includes(key)))
      each.note("name", "left out: another name stands in other columns", each.get("name"));
  if (name.isGuess && row.says("name")) sayOfGuess(row, "name", name);
  Object.assign(fields, { firstName, lastName });
  return name;
}

function sayOfGuess(row: ReadRow, field: string, { firstName, lastName }: PersonName): void {
  row.note(field, "split by a guess", row.get(field), `${firstName} | ${lastName}`);
}

function fillPatient(record: RecordOfRows, name: PersonName | undefined): void {
  const { reader, rows, stored, fields } = record;
  if (stored === undefined) {
    fields.role = "PATIENT";
    if (!reader.has("userStatus")) fields.userStatus = constantOf(reader, "userStatus");
  }
  for (const row of rows) setGuardian(record, row, name?.lastName ?? "");
  const patient = { ...stored, ...fields } as Line;
  const entries = rows.flatMap((row) => insuranceEntries(row, patient));
  if (entries.length > 0) fields.payors = mergedPayors(record, entries);
}

/** Whose email, else whose name and phone are the same, are one guardian. */
function guardianKey(email: string, phone: string, name: PersonName | undefined) {
  const key = nameKey(name);
  return email.toLowerCase() || (key && phone ? `${key} ${phone}` : undefined);
}

const GUARDIANS_NAME = ["guardian.name", "guardian.firstName"];

/** The guardian of a patient's row, a record of their own. */
function setGuardian(record: RecordOfRows, row: ReadRow, childsLastName: string): void {
  const { stored, fields, reader } = record;
  const { practice, guardians } = reader.context;
  const cell = (field: string): string => row.get(`guardian.${field}`);
  const split = splitName(cell("name"));
  const firstName = cell("firstName") || split?.firstName || cell("name");
  const lastName = cell("lastName") || split?.lastName || childsLastName;
  const [phoneNumber, email] = [cell("phoneNumber"), cell("email")];
  if (firstName + phoneNumber + email === "") return;
  if (split?.isGuess) sayOfGuess(row, "guardian.name", split);
  if (firstName === "") {
    const contact = ["guardian.phoneNumber", "guardian.email"];
    return row.note(contact, "left out: a guardian without a name");
  }
  const name = { firstName, lastName };
  const shared = guardianKey(email, phoneNumber, name);
  const key = shared ?? `${record.id} ${nameKey(name)}`;
  const own = practice.storedOf("user", stored?.caregiverId);
  const found = practice.caregiver(shared) ?? (nameKey(own) === nameKey(name) ? own : undefined);
  const id = found?.publicId ?? guardians.get(key) ?? practice.ids.idOf("user", `CAREGIVER ${key}`);
  if (fields.caregiverId !== undefined && fields.caregiverId !== id)
    return row.note(GUARDIANS_NAME, "left out: a second guardian", fullNameOf(name));
  fields.caregiverId = id;
  guardians.set(key, id);
  // Of several rows the first says who they are; others may know more.
  const written = practice.writtenOf("user", id);
  const filled = Object.entries({ firstName, lastName, phoneNumber, email }).filter(
    ([field, value]) => value !== "" && !written?.[field],
  );
  const role = found === undefined ? { role: "CAREGIVER" } : {};
  practice.write({ type: "user", publicId: id, ...role, ...Object.fromEntries(filled) }, row, true);
}

function fillStaff(record: RecordOfRows): void | false {
  const { rows, stored, fields } = record;
  setRole(record, rows.map(roleIn).find(Boolean));
  const person = { ...stored, ...fields } as Line;
  const certificates = rows.flatMap((row) => certificateOf(row, person) ?? []);
  if (certificates.length > 0) fields.credentials = mergedCredentials(record, certificates);
  if (person.role === undefined) return false;
}

/** What a role's word says, else what is chosen for all rows. */
function roleIn(row: ReadRow): string | undefined {
  const { reader } = row;
  if (reader.has("role")) return row.word("role") || undefined;
  const constant = constantOf(reader, "role");
  if (constant !== BY_CERTIFICATE) return constant || undefined;
  const type = valueOfWord("role", row.get("certificate.type"));
  return type === "TECHNICIAN" || type === "CLINICIAN" ? type : undefined;
}

function setRole(record: RecordOfRows, role: string | undefined): void {
  const { reader, stored, row, fields } = record;
  const hasColumn = reader.has("role");
  if (role === undefined) {
    if (record.rowOf("role").choice("role") === "" && stored === undefined)
      row.mistake("role", hasColumn ? "is empty" : "nothing says what this person is");
    return;
  }
  const isAdministrator = stored?.role === "ADMIN";
  const isOtherGroup = groupOf(stored?.role) !== groupOf(role);
  if (stored === undefined || (hasColumn && !isAdministrator && isOtherGroup)) {
    fields.role = role;
    if (role === "ADMIN") row.note("role", "becomes an administrator", fullNameOf(fields));
  } else if (hasColumn && isAdministrator && role !== "ADMIN")
    row.note("role", "stays an administrator", fullNameOf(stored));
}
