import { get, getAll, withQuery } from "../../lib/base/api.ts";
import { GUARDIAN, type KnownCaregiver, type Sheet } from "../../lib/import/import-sheet.ts";
import { type MatchOption, partsOf } from "../../lib/import/import-words.ts";
import { columnsOfTypes } from "../../lib/base/csv-columns.ts";
import { choiceText } from "../../lib/base/labels.ts";
import { nameOf } from "../../lib/person/people.ts";
import { NAMED_LISTS, type PracticeType } from "../../lib/practice/practice.ts";
import {
  type FieldDescription,
  fieldsOf,
  isDescribed,
  kindsOf,
  USUAL_VALUES,
} from "../../lib/base/record-fields.ts";
import { useResponse } from "../../lib/base/response.ts";
import type { Named, NamedRecord, PageOf, Role, User } from "../../lib/base/wire.ts";

/** What the words of a sheet's columns may mean: values of a choice, records by name, people. */

/** The columns that a sheet may have: of a role only those of that role, and a patient's also their guardian's. */
export function columnsFor({ type, role }: Pick<Sheet, "type" | "role">): readonly string[] {
  const all = columnsOfTypes[type] ?? [];
  if (type !== "user" || role === undefined) return all;
  const own = fieldsOf("user", role);
  const columns = all.filter(
    (column) => column !== "role" && (column in own || column === "deleted"),
  );
  return role === "PATIENT" ? [...columns, ...Object.values(GUARDIAN)] : columns;
}

/** The field of a column; undefined for one that is no field of its own. */
function descriptionOf(type: string, field: string): FieldDescription | undefined {
  return isDescribed(type) ? fieldsOf(type)[field] : undefined;
}

/** The fixed values of a field; undefined for fields that have none. */
export function fixedValues(type: string, field: string): readonly MatchOption[] | undefined {
  const { kind, values } = descriptionOf(type, field) ?? {};
  if (kind === "boolean")
    return [
      { value: "true", name: "Yes" },
      { value: "false", name: "No" },
    ];
  const isRole = type === "user" && field === "role";
  const own = isRole
    ? kindsOf("user")
    : (USUAL_VALUES[field] ?? (kind === "choice" ? values : undefined));
  return own?.map((value) => ({ value, name: choiceText(value) }));
}

export interface Directory {
  /** The records that fields may name, by field. */
  records: ReadonlyMap<string, readonly MatchOption[]>;
  caregivers: readonly KnownCaregiver[];
}

/** The records that the mapped columns of a sheet may name; the view's own request, by what the sheet has. */
export function useDirectory(sheet: Sheet) {
  const { type, fields, rows } = sheet;
  const named = fields.flatMap((field, index) => {
    const description = field === undefined ? undefined : descriptionOf(type, field);
    if (field === undefined || description?.names === undefined) return [];
    return [{ field, description, words: rows.flatMap((row) => partsOf(row[index] ?? "")) }];
  });
  const hasGuardians = Object.values(GUARDIAN).some((field) => fields.includes(field));
  const question = JSON.stringify([sheet.name, type, fields]);
  return useResponse(question, async (signal): Promise<Directory> => {
    const records = new Map<string, readonly MatchOption[]>();
    for (const { field, description, words } of named)
      records.set(field, await optionsOf(description, words, signal));
    const caregivers = hasGuardians
      ? await getAll<User>("users", { role: "CAREGIVER" }, signal)
      : [];
    return { records, caregivers: caregivers.map((each) => ({ ...each, name: nameOf(each) })) };
  });
}

/** Roles of whom there are too many to read them all. */
const MANY: readonly Role[] = ["PATIENT", "CAREGIVER"];

async function optionsOf(
  { names, roles = [] }: FieldDescription,
  words: readonly string[],
  signal: AbortSignal,
): Promise<MatchOption[]> {
  if (names === "user") {
    const listed = roles.filter((role) => !MANY.includes(role));
    const lists = listed.map((role) => getAll<User>("users", { role }, signal));
    const searched = roles.filter((role) => MANY.includes(role));
    const people = [
      ...(await Promise.all(lists)).flat(),
      ...(await peopleFor(words, searched, signal)),
    ];
    return people
      .map((each) => ({ value: each.publicId, name: nameOf(each), isPerson: true }))
      .sort((a, b) => a.name.localeCompare(b.name, "en"));
  }
  const list = NAMED_LISTS[names as PracticeType];
  if (list === undefined) return [];
  const found = await getAll<NamedRecord & { code?: string | null }>(list, {}, signal);
  return found.map(({ publicId, name, code }) => ({
    ...{ value: publicId, name },
    ...(code && { also: [code] }),
  }));
}

/** How many different names of a sheet are searched for. */
const MAX_SEARCHES = 200;

/** The people with the ids or names of a sheet. */
async function peopleFor(
  words: readonly string[],
  roles: readonly Role[],
  signal: AbortSignal,
): Promise<Named[]> {
  const people: Named[] = [];
  for (const role of roles)
    for (const search of [...new Set(words)].filter(isName).slice(0, MAX_SEARCHES)) {
      const path = withQuery("users", { search: search.replaceAll(",", " "), role, pageSize: 3 });
      people.push(...(await get<PageOf<User>>(path, signal)).data);
    }
  return [...new Map(people.map((person) => [person.publicId, person])).values()];
}

/** Whether a word may be a name: an id has no spaces. */
function isName(word: string): boolean {
  return /[\s,]/.test(word);
}
