import fc from "fast-check";
import { clockChanges, localAt, startOf, timeZoneNames } from "../lib/zoned.ts";
import type { Practice, Request } from "./oracle.ts";

/** A practice, a request for the utilization of an authorization or pool, and the current time. */
export interface UtilizationCase {
  practice: Practice;
  request: Request;
  now: string;
}

const POOL_ID = "apool_1";
const PATIENT_ID = "usr_patient";

/**
 * Random cases in any zone between 1990 and 2040. Each is set around one day, mostly one with a peculiarity of the
 * clock or calendar, so that authorizations, windows, sessions and encounters begin and end within days or hours of it.
 */
export function utilizationCases(): fc.Arbitrary<UtilizationCase> {
  return fc
    .constantFrom(...timeZoneNames())
    .chain((zone) => fc.tuple(fc.constant(zone), notableDays(zone)))
    .chain(([zone, day]) => casesAround(zone, Temporal.PlainDate.from(day)));
}

function notableDays(zone: string): fc.Arbitrary<string> {
  const years = fc.integer({ min: 1990, max: 2040 });
  const anyDay = fc
    .tuple(years, fc.integer({ min: 0, max: 364 }))
    .map(([year, days]) => Temporal.PlainDate.from(`${year}-01-01`).add({ days }).toString());
  const ends = fc
    .tuple(years, fc.constantFrom("02-28", "03-01", "12-31"))
    .map(([year, end]) => `${year}-${end}`);
  const leapDays = fc.integer({ min: 0, max: 12 }).map((leaps) => `${1992 + 4 * leaps}-02-29`);
  const changes = clockChanges(zone, 1990, 2040).map((change) => localDay(change, zone));
  const skipped = { "Pacific/Apia": "2011-12-30", "Pacific/Kwajalein": "1993-08-21" }[zone];
  return fc.oneof(
    anyDay,
    ends,
    leapDays,
    ...(skipped ? [{ weight: 4, arbitrary: fc.constant(skipped) }] : []),
    ...(changes.length > 0 ? [{ weight: 5, arbitrary: fc.constantFrom(...changes) }] : []),
  );
}

