import { get, getAll, type Reading, readRecords, withQuery } from "../base/api.ts";
import type { AddressField } from "./contact.ts";
import { idsByRequest } from "../base/query.ts";
import { type ResponseState, useRemembered, useShared } from "../base/response.ts";
import { revision } from "../base/revision.ts";
import { signedIn } from "../sign-in/signed-in.ts";
import { STAFF_ROLES, type StaffKind } from "../base/roles.ts";
import type { Named, User } from "../base/wire.ts";

/** People of the practice: their names, and their records. */

export function nameOf({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`;
}

/** The name of somebody in a row of a report, such as its `technician`; empty without one. */
export function rowName<Who extends string>(
  row: Record<`${Who}FirstName` | `${Who}LastName`, string | null>,
  who: Who,
): string {
  return [row[`${who}FirstName`], row[`${who}LastName`]].filter(Boolean).join(" ");
}

/** The name of the patient whom a row of a report is about. */
export function patientName(row: { patientFirstName: string; patientLastName: string }): string {
  return rowName(row, "patient");
}

/** A name in a list by last names: `Carver, Lucy`. */
export function listName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${lastName}, ${firstName}`;
}

/** The active staff of a kind, by name; nobody without a kind. */
export function useStaff(kind: StaffKind | undefined): ResponseState<Named[]> {
  const { value: people, ...response } = useNamedPeople([], kind !== undefined);
  const roles = kind === undefined ? [] : STAFF_ROLES[kind];
  const staff = people && [...people.values()].filter(({ role }) => roles.includes(role));
  return {
    ...response,
    value: staff?.sort((a, b) => nameOf(a).localeCompare(nameOf(b), "en")),
  };
}

/** The records of the active staff of a kind, for whoever needs more than names; of nobody without a kind. */
export function useStaffRecords(kind: StaffKind | undefined): ResponseState<User[]> {
  return useShared(kind && `records of ${kind}`, async () => {
    const roles = kind === undefined ? [] : STAFF_ROLES[kind];
    const lists = roles.map((role) => getAll<User>("users", { role, isActive: "true" }));
    return (await Promise.all(lists)).flat();
  });
}

/**
 * Reads the person with an id.
 *
 * @throws Failure if there is no such person.
 */
export function readPerson(id: string, reading?: Reading): Promise<User> {
  return get<User>(`users/${encodeURIComponent(id)}`, reading);
}

/** The record of a person, for a view that needs more than a name. */
export function usePerson(id: string | undefined): ResponseState<User> {
  return useShared(id && `person ${id}`, () => readPerson(id ?? ""));
}

/** What records of practice files have of people under the same names as the API. */
export type PersonRecord = Pick<
  User,
  "publicId" | "firstName" | "lastName" | "userStatus" | "caregiverId" | AddressField
> & {
  /** A line has nothing where nothing is stored. */
  phoneNumber: string | null;
};

/** The records of people by id, as many at a time as a request takes; nobody else is read. */
export function usePeople(ids: readonly string[]) {
  const asked = [...new Set(ids)].sort();
  return useRemembered(
    asked.length === 0 ? undefined : `people ${asked.join()}`,
    async (reading) => {
      const lines = await readRecords("user", asked, reading);
      return new Map(lines.map((line) => [line.publicId, line as unknown as PersonRecord]));
    },
  );
}

/** The names of people by id: `…` until they are loaded, and the id of unknown people. */
export function useNames(ids: readonly string[]): (id: string) => string {
  return useNamedPeople(ids).name;
}

/** The names of people by id, for what is saved; the id of unknown people. */
export async function readNames(ids: readonly string[]): Promise<(id: string) => string> {
  const people = await lookUp([...new Set(ids)].sort(), false);
  const names = new Map(people.map((person) => [person.publicId, nameOf(person)]));
  return (id) => names.get(id) ?? id;
}

/** Stands where only the providers are wanted, since the API wants an id. */
const NOBODY = "nobody";

/** Who was looked up since the last write, each by one request: the list that asked for it does not matter. */
const lookups = new Map<string, Promise<readonly Named[]>>();
revision.subscribe(() => lookups.clear());
signedIn.subscribe(() => lookups.clear());

/** Looks up who people are, and all active providers; those alone who were not looked up before. */
async function lookUp(ids: readonly string[], withProviders: boolean): Promise<Named[]> {
  const names = withProviders ? [...ids, PROVIDERS] : ids;
  const missing = new Set(names.filter((name) => !lookups.has(name)));
  const asksProviders = missing.delete(PROVIDERS);
  const asked = asksProviders && missing.size === 0 ? [NOBODY] : [...missing];
  idsByRequest(asked).forEach((some, index) => {
    const query = { ids: some.join(), ...(asksProviders && index === 0 && { providers: "true" }) };
    const request = get<{ data: Named[] }>(withQuery("names", query)).then(({ data }) => data);
    const own = index === 0 && asksProviders ? [...some, PROVIDERS] : some;
    for (const name of own) lookups.set(name, request);
    request.catch(() => {
      for (const name of own) if (lookups.get(name) === request) lookups.delete(name);
    });
  });
  const answers = await Promise.all(new Set(names.map((name) => lookups.get(name))));
  return answers.flatMap((people) => people ?? []);
}

/** Stands among ids for all active providers; no id has a space. */
const PROVIDERS = "all providers";

/**
 * Who people are by id, and all active providers where they are asked for.
 *
 * @returns the people by id, and `name` as `useNames` has it.
 */
export function useNamedPeople(ids: readonly string[], withProviders = false) {
  const asked = [...new Set(ids)].sort();
  const response = useShared(
    asked.length === 0 && !withProviders ? undefined : `names ${withProviders} ${asked.join()}`,
    async () => {
      const named = await lookUp(asked, withProviders);
      return new Map(named.map((person) => [person.publicId, person]));
    },
  );
  const name = (id: string): string => {
    const person = response.value?.get(id);
    return person === undefined ? (response.isLoading ? "…" : id) : nameOf(person);
  };
  return { ...response, name };
}
