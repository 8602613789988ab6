import { remembered } from "../../../../lib/remembered.ts";
import { type Line, newId } from "../base/lines.ts";
import { isSame } from "../base/same.ts";
import { STAFF_ROLES } from "../base/roles.ts";
import { COLUMNS } from "./columns.ts";
import { fullNameOf, nameKey, nameKeys, plain } from "./names.ts";
import type { Sheet } from "./sheet.ts";

/** The records of the practice with what the import makes of them: what a sheet refers to may be in another one. */

/** What is stored. Sessions are those of the days of the import, encounters also those of the month around. */
export interface Stored {
  lines: readonly Line[];
  sessions: readonly Line[];
  encounters: readonly Line[];
}

/** A line that the import sends, and the rows that it comes from. */
export interface ImportLine {
  line: Line;
  sheet: Sheet;
  rows: number[];
  isNew: boolean;
  /** Whether it is the guardian in a patient's row. */
  isGuardian: boolean;
}

/** A row that writes. */
interface WritingRow {
  sheet: Sheet;
  number: number;
  mistake(columns: readonly string[], message: string): void;
}

/** Lists to which sheets add up. */
const ADDED = new Set(["payors", "credentials"]);

const PREFIXES: Record<string, string> = {
  user: "usr_",
  payor: "pay_",
  location: "loc_",
  serviceLine: "svc_",
  nonBillableCode: "nbc_",
  authorization: "auth_",
  session: "apt_",
  encounter: "enc_",
};

/** The id of ours that is made of one of an office's system. */
export function idMadeOf(type: string, given: string): string {
  const id = given.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 60);
  const prefix = PREFIXES[type] ?? "";
  return id.startsWith(prefix) ? id : prefix + id;
}

/** Ids of new records, the same whenever the import is made anew from its sheets. */
export class NewIds {
  readonly #ids = new Map<string, string>();

  idOf(type: string, key: string): string {
    return remembered(this.#ids, `${type} ${key}`, () => newId(PREFIXES[type]));
  }
}

/** Codes of applied behavior analysis, of which a service can be made. */
export const ABA_CODE = /\b(9715[1-8]|0362T|0373T)\b/i;

export class Practice {
  readonly lines: ImportLine[] = [];
  readonly #written = new Map<string, ImportLine>();
  readonly #stored = new Map<string, Line>();
  /** By id, with what the import makes of them. */
  readonly #records = new Map<string, Map<string, Line>>();
  /** The ids of people by what they may be called. */
  readonly #called = new Map<string, Set<string>>();
  readonly #caregivers = new Map<unknown, Line>();
  readonly #encounters: Map<unknown, readonly Line[]>;
  #authorizations: Map<unknown, Line[]> | undefined;

  constructor(
    readonly stored: Stored,
    readonly ids: NewIds,
  ) {
    for (const line of [...stored.lines, ...stored.sessions, ...stored.encounters]) {
      this.#stored.set(`${line.type} ${line.publicId}`, line);
      this.#put(line);
      for (const key of line.role === "CAREGIVER" ? caregiverKeys(line) : [])
        this.#caregivers.set(key, line);
    }
    const encounters = new Map(stored.encounters.map((each) => [each.publicId, each]));
    this.#encounters = Map.groupBy(encounters.values(), ({ sessionId }) => sessionId);
  }

  #put(line: Line): void {
    const { type, publicId, email, internalRecordId } = line;
    this.#ofType(type).set(publicId, line);
    if (type === "authorization") this.#authorizations = undefined;
    if (type !== "user") return;
    const exact = [email, internalRecordId].filter(Boolean).map(exactKey);
    for (const key of [...exact, ...nameKeys(fullNameOf(line)).filter(Boolean)])
      remembered(this.#called, key, () => new Set()).add(publicId);
  }

  #ofType(type: string): Map<string, Line> {
    return remembered(this.#records, type, () => new Map());
  }

