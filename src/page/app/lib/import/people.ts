import type { Line } from "../base/lines.ts";
import { nameKeys, plain, splitName } from "./names.ts";
import { CLINICIANS, OFFICE, type Practice, PROVIDERS, TECHNICIANS } from "./practice.ts";
import type { ReadRow, SheetReader } from "./reader.ts";
import { fullNameOf } from "./resolving.ts";
import { byKey, type Making, RecordOfRows, requiredWord } from "./rows.ts";
import { certificateOf, insuranceEntries, mergedCredentials, mergedPayors } from "./entries.ts";
import { valueOfWord } from "./words.ts";

/** Patients with their guardians and insurances, staff with their certificates, caregivers. */

interface RowName {
  firstName: string;
  lastName: string;
}

/** The name in a row; undefined if it is not whole. */
function nameIn(row: ReadRow): (RowName & { isGuess: boolean }) | undefined {
  const suffix = row.get("suffix");
  const [firstName, lastName] = [row.get("firstName"), row.get("lastName")];
  if (firstName !== "" && lastName !== "")
    return { firstName, lastName: [lastName, suffix].filter(Boolean).join(" "), isGuess: false };
  const split = splitName(row.get("name") || `${firstName} ${lastName}`.trim());
  return split && { ...split, lastName: [split.lastName, suffix].filter(Boolean).join(" ") };
}

/** The name of a record, which is noted where it was split by a guess; a mistake if it is not whole. */
function setName(record: RecordOfRows): RowName | undefined {
  const { reader } = record;
  const isParted = reader.has("firstName", "lastName");
  for (const field of ["firstName", "lastName", "name"]) record.text(field);
  const row = record.rows.find((each) => nameIn(each) !== undefined) ?? record.row;
  const name = nameIn(row);
  if (name === undefined) {
    const isThere = ["firstName", "lastName", "name"].some((field) => row.get(field) !== "");
    const field = isParted ? (row.get("lastName") === "" ? "lastName" : "firstName") : "name";
    reader.mistake(row.number, field, isThere && !isParted ? "first and last name" : "is empty");
    return undefined;
  }
  const { firstName, lastName, isGuess } = name;
  if (isGuess && row.get("name") !== "")
    reader.note(row.number, "name", "split by a guess", {
      ...{ from: row.get("name"), to: `${firstName} | ${lastName}` },
    });
  Object.assign(record.fields, { firstName, lastName });
  return { firstName, lastName };
}

function keyOfName(row: ReadRow): string | undefined {
  const name = nameIn(row);
  return name && nameKeys(`${name.firstName} ${name.lastName}`)[0];
}

function setContact(record: RecordOfRows): void {
  record.set("phoneNumber", "phoneNumber", record.text("phoneNumber"));
  record.set("email", "email", record.text("email"));
}

function setPlaces(record: RecordOfRows, { resolving }: Making): void {
  const field = "locationIds";
  const row = record.rowOf(field);
  const id = resolving.record(record.reader, row, field, "location");
  if (row.get(field) === "" || id !== undefined) record.set(field, field, id && [id]);
}

/** Writes a person's line, and says whose name is there already. */
function writePerson(record: RecordOfRows, id: string, making: Making, isGuardian = false): void {
  const { reader, rows } = record;
  for (const { number } of rows)
    making.practice.write("user", id, record.fields, { reader, row: number, isGuardian });
}

function storedPeople(practice: Practice, roles: readonly string[]): Line[] {
  return practice.stored.lines.filter(
    ({ type, role }) => type === "user" && roles.includes(String(role)),
  );
}

