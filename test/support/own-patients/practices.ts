import fc from "fast-check";
import { NOW } from "../harness.ts";
import type { Fields } from "../practice-file/practice-file.ts";

/** Random practices in which it matters who is booked with whom, and who sees whom by an own calculation. */

export const STAFF = ["usr_tech_1", "usr_tech_2", "usr_tech_3", "usr_bcba_1", "usr_bcba_2"];
const TECHNICIANS = STAFF.slice(0, 3);
const CLINICIANS = STAFF.slice(3);
const PATIENTS = ["usr_kid_1", "usr_kid_2", "usr_kid_3", "usr_kid_4", "usr_kid_5"];

const DAY = 86_400_000;
export const NINETY_DAYS = 90 * DAY;

/** Session starts, in milliseconds from now: most are near the first instant that counts. */
const starts = fc.constantFrom(
  -NINETY_DAYS - DAY,
  -NINETY_DAYS - 1,
  -NINETY_DAYS,
  -NINETY_DAYS + 1,
  -DAY,
  0,
  10 * DAY,
);

const sessionArbitrary = fc.record({
  start: starts,
  patient: fc.constantFrom(...PATIENTS, null),
  technician: fc.constantFrom(...TECHNICIANS, null),
  clinician: fc.constantFrom(...CLINICIANS, null),
  status: fc.constantFrom("CONFIRMED", "DECLINED"),
  hasEncounter: fc.boolean(),
});

const patientArbitrary = fc.record({
  primaryClinicianId: fc.option(fc.constantFrom(...CLINICIANS), { freq: 2 }),
  clinicianIds: fc.subarray(CLINICIANS, { maxLength: 1 }),
  caregiverId: fc.constantFrom("usr_parent_1", "usr_parent_2", null),
  isActive: fc.boolean(),
});

/** The records of a practice, as a practice file has them. */
export const practices: fc.Arbitrary<Fields[]> = fc
  .record({
    patients: fc.array(patientArbitrary, { minLength: 5, maxLength: 5 }),
    teams: fc.array(fc.subarray(TECHNICIANS, { maxLength: 2 }), { minLength: 2, maxLength: 2 }),
    sessions: fc.array(sessionArbitrary, { maxLength: 14 }),
    setting: fc.constantFrom("TECHNICIANS", "TECHNICIANS_AND_CLINICIANS"),
  })
  .map(({ patients, teams, sessions, setting }) => [
    {
      ...{ type: "organization", publicId: "org_maple", name: "Maple" },
      ...{ timezone: "America/New_York", ownPatientsOnly: setting },
    },
    { type: "location", publicId: "loc_main", name: "Main clinic" },
    { type: "payor", publicId: "pay_acme", name: "Acme Health" },
    { type: "serviceLine", publicId: "svc_main", name: "Therapy", billingUnitMinutes: 15 },
    { type: "nonBillableCode", publicId: "nbc_main", name: "Meeting" },
    ...TECHNICIANS.map((publicId) => person(publicId, "TECHNICIAN")),
    ...CLINICIANS.map((publicId, index) => ({
      ...person(publicId, "CLINICIAN"),
      careTeamTechnicianIds: teams[index],
    })),
    ...["usr_parent_1", "usr_parent_2"].map((publicId) => person(publicId, "CAREGIVER")),
    ...patients.map((fields, index) => ({ ...person(PATIENTS[index]!, "PATIENT"), ...fields })),
    ...PATIENTS.flatMap(treatmentOf),
    ...sessions.flatMap(sessionRecords),
  ]);

function person(publicId: string, role: string): Fields {
  return {
    type: "user",
    publicId,
    role,
    firstName: "Ida",
    lastName: publicId.replaceAll("_", " "),
  };
}

