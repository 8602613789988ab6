import { get, getAll, withQuery } from "./api.ts";
import { idsByRequest } from "./query.ts";
import { type ResponseState, useShared } from "./response.ts";
import { STAFF_ROLES, type StaffKind } from "./roles.ts";
import type { Named, User } from "./wire.ts";

/** People of the practice: their names, and their records. */

export function nameOf({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`;
}

/** A name in a list by last names: `Carver, Lucy`. */
export function listName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${lastName}, ${firstName}`;
}

/** The active staff of a kind, by name; nobody without a kind. */
export function useStaff(kind: StaffKind | undefined): ResponseState<User[]> {
  return useShared(kind && `staff ${kind}`, async (once) => {
    const roles = kind === undefined ? [] : STAFF_ROLES[kind];
    const lists = roles.map((role) =>
      once(`active ${role}`, () => getAll<User>("users", { role, isActive: "true" })),
    );
    const staff = (await Promise.all(lists)).flat();
    return staff.sort((a, b) => nameOf(a).localeCompare(nameOf(b), "en"));
  });
}

/**
 * Reads the person with an id.
 *
 * @throws Failure if there is no such person.
 */
export function readPerson(id: string, signal: AbortSignal | null = null): Promise<User> {
  return get<User>(`users/${encodeURIComponent(id)}`, signal);
}

/** The record of a person, for a view that needs more than a name. */
export function usePerson(id: string | undefined): ResponseState<User> {
  return useShared(id && `person ${id}`, () => readPerson(id ?? ""));
}

/** The records of a few people by id; nobody else is read. */
export function usePeople(ids: readonly string[]) {
  const asked = [...new Set(ids)].sort();
  const response = useShared(
    asked.length === 0 ? undefined : `people ${asked.join()}`,
    async (once) => {
      const read = (id: string) =>
        once(`person ${id}`, () => readPerson(id)).catch(() => undefined);
      const found = await Promise.all(asked.map(read));
      return new Map(found.flatMap((person) => (person ? [[person.publicId, person]] : [])));
    },
  );
  return { personOf: (id: string): User | undefined => response.value?.get(id) };
}

/** The names of people by id: `…` until they are loaded, and the id of unknown people. */
export function useNames(ids: readonly string[]): (id: string) => string {
  const asked = [...new Set(ids)].sort();
  const response = useShared(asked.length === 0 ? undefined : `names ${asked.join()}`, async () => {
    const pages = idsByRequest(asked).map((some) =>
      get<{ data: Named[] }>(withQuery("names", { ids: some.join() })),
    );
    const named = (await Promise.all(pages)).flatMap(({ data }) => data);
    return new Map(named.map((person) => [person.publicId, nameOf(person)]));
  });
  return (id) => response.value?.get(id) ?? (response.isLoading ? "…" : id);
}
