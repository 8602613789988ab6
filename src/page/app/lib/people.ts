import { get, getAll } from "./api.ts";
import { type ResponseState, remembered, useResponse } from "./response.ts";
import { signedIn } from "./signed-in.ts";
import type { Role, User } from "./wire.ts";

/** People of the practice by id. Each is requested only once. */

const CLINICIAN_ROLES: Role[] = ["CLINICIAN", "CLINICAL_ADMIN", "CLINICAL_SUPERADMIN"];

/** The schedule's name for roles with sessions; undefined for others. */
export function kindOf(role: Role): "patient" | "technician" | "clinician" | undefined {
  if (role === "PATIENT") return "patient";
  if (role === "TECHNICIAN") return "technician";
  return CLINICIAN_ROLES.includes(role) ? "clinician" : undefined;
}

export type StaffKind = "clinician" | "technician" | "provider";

/** Who of the staff has one of some roles; undefined for patients, caregivers and administrators. */
export function staffKindOf(roles: readonly Role[]): StaffKind | undefined {
  const kinds = new Set(roles.map(kindOf));
  if (kinds.has("patient") || kinds.has(undefined)) return undefined;
  if (kinds.size > 1) return "provider";
  return kinds.has("technician") ? "technician" : "clinician";
}

/** Keeps loaded people, for views that only know their ids. */
export function remember(people: readonly User[]): void {
  for (const person of people) signedIn.value?.people.set(person.publicId, person);
}

export function nameOf({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`;
}

/** A name in a list by last names: `Carver, Lucy`. */
export function listName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${lastName}, ${firstName}`;
}

const STAFF_ROLES: Record<StaffKind, readonly Role[]> = {
  clinician: CLINICIAN_ROLES,
  technician: ["TECHNICIAN"],
  provider: [...CLINICIAN_ROLES, "TECHNICIAN"],
};

/** The active staff of a kind, by name; nobody without a kind. */
export function useStaff(kind: StaffKind | undefined): ResponseState<User[]> {
  return useResponse(kind, async () => {
    const roles = kind === undefined ? [] : STAFF_ROLES[kind];
    const staff = (await Promise.all(roles.map(activeUsers))).flat();
    return staff.sort((a, b) => nameOf(a).localeCompare(nameOf(b), "en"));
  });
}

function activeUsers(role: Role): Promise<User[]> {
  return remembered(`active ${role}`, async () => {
    const users = await getAll<User>("users", { role, isActive: "true" });
    remember(users);
    return users;
  });
}

/**
 * Reads the person with an id again, for data that may have changed.
 *
 * @throws Failure if there is no such person.
 */
export async function readPerson(id: string, signal: AbortSignal | null = null): Promise<User> {
  const person = await get<User>(`users/${encodeURIComponent(id)}`, signal);
  remember([person]);
  return person;
}

/** The loaded person with an id. Who is being read already is not read again. */
async function findPerson(id: string): Promise<User> {
  return signedIn.value?.people.get(id) ?? remembered(`person ${id}`, () => readPerson(id));
}

export function usePerson(id: string | undefined): ResponseState<User> {
  return useResponse(id, (_, question) => findPerson(question));
}

/** Loads people one by one, so that nobody else is read. Unknown ids are omitted. */
async function lookUp(ids: readonly string[]): Promise<void> {
  await Promise.allSettled(ids.map(findPerson));
}

/** People by id; missing ones are loaded. */
export function usePeople(ids: readonly string[]) {
  const unknown = [...new Set(ids)].filter((id) => signedIn.value?.people.has(id) === false);
  const question = unknown.length === 0 ? undefined : unknown.sort().join(" ");
  const { isLoading } = useResponse(question, () => lookUp(unknown));
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
