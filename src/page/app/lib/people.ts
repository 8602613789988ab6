import { Failure, get, type PageOf, withQuery } from "./api.ts";
import { type Answer, useAnswer } from "./answer.ts";
import { signedIn } from "./signed-in.ts";
import type { OverviewEntry, User } from "./wire.ts";

/** People of the practice by their ids. The API lists and searches them, and has no operation for one. */

/** Keeps people whom the API answered, for views that know no more than their ids. */
export function remember(people: readonly User[]): void {
  for (const person of people) signedIn.value?.people.set(person.publicId, person);
}

export function nameOf({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`;
}

/**
 * The person with an id. Who was seen before is known; a patient with a live authorization is found by the name that
 * stands there; for others the list is gone through, until they turn up.
 *
 * @throws Failure where nobody has the id.
 */
export async function findPerson(id: string, signal: AbortSignal): Promise<User> {
  const known = signedIn.value?.people.get(id);
  if (known !== undefined) return known;
  const entries = await get<PageOf<OverviewEntry>>(
    withQuery("authorization-utilization", { patientId: id, pageSize: 1, sort: "endDate" }),
    signal,
  );
  const [entry] = entries.data;
  const search = entry && `${entry.patientFirstName} ${entry.patientLastName}`;
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
  throw new Failure("Nobody in the practice has this id.");
}

export function usePerson(id: string | undefined): Answer<User> {
  return useAnswer(id, (signal) => findPerson(id ?? "", signal));
}
