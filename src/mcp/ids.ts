import { type Static, type TString, Type } from "@sinclair/typebox";
import { isStaff } from "../callers/roles.ts";
import type { PayorPage } from "../reference-data/model.ts";
import type { Names } from "../users/model.ts";
import type { UtilizationSummary } from "../utilization/models/summary.ts";
import { type Api, Refused } from "./api.ts";

/**
 * Ids in arguments. Models pass a name where an id is due, and would tell "none" where the practice has no such record.
 * So each id of an empty answer is looked up.
 */

/** What an argument is the id of, and which tools have it in their answers. */
const kinds = {
  patientId: { what: "patient", from: "find_person" },
  technicianId: { what: "technician", from: "find_person" },
  clinicianId: { what: "clinician", from: "find_person" },
  providerId: { what: "provider", from: "find_person" },
  payorId: { what: "payor", from: "authorizations_at_a_glance and delivered" },
  authorizationId: {
    what: "authorization",
    from: "authorizations_at_a_glance and delivered",
  },
} as const;

type IdName = keyof typeof kinds;
export type Ids = { [Name in IdName]?: string | undefined };

const names = Object.keys(kinds) as IdName[];

/** An argument that is an id. */
export function idOf(name: IdName): TString {
  return Type.String({ description: `id from ${kinds[name].from}` });
}

export function unknownId(name: IdName): Refused {
  const { what, from } = kinds[name];
  return new Refused(404, `404: ${name}: no such ${what}; ids stand in the answers of ${from}`);
}

/**
 * Checks that the arguments of a call have the form of ids, so that they can be a part of a path.
 *
 * @throws Refused
 */
export function requireForm(args: Ids): void {
  for (const name of names) {
    const id = args[name];
    if (id !== undefined && !/^[A-Za-z0-9_-]{1,128}$/.test(id)) throw unknownId(name);
  }
}

/**
 * Checks that the practice has the records of all ids.
 *
 * @throws Refused
 */
export async function requireKnown(api: Api, args: Ids): Promise<void> {
  const { payorId, authorizationId, ...people } = args;
  await requirePeople(api, people);
  if (payorId !== undefined && !(await isPayor(api, payorId))) throw unknownId("payorId");
  if (authorizationId === undefined) return;
  // In any zone: only whether it exists is asked.
  const subject = await findSubject(api, authorizationId, "UTC");
  if (subject.subject === "POOL") throw poolRefused(subject);
}

async function requirePeople(api: Api, people: Ids): Promise<void> {
  const given = names.filter((name) => people[name] !== undefined);
  if (given.length === 0) return;
  const ids = given.map((name) => people[name]).join();
  const { data } = await api.get<Static<typeof Names>>("names", { ids });
  for (const name of given) {
    const role = data.find(({ publicId }) => publicId === people[name])?.role ?? "";
    if (name === "patientId" ? role !== "PATIENT" : !isStaff(role)) throw unknownId(name);
  }
}

async function isPayor(api: Api, id: string): Promise<boolean> {
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await api.get<Static<typeof PayorPage>>("payors", {
      ...{ page, pageSize: 100 },
    });
    if (data.some(({ publicId }) => publicId === id)) return true;
    if (page >= pagination.totalPages) return false;
  }
}

/**
 * An authorization or a pool with its members.
 *
 * @throws Refused
 */
export async function findSubject(
  api: Api,
  authorizationId: string,
  timezone?: string,
): Promise<UtilizationSummary> {
  const today = new Date(api.now()).toISOString().slice(0, 10);
  // The numbers are not needed, so a window of one day.
  const query = { startDate: today, endDate: today, timezone };
  return knowing(
    "authorizationId",
    api.get(`authorization-utilization/${authorizationId}/summary`, query),
  );
}

/** A response, whose 404 is that of an id. */
export async function knowing<Body>(name: IdName, response: Promise<Body>): Promise<Body> {
  try {
    return await response;
  } catch (error) {
    throw error instanceof Refused && error.status === 404 ? unknownId(name) : error;
  }
}

/** Members of a pool that a refusal lists. */
const LISTED = 100;

export function poolRefused({ series }: UtilizationSummary): Refused {
  const members = series.filter(({ authorizationId }) => authorizationId !== null);
  const listed = members
    .slice(0, LISTED)
    .map(
      ({ authorizationId, serviceLineName, startDate, endDate }) =>
        `${authorizationId} (${serviceLineName}, ${startDate} to ${endDate})`,
    );
  const more = members.length > LISTED ? `, and ${members.length - LISTED} more` : "";
  return new Refused(
    400,
    `400: authorizationId: is a pool, which has no sessions; name a member: ${listed.join(", ")}${more}`,
  );
}
