import { signal } from "@preact/signals";
import type { PersonAccess } from "../../../../access/model.ts";
import { get, type Reading, readPractice, withQuery } from "../base/api.ts";
import { me } from "../base/me.ts";
import { NO_RECORDS } from "../base/query.ts";
import { type ResponseState, useRemembered } from "../base/response.ts";
import type { PageOf, User } from "../base/wire.ts";
import { keptForPerson } from "../sign-in/signed-in.ts";
import { type Beginning, isUnderWay } from "./beginning.ts";

/** Asks what a practice that begins has already. */

/** Whether it is known of the practice that it has begun: then nothing is asked any more. */
const hasBegun = signal(false);
keptForPerson(() => {
  hasBegun.value = false;
});

async function countOf(path: string, query: object, reading?: Reading): Promise<number> {
  const page = await get<PageOf<unknown>>(withQuery(path, { ...query, ...NO_RECORDS }), reading);
  return page.pagination.totalCount;
}

/** How many people show whether anybody has a certificate. */
const SHOWING = 50;

async function readBeginning(reading?: Reading): Promise<Beginning> {
  const usersOf = (role: string): Promise<PageOf<User>> =>
    get<PageOf<User>>(withQuery("users", { role, pageSize: SHOWING }), reading);
  const [encounters, sessions, access, technicians, clinicians] = await Promise.all([
    countOf("encounters", {}, reading),
    countOf("sessions", {}, reading),
    get<PageOf<PersonAccess>>(withQuery("access", { pageSize: 100 }), reading),
    usersOf("TECHNICIAN"),
    usersOf("CLINICIAN"),
  ]);
  const providers = [...technicians.data, ...clinicians.data];
  const counts = {
    ...{ encounters, sessions },
    staff: access.pagination.totalCount,
    signedIn: access.data.filter(({ passkeys, signIns }) => passkeys.length + signIns.length > 0)
      .length,
    hasCertificates: providers.some(
      (person) => "credentials" in person && person.credentials.length > 0,
    ),
  };
  // What was delivered was authorized: only a practice without it is asked for the rest, which then is little.
  if (encounters > 0) return { ...counts, locations: 1, patients: 1, authorizations: 1 };
  const patients = await countOf("users", { role: "PATIENT" }, reading);
  const lines = await readPractice(["location", "authorization"], reading);
  const ofType = (type: string): number => lines.filter((line) => line.type === type).length;
  return {
    ...counts,
    patients,
    locations: ofType("location"),
    authorizations: ofType("authorization"),
  };
}

/** What the practice has, while it begins, for an administrator; undefined for others, and once it has begun. */
export function useBeginning(): ResponseState<Beginning> {
  const isAsked = me().key.role === "ADMIN" && !hasBegun.value;
  const response = useRemembered(isAsked ? "beginning" : undefined, async (reading) => {
    const beginning = await readBeginning(reading);
    const { encounters, hasCertificates } = beginning;
    if (isUnderWay(beginning) && encounters > 0 && hasCertificates) hasBegun.value = true;
    return beginning;
  });
  return isAsked ? response : { ...response, value: undefined };
}
