import type { Line } from "../base/lines.ts";
import { fullNameOf, isAlmost, plain } from "./names.ts";
import { ABA_CODE, isCoded } from "./practice.ts";
import type { ReadRow } from "./row.ts";
import { LEFT_EMPTY, type Option } from "./words.ts";

/** The records that words of a sheet mean: those that are there, in another sheet, or new. */

/** What is chosen for a word that the import makes a record of. */
const NEW = "+";

const NOUNS = { payor: "payor", location: "location", serviceLine: "service" };

/** The id of the record that a cell names; undefined if it is empty or left empty, or names none, which is a mistake. */
export function recordIn(
  row: ReadRow,
  field: string,
  type: keyof typeof NOUNS,
): string | undefined {
  const word = row.get(field);
  if (word === "") return undefined;
  const { practice } = row;
  const all = practice.all(type);
  const isService = type === "serviceLine";
  const code = isService ? ABA_CODE.exec(word)?.[1]?.toUpperCase() : undefined;
  // `97155 - Direct` is not `97153 - Direct`, although it is like it.
  const similar = all.filter(
    (each) => isAlmost(word, String(each.name)) && !(code && each.code && !isCoded(each, code)),
  );
  // Of a code that services have, nobody knows which of them it is.
  const isNewName = !isService || (code && !all.some((each) => isCoded(each, code)));
  const match = (): string | undefined =>
    practice.named(type, word) ?? (similar.length === 0 && isNewName ? NEW : undefined);
  const value = row.meaning(field, match, () => [
    { value: LEFT_EMPTY, name: "Leave empty" },
    { value: NEW, name: `New: “${word}”` },
    ...[...similar, ...all.filter((each) => !similar.includes(each))].map(optionOf),
  ]);
  const [like] = similar;
  const hint = like === undefined ? "" : `, and is like “${like.name}”`;
  if (value === undefined)
    return row.mistake(
      field,
      `“${word}” is no ${NOUNS[type]} that is known${hint}: choose what it is`,
    );
  if (value !== NEW) return value || undefined;
  // Two ways to write a name make one record.
  const id = practice.ids.idOf(type, plain(word));
  const fields = isService ? { billingUnitMinutes: 15, ...(code && { code }) } : {};
  if (practice.writtenOf(type, id) === undefined)
    practice.write({ type, publicId: id, name: word, ...fields }, row);
  row.note(field, `new ${NOUNS[type]} “${word}”`);
  return id;
}

/** The person whom a cell names; undefined if it is empty, or names nobody or several, which is a mistake. */
export function personIn(row: ReadRow, field: string, roles: readonly string[]): Line | undefined {
  const text = row.get(field);
  if (text === "") return undefined;
  const { practice } = row;
  const [found, ...others] = practice.peopleCalled(text, roles);
  const match = (): string | undefined => (others.length > 0 ? undefined : found?.publicId);
  const id = row.meaning(field, match, () => [
    { value: LEFT_EMPTY, name: "Leave empty" },
    ...practice
      .people(roles)
      .map((each) => ({ value: each.publicId, name: fullNameOf(each) }))
      .sort((a, b) => a.name.localeCompare(b.name, "en")),
  ]);
  const what = others.length > 0 ? "is the name of several people" : "is nobody who is known";
  if (id === undefined) return row.mistake(field, `“${text}” ${what}: choose who it is`);
  return practice.find("user", id);
}

function optionOf({ publicId, name, code }: Line): Option {
  const isCoded = code && !String(name).includes(String(code));
  return { value: publicId, name: isCoded ? `${name} (${code})` : String(name) };
}