  all(type: string): Line[] {
    return [...this.#ofType(type).values()];
  }

  find(type: string, id: unknown): Line | undefined {
    return this.#ofType(type).get(String(id));
  }

  /** The record with an id, of whatever type. */
  findAny(id: string): Line | undefined {
    return [...this.#records.values()].find((each) => each.has(id))?.get(id);
  }

  /** The record as it is stored today; undefined for a new one. */
  storedOf(type: string, id: unknown): Line | undefined {
    return this.#stored.get(`${type} ${id}`);
  }

  storedOfType(type: string): Line[] {
    return this.stored.lines.filter((line) => line.type === type);
  }

  /** The id of the record that a sheet calls so: ours, or an id that an office's system gives to it. */
  idGiven(type: string, given: string): string | undefined {
    if (given === "" || this.find(type, given) !== undefined) return given || undefined;
    return idMadeOf(type, given);
  }

  /**
   * Adds the fields of a row to a line of the import. What another sheet says otherwise of them is a mistake; what has no
   * column, such as a value for all rows, gives way.
   */
  write({ type, publicId, ...fields }: Line, row: WritingRow, isGuardian = false): void {
    const { sheet, number } = row;
    const key = `${type} ${publicId}`;
    const written = remembered(this.#written, key, () => {
      const isNew = !this.#stored.has(key);
      const made: ImportLine = { line: { type, publicId }, sheet, rows: [], isNew, isGuardian };
      this.lines.push(made);
      return made;
    });
    for (const [field, value] of Object.entries(fields)) {
      const columns = COLUMNS[field] ?? [field];
      const has = (one: Sheet): boolean => columns.some((each) => one.fields.includes(each));
      const before = written.line[field];
      const isOther = written.sheet !== sheet && before !== undefined && !isSame(before, value);
      if (isOther && !has(sheet)) continue;
      if (isOther && has(written.sheet) && !ADDED.has(field))
        row.mistake(columns, `differs from ${written.sheet.name}, row ${written.rows[0]}`);
      written.line[field] = value;
    }
    if (!written.rows.includes(number)) written.rows.push(number);
    this.#put({ ...this.find(type, publicId), ...written.line });
  }

  /** What the import has already made of a record. */
  writtenOf(type: string, id: string): Line | undefined {
    return this.#written.get(`${type} ${id}`)?.line;
  }

  people(roles: readonly string[]): Line[] {
    return this.all("user").filter(({ role }) => roles.includes(String(role)));
  }

  /** The people whose name, email, record number or id a text is. */
  peopleCalled(text: string, roles: readonly string[]): Line[] {
    const own = new Set([text.trim()]);
    const called = [exactKey(text), ...nameKeys(text)].map((key) => this.#called.get(key) ?? []);
    for (const ids of [own, ...called]) {
      const people = [...ids].flatMap((id) => this.find("user", id) ?? []);
      const found = people.filter(({ role }) => roles.includes(String(role)));
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The id of the only record that a text is the name or id of; of a service also its code. */
  named(type: string, text: string): string | undefined {
    if (text === "") return undefined;
    if (type === "serviceLine") return this.#service(text)?.publicId;
    return only(this.all(type).filter((each) => isNamed(each, text) || isId(each, text)))?.publicId;
  }

  /** A service by code, with modifiers or words behind it, or by name. */
  #service(text: string): Line | undefined {
    const services = this.all("serviceLine");
    const own = services.find((each) => isId(each, text));
    if (own !== undefined) return own;
    const ofName = services.filter((each) => isNamed(each, text));
    const [word = "", code = "", behind = ""] = codeIn(text, services) ?? [];
    if (code === "") return only(ofName);
    const ofCode = services.filter((each) => isCoded(each, code));
    const rest = `${behind} ${text.replace(word, "")}`;
    const modifiers = (rest.match(/\b[A-Z0-9]{2}\b/gi) ?? []).map((each) => each.toUpperCase());
    const modifiersOf = (each: Line) => (each.modifiers as string[] | undefined) ?? [];
    const exact = ofCode.filter((each) => {
      const own = modifiersOf(each);
      return own.length > 0 && own.every((modifier) => modifiers.includes(modifier));
    });
    const named = ofCode.filter((each) => ofName.includes(each) || isNamed(each, rest));
    const bare = ofCode.filter((each) => modifiersOf(each).length === 0);
    return only(named) ?? only(exact) ?? only(ofCode.length > 1 ? bare : ofCode);
  }

  /** The stored caregiver with an email, else with a name and phone. */
  caregiver(key: string | undefined): Line | undefined {
    return this.#caregivers.get(key);
  }

  authorizationsOf(patientId: unknown): readonly Line[] {
    this.#authorizations ??= Map.groupBy(this.all("authorization"), (each) => each.patientId);
    return this.#authorizations.get(patientId) ?? [];
  }

  /** The stored encounters of a session, usually one. */
  encountersOf(sessionId: string): readonly Line[] {
    return this.#encounters.get(sessionId) ?? [];
  }
}

function exactKey(text: unknown): string {
  return `= ${String(text).trim().toLowerCase()}`;
}

function caregiverKeys(line: Line): string[] {
  const { email, phoneNumber } = line;
  return [String(email ?? "").toLowerCase(), `${nameKey(line)} ${phoneNumber}`];
}

function isNamed({ name }: Line, text: string): boolean {
  return plain(String(name)) === plain(text);
}

export function isCoded({ code }: Line, text: string): boolean {
  return plain(String(code ?? "")) === plain(text);
}

/** The only code of services in a text, in which modifiers may follow it in one word: the word, the code, the modifiers. */
function codeIn(text: string, services: readonly Line[]): string[] | undefined {
  const words = Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ([word]) =>
    /^(.{5})((?:[A-Z][A-Z0-9])*)$/i.exec(word),
  );
  const [found, ...others] = words.flatMap((word) =>
    word !== null && services.some((each) => isCoded(each, word[1] ?? "")) ? [word] : [],
  );
  const areSeveral = others.some(([, code = ""]) => plain(code) !== plain(found?.[1] ?? ""));
  return areSeveral
    ? undefined
    : found && [found[0], found[1] ?? "", (found[2] ?? "").replaceAll(/../g, "$& ")];
}

function isId({ publicId }: Line, text: string): boolean {
  return publicId === text.trim();
}

/** What was found, if it is one alone. */
export function only<Found>(found: readonly Found[]): Found | undefined {
  return found.length === 1 ? found[0] : undefined;
}

export const TECHNICIANS: readonly string[] = STAFF_ROLES.technician;
export const CLINICIANS: readonly string[] = STAFF_ROLES.clinician;
export const PROVIDERS: readonly string[] = STAFF_ROLES.provider;
export const OFFICE = ["ADMIN", "BILLING_MANAGER", "SCHEDULING_MANAGER", "PAYROLL_ADMIN"];