/** Stored people by some text of theirs. */
function indexed(people: readonly Line[], textOf: (person: Line) => string): Map<string, Line[]> {
  const index = Map.groupBy(people, textOf);
  index.delete("");
  return index;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const KINDS: Record<string, RegExp> = {
  patients: /^(?:patient|client|child)?$/,
  caregivers: /^(?:caregiver|guardian|parent)?$/,
  // Whatever else is no role is a mistake.
  staff: /^(?!(?:patient|client|caregiver|guardian|parent)$)/,
};

/** The rows of people of the sheet's kind; a list of everybody, as an export is, has others, who are left out. */
function rowsOf(reader: SheetReader): ReadRow[] {
  const kind = KINDS[reader.sheet.type] as RegExp;
  return reader.rows.filter((row) => {
    const role = row.get("role");
    const isOwn = !reader.has("role") || kind.test(plain(role));
    if (!isOwn) reader.note(row.number, "role", "left out: is of another kind", { from: role });
    return isOwn;
  });
}

export function makePatients(reader: SheetReader, making: Making): void {
  const { practice, resolving } = making;
  const known = storedPeople(practice, ["PATIENT"]);
  const byId = indexed(known, ({ publicId }) => publicId);
  const byNumber = indexed(known, (each) => text(each.internalRecordId).toLowerCase());
  const byName = indexed(known, (each) => nameKeys(fullNameOf(each))[0] ?? "");
  const own = rowsOf(reader);
  const births = new Map(own.map((row) => [row, reader.day(row, "birthDate")]));
  const keyOf = (row: ReadRow): string | undefined => {
    const id = ownIdIn(row, byId);
    if (id !== undefined) return `id ${id}`;
    const number = row.get("internalRecordId").toLowerCase();
    if (number !== "") return `number ${number}`;
    const name = keyOfName(row);
    return name && `name ${name} ${births.get(row) ?? ""}`;
  };
  const storedFor = (row: ReadRow): Line | undefined => {
    const id = ownIdIn(row, byId);
    if (id !== undefined) return byId.get(id)?.[0];
    const number = row.get("internalRecordId").toLowerCase();
    const numbered = number === "" ? undefined : byNumber.get(number)?.[0];
    if (numbered !== undefined) return numbered;
    const birth = births.get(row) ?? "";
    // Of the same name and birth date, unless two record numbers say that they are two.
    const same = (byName.get(keyOfName(row) ?? "") ?? []).filter(
      (each) =>
        text(each.birthDate) === birth && (number === "" || text(each.internalRecordId) === ""),
    );
    return same.length === 1 ? same[0] : undefined;
  };
  for (const rows of byKey(own, keyOf)) {
    const [row] = rows as [ReadRow];
    const stored = storedFor(row);
    const record = new RecordOfRows(reader, rows, stored);
    const id =
      stored?.publicId ??
      practice.ids.idOf("user", `PATIENT ${keyOf(row) ?? `${reader.sheet.name} ${row.number}`}`);
    if (stored === undefined) {
      record.fields.role = "PATIENT";
      const [same] = byName.get(keyOfName(row) ?? "") ?? [];
      if (same !== undefined)
        reader.note(
          row.number,
          ["name", "lastName", "firstName"],
          "same name as a patient who is there",
          {
            from: fullNameOf(same),
          },
        );
    }
    const name = setName(record);
    record.text("birthDate");
    record.set("birthDate", "birthDate", births.get(record.rowOf("birthDate")));
    for (const field of [
      "internalRecordId",
      "addressLine1",
      "addressLine2",
      "city",
      "state",
      "postalCode",
      "country",
    ])
      record.set(field, field, record.text(field));
    setContact(record);
    for (const field of ["sex", "userStatus"]) record.set(field, field, wordKept(record, field));
    if (stored === undefined && !reader.has("userStatus"))
      record.fields.userStatus = making.constant(reader, "userStatus");
    setPlaces(record, making);
    const clinician = resolving.person(
      reader,
      record.rowOf("primaryClinicianId"),
      "primaryClinicianId",
      PROVIDERS,
    );
    record.set("primaryClinicianId", "primaryClinicianId", clinician?.publicId);
    setTeam(record, making);
    setGuardian(record, id, name?.lastName ?? "", making);
    const patient = { ...stored, ...record.fields } as Line;
    const entries = rows.flatMap((each) => insuranceEntries(reader, each, patient, making));
    if (entries.length > 0) record.fields.payors = mergedPayors(stored, entries);
    writePerson(record, id, making);
  }
}

/** The id in a row of a column that has our own ids. */
function ownIdIn(row: ReadRow, known: ReadonlyMap<string, unknown>): string | undefined {
  const id = row.get("publicId");
  return known.has(id) ? id : undefined;
}

/** The value of a word; as it is if it means none that is known. */
function wordKept(record: RecordOfRows, field: string): string {
  const row = record.rowOf(field);
  const value = record.reader.fixed(row, field);
  if (value !== undefined) return value;
  record.reader.note(row.number, field, "is none of the known words, kept as it is", {
    from: row.get(field),
  });
  return row.get(field);
}

function setTeam(record: RecordOfRows, { resolving }: Making): void {
  const { reader } = record;
  const row = record.rowOf("clinicianIds");
  const names = row
    .get("clinicianIds")
    .split(/[;\n]|\s&\s/)
    .map((name) => name.trim());
  const ids = names.filter(Boolean).flatMap((name) => {
    const own: ReadRow = { number: row.number, get: () => name };
    return resolving.person(reader, own, "clinicianIds", PROVIDERS)?.publicId ?? [];
  });
  record.set("clinicianIds", "clinicianIds", ids.length > 0 ? ids : undefined);
}

/** The guardian of a patient's row, a record of their own. */
function setGuardian(
  record: RecordOfRows,
  patientId: string,
  childsLastName: string,
  making: Making,
): void {
  const { reader, stored } = record;
  const { practice, guardians } = making;
  for (const row of record.rows) {
    const cell = (field: string): string => row.get(`guardian.${field}`);
    const split = splitName(cell("name"));
    const firstName = cell("firstName") || split?.firstName || cell("name");
    const lastName = cell("lastName") || split?.lastName || childsLastName;
    const [phoneNumber, email] = [cell("phoneNumber"), cell("email")];
    if (firstName + phoneNumber + email === "") continue;
    if (firstName === "") {
      reader.note(
        row.number,
        ["guardian.phoneNumber", "guardian.email"],
        "left out: a guardian without a name",
      );
      continue;
    }
    const own = { publicId: "", type: "user", firstName, lastName, phoneNumber, email };
    const named = nameKeys(`${firstName} ${lastName}`)[0];
    const ownCaregiver = practice.storedOf("user", text(stored?.caregiverId));
    const isNamed = (each: Line): boolean => nameKeys(fullNameOf(each))[0] === named;
    const found =
      (email + phoneNumber === ""
        ? undefined
        : practice.caregiver(email, `${named} ${phoneNumber}`)) ??
      (ownCaregiver && isNamed(ownCaregiver) ? ownCaregiver : undefined);
    const key =
      email !== ""
        ? email.toLowerCase()
        : phoneNumber !== ""
          ? `${named} ${phoneNumber}`
          : `${patientId} ${named}`;
    const id =
      found?.publicId ?? guardians.get(key) ?? practice.ids.idOf("user", `CAREGIVER ${key}`);
    const earlier = record.fields.caregiverId;
    if (earlier !== undefined && earlier !== id) {
      reader.note(
        row.number,
        ["guardian.name", "guardian.firstName"],
        "left out: a second guardian",
        {
          from: fullNameOf(own),
        },
      );
      continue;
    }
    record.fields.caregiverId = id;
    guardians.set(key, id);
    // Of several rows the first says who they are; others may know more.
    const written = practice.writtenOf("user", id)?.line;
    const filled = Object.entries({ firstName, lastName, phoneNumber, email }).filter(
      ([field, value]) => value !== "" && !written?.[field],
    );
    const fields = {
      ...(found === undefined && { role: "CAREGIVER" }),
      ...Object.fromEntries(filled),
    };
    practice.write("user", id, fields, { reader, row: row.number, isGuardian: true });
  }
}

const GROUPS = [TECHNICIANS, CLINICIANS, OFFICE];

export function makeStaff(reader: SheetReader, making: Making): void {
  const { practice } = making;
  const known = storedPeople(practice, GROUPS.flat());
  const byId = indexed(known, ({ publicId }) => publicId);
  const byEmail = indexed(known, (each) => text(each.email).toLowerCase());
  const byName = indexed(known, (each) => nameKeys(fullNameOf(each))[0] ?? "");
  const groupOf = (role: unknown): number =>
    GROUPS.findIndex((group) => group.includes(String(role)));
  const own = rowsOf(reader);
  const roles = new Map(own.map((row) => [row, roleIn(reader, row, making)]));
  const keyOf = (row: ReadRow): string | undefined => {
    const email = row.get("email").toLowerCase();
    const id = ownIdIn(row, byId);
    if (id !== undefined) return `id ${id}`;
    if (email !== "") return `email ${email}`;
    const name = keyOfName(row);
    return name && `name ${name} ${groupOf(roles.get(row))}`;
  };
  for (const rows of byKey(own, keyOf)) {
    const [row] = rows as [ReadRow];
    const email = row.get("email").toLowerCase();
    const role = rows.map((each) => roles.get(each)).find(Boolean);
    const named = (byName.get(keyOfName(row) ?? "") ?? []).filter(
      (each) =>
        (email === "" || text(each.email) === "") &&
        (role === undefined || groupOf(each.role) === groupOf(role)),
    );
    const stored =
      byId.get(ownIdIn(row, byId) ?? "")?.[0] ??
      (email === "" ? undefined : byEmail.get(email)?.[0]) ??
      (named.length === 1 ? named[0] : undefined);
    const record = new RecordOfRows(reader, rows, stored);
    const id =
      stored?.publicId ??
      practice.ids.idOf("user", `STAFF ${keyOf(row) ?? `${reader.sheet.name} ${row.number}`}`);
    setName(record);
    setRole(record, role);
    setContact(record);
    record.set("npiNumber", "npiNumber", record.text("npiNumber"));
    const isActive = requiredWord(reader, record.rowOf("isActive"), "isActive");
    record.set("isActive", "isActive", isActive && isActive === "true");
    setPlaces(record, making);
    const person = { ...stored, ...record.fields } as Line;
    const certificates = rows.flatMap((each) => certificateOf(reader, each, person, making) ?? []);
    if (certificates.length > 0)
      record.fields.credentials = mergedCredentials(stored, certificates);
    if (stored !== undefined || record.fields.role !== undefined) writePerson(record, id, making);
  }
}

/** What a role's word says, else what is chosen for all rows. */
function roleIn(reader: SheetReader, row: ReadRow, making: Making): string | undefined {
  if (reader.has("role")) return reader.fixed(row, "role") || undefined;
  const constant = making.constant(reader, "role");
  if (constant !== BY_CERTIFICATE) return constant || undefined;
  const type = valueOfWord("role", row.get("certificate.type"));
  return type === "TECHNICIAN" || type === "CLINICIAN" ? type : undefined;
}

export const BY_CERTIFICATE = "certificate";

function setRole(record: RecordOfRows, role: string | undefined): void {
  const { reader, stored, row } = record;
  const before = text(stored?.role);
  if (role === undefined) {
    const word = record.rowOf("role").get("role");
    if (word !== "") void requiredWord(reader, record.rowOf("role"), "role");
    else if (stored === undefined)
      reader.mistake(
        row.number,
        "role",
        reader.has("role") ? "is empty" : "nothing says what this person is",
      );
    return;
  }
  const isSameGroup = GROUPS.some((group) => group.includes(before) && group.includes(role));
  if (stored === undefined || (reader.has("role") && before !== "ADMIN" && !isSameGroup)) {
    record.fields.role = role;
    if (role === "ADMIN")
      reader.note(row.number, "role", "becomes an administrator", {
        from: fullNameOf(record.fields as Line),
      });
  } else if (before !== role && reader.has("role") && before === "ADMIN")
    reader.note(row.number, "role", "stays an administrator", { from: fullNameOf(stored) });
}

export function makeCaregivers(reader: SheetReader, making: Making): void {
  const { practice, guardians } = making;
  const known = storedPeople(practice, ["CAREGIVER"]);
  const keyOf = (row: ReadRow): string | undefined => {
    const [email, phone, name] = [
      row.get("email").toLowerCase(),
      row.get("phoneNumber"),
      keyOfName(row),
    ];
    return email || (name && phone ? `${name} ${phone}` : undefined);
  };
  for (const rows of byKey(rowsOf(reader), keyOf)) {
    const [row] = rows as [ReadRow];
    const key = keyOf(row);
    const isSame = (each: Line): boolean =>
      [
        text(each.email).toLowerCase(),
        `${nameKeys(fullNameOf(each))[0]} ${text(each.phoneNumber)}`,
      ].includes(key ?? " ");
    const stored =
      known.find(({ publicId }) => publicId === row.get("publicId")) ?? known.find(isSame);
    const record = new RecordOfRows(reader, rows, stored);
    const id =
      stored?.publicId ??
      practice.ids.idOf("user", `CAREGIVER ${key ?? `${reader.sheet.name} ${row.number}`}`);
    if (stored === undefined) record.fields.role = "CAREGIVER";
    setName(record);
    setContact(record);
    if (key !== undefined) guardians.set(key, id);
    writePerson(record, id, making);
  }
}
