import { type Line, newId } from "../base/lines.ts";
import { nameKeys } from "./names.ts";
import type { SheetReader } from "./reader.ts";

/** The records of the practice with what the import makes of them: what a sheet refers to may be in another one. */

/** What is stored. Sessions and encounters are those of the days of the import. */
export interface Stored {
  lines: readonly Line[];
  sessions: readonly Line[];
  encounters: readonly Line[];
}

/** A line that the import sends, and the rows that it comes from. */
export interface ImportLine {
  line: Line;
  reader: SheetReader;
  rows: number[];
  isNew: boolean;
  /** Whether it is the guardian in a patient's row. */
  isGuardian: boolean;
}

interface Source {
  reader: SheetReader;
  row: number;
  isGuardian?: boolean;
}

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

/** Ids of new records, the same whenever the import is made anew from its sheets. */
export class NewIds {
  readonly #ids = new Map<string, string>();

  idOf(type: string, key: string): string {
    const known = this.#ids.get(`${type} ${key}`);
    if (known !== undefined) return known;
    const id = newId(PREFIXES[type]);
    this.#ids.set(`${type} ${key}`, id);
    return id;
  }
}

/** An id that an office's system gives to something, as ours. */
export function ownId(type: string, text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 60);
  const prefix = PREFIXES[type] ?? "";
  return plain.startsWith(prefix) ? plain : prefix + plain;
}

export class Practice {
  readonly lines: ImportLine[] = [];
  readonly #written = new Map<string, ImportLine>();
  readonly #stored = new Map<string, Line>();
  /** By id, with what the import makes of them. */
  readonly #records = new Map<string, Map<string, Line>>();
  readonly #named = new Map<string, Set<string>>();
  #caregivers: Map<string, Line> | undefined;
  #authorizations: Map<string, Line[]> | undefined;
  #encounters: Map<string, Line> | undefined;

  constructor(
    readonly stored: Stored,
    readonly ids: NewIds,
  ) {
    for (const line of [...stored.lines, ...stored.sessions, ...stored.encounters]) {
      this.#stored.set(`${line.type} ${line.publicId}`, line);
      this.#ofType(line.type).set(line.publicId, line);
      if (line.type === "user") this.#called(line);
    }
  }

  #ofType(type: string): Map<string, Line> {
    const known = this.#records.get(type);
    if (known !== undefined) return known;
    const made = new Map<string, Line>();
    this.#records.set(type, made);
    return made;
  }

  all(type: string): Line[] {
    return [...this.#ofType(type).values()];
  }

  find(type: string, id: string): Line | undefined {
    return this.#ofType(type).get(id);
  }

  /** The record as it is stored today; undefined for a new one. */
  storedOf(type: string, id: string): Line | undefined {
    return this.#stored.get(`${type} ${id}`);
  }

  /** Adds fields to a line of the import. */
  write(type: string, publicId: string, fields: object, source: Source): Line {
    const key = `${type} ${publicId}`;
    const { reader, row, isGuardian = false } = source;
    let written = this.#written.get(key);
    if (written === undefined) {
      const isNew = !this.#stored.has(key);
      written = { line: { type, publicId }, reader, rows: [], isNew, isGuardian };
      this.#written.set(key, written);
      this.lines.push(written);
    }
    Object.assign(written.line, fields);
    if (!written.rows.includes(row)) written.rows.push(row);
    const record = { ...this.find(type, publicId), ...written.line };
    this.#ofType(type).set(publicId, record);
    if (type === "user") this.#called(record);
    if (type === "authorization") this.#authorizations = undefined;
    return record;
  }

  /** What the import has already made of a record. */
  writtenOf(type: string, id: string): ImportLine | undefined {
    return this.#written.get(`${type} ${id}`);
  }

  people(roles: readonly string[]): Line[] {
    return this.all("user").filter(({ role }) => roles.includes(String(role)));
  }

  /** The people whose name, email, record number or id a text is. */
  peopleCalled(text: string, roles: readonly string[]): Line[] {
    const own = this.find("user", text.trim());
    if (own !== undefined && roles.includes(String(own.role))) return [own];
    for (const key of [`= ${text.trim().toLowerCase()}`, ...nameKeys(text)]) {
      const ids = [...(this.#named.get(key) ?? [])];
      const people = ids.flatMap((id) => this.find("user", id) ?? []);
      const found = people.filter(({ role }) => roles.includes(String(role)));
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Notes what a person may be called. */
  #called({ publicId, firstName, lastName, email, internalRecordId }: Line): void {
    const exact = [email, internalRecordId].filter(Boolean);
    const keys = [
      ...exact.map((text) => `= ${String(text).toLowerCase()}`),
      ...nameKeys(`${firstName} ${lastName}`),
    ];
    for (const key of keys) this.#named.set(key, (this.#named.get(key) ?? new Set()).add(publicId));
  }

  /** The stored caregiver with an email, else with a name and phone. */
  caregiver(email: string, named: string): Line | undefined {
    this.#caregivers ??= new Map(
      this.stored.lines
        .filter(({ role }) => role === "CAREGIVER")
        .flatMap((each) => [
          [String(each.email ?? "").toLowerCase(), each] as const,
          [
            `${nameKeys(`${each.firstName} ${each.lastName}`)[0]} ${each.phoneNumber}`,
            each,
          ] as const,
        ]),
    );
    return this.#caregivers.get(email === "" ? named : email.toLowerCase());
  }

  authorizationsOf(patientId: string): readonly Line[] {
    this.#authorizations ??= Map.groupBy(this.all("authorization"), (each) =>
      String(each.patientId),
    );
    return this.#authorizations.get(patientId) ?? [];
  }

  /** The stored encounter of a session. */
  encounterOf(sessionId: string): Line | undefined {
    this.#encounters ??= new Map(
      this.stored.encounters.map((each) => [String(each.sessionId), each] as const),
    );
    return this.#encounters.get(sessionId);
  }
}

export const TECHNICIANS = ["TECHNICIAN"];
export const CLINICIANS = ["CLINICIAN", "CLINICAL_ADMIN", "CLINICAL_SUPERADMIN"];
export const PROVIDERS = [...TECHNICIANS, ...CLINICIANS];
export const OFFICE = ["ADMIN", "BILLING_MANAGER", "SCHEDULING_MANAGER", "PAYROLL_ADMIN"];
