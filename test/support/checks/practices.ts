import type { Database } from "../../../db/database.ts";
import fc from "fast-check";
import { loadPractice, recordsOf } from "../utilization/load-practice.ts";
import { overviewCases } from "../utilization/overview-practices.ts";
import type { ChecksPractice, ChecksQuery } from "./oracle.ts";

/** A practice, a query and the current time. */
export interface ChecksCase {
  practice: ChecksPractice;
  query: ChecksQuery;
  now: string;
}

const TECHNICIANS = ["usr_tech_1", "usr_tech_2"];
const CLINICIANS = ["usr_bcba_1"];
const PAYORS = ["pay_acme", "pay_other"];

/**
 * Random practices like those of the overview, around a day with a peculiarity of the clock or calendar. Their sessions
 * have people, may lack an authorization, and may last for days.
 */
export function checksCases(): fc.Arbitrary<ChecksCase> {
  return fc
    .tuple(overviewCases(), fc.array(additions, { minLength: 24, maxLength: 24 }), asked)
    .map(([base, added, parts]) => {
      const practice = checksPractice(base.practice, added, parts);
      return { practice, now: base.now, query: queryOf(practice, parts, base.query.timezone) };
    });
}

type Additions = typeof additions extends fc.Arbitrary<infer Value> ? Value : never;
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;

const additions = fc.record({
  technicianId: fc.constantFrom(TECHNICIANS[0]!, ...TECHNICIANS, null),
  clinicianId: fc.constantFrom(...CLINICIANS, null),
  isSupervision: fc.constantFrom(false, false, true),
  /** Of one without an authorization. */
  kind: fc.constantFrom("billable", "billable", "without client", "not billable"),
  minutesLater: fc.constantFrom(0, 1, 15, 60, 1440),
  longerByDays: fc.constantFrom(0, 0, 0, 0, 0, 1, 3),
  payorId: fc.constantFrom(...PAYORS, null),
  /** Whether it is at the time of the session before, with the next patient, of the first service. */
  joins: fc.constantFrom(false, false, true),
  placeOfService: fc.constantFrom("HOME", "HOME", "HOME", "OFFICE"),
});

const asked = fc.record({
  /** The window begins some days before one of the significant dates, unless it is omitted. */
  window: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        place: fc.nat(40),
        before: fc.constantFrom(0, 0, 1, 20),
        days: fc.oneof(fc.nat(3), fc.integer({ min: 20, max: 60 }), fc.constant(365)),
      }),
    },
    fc.constant(null),
  ),
  check: rarely(
    "OVER_AUTHORIZED",
    "PROVIDER_OVERLAP,OUTSIDE_AUTHORIZATION,PROVIDER_OVERLAP",
    "DELIVERED_UNHELD,NOT_DOCUMENTED",
  ),
  patientId: rarely("usr_patient", "usr_none"),
  providerId: rarely("usr_tech_1"),
  payorId: rarely("pay_acme"),
  page: rarely(2),
  pageSize: fc.constantFrom(undefined, 100, 100, 2),
  credentialEnds: fc.array(fc.tuple(fc.nat(40), fc.integer({ min: -1, max: 1 })), { maxLength: 3 }),
  limit: fc.constantFrom(0, 0.5, 1, 4, null),
  areActive: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  groupLines: fc.constantFrom("none", "first", "all"),
});

function rarely<Value>(...values: Value[]): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, fc.constantFrom(...values));
}

