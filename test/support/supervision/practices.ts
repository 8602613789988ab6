import fc from "fast-check";
import type { Database } from "../../../db/database.ts";
import { loadPractice } from "../utilization/load-practice.ts";
import type { SupervisedSession, SupervisionPractice, SupervisionQuery } from "./oracle.ts";
import { startOf } from "../lib/zoned.ts";

/** A practice, a query and the current time. */
export interface SupervisionCase {
  practice: SupervisionPractice;
  query: SupervisionQuery;
  now: string;
}

/** A zone and a month, with moments around which sessions are: its edges, and changes of the clock. */
const places = [
  ["America/New_York", "2026-03", "2026-03-08T07:00Z"],
  ["America/New_York", "2026-11", "2026-11-01T06:00Z"],
  ["America/Sao_Paulo", "2018-11", "2018-11-04T03:00Z"],
  ["Pacific/Apia", "2011-12", "2011-12-30T10:00Z"],
  ["Pacific/Kiritimati", "2026-02", "2026-02-14T10:00Z"],
  ["Asia/Kolkata", "2028-02", "2028-02-29T18:00Z"],
  ["Europe/London", "2026-10", "2026-10-25T01:00Z"],
  [null, "2026-01", "2026-01-01T01:00Z"],
] as const;

const TECHNICIANS = [
  { publicId: "usr_tech_1", firstName: "Ana", lastName: "Ruiz", isActive: true },
  { publicId: "usr_tech_2", firstName: "Ben", lastName: "Low", isActive: true },
  { publicId: "usr_tech_3", firstName: "Cleo", lastName: "Ray", isActive: false },
];
const CLIENTS = ["usr_leo", "usr_mia"];
const MINUTE = 60_000;

const session = fc.record({
  /** 0 to 2: the beginning of the month, its end, and the change of the clock. */
  around: fc.constantFrom(0, 1, 2, 2, 2, 2),
  minutes: fc.integer({ min: -6, max: 24 }).map((quarters) => quarters * 15),
  milliseconds: fc.constantFrom(0, 0, 0, 0, 1, 17_999, 18_000),
  lasts: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(15, 15, 30, 30, 60, 60, 90, 120) },
    fc.constantFrom(0, 480, 1_440, 60_000),
  ),
  technician: fc.constantFrom(0, 0, 0, 0, 0, 1, 2, null, null, null),
  client: fc.constantFrom(0, 0, 0, 0, 1, null),
  status: fc.constantFrom(
    ...Array.from({ length: 8 }, () => "CONFIRMED"),
    ...["UNCONFIRMED", "REQUESTED_TO_CANCEL"],
    ...["DECLINED", "PATIENT_NO_SHOW"],
  ),
  isBillable: fc.constantFrom(true, true, true, false),
  isSupervision: fc.boolean(),
  isClientPresent: fc.boolean(),
  isAuthorized: fc.constantFrom(false, false, true),
  hasEncounter: fc.constantFrom(false, true, true),
});

export function supervisionCases(): fc.Arbitrary<SupervisionCase> {
  const asked = fc.record({
    month: fc.constantFrom("the month", "the month", undefined),
    requiredShare: fc.constantFrom(undefined, "0", "0.05", "0.1", "0.3333", "0.5000001", "1.0"),
    technicianId: fc.constantFrom(undefined, undefined, undefined, "usr_tech_1", "usr_none"),
    page: fc.constantFrom(undefined, undefined, undefined, 2),
    pageSize: fc.constantFrom(undefined, undefined, 1),
  });
  return fc
    .tuple(
      fc.constantFrom(...places),
      fc.array(session, { maxLength: 30, size: "max" }),
      asked,
      fc.integer({ min: -40, max: 40 }),
    )
    .map(([[timezone, month, change], drawn, { month: isGiven, ...others }, days]) => {
      const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
      const zone = timezone ?? "UTC";
      const begins = (date: Temporal.PlainDate) => startOf(date, zone);
      const moments = [begins(first), begins(first.add({ months: 1 })), Date.parse(change)];
      const query = { month: isGiven === undefined ? undefined : month, ...others };
      return {
        practice: {
          timezone,
          technicians: TECHNICIANS,
          sessions: drawn.map((one, index) => sessionOf(one, index, moments)),
        },
        now: new Date(moments[2]! + days * 8 * 60 * MINUTE).toISOString(),
        query: Object.fromEntries(
          Object.entries(query).filter(([, value]) => value !== undefined),
        ) as SupervisionQuery,
      };
    });
}

function sessionOf(
  drawn: typeof session extends fc.Arbitrary<infer Drawn> ? Drawn : never,
  index: number,
  moments: readonly number[],
): SupervisedSession {
  const { status, isBillable, isSupervision, isClientPresent } = drawn;
  const start = moments[drawn.around]! + drawn.minutes * MINUTE + drawn.milliseconds;
  const clientId = drawn.client === null ? null : CLIENTS[drawn.client]!;
  const isAuthorized = drawn.isAuthorized && isBillable && clientId !== null;
  return {
    publicId: `apt_${index}`,
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + drawn.lasts * MINUTE).toISOString(),
    ...{ status, isBillable, isSupervision, isClientPresent, clientId },
    technicianId: drawn.technician === null ? null : TECHNICIANS[drawn.technician]!.publicId,
    authorizationId: isAuthorized ? `auth_${clientId}` : null,
    hasEncounter: isAuthorized && drawn.hasEncounter,
  };
}

/** Imports a random practice. */
export async function loadSupervisionPractice(
  database: Database,
  organizationId: string,
  { timezone, technicians, sessions }: SupervisionPractice,
): Promise<void> {
  await loadPractice(database, organizationId, [
    { type: "organization", publicId: organizationId, name: "Maple", timezone },
    { type: "location", publicId: "loc_1", name: "Main clinic" },
    { type: "serviceLine", publicId: "svc_1", name: "Therapy", billingUnitMinutes: 15 },
    { type: "nonBillableCode", publicId: "nbc_1", name: "Training" },
    ...technicians.map((one) => ({ type: "user", role: "TECHNICIAN", ...one })),
    ...CLIENTS.map((publicId) => ({
      ...{ type: "user", role: "PATIENT", publicId, firstName: "Leo", lastName: "Park" },
    })),
    ...CLIENTS.map((patientId) => ({
      ...{ type: "authorization", publicId: `auth_${patientId}`, patientId },
      ...{ authorizationNumber: "A-1", authorizationStatus: "AUTHORIZED", serviceLineId: "svc_1" },
      ...{ authorizedUnitsQuantity: 100, authorizedUnitFrequency: "TOTAL" },
      ...{ authorizationDate: "2000-01-01", authorizationExpirationDate: "2040-01-01" },
    })),
    ...sessions.map(({ hasEncounter: _, ...session }) => ({
      ...{ type: "session", title: "Therapy", placeOfService: "OFFICE", locationId: "loc_1" },
      ...session,
      ...(session.isBillable
        ? { services: "svc_1", isTelehealth: false }
        : { nonBillableCode: "nbc_1", authorizationId: undefined }),
    })),
    ...sessions
      .filter(({ hasEncounter }) => hasEncounter)
      .map(({ publicId, authorizationId, startTime }) => ({
        ...{ type: "encounter", publicId: `enc_${publicId}`, sessionId: publicId, units: 1 },
        ...{ authorizationId, startTime },
      })),
  ] as never);
}
