import { endOfDay } from "../base/dates.ts";
import type { Line } from "../base/lines.ts";
import { BY_ROLE, constantOf } from "./constants.ts";
import { fullNameOf, isCredential, isDegree, nameKeys, plain } from "./names.ts";
import { only, PROVIDERS } from "./practice.ts";
import type { Fields } from "./reader.ts";
import type { RecordOfRows } from "./record.ts";
import { recordIn } from "./resolving.ts";
import type { ReadRow } from "./row.ts";
import { CREDENTIALS } from "./words.ts";

/** The insurances in a patient's row, the certificate in a provider's, and what is stored of both. */

type Entry = Record<string, unknown>;

/** What a row says of an insurance or certificate, and what stands for what it does not say. */
interface SaidEntry {
  said: Entry;
  otherwise: Entry;
  /** Of an insurance, its holder. */
  holder?: Entry;
}

/** Says what an entry lacks. @returns whether it lacks anything. */
function lacks(row: ReadRow, field: Fields, entry: string, needed: Entry): boolean {
  const missing = Object.keys(needed).filter((name) => !needed[name]);
  if (missing.length === 0) return false;
  const are = missing.length === 1 ? "is" : "are";
  row.note(field, `${entry} left out: ${missing.join(" and ")} ${are} missing`);
  return true;
}

/** Those of some values that there are. */
function filled(values: Entry): Entry {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value));
}

/** The entries of a row with a payor or a member number; one that lacks what it requires is left out, and said. */
export function insuranceEntries(row: ReadRow, patient: Line): SaidEntry[] {
  const { reader } = row;
  const { addressLine1, addressLine2, city, state, postalCode } = patient;
  return ["insurance", "insurance2"].flatMap((id) => {
    const cell = (name: string): string => row.get(`${id}.${name}`);
    const heading = [`${id}.payor`, `${id}.memberId`];
    if (!row.says(...heading)) {
      const others = ["groupId", "holder", "holderBirth", "relationship", "from", "to"];
      if (row.says(...others.map((name) => `${id}.${name}`)))
        lacks(row, heading, "insurance", { payor: "", "member number": "" });
      return [];
    }
    const memberId = cell("memberId");
    const isOwn = isHolder(cell("holder"), patient);
    if (isOwn) sayOfOtherHolder(row, id, patient);
    const relationshipToPatient = isOwn ? "SELF" : relationOf(row, id);
    const insuredBirthDate = isOwn ? patient.birthDate : row.day(`${id}.holderBirth`);
    const [from, payor] = [`${id}.from`, cell("payor")];
    // An empty cell stays so, whatever is chosen for all rows.
    const firstDay = reader.has(from) ? row.day(from) : constantOf(reader, "insurance.from");
    const needed = {
      ...{ payor, "member number": memberId },
      [`birth date of the ${isOwn ? "patient" : "holder"}`]: insuredBirthDate,
      "the first day": row.says(from) || firstDay || isStored(row, `${id}.payor`, patient),
    };
    if (lacks(row, heading, "insurance", needed)) return [];
    const payorId = recordIn(row, `${id}.payor`, "payor");
    // A word that means nothing yet is a mistake already.
    if (payorId === undefined) return [];
    if (isOwn) row.note(heading, "the patient is taken as the holder");
    const holder = {
      ...{ relationshipToPatient, insuredBirthDate },
      planHolder: isOwn ? fullNameOf(patient) : cell("holder"),
      insuredAddress: filled({ addressLine1, addressLine2, city, state, postalCode }),
    };
    const priority = id === "insurance" ? "PRIMARY" : "SECONDARY";
    const said = filled({
      ...{ payorId, memberId, groupId: cell("groupId") },
      // Only a sheet of two says which of them comes first.
      priority: reader.has("insurance2.payor", "insurance2.memberId") && priority,
      ...(reader.has(`${id}.holder`) && holder),
      effectiveStartDate: reader.has(from) && firstDay,
      effectiveEndDate: row.day(`${id}.to`),
    });
    const otherwise = { ...holder, priority, groupId: null, effectiveStartDate: firstDay };
    return [{ said, otherwise, holder }];
  });
}

/** Whether a patient has an insurance of the payor in a cell. */
function isStored(row: ReadRow, field: string, { payors = [] }: Line): boolean {
  const word = row.get(field);
  const payor = row.sheet.words[field]?.[word] || row.practice.named("payor", word);
  return (payors as Entry[]).some(({ payorId }) => payorId === payor);
}

/** Whether the patient is the holder: where nobody is named, or they are. */
function isHolder(holder: string, patient: Line): boolean {
  if (/^(?:self|same|patient|client)?$/i.test(holder)) return true;
  const own = nameKeys(fullNameOf(patient));
  return nameKeys(holder).some((key) => own.includes(key));
}

/** What a row without a holder's name says of one cannot be stored. */
function sayOfOtherHolder(row: ReadRow, id: string, { birthDate }: Line): void {
  const relationship = row.word(`${id}.relationship`);
  const birth = row.day(`${id}.holderBirth`);
  const says = (name: string): void =>
    row.note(`${id}.${name}`, "left out: the row names no other holder", row.get(`${id}.${name}`));
  if (relationship !== "" && relationship !== "SELF") says("relationship");
  if (birth !== undefined && birth !== birthDate) says("holderBirth");
}

function relationOf(row: ReadRow, id: string): string {
  const value = row.choice(`${id}.relationship`);
  if (value && value !== "SELF") return value;
  row.note(`${id}.holder`, "the holder is taken as a parent", row.get(`${id}.holder`));
  return "PARENT";
}

