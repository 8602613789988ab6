import { endOfDay } from "../base/dates.ts";
import type { Line } from "../base/lines.ts";
import { isCredential, nameKeys, plain } from "./names.ts";
import { type Making, requiredWord } from "./rows.ts";
import { CREDENTIALS } from "./words.ts";
import { PROVIDERS } from "./practice.ts";
import type { ReadRow, SheetReader } from "./reader.ts";
import { fullNameOf } from "./resolving.ts";

/** The insurances in a patient's row, the certificate in a provider's, and what is stored of both. */

type Entry = Record<string, unknown>;

/** What a row says of an insurance, and what stands for what it does not say. */
export interface SaidEntry {
  said: Entry;
  otherwise: Entry;
}

const ADDRESS = ["addressLine1", "addressLine2", "city", "state", "postalCode"];

function addressOf(patient: Line): Entry {
  return Object.fromEntries(
    ADDRESS.flatMap((field) => (patient[field] ? [[field, patient[field]]] : [])),
  );
}

/** The entries of a row with a payor or a member number; one that lacks what it requires is left out, and said. */
export function insuranceEntries(
  reader: SheetReader,
  row: ReadRow,
  patient: Line,
  making: Making,
): SaidEntry[] {
  return ["insurance", "insurance2"].flatMap((id) => {
    const cell = (name: string): string => row.get(`${id}.${name}`);
    if (cell("payor") === "" && cell("memberId") === "") return [];
    const heading = [`${id}.payor`, `${id}.memberId`];
    const isOwn = isHolder(cell("holder"), patient);
    const relation = isOwn ? "SELF" : relationOf(reader, row, id);
    const birth = isOwn ? patient.birthDate : reader.day(row, `${id}.holderBirth`);
    const missing = [
      ...(cell("payor") === "" ? ["payor"] : []),
      ...(cell("memberId") === "" ? ["member number"] : []),
      ...(birth ? [] : [isOwn ? "birth date of the patient" : "birth date of the holder"]),
    ];
    if (missing.length > 0) {
      const are = missing.length === 1 ? "is" : "are";
      reader.note(
        row.number,
        heading,
        `insurance left out: ${missing.join(" and ")} ${are} missing`,
      );
      return [];
    }
    const payorId = making.resolving.record(reader, row, `${id}.payor`, "payor");
    // A word that means nothing yet is a mistake already.
    if (payorId === undefined) return [];
    if (isOwn) reader.note(row.number, heading, "the patient is taken as the holder");
    const address = addressOf(patient);
    const holder = {
      relationshipToPatient: relation,
      planHolder: isOwn ? fullNameOf(patient) : cell("holder"),
      insuredBirthDate: birth,
      insuredAddress: address,
    };
    const [from, to] = [reader.day(row, `${id}.from`), reader.day(row, `${id}.to`)];
    const group = cell("groupId");
    const priority = id === "insurance" ? "PRIMARY" : "SECONDARY";
    const said: Entry = {
      ...{ payorId, memberId: cell("memberId") },
      // Only a sheet of two says which of them comes first.
      ...(reader.has("insurance2.payor", "insurance2.memberId") && { priority }),
      ...(group !== "" && { groupId: group }),
      ...(reader.has(`${id}.holder`) && holder),
      ...(from && { effectiveStartDate: from }),
      ...(to && { effectiveEndDate: to }),
    };
    const since = making.constant(reader, "insurance.from");
    const otherwise: Entry = {
      ...holder,
      ...{ priority, groupId: null },
      ...(since && { effectiveStartDate: since }),
    };
    return [{ said, otherwise }];
  });
}

/** Whether the patient is the holder: where nobody is named, or they are. */
function isHolder(holder: string, patient: Line): boolean {
  if (holder === "" || /^(?:self|same|patient|client)$/i.test(holder)) return true;
  return nameKeys(holder).some((key) => nameKeys(fullNameOf(patient)).includes(key));
}

function relationOf(reader: SheetReader, row: ReadRow, id: string): string {
  const field = `${id}.relationship`;
  const value = requiredWord(reader, row, field);
  if (value !== "" && value !== undefined && value !== "SELF") return value;
  reader.note(row.number, `${id}.holder`, "the holder is taken as a parent", {
    from: row.get(`${id}.holder`),
  });
  return "PARENT";
}

const PRIORITIES = ["PRIMARY", "SECONDARY", "TERTIARY"];

