import fc from "fast-check";
import { type OverviewPractice, type OverviewQuery, UNSUPPORTED_ZONES } from "./overview-oracle.ts";
import { type UtilizationCase, utilizationCases } from "./practices.ts";

/** A practice, a query of its overview and the current time. */
export interface OverviewCase {
  practice: OverviewPractice;
  query: OverviewQuery;
  now: string;
}

const OTHER_PATIENT = "usr_other";

/**
 * Random practices like those of utilization, with the additional data of the overview: authorized units, some of which
 * give shares of exactly half a ten-thousandth; encounters of sessions; and a second patient in another zone, who has
 * the standalone authorizations.
 */
export function overviewCases(): fc.Arbitrary<OverviewCase> {
  return fc.tuple(utilizationCases(), additions).map(([base, added]) => ({
    practice: overviewPractice(base, added),
    query: overviewQuery(base, added),
    now: base.now,
  }));
}

const units = fc.oneof(
  fc.constantFrom(0, 0.5, 1, 3, 7, 16, 32, 80, 160, 20_000),
  fc.integer({ min: 1, max: 400_000_000 }).map((millionths) => millionths / 1_000_000),
);
const zones = fc.constantFrom(
  null,
  "UTC",
  "America/Los_Angeles",
  "Pacific/Kiritimati",
  "Etc/GMT+12",
  ...UNSUPPORTED_ZONES,
);
const shares = rarely(fc.constantFrom("0", "0.0313", "0.05", "0.25", "1", "1.0000", "2.5"));

function rarely<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, values);
}

const additions = fc.record({
  organizationZone: fc.constantFrom(null, "America/New_York", "Asia/Kathmandu"),
  otherZone: zones,
  patientIsActive: fc.constantFrom(true, true, true, false),
  otherIsActive: fc.constantFrom(true, true, true, false),
  totalUnits: units,
  isUnlimited: fc.constantFrom(false, false, false, true),
  quantities: fc.array(units, { minLength: 4, maxLength: 4 }),
  /** The index of the encounter's session among those of its authorization, if it has one. */
  named: fc.array(fc.option(fc.nat(11)), { minLength: 12, maxLength: 12 }),
  date: fc.constantFrom("asked", "asked", "today"),
  chosenDate: fc.nat(20),
  zone: fc.constantFrom("asked", "own", "own"),
  patientId: rarely(fc.constantFrom("usr_patient", OTHER_PATIENT, "usr_none")),
  minShare: shares,
  maxShare: shares,
  sort: fc.constantFrom(undefined, "share", "-share", "endDate", "-endDate"),
  page: rarely(fc.constantFrom(1, 2)),
  pageSize: rarely(fc.constantFrom(1, 2, 100)),
});

type Additions = typeof additions extends fc.Arbitrary<infer Value> ? Value : never;

function overviewPractice({ practice }: UtilizationCase, added: Additions): OverviewPractice {
  const patients = practice.patients.map((patient) => ({
    ...patient,
    firstName: "Leo",
    lastName: "Park",
    isActive: added.patientIsActive,
  }));
  const authorizations = practice.authorizations.map((one, index) => ({
    ...one,
    patientId: one.authorizationPoolId ? one.patientId : OTHER_PATIENT,
    authorizationNumber: `A-${index}`,
    authorizationStatus: "AUTHORIZED",
    authorizedUnitsQuantity: added.quantities[index]!,
  }));
  const patientOf = new Map(authorizations.map((one) => [one.publicId, one.patientId]));
  const sessions = practice.sessions.map((session, index) => ({
    ...session,
    publicId: `apt_${index}`,
    clientId: patientOf.get(session.authorizationId ?? "") ?? patients[0]!.publicId,
  }));
  return {
    ...practice,
    organization: { ...practice.organization, timezone: added.organizationZone },
    patients: [
      ...patients,
      {
        publicId: OTHER_PATIENT,
        firstName: "Mia",
        lastName: "Stone",
        isActive: added.otherIsActive,
        timezone: added.otherZone,
      },
    ],
    authorizationPools: practice.authorizationPools.map((pool) => ({
      ...pool,
      totalUnits: added.totalUnits,
      isUnlimited: added.isUnlimited,
    })),
    authorizations,
    sessions,
    encounters: practice.encounters.map((encounter, index) => {
      const own = sessions.filter((one) => one.authorizationId === encounter.authorizationId);
      const named = added.named[index] ?? null;
      return {
        ...encounter,
        sessionId: named === null ? null : (own[named % own.length]?.publicId ?? null),
      };
    }),
  };
}

function overviewQuery({ practice, request, now }: UtilizationCase, added: Additions) {
  const dates = [
    ...practice.authorizations.map((one) => one.authorizationDate),
    ...practice.authorizations.map((one) => one.authorizationExpirationDate),
    ...practice.sessions.map((one) => one.startTime.slice(0, 10)),
    now.slice(0, 10),
  ];
  const date = dates[added.chosenDate % dates.length];
  const { patientId, minShare, maxShare, sort, page, pageSize } = added;
  const query = {
    ...{ patientId, minShare, maxShare, sort, page, pageSize },
    date: added.date === "asked" ? date : undefined,
    timezone: added.zone === "asked" ? request.timezone : undefined,
  };
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as OverviewQuery;
}