export const PRIORITIES = ["PRIMARY", "SECONDARY", "TERTIARY"];

/** An entry replaces the stored one with the same payor, else of the same priority; others stay. */
export function mergedPayors(record: RecordOfRows, entries: readonly SaidEntry[]): Entry[] {
  const merged = new Merged(record, "payors");
  const { known = [], others = [] } = Object.groupBy(entries, ({ said }) =>
    merged.placeOf("payorId", said) < 0 ? "others" : "known",
  );
  for (const { said, holder, otherwise } of [...known, ...others]) {
    // The stored one, or that of an earlier row.
    const at = merged.placeOf("payorId", said);
    const old = merged.entries[at];
    // A holder who is stored stays; the patient as the holder goes along with what is new of them.
    const own = old?.relationshipToPatient === "SELF" && holder;
    const entry: Entry = { ...(old ?? otherwise), ...own, ...said };
    if (old !== undefined && merged.made.has(old) && old.memberId !== entry.memberId)
      record.row.note(
        ["insurance.memberId", "insurance2.memberId"],
        "two numbers with one payor: only the last is kept",
        String(old.memberId),
        String(entry.memberId),
      );
    // Of several rows of one patient, the first says what comes first.
    const made = merged.entries.filter((each) => each !== old && merged.made.has(each));
    const taken = made.map(({ priority }) => priority);
    if (taken.includes(entry.priority))
      entry.priority = old?.priority ?? PRIORITIES.find((each) => !taken.includes(each));
    merged.put(at < 0 ? merged.placeOf("priority", entry, true) : at, entry);
  }
  return merged.entries;
}

/** The entries of a list that an import changes. */
class Merged {
  readonly entries: Entry[];
  readonly made: Set<Entry>;

  /** What other sheets of the import say adds up. */
  constructor({ reader, id, stored }: RecordOfRows, field: string) {
    const before = (stored?.[field] as Entry[] | undefined) ?? [];
    const written = reader.context.practice.writtenOf("user", id)?.[field] as Entry[] | undefined;
    this.entries = [...(written ?? before)];
    this.made = new Set(this.entries.filter((each) => !before.includes(each)));
  }

  /** The place of the entry with the same value of a field, or -1. */
  placeOf(field: string, entry: Entry, isStored = false): number {
    return this.entries.findIndex(
      (each) => each[field] === entry[field] && !(isStored && this.made.has(each)),
    );
  }

  put(at: number, entry: Entry): void {
    this.made.add(entry);
    this.entries[at < 0 ? this.entries.length : at] = entry;
  }
}

/** The certificate of a row with its number; one without what it requires is left out, and said. */
export function certificateOf(row: ReadRow, person: Line): SaidEntry | undefined {
  const { reader } = row;
  const cell = (name: string): string => row.get(`certificate.${name}`);
  const field = "certificate.number";
  if (!row.says(field)) {
    // Without a column of roles, the credential says the role.
    const others = ["expires", "status", "area", ...(reader.has("role") ? ["type"] : [])];
    if (row.says(...others.map((name) => `certificate.${name}`)))
      lacks(row, field, "certificate", { "the number": "" });
    return undefined;
  }
  // Whose role is a mistake has no other.
  if (person.role === undefined) return undefined;
  if (!PROVIDERS.includes(String(person.role))) {
    row.note(field, "certificate left out: only technicians and clinicians have one");
    return undefined;
  }
  // An empty cell stays so, whatever is chosen for all rows.
  const ofAll = (name: string): string =>
    reader.has(`certificate.${name}`) ? "" : constantOf(reader, `certificate.${name}`);
  const constant = ofAll("type");
  const proposed = constant === BY_ROLE ? credentialOfRole(row.get("role")) : constant;
  const said = credentialOfRole(cell("type")) ?? cell("type");
  const own = said.split(/\s*[,;]\s*/).filter((word) => !isDegree(word));
  const type = only(own) ?? said;
  if (type !== said) row.note("certificate.type", "degrees left out", said, type);
  const credentialType = type || proposed;
  const day = row.day("certificate.expires");
  const needed = { "the day of expiry": day, "the credential": credentialType };
  if (lacks(row, field, "certificate", needed)) return undefined;
  const entry = filled({
    ...{ credentialNumber: cell("number"), credentialType },
    expiresAt: day && endOfDay(day, reader.context.zone),
    credentialStatus: cell("status").replace(/^active$/i, "ACTIVE"),
    practiceArea: cell("area"),
  });
  const otherwise = { practiceArea: ofAll("area"), credentialStatus: ofAll("status") };
  return { said: entry, otherwise };
}

/** A certificate replaces the stored one with the same number, else of the same type; others stay. */
export function mergedCredentials(record: RecordOfRows, entries: readonly SaidEntry[]): Entry[] {
  const merged = new Merged(record, "credentials");
  for (const { said, otherwise } of entries) {
    const numbered = merged.placeOf("credentialNumber", said);
    const at = numbered < 0 ? merged.placeOf("credentialType", said, true) : numbered;
    merged.put(at, { ...otherwise, ...merged.entries[at], ...said });
  }
  return merged.entries;
}

/** The credential that a role's word is, such as `RBT`. */
function credentialOfRole(word: string): string | undefined {
  const known = CREDENTIALS.find((each) => plain(each) === plain(word));
  return known ?? (isCredential(word.trim()) ? word.trim() : undefined);
}
