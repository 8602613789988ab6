import type { Line } from "../base/lines.ts";
import { fullName, isAlmost, plain } from "./names.ts";
import type { Practice } from "./practice.ts";
import type { ReadRow, SheetReader } from "./reader.ts";
import { LEFT_EMPTY, type Option } from "./words.ts";

/** The records that words of a sheet mean: those that are there, in another sheet, or new. */

/** What is chosen for a word that the import makes a record of. */
export const NEW = "+";

/** Codes of applied behavior analysis, of which a service can be made. */
const ABA_CODE = /\b(9715[1-8]|0362T|0373T)\b/i;

const NAMES: Record<string, string> = {
  payor: "payor",
  location: "location",
  serviceLine: "service",
};

/** A cell, for what is said of it. */
export interface CellOf {
  reader: SheetReader;
  row: ReadRow;
  field: string;
}

export class Resolving {
  constructor(private readonly practice: Practice) {}

  /**
   * The id of the record that a cell names; undefined if it is empty or left empty, or names none, which is a mistake.
   */
  record(
    reader: SheetReader,
    row: ReadRow,
    field: string,
    type: "payor" | "location" | "serviceLine",
  ): string | undefined {
    const word = row.get(field);
    if (word === "") return undefined;
    const all = this.practice.all(type);
    const similar = all.filter(({ name }) => isAlmost(word, String(name)));
    const proposed = (text: string): string | undefined => {
      const found = type === "serviceLine" ? this.service(text) : this.#named(type, text);
      if (found !== undefined) return found;
      if (similar.length > 0) return undefined;
      return type !== "serviceLine" || ABA_CODE.test(text) ? NEW : undefined;
    };
    const options = (): Option[] => [
      { value: LEFT_EMPTY, name: "Leave empty" },
      { value: NEW, name: `New: “${word}”` },
      ...[...similar, ...all.filter((each) => !similar.includes(each))].map(optionOf),
    ];
    const value = reader.word(field, word, proposed, options);
    if (value === NEW) return this.#made({ reader, row, field }, type, word);
    if (value === undefined) {
      const [like] = similar;
      const what = NAMES[type];
      const hint = like === undefined ? "" : `, and is like “${like.name}”`;
      reader.mistake(
        row.number,
        field,
        `“${word}” is no ${what} that is known${hint}: choose what it is`,
      );
    }
    return value || undefined;
  }

  #named(type: string, text: string): string | undefined {
    const wanted = plain(text);
    const found = this.practice
      .all(type)
      .filter(({ name, publicId }) => plain(String(name)) === wanted || publicId === text.trim());
    return found.length === 1 ? found[0]?.publicId : undefined;
  }

  /** A code of what is not billed by its name. */
  code(text: string): string | undefined {
    return text === "" ? undefined : this.#named("nonBillableCode", text);
  }

  location(text: string): string | undefined {
    return this.#named("location", text);
  }

  /** A service by code, with modifiers or words behind it, or by name. */
  service(text: string): string | undefined {
    const services = this.practice.all("serviceLine");
    const own = services.find(({ publicId }) => publicId === text.trim());
    if (own !== undefined) return own.publicId;
    const only = (found: readonly Line[]): string | undefined =>
      found.length === 1 ? found[0]?.publicId : undefined;
    const [, code = "", rest = ""] = /^\s*([A-Za-z0-9]{5})\b(.*)$/s.exec(text) ?? [];
    const ofCode = services.filter((each) => plain(String(each.code ?? "")) === plain(code));
    if (code !== "" && ofCode.length > 0) {
      const modifiers = [...rest.matchAll(/\b([A-Z0-9]{2})\b/gi)].map(([found]) =>
        found.toUpperCase(),
      );
      const exact = ofCode.filter((each) => {
        const own = (each.modifiers as string[] | undefined) ?? [];
        return own.length > 0 && own.every((modifier) => modifiers.includes(modifier));
      });
      const bare = ofCode.filter(({ modifiers }) => !(modifiers as string[] | undefined)?.length);
      const byName = ofCode.filter(
        ({ name }) => plain(rest) !== "" && plain(String(name)) === plain(rest),
      );
      return only(byName) ?? only(exact) ?? (ofCode.length > 1 ? only(bare) : only(ofCode));
    }
    const named = services.filter(({ name }) => plain(String(name)) === plain(text));
    return only(named);
  }

  #made({ reader, row, field }: CellOf, type: string, word: string): string {
    const code = type === "serviceLine" ? ABA_CODE.exec(word)?.[1]?.toUpperCase() : undefined;
    // Two ways to write a name make one record.
    const id = this.practice.ids.idOf(type, plain(word));
    const fields =
      type === "serviceLine"
        ? { name: word, billingUnitMinutes: 15, ...(code && { code }) }
        : { name: word };
    if (this.practice.writtenOf(type, id) === undefined)
      this.practice.write(type, id, fields, { reader, row: row.number });
    reader.note(row.number, field, `new ${NAMES[type]} “${word}”`);
    return id;
  }

  /** The person whom a cell names; undefined if it is empty, or names nobody or several, which is a mistake. */
  person(
    reader: SheetReader,
    row: ReadRow,
    field: string,
    roles: readonly string[],
  ): Line | undefined {
    const text = row.get(field);
    if (text === "") return undefined;
    const found = this.practice.peopleCalled(text, roles);
    const options = (): Option[] => [
      { value: LEFT_EMPTY, name: "Leave empty" },
      ...this.practice
        .people(roles)
        .map((each) => ({ value: each.publicId, name: fullNameOf(each) }))
        .sort((a, b) => a.name.localeCompare(b.name, "en")),
    ];
    const only = found.length === 1 ? found[0]?.publicId : undefined;
    const id = reader.word(field, text, () => only, options);
    if (id === undefined) {
      const what = found.length > 1 ? "is the name of several people" : "is nobody who is known";
      reader.mistake(row.number, field, `“${text}” ${what}: choose who it is`);
    }
    return id ? this.practice.find("user", id) : undefined;
  }
}

export function fullNameOf({ firstName, lastName }: Line): string {
  return fullName({ firstName: String(firstName ?? ""), lastName: String(lastName ?? "") });
}

function optionOf({ publicId, name, code }: Line): Option {
  const isCoded = code && !String(name).includes(String(code));
  return { value: publicId, name: isCoded ? `${name} (${code})` : String(name) };
}
