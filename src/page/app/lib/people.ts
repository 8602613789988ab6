import { get, getAll, type PageOf, withQuery } from "./api.ts";
import { type Answer, remembered, useAnswer } from "./answer.ts";
import { Failure } from "./failure.ts";
import { signedIn } from "./signed-in.ts";
import type { OverviewEntry, User } from "./wire.ts";

/** People of the practice by their ids. The API lists and searches them, and has no operation for one. */

export type Role = User["role"];

const CLINICIAN_ROLES: Role[] = ["CLINICIAN", "CLINICAL_ADMIN", "CLINICAL_SUPERADMIN"];

/** Keeps people whom the API answered, for views that know no more than their ids. */
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

/** A search takes no more words. */
const MOST_TERMS = 10;

/**
 * The person with an id. Who was seen before is known; a patient with a live authorization is found by the name that
 * stands there; for others the list is gone through until they turn up.
 *
 * @throws Failure where nobody has the id.
 */
export async function findPerson(id: string, signal: AbortSignal): Promise<User> {
  const known = signedIn.value?.people.get(id);
  if (known !== undefined) return known;
  const name = await patientName(id, undefined, signal);
  const search = name?.split(/\s+/).slice(0, MOST_TERMS).join(" ");
  for (const query of search === undefined ? [{}] : [{ search, role: "PATIENT" }, {}]) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const path = withQuery("users", { ...query, page, pageSize: 100 });
      const { data, pagination } = await get<PageOf<User>>(path, signal);
      remember(data);
      const found = data.find(({ publicId }) => publicId === id);
      if (found !== undefined) return found;
      pages = pagination.totalPages;
    }
  }
  throw new Failure("Nobody in the practice has this id.", 404);
}

export function usePerson(id: string | undefined): Answer<User> {
  return useAnswer(id, (signal) => findPerson(id ?? "", signal));
}

/**
 * What people are called, by id: staff, and patients as an authorization that is live on the day names them. Until
 * that is known they have three dots, and whose name cannot be found, the id.
 */
export function useNames(patientIds: readonly string[] = [], day = ""): (id: string) => string {
  const staff = [useStaff("clinician"), useStaff("technician")];
  const people = signedIn.value?.people;
  const unknown = patientIds.filter((id) => people?.has(id) === false).sort();
  const question = unknown.length === 0 ? undefined : `${day} ${unknown.join(" ")}`;
  const names = useAnswer(question, async (signal) => {
    const found = await Promise.all(unknown.map((id) => patientName(id, day, signal)));
    return new Map(unknown.map((id, index) => [id, found[index]]));
  });
  return (id) => {
    const person = people?.get(id);
    if (person !== undefined) return nameOf(person);
    const isLoading = [...staff, names].some((answer) => answer.isLoading);
    return names.value?.get(id) ?? (isLoading ? "…" : id);
  };
}

async function patientName(
  patientId: string,
  date: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const query = { patientId, date, sort: "endDate", pageSize: 1 };
  const path = withQuery("authorization-utilization", query);
  const { data } = await get<PageOf<OverviewEntry>>(path, signal);
  const [entry] = data;
  return entry && `${entry.patientFirstName} ${entry.patientLastName}`;
}
