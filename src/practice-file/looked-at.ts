import type { Db } from "../../db/database.ts";
import { addDays, type CalendarDate, type DateRange, earlier } from "../lib/calendar-date.ts";
import { possibleInstants } from "../lib/day-finder.ts";
import { invalid } from "../lib/errors.ts";
import { type Instant, parseInstant } from "../lib/instant.ts";
import { dayOf, localDate, parseTimeZone, UTC } from "../lib/time-zone.ts";
import { findTimeZone } from "../organizations/repository.ts";
import type { OwnedType, RecordType } from "../schema/record-types.ts";
import {
  patientsOfEncounters,
  patientsOfRecords,
  peopleOfSessions,
  providersBeside,
  timeZonesOfPatients,
} from "./people-repository.ts";
import type { PracticeFile } from "./read-file.ts";

/** The people and days whose findings a file may change (docs/checks.md). */
export interface LookedAt {
  /** Patients and providers whom the lines name, stored and resulting. */
  people: string[];
  /** From the first to the last day that the lines touch; undefined without such a line. */
  days: DateRange | undefined;
}

/** Types of lines about which findings are. */
const CHECKED: readonly RecordType[] = [
  ...["organization", "user", "authorizationPool", "authorization"],
  ...["session", "encounter", "goal"],
] as RecordType[];

/** A line that touches more than one time counts from so many days before today to so many behind it. */
const WIDE = { before: 28, behind: 337 };
const MAX_DAYS = 366;

/** @throws InvalidInput if the file has lines of other types. */
export async function lookedAt(db: Db, file: PracticeFile, now: Instant): Promise<LookedAt> {
  const other = [...file.counts.keys()].find((type) => !CHECKED.includes(type));
  if (other !== undefined)
    throw invalid(["findings"], `Lines of the type ${other} have no findings`);
  const { organizationId } = file;
  const idsOf = (type: OwnedType) => [
    ...(file.records.get(type)?.keys() ?? []),
    ...(file.deletions.get(type)?.keys() ?? []),
  ];
  const named = (type: OwnedType, ...fields: string[]) =>
    [...(file.records.get(type)?.values() ?? [])].flatMap((line) =>
      fields.map((field) => line.fields[field]).filter((value) => typeof value === "string"),
    );

  const encounters = await patientsOfEncounters(db, organizationId, idsOf("encounter"));
  const sessions = await peopleOfSessions(db, organizationId, [
    ...idsOf("session"),
    ...encounters.flatMap(({ session_id }) => session_id ?? []),
    ...named("encounter", "sessionId"),
  ]);
  const users = idsOf("user");
  const delivered = await patientsOfRecords(db, organizationId, {
    ...{ authorizations: named("encounter", "authorizationId"), pools: [], plans: [], goals: [] },
  });
  const patients = await patientsOfRecords(db, organizationId, {
    authorizations: idsOf("authorization"),
    pools: [...idsOf("authorizationPool"), ...named("authorization", "authorizationPoolId")],
    plans: named("goal", "treatmentPlanId"),
    goals: idsOf("goal"),
  });
  /** About them more may change than the sessions of the lines. */
  const otherwise = [
    ...users,
    ...patients,
    ...named("authorization", "patientId"),
    ...named("authorizationPool", "patientId"),
  ];
  const people = new Set([
    ...otherwise,
    ...delivered,
    ...encounters.map(({ patient_id }) => patient_id),
    ...sessions.flatMap((row) => [row.client_id, row.technician_id, row.clinician_id]),
    ...named("session", "clientId", "technicianId", "clinicianId"),
  ]);
  const times = [
    ...encounters.map(({ start_time }) => start_time),
    ...sessions.flatMap(({ start_time, end_time }) => [start_time, end_time]),
    ...named("session", "startTime", "endTime"),
    ...named("encounter", "startTime"),
  ].flatMap((time) => parseInstant(time) ?? []);
  const ids = [...people].filter((id) => id !== null);
  const own = (await findTimeZone(db, organizationId)) ?? UTC;
  const zones = (await timeZonesOfPatients(db, organizationId, ids)).map(
    (zone) => parseTimeZone(zone ?? "") ?? own,
  );
  const days = times.flatMap((time) =>
    (zones.length === 0 ? [own] : zones).map((zone) => dayOf(time, zone)),
  );
  if (otherwise.length > 0) {
    const today = localDate(now, own);
    days.push(addDays(today, -WIDE.before), addDays(today, WIDE.behind));
  }
  const range = rangeOf(days);
  const providers =
    range &&
    (await providersBeside(db, organizationId, {
      people: otherwise,
      span: possibleInstants(range),
    }));
  return { people: [...new Set([...ids, ...(providers ?? [])])], days: range };
}

function rangeOf(days: readonly CalendarDate[]): DateRange | undefined {
  const [startDate, last] = [days.toSorted().at(0), days.toSorted().at(-1)];
  if (startDate === undefined || last === undefined) return undefined;
  return { startDate, endDate: earlier(last, addDays(startDate, MAX_DAYS - 1)) };
}
