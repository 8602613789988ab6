import type { Static } from "@sinclair/typebox";
import type { NonBillableCodePage, ServiceLinePage } from "../reference-data/model.ts";
import type { Session } from "../sessions/model.ts";
import type { Names } from "../users/model.ts";
import type { Api } from "./api.ts";
import { person } from "./texts.ts";

/** Names for the ids in sessions. */

interface NamesOf {
  person(id: string | null): { id: string; name?: string } | null;
  service(id: string): { id: string; name?: string };
}

/** The most ids of a request, and the most characters, so that its request line is taken. */
const MAX_IDS = 100;
const MAX_LENGTH = 7_500;

/** Asks for the names of the people and services of sessions. */
export async function namesIn(api: Api, sessions: readonly Session[]): Promise<NamesOf> {
  const ids = sessions.flatMap((session) => [
    ...[session.clientId, session.technicianId],
    ...(session.isBillable ? [session.clinicianId] : []),
  ]);
  const people = new Map<string, { id: string; name: string } | null>();
  for (const part of partsOf([...new Set(ids.filter((id) => id !== null))])) {
    const { data } = await api.get<Static<typeof Names>>("names", { ids: part.join() });
    for (const { publicId, firstName, lastName } of data)
      people.set(publicId, person(publicId, firstName, lastName));
  }
  const services = new Map<string, string>();
  const lists = { "service-lines": true, "non-billable-codes": false };
  for (const [path, isBillable] of Object.entries(lists)) {
    if (!sessions.some((session) => session.isBillable === isBillable)) continue;
    type Page = Static<typeof ServiceLinePage | typeof NonBillableCodePage>;
    const { data } = await api.get<Page>(path, { pageSize: 100 });
    for (const { publicId, name } of data) services.set(publicId, name);
  }
  return {
    person: (id) => (id === null ? null : (people.get(id) ?? { id })),
    service: (id) => ({ id, ...(services.has(id) && { name: services.get(id) as string }) }),
  };
}

function partsOf(ids: readonly string[]): string[][] {
  const parts: string[][] = [];
  let length = Infinity;
  for (const id of ids) {
    length += id.length + 1;
    if (length > MAX_LENGTH || parts.at(-1)?.length === MAX_IDS) {
      parts.push([]);
      length = id.length;
    }
    parts.at(-1)?.push(id);
  }
  return parts;
}