function treatmentOf(patientId: string): Fields[] {
  const [, number] = /_(\d)$/.exec(patientId)!;
  const term = { authorizationDate: "2025-01-01", authorizationExpirationDate: "2026-12-31" };
  return [
    {
      ...{ type: "authorization", publicId: `auth_${number}`, patientId, payorId: "pay_acme" },
      ...{ authorizationNumber: `A-${number}`, authorizationStatus: "AUTHORIZED", ...term },
      ...{
        authorizedUnitsQuantity: 8,
        authorizedUnitFrequency: "WEEKLY",
        serviceLineId: "svc_main",
      },
    },
    { type: "treatmentPlan", publicId: `tp_${number}`, patientId },
    {
      ...{ type: "goal", publicId: `goal_${number}`, treatmentPlanId: `tp_${number}` },
      ...{ goalType: "rating", title: "Calm" },
    },
  ];
}

type Session = typeof sessionArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

function sessionRecords({ start, ...session }: Session, index: number): Fields[] {
  const { patient, technician, clinician, status, hasEncounter } = session;
  const startTime = new Date(Date.parse(NOW) + start).toISOString();
  const endTime = new Date(Date.parse(startTime) + 3_600_000).toISOString();
  const authorizationId = patient === null ? null : `auth_${patient.at(-1)}`;
  const publicId = `apt_${index}`;
  return [
    {
      ...{ type: "session", publicId, title: "Visit", status, startTime, endTime },
      ...{ isSupervision: false, isClientPresent: true, placeOfService: "OFFICE" },
      ...{ locationId: "loc_main", technicianId: technician, clientId: patient },
      // Only billable sessions have a place for a clinician; without a client they may have one, too.
      ...{ isBillable: true, isTelehealth: false, services: "svc_main" },
      ...{ clinicianId: clinician, authorizationId },
    },
    ...(hasEncounter && authorizationId !== null
      ? [
          {
            ...{ type: "encounter", publicId: `enc_${index}`, authorizationId },
            ...{ sessionId: publicId, startTime, units: 4 },
          },
        ]
      : []),
  ];
}

/** Whether the practice's setting limits somebody. */
function isLimited([organization]: readonly Fields[], userId: string): boolean {
  return (
    organization!.ownPatientsOnly === "TECHNICIANS_AND_CLINICIANS" || TECHNICIANS.includes(userId)
  );
}

/** The records of a practice that somebody sees at a time. */
export function seenBy(records: readonly Fields[], userId: string, now: number): Fields[] {
  if (!isLimited(records, userId)) return [...records];
  const user = records.find(({ publicId }) => publicId === userId)!;
  const people = [userId, ...((user.careTeamTechnicianIds ?? []) as string[])];
  const isTheirs = ({ publicId, clinicianIds = [], primaryClinicianId }: Fields): boolean =>
    primaryClinicianId === userId ||
    (clinicianIds as string[]).includes(userId) ||
    records.some(
      ({ type, clientId, technicianId, clinicianId, startTime }) =>
        type === "session" &&
        clientId === publicId &&
        people.some((one) => one === technicianId || one === clinicianId) &&
        Date.parse(startTime as string) >= now - NINETY_DAYS,
    );
  const patients = records.filter((record) => record.role === "PATIENT" && isTheirs(record));
  const own = new Set(patients.map(({ publicId }) => publicId));
  const caregivers = new Set(patients.map(({ caregiverId }) => caregiverId));
  const patientOf = new Map(records.map(({ publicId, patientId }) => [publicId, patientId]));
  const isSeen: Record<string, (record: Fields) => boolean> = {
    user: ({ role, publicId }) =>
      role === "PATIENT"
        ? own.has(publicId)
        : role === "CAREGIVER"
          ? caregivers.has(publicId)
          : true,
    authorization: ({ patientId }) => own.has(patientId),
    treatmentPlan: ({ patientId }) => own.has(patientId),
    session: ({ clientId, technicianId, clinicianId }) =>
      clientId === null ? [technicianId, clinicianId].includes(userId) : own.has(clientId),
    encounter: ({ authorizationId }) => own.has(patientOf.get(authorizationId)),
    goal: ({ treatmentPlanId }) => own.has(patientOf.get(treatmentPlanId)),
  };
  return records.filter((record) => isSeen[String(record.type)]?.(record) ?? true);
}