/** An entry replaces the stored one with the same payor, else of the same priority; others stay. */
export function mergedPayors(stored: Line | undefined, entries: readonly SaidEntry[]): Entry[] {
  const merged = [...((stored?.payors as Entry[] | undefined) ?? [])];
  const made = new Set<Entry>();
  const put = (at: number, entry: Entry): void => {
    made.add(entry);
    if (at < 0) merged.push(entry);
    else merged[at] = entry;
  };
  const placeOf = ({ said }: SaidEntry): number =>
    merged.findIndex(({ payorId }) => payorId === said.payorId);
  const known = entries.filter((entry) => placeOf(entry) >= 0);
  for (const entry of known) {
    const at = placeOf(entry);
    const old = merged[at] as Entry;
    // A holder who is stored stays; the patient as the holder goes along with what is new of them.
    const { relationshipToPatient, planHolder, insuredBirthDate, insuredAddress } = entry.otherwise;
    const own = { relationshipToPatient, planHolder, insuredBirthDate, insuredAddress };
    const holder = old.relationshipToPatient === "SELF" ? own : {};
    put(at, { ...old, ...holder, ...entry.said });
  }
  for (const { said, otherwise } of entries.filter((entry) => !known.includes(entry))) {
    const at = placeOf({ said, otherwise });
    const taken = [...made].map(({ priority }) => priority);
    const wanted = said.priority ?? otherwise.priority;
    const priority = taken.includes(wanted)
      ? PRIORITIES.find((each) => !taken.includes(each))
      : wanted;
    const same = merged.findIndex((each) => each.priority === priority && !made.has(each));
    put(at >= 0 ? at : same, { ...otherwise, ...said, priority });
  }
  return merged;
}

/** The certificate of a row with its number; one without what it requires is left out, and said. */
export function certificateOf(
  reader: SheetReader,
  row: ReadRow,
  person: Line,
  making: Making,
): SaidEntry | undefined {
  const cell = (name: string): string => row.get(`certificate.${name}`);
  const credentialNumber = cell("number");
  if (credentialNumber === "") return undefined;
  const field = "certificate.number";
  if (!PROVIDERS.includes(String(person.role))) {
    reader.note(
      row.number,
      field,
      "certificate left out: only technicians and clinicians have one",
    );
    return undefined;
  }
  const constant = making.constant(reader, "certificate.type");
  const proposed = constant === BY_ROLE ? credentialOfRole(row.get("role")) : constant;
  const typeSaid = cell("type");
  const credentialType = (credentialOfRole(typeSaid) ?? typeSaid) || proposed;
  const day = reader.day(row, "certificate.expires");
  const missing = [
    ...(day === undefined ? ["the day of expiry"] : []),
    ...(credentialType ? [] : ["the credential"]),
  ];
  if (missing.length > 0) {
    const are = missing.length === 1 ? "is" : "are";
    reader.note(row.number, field, `certificate left out: ${missing.join(" and ")} ${are} missing`);
    return undefined;
  }
  const said = {
    credentialNumber,
    credentialType,
    expiresAt: day && endOfDay(day, making.zone),
    ...(cell("status") !== "" && { credentialStatus: statusOf(cell("status")) }),
    ...(cell("area") !== "" && { practiceArea: cell("area") }),
  };
  const otherwise = {
    practiceArea: making.constant(reader, "certificate.area"),
    credentialStatus: making.constant(reader, "certificate.status"),
  };
  return { said, otherwise };
}

export const BY_ROLE = "role";

function statusOf(word: string): string {
  return /^active$/i.test(word) ? "ACTIVE" : word;
}

/** A certificate replaces the stored one with the same number, else of the same type; others stay. */
export function mergedCredentials(
  stored: Line | undefined,
  entries: readonly SaidEntry[],
): Entry[] {
  const merged = [...((stored?.credentials as Entry[] | undefined) ?? [])];
  const made = new Set<Entry>();
  for (const { said, otherwise } of entries) {
    const numbered = merged.findIndex((each) => each.credentialNumber === said.credentialNumber);
    const typed = merged.findIndex(
      (each) => each.credentialType === said.credentialType && !made.has(each),
    );
    const at = numbered >= 0 ? numbered : typed;
    const entry = { ...otherwise, ...(at < 0 ? {} : merged[at]), ...said };
    made.add(entry);
    if (at < 0) merged.push(entry);
    else merged[at] = entry;
  }
  return merged;
}

/** The credential that a role's word is, such as `RBT`. */
export function credentialOfRole(word: string): string | undefined {
  const known = CREDENTIALS.find((each) => plain(each) === plain(word));
  if (known !== undefined) return known;
  return isCredential(word.trim()) ? word.trim() : undefined;
}
