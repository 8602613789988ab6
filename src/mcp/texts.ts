/** What is shown of the API's responses: briefly, and so that texts from outside cannot pass for anything else. */

/** The longest name, in characters. */
const NAME_LENGTH = 40;
const GOAL_NAME_LENGTH = 80;

/**
 * A person, by id and name. The name may come from a web form: only letters, marks, spaces and `'`, `.` and `-` of it
 * are shown.
 */
export function person(
  id: string | null,
  firstName: string | null,
  lastName: string | null,
): { id: string; name: string } | null {
  return id === null ? null : { id, name: nameOf(firstName, lastName) };
}

export function nameOf(...parts: (string | null)[]): string {
  const text = parts.join(" ").replaceAll("\u2019", "'");
  const shown = text.replaceAll(/[^\p{L}\p{M} '.-]/gu, "").replaceAll(/ +/g, " ");
  return [...shown.trim()].slice(0, NAME_LENGTH).join("");
}

/** A goal's name, which somebody wrote: letters, marks, digits, spaces and a few signs of it. */
export function goalName(text: string): string {
  const shown = text.replaceAll("\u2019", "'").replaceAll(/[^\p{L}\p{M}\p{Nd} '.,\-%()]/gu, "");
  return [...shown.replaceAll(/ +/g, " ").trim()].slice(0, GOAL_NAME_LENGTH).join("");
}

/** A list of which only the first elements are shown; then with the number of all. */
export function listed<Row, Shown>(
  { data, pagination }: { data: readonly Row[]; pagination: { totalCount: number } },
  show: (row: Row) => Shown,
): { total?: number; data: Shown[] } {
  const { totalCount } = pagination;
  return { ...(totalCount > data.length && { total: totalCount }), data: data.map(show) };
}

/** The first elements of some lists; with the numbers of all, by name, where there are more. */
export function firstOf<Lists extends Record<string, readonly unknown[]>>(
  most: number,
  lists: Lists,
): Lists & { total?: Record<string, number> } {
  const cut = Object.entries(lists).filter(([, list]) => list.length > most);
  const shown = Object.entries(lists).map(([name, list]) => [name, list.slice(0, most)]);
  return {
    ...(cut.length > 0 && {
      total: Object.fromEntries(cut.map(([name, { length }]) => [name, length])),
    }),
    ...(Object.fromEntries(shown) as Lists),
  };
}

/** A result as JSON, without nulls. An empty list stays: it says that there are none. */
export function jsonOf(result: unknown): string {
  return JSON.stringify(result, (_, value: unknown) => value ?? undefined);
}