function casesAround(zone: string, day: Temporal.PlainDate): fc.Arbitrary<UtilizationCase> {
  const dayAt = (distance: number) => day.add({ days: distance }).toString();
  const near = fc.integer({ min: -8, max: 8 });

  const terms = fc
    .oneof(
      { weight: 4, arbitrary: fc.tuple(near, fc.nat(40)) },
      fc.tuple(fc.integer({ min: -400, max: 0 }), fc.integer({ min: 200, max: 500 })),
    )
    .map(([start, length]) => ({
      authorizationDate: dayAt(start),
      authorizationExpirationDate: dayAt(start + length),
    }));
  const serviceLines = fc
    .tuple(...[1, 2, 3].map(() => fc.constantFrom(15, 10, 5, 7, 1, 60, null)))
    .map((units) =>
      units.map((billingUnitMinutes, index) => ({
        publicId: `svc_${index}`,
        billingUnitMinutes,
      })),
    );
  const frequencies = fc.constantFrom("DAILY", "WEEKLY", "MONTHLY", "YEARLY", "TOTAL");
  const authorizations = fc
    .array(fc.tuple(terms, fc.nat(2), frequencies), { minLength: 1, maxLength: 4 })
    .map((members) =>
      members.map(([term, line, authorizedUnitFrequency], index) => ({
        publicId: `auth_${index}`,
        patientId: PATIENT_ID,
        authorizedUnitFrequency,
        serviceLineId: `svc_${line}`,
        ...term,
      })),
    );

  const starts = momentsAround(zone, day);
  const owners = fc.nat(3);
  const minutes = fc.oneof(
    fc.constantFrom(0, 2, 3, 5, 7, 8, 22, 23, 30, 60, 90, 120),
    fc.integer({ min: 0, max: 300 }),
  );
  const sessions = fc.record({
    owner: fc.oneof({ weight: 4, arbitrary: owners }, fc.constant(null)),
    startTime: starts,
    minutes,
    milliseconds: fc.constantFrom(0, 0, 1, 59_999),
    status: fc.constantFrom(
      "CONFIRMED",
      "UNCONFIRMED",
      "REQUESTED_TO_CANCEL",
      "DECLINED",
      "PATIENT_NO_SHOW",
    ),
  });
  const units = fc.oneof(
    fc.constantFrom(0, 0.1, 0.2, 0.25, 1, 8),
    fc.nat(40_000_000).map((millionths) => millionths / 1_000_000),
  );
  const encounters = fc.record({ owner: owners, startTime: starts, units });

  return fc
    .record({
      weekStartsOn: fc.constantFrom(
        null,
        "SUNDAY",
        "MONDAY",
        "TUESDAY",
        "WEDNESDAY",
        "THURSDAY",
        "FRIDAY",
        "SATURDAY",
      ),
      patientZone: fc.constantFrom(zone, zone, "America/New_York", null),
      unitFrequency: frequencies,
      serviceLines,
      authorizations,
      sessions: fc.array(sessions, { maxLength: 12 }),
      encounters: fc.array(encounters, { maxLength: 12 }),
      poolSize: fc.nat(4),
      asked: fc.constantFrom("pool", "first", "last"),
      startDate: fc.option(
        fc.oneof({ weight: 4, arbitrary: near }, fc.integer({ min: -420, max: 30 })).map(dayAt),
      ),
      endDate: fc.option(
        fc.oneof({ weight: 2, arbitrary: near }, fc.integer({ min: -30, max: 420 })).map(dayAt),
      ),
      nameZone: fc.boolean(),
      now: fc.tuple(fc.integer({ min: -60, max: 10 }), fc.nat(86_399_999)),
    })
    .filter(({ startDate, endDate }) => !startDate || !endDate || startDate <= endDate)
    .map((parts) => {
      const members = parts.authorizations.slice(0, parts.poolSize);
      const standalone = parts.authorizations.slice(parts.poolSize);
      const authorizationOf = (owner: number) => `auth_${owner % parts.authorizations.length}`;
      const practice: Practice = {
        organization: { weekStartsOn: parts.weekStartsOn },
        patients: [{ publicId: PATIENT_ID, timezone: parts.patientZone }],
        serviceLines: parts.serviceLines,
        authorizationPools: [
          { publicId: POOL_ID, patientId: PATIENT_ID, unitFrequency: parts.unitFrequency },
        ],
        authorizations: [
          ...members.map((one) => ({ ...one, authorizationPoolId: POOL_ID })),
          ...standalone,
        ],
        sessions: parts.sessions.map(({ owner, startTime, minutes, milliseconds, status }) => ({
          authorizationId: owner === null ? null : authorizationOf(owner),
          startTime,
          endTime: isoText(Date.parse(startTime) + minutes * 60_000 + milliseconds),
          status,
        })),
        encounters: parts.encounters.map(({ owner, ...encounter }) => ({
          authorizationId: authorizationOf(owner),
          ...encounter,
        })),
      };
      const now = startOf(day.add({ days: parts.now[0] }), zone);
      return {
        practice,
        request: {
          publicId: {
            pool: POOL_ID,
            first: "auth_0",
            last: `auth_${parts.authorizations.length - 1}`,
          }[parts.asked],
          ...(parts.startDate ? { startDate: parts.startDate } : {}),
          ...(parts.endDate ? { endDate: parts.endDate } : {}),
          ...(parts.nameZone || parts.patientZone === null ? { timezone: zone } : {}),
        },
        now: isoText(now + parts.now[1]),
      };
    });
}

/** Instants at and next to starts of days, at and next to clock changes, and others. */
function momentsAround(zone: string, day: Temporal.PlainDate): fc.Arbitrary<string> {
  const begins = (distance: number) => startOf(day.add({ days: distance }), zone);
  const [from, to] = [begins(-2), begins(3)];
  const changes = clockChanges(zone, day.year - 1, day.year + 1).filter(
    (change) => from <= change && change <= to,
  );
  const days = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: -3, max: 3 }) },
    fc.integer({ min: -40, max: 60 }),
  );
  const bases = fc.oneof(
    { weight: 3, arbitrary: days.map(begins) },
    ...(changes.length > 0 ? [fc.constantFrom(...changes)] : []),
  );
  const distances = fc.oneof(
    fc.constantFrom(-3_600_000, -60_000, -1, 0, 1, 60_000, 3_599_999, 3_600_000),
    fc.integer({ min: -86_400_000, max: 86_400_000 }),
  );
  return fc.tuple(bases, distances).map(([base, distance]) => isoText(base + distance));
}

function localDay(moment: number, zone: string): string {
  return localAt(moment, zone).toPlainDate().toString();
}

function isoText(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString();
}
