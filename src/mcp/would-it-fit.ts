import { type Instant, parseInstant, toInstant } from "../lib/instant.ts";
import { localDate, parseTimeZone, type TimeZone } from "../lib/time-zone.ts";
import type { UtilizationSummary } from "../utilization/models/summary.ts";
import type { WhatIf } from "../utilization/models/what-if.ts";
import { type Api, Refused } from "./api.ts";
import { findSubject, knowing, poolRefused } from "./ids.ts";
import { instantOf, isLocalTime } from "./local-times.ts";

interface Question {
  authorizationId: string;
  add?: { startTime: string; endTime: string }[];
  cancel?: string[];
  timezone?: string;
}

/** Asks the what-if. Times may be local, and a pool's id may stand for its only member that is open. */
export async function wouldItFit(api: Api, question: Question): Promise<WhatIf> {
  const { authorizationId, add = [], timezone } = question;
  const isLocal = add.some(({ startTime, endTime }) => [startTime, endTime].some(isLocalTime));
  if (isLocal && timezone === undefined) {
    // The zone of the answer is the patient's.
    const subject = await findSubject(api, authorizationId);
    const placed = inZone(question, subject.timezone);
    return ask(
      api,
      subject.subject === "POOL" ? memberOf(api, subject, placed) : authorizationId,
      placed,
    );
  }
  const placed = isLocal ? inZone(question, zoneNamed(timezone)) : question;
  try {
    return await ask(api, authorizationId, placed);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 400) throw error;
    const subject = await findSubject(api, authorizationId, timezone);
    if (subject.subject !== "POOL") throw error;
    return ask(api, memberOf(api, subject, placed), placed);
  }
}

function ask(api: Api, id: string, { add, cancel, timezone }: Question): Promise<WhatIf> {
  const path = `authorization-utilization/${id}/what-if`;
  return knowing("authorizationId", api.post<WhatIf>(path, { add, cancel, timezone }));
}

/** @throws Refused */
function zoneNamed(name = ""): TimeZone {
  const zone = parseTimeZone(name);
  if (zone !== undefined) return zone;
  throw new Refused(400, "400: timezone: Must be an IANA time zone, such as America/New_York");
}

function inZone(question: Question, zone: TimeZone): Question {
  const add = question.add?.map(({ startTime, endTime }, index) => ({
    startTime: instantOf(startTime, zone, `add: ${index}: startTime`),
    endTime: instantOf(endTime, zone, `add: ${index}: endTime`),
  }));
  return { ...question, ...(add !== undefined && { add }) };
}

/**
 * The member of a pool that is open on the day of the first session to be added, else today.
 *
 * @throws Refused unless there is one.
 */
function memberOf(api: Api, pool: UtilizationSummary, { add }: Question): string {
  const first: Instant | undefined = parseInstant(add?.[0]?.startTime ?? "");
  const day = localDate(first ?? toInstant(api.now()), pool.timezone);
  const open = pool.series.filter(
    ({ authorizationId, startDate, endDate }) =>
      authorizationId !== null &&
      startDate !== null &&
      endDate !== null &&
      startDate <= day &&
      day <= endDate,
  );
  const [only] = open;
  if (open.length !== 1 || only?.authorizationId == null) throw poolRefused(pool);
  return only.authorizationId;
}
