import { get, getAll, withQuery } from "./api.ts";
import { type Answer, remembered, useAnswer } from "./answer.ts";
import { signedIn } from "./signed-in.ts";
import type { PageOf, User } from "./wire.ts";

/** People of the practice by id. Each is requested only once. */

export type Role = User["role"];

const CLINICIAN_ROLES: Role[] = ["CLINICIAN", "CLINICAL_ADMIN", "CLINICAL_SUPERADMIN"];

/** The schedule's name for roles with sessions; undefined for others. */
export function kindOf(role: Role): "patient" | "technician" | "clinician" | undefined {
  if (role === "PATIENT") return "patient";
  if (role === "TECHNICIAN") return "technician";
  return CLINICIAN_ROLES.includes(role) ? "clinician" : undefined;
}

/** Keeps loaded people, for views that only know their ids. */
export function remember(people: readonly User[]): void {
  for (const person of people) signedIn.value?.people.set(person.publicId, person);
}

export function nameOf({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`;
}

/** The active users of roles, by name. */
export function useStaff(kind: "clinician" | "technician"): Answer<User[]> {
  return useAnswer(kind, () =>
    remembered(kind, async () => {
      const roles = kind === "technician" ? (["TECHNICIAN"] as const) : CLINICIAN_ROLES;
      const asking = new AbortController();
      const lists = await Promise.all(
        roles.map((role) => getAll<User>("users", { role, isActive: "true" }, asking.signal)),
      );
      const staff = lists.flat();
      remember(staff);
      return staff.sort((a, b) => nameOf(a).localeCompare(nameOf(b), "en"));
    }),
  );
}

/**
 * Reads the person with an id again, for data that may have changed.
 *
 * @throws Failure if there is no such person.
 */
export async function readPerson(id: string, signal: AbortSignal): Promise<User> {
  const person = await get<User>(`users/${encodeURIComponent(id)}`, signal);
  remember([person]);
  return person;
}

/** The loaded person with an id. */
async function findPerson(id: string, signal: AbortSignal): Promise<User> {
  return signedIn.value?.people.get(id) ?? readPerson(id, signal);
}

export function usePerson(id: string | undefined): Answer<User> {
  return useAnswer(id, (signal) => findPerson(id ?? "", signal));
}

/** Pages of patients are read only if they save more requests than this, since they include patients that are not needed. */
const FEW = 8;

/** Loads people: all pages of patients if these are few, others one by one. Unknown ids are omitted. */
async function lookUp(ids: readonly string[], signal: AbortSignal): Promise<void> {
  const isUnknown = (id: string): boolean => signedIn.value?.people.has(id) === false;
  let unknown = ids.filter(isUnknown);
  for (let page = 1, pages = 1; unknown.length > FEW && page <= pages; page += 1) {
    const path = withQuery("users", { role: "PATIENT", page, pageSize: 100 });
    const { data, pagination } = await get<PageOf<User>>(path, signal);
    remember(data);
    unknown = unknown.filter(isUnknown);
    pages = pagination.totalPages * FEW > ids.length ? 1 : pagination.totalPages;
  }
  await Promise.allSettled(unknown.map((id) => findPerson(id, signal)));
}

/** People by id; missing ones are loaded. */
export function usePeople(ids: readonly string[]) {
  const unknown = [...new Set(ids)].filter((id) => signedIn.value?.people.has(id) === false);
  const question = unknown.length === 0 ? undefined : unknown.sort().join(" ");
  const { isLoading } = useAnswer(question, (signal) => lookUp(unknown, signal));
  return { personOf: (id: string) => signedIn.value?.people.get(id), isLoading };
}

/** The names of people by id: `…` until loaded, and the id of unknown people. */
export function useNames(ids: readonly string[]): (id: string) => string {
  const { personOf, isLoading } = usePeople(ids);
  return (id) => {
    const person = personOf(id);
    if (person !== undefined) return nameOf(person);
    return isLoading ? "…" : id;
  };
}