function checksPractice(
  base: Parameters<typeof recordsOf>[0] & Pick<ChecksPractice, "organization" | "patients">,
  added: readonly Additions[],
  { credentialEnds, limit, areActive, groupLines }: Asked,
): ChecksPractice {
  const overview = base as unknown as ChecksPractice;
  const lineOf = new Map(
    overview.authorizations.map((one) => [one.publicId, one.serviceLineId] as const),
  );
  // Each session is followed by a close second one without encounter.
  const all = overview.sessions.flatMap((session, index) => [
    session,
    { ...session, ...laterBy(added[index]!.minutesLater, session), publicId: `apt_${index}_b` },
  ]);
  const sessions = all.map((session, index) => {
    const { technicianId, clinicianId, isSupervision, kind, longerByDays } = added[index]!;
    const isBound = (session.authorizationId ?? null) !== null;
    const isBillable = isBound || kind !== "not billable";
    return {
      ...session,
      endTime: new Date(Date.parse(session.endTime) + longerByDays * 86_400_000).toISOString(),
      clientId: isBound || kind === "billable" ? session.clientId : null,
      technicianId,
      clinicianId: isBillable ? clinicianId : null,
      isSupervision,
      isBillable,
      placeOfService: added[index]!.placeOfService,
      ...(isBillable && {
        services: lineOf.get(session.authorizationId ?? "") ?? overview.serviceLines[0]!.publicId,
      }),
    };
  });
  const patientIds = overview.patients.map(({ publicId }) => publicId);
  for (const [index, session] of sessions.entries()) {
    const before = sessions[index - 1];
    const isBound = (session.authorizationId ?? null) !== null;
    if (before === undefined || isBound || !session.isBillable || !added[index]!.joins) continue;
    const { startTime, endTime, services } = before;
    const next = (patientIds.indexOf(before.clientId ?? "") + 1) % patientIds.length;
    Object.assign(session, { startTime, endTime, clientId: patientIds[next]! });
    if (services !== undefined) Object.assign(session, { services });
  }
  const lines = overview.serviceLines.map(({ publicId }) => publicId);
  const starts = sessions.map(({ startTime }) => startTime);
  const ends = credentialEnds.flatMap(([place, distance]) => {
    const start = starts[place % starts.length];
    return start === undefined ? [] : new Date(Date.parse(start) + distance).toISOString();
  });
  return {
    ...overview,
    providers: [
      { publicId: TECHNICIANS[0]!, role: "TECHNICIAN", credentialEnds: ends.slice(0, 2) },
      { publicId: TECHNICIANS[1]!, role: "TECHNICIAN", credentialEnds: [] },
      { publicId: CLINICIANS[0]!, role: "CLINICIAN", credentialEnds: ends.slice(2) },
    ].map((provider, index) => ({ ...provider, isActive: areActive[index]! })),
    authorizationPools: overview.authorizationPools.map((pool) => ({
      ...pool,
      totalUnits: limit ?? pool.totalUnits,
      payorId: "pay_acme",
    })),
    authorizations: overview.authorizations.map((one, index) => ({
      ...one,
      authorizedUnitsQuantity: limit ?? one.authorizedUnitsQuantity ?? null,
      payorId: (one.authorizationPoolId ?? null) === null ? added[index]!.payorId : null,
    })),
    sessions,
    groupLines: lines.slice(0, { none: 0, first: 1, all: lines.length }[groupLines]),
    encounters: overview.encounters.map((encounter, index) => ({
      ...encounter,
      publicId: `enc_${index}`,
    })),
  };
}

function laterBy(minutes: number, { startTime, endTime }: { startTime: string; endTime: string }) {
  const later = (instant: string) => new Date(Date.parse(instant) + minutes * 60_000).toISOString();
  return { startTime: later(startTime), endTime: later(endTime) };
}

function queryOf(
  practice: ChecksPractice,
  parts: Asked,
  timezone: string | undefined,
): ChecksQuery {
  const dates = [
    ...practice.authorizations.map((one) => one.authorizationDate),
    ...practice.authorizations.map((one) => one.authorizationExpirationDate),
    ...practice.sessions.map((one) => one.startTime.slice(0, 10)),
  ];
  const { window, check, patientId, providerId, payorId, page, pageSize } = parts;
  const start =
    window &&
    Temporal.PlainDate.from(dates[window.place % dates.length]!).subtract({ days: window.before });
  const query = {
    startDate: start?.toString(),
    endDate: start?.add({ days: window?.days ?? 0 }).toString(),
    ...{ check, patientId, providerId, payorId, timezone, page, pageSize },
  };
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined),
  ) as ChecksQuery;
}

/** Imports a random practice. */
export async function loadChecksPractice(
  database: Database,
  organizationId: string,
  practice: ChecksPractice,
): Promise<void> {
  const providers = practice.providers.map(({ credentialEnds, ...provider }) => ({
    type: "user",
    ...{ firstName: "Ana", lastName: "Ruiz" },
    ...provider,
    credentials: credentialEnds.map((expiresAt, index) => ({
      credentialType: "BCBA",
      practiceArea: "ABA",
      credentialNumber: `C-${index}`,
      expiresAt,
      credentialStatus: "active",
      payorCredentialing: [],
    })),
  }));
  const records = recordsOf(practice).map((record) => {
    if (record.type === "serviceLine")
      return { ...record, isGroup: practice.groupLines.includes(String(record.publicId)) };
    if (record.type !== "session" || record.isBillable === true) return record;
    const {
      isTelehealth: _,
      services: __,
      clinicianId: ___,
      authorizationId: ____,
      ...rest
    } = record;
    return { ...rest, nonBillableCode: "nbc_1" } as typeof record;
  });
  const [organization, ...others] = records;
  await loadPractice(database, organizationId, [
    organization!,
    { type: "payor", publicId: "pay_other", name: "Acme Health" },
    { type: "nonBillableCode", publicId: "nbc_1", name: "Staff meeting" },
    ...providers,
    ...others,
  ]);
}
