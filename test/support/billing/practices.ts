import fc from "fast-check";
import { type ChecksCase, checksCases } from "../checks/practices.ts";
import type { BillingPractice, BillingQuery } from "./oracle.ts";
import { expectedBilling } from "./oracle.ts";

/** A practice, a query and the current time. */
export interface BillingCase {
  practice: BillingPractice;
  query: BillingQuery;
  now: string;
}

const BATCHES = ["W1", "W2", "Z"];

const insurance = fc.record({
  payorId: fc.constantFrom("pay_acme", "pay_acme", "pay_other"),
  priority: fc.constantFrom("PRIMARY", "SECONDARY", "TERTIARY", "other", "OTHER"),
  memberId: fc.constantFrom("M-1", "M-2", "M-3", " "),
  groupId: fc.constantFrom("G-1", null),
  place: fc.nat(40),
  before: fc.constantFrom(0, 0, 1, 40),
  days: fc.constantFrom(0, 1, 30, null),
});

/** Insurances with which no day is without coverage. */
const ALWAYS = ["pay_acme", "pay_other"].map((payorId) => ({
  ...{ payorId, priority: "TERTIARY", memberId: "M-9", groupId: null },
  ...{ place: 0, before: 4_000, days: null },
}));

const additions = fc.record({
  insurances: fc.array(fc.array(insurance, { maxLength: 4 }), { minLength: 4, maxLength: 4 }),
  birthDate: fc.constantFrom("2019-04-02", null),
  internalRecordId: fc.constantFrom("MRN-1", null),
  primaryClinicianId: fc.constantFrom("usr_bcba_1", "usr_bcba_1", null),
  sex: fc.constantFrom("FEMALE", null),
  addressLine1: fc.constantFrom("1 Elm St", null),
  postalCode: fc.constantFrom("01970", null),
  insuredCity: fc.constantFrom("Salem", undefined),
  npis: fc.array(fc.constantFrom("1234567893", null), { minLength: 3, maxLength: 3 }),
  codes: fc.array(fc.constantFrom("97153", "H2019", null), { minLength: 8, maxLength: 8 }),
  modifiers: fc.constantFrom<string[]>([], ["HO"], ["HO", "95"]),
  recordsData: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  /** By session: how long before its start or after its end something is recorded, in milliseconds. */
  recorded: fc.array(
    fc.record({
      session: fc.nat(40),
      isAfter: fc.boolean(),
      distance: fc.constantFrom(-60_000, 0, 1_800_000, 1_800_001, 7_200_000),
    }),
    { maxLength: 8 },
  ),
  places: fc.array(fc.constantFrom("HOME", "OFFICE", "SCHOOL"), { minLength: 8, maxLength: 8 }),
  /** The hand-overs of an encounter, of which the last ones are taken back. */
  billed: fc.array(
    fc.record({
      list: fc.array(
        fc.record({
          batch: fc.constantFrom(...BATCHES, null),
          day: fc.integer({ min: 1, max: 3 }),
          kind: fc.constantFrom("nothing", "as it is", "as it is", "changed", "part", "void"),
          field: fc.nat(60),
        }),
        { maxLength: 3 },
      ),
      takenBack: fc.constantFrom(0, 0, 1, 2, 3),
      isNothing: fc.constantFrom(false, false, false, true),
    }),
    { minLength: 12, maxLength: 12 },
  ),
  /** Whether most lines are without problems. */
  fitting: fc.constantFrom(false, false, true),
  /** Whether the window is a year around the first encounter. */
  isWide: fc.boolean(),
  state: rarely("READY", "PROBLEM,READY", "CHANGED,BILLED,CHANGED", "TAKEN_BACK"),
  problem: rarely("NO_CODE", "UNITS_DIFFER,OVER_AUTHORIZED"),
  batch: rarely("W1", "none"),
});

function rarely<Value>(...values: Value[]): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, fc.constantFrom(...values));
}

type Additions = typeof additions extends fc.Arbitrary<infer Value> ? Value : never;

/** The random practices of the checks, with insurances, codes, NPIs, places, and what was handed over. */
export function billingCases(): fc.Arbitrary<BillingCase> {
  return fc.tuple(checksCases(), additions).map(([base, added]) => {
    const { check: _, ...asked } = base.query;
    const { state, problem, batch, isWide } = added;
    const first = base.practice.encounters.map(({ startTime }) => startTime.slice(0, 10)).sort()[0];
    if (isWide && first !== undefined) {
      const start = Temporal.PlainDate.from(first).subtract({ days: 10 });
      asked.startDate = start.toString();
      asked.endDate = start.add({ days: 365 }).toString();
    }
    const query = Object.fromEntries(
      Object.entries({ ...asked, state, problem, batch }).filter(
        ([, value]) => value !== undefined,
      ),
    ) as BillingQuery;
    return { practice: billingPractice(base, added), query, now: base.now };
  });
}

function billingPractice({ practice: base, now }: ChecksCase, added: Additions): BillingPractice {
  const dates = base.encounters.map(({ startTime }) => startTime.slice(0, 10));
  const practice: BillingPractice = {
    ...base,
    patients: base.patients.map((patient, index) => ({
      ...patient,
      ...{ birthDate: added.birthDate, internalRecordId: added.internalRecordId },
      primaryClinicianId: added.primaryClinicianId,
      ...{ sex: added.sex, addressLine1: added.addressLine1, postalCode: added.postalCode },
      payors: [...(added.insurances[index] ?? []), ...(added.fitting ? ALWAYS : [])].map(
        ({ place, before, days, ...entry }) => {
          const start = Temporal.PlainDate.from(
            dates[place % dates.length] ?? "2026-01-01",
          ).subtract({
            days: before,
          });
          return {
            ...entry,
            ...{ relationshipToPatient: "CHILD", planHolder: "Mia" },
            insuredBirthDate: "1990-01-01",
            insuredAddress: added.insuredCity === undefined ? {} : { city: added.insuredCity },
            effectiveStartDate: start.toString(),
            effectiveEndDate: days === null ? null : start.add({ days }).toString(),
          };
        },
      ),
    })),
    providers: base.providers.map((provider, index) => ({
      ...provider,
      npiNumber: added.npis[index] ?? (added.fitting ? "1234567802" : null),
    })),
    serviceLines: base.serviceLines.map((line, index) => ({
      ...line,
      ...{
        code: added.codes[index] ?? (added.fitting ? "97155" : null),
        modifiers: added.modifiers,
        recordsData: added.recordsData[index % 8]!,
      },
    })),
    authorizations: base.authorizations.map((one) => ({
      ...one,
      ...(added.fitting && { authorizedUnitsQuantity: 1_000 }),
    })),
    sessions: base.sessions.map((session, index) => ({
      ...session,
      ...(added.fitting && { technicianId: session.technicianId ?? "usr_tech_2" }),
      placeOfService: added.places[index % 8]!,
    })),
    encounters: base.encounters.map((encounter, index) => ({
      ...encounter,
      ...(added.fitting && { units: fittingUnits(base, encounter) }),
      ...(added.billed[index % 12]!.isNothing && { units: 0 }),
      billed: [],
    })),
    recorded: added.recorded.flatMap(({ session: place, isAfter, distance }) => {
      const { clientId, startTime, endTime } = base.sessions[place % base.sessions.length] ?? {};
      if (clientId == null) return [];
      const moment = isAfter ? Date.parse(endTime!) + distance : Date.parse(startTime!) - distance;
      return { patientId: clientId, happenedAt: new Date(moment).toISOString() };
    }),
  };
  return { ...practice, encounters: billedEncounters(practice, added, now) };
}

/** The units of an encounter's session, if it has one with minutes. */
function fittingUnits(
  { sessions, authorizations, serviceLines }: ChecksCase["practice"],
  { sessionId, authorizationId, units }: ChecksCase["practice"]["encounters"][number],
): number {
  const session = sessions.find(({ publicId }) => publicId === sessionId);
  const { serviceLineId } = authorizations.find(({ publicId }) => publicId === authorizationId)!;
  const minutes = serviceLines.find(({ publicId }) => publicId === serviceLineId)!;
  if (session === undefined || minutes.billingUnitMinutes === null) return units;
  const length = Date.parse(session.endTime) - Date.parse(session.startTime);
  return Math.floor(Math.floor(length / 60_000) / minutes.billingUnitMinutes + 0.5);
}

/** Encounters with hand-overs as they are, with another value of one field, with part of the fields, or of 0 units. */
function billedEncounters(
  practice: BillingPractice,
  { billed }: Additions,
  now: string,
): BillingPractice["encounters"] {
  const all = { startDate: "0001-01-01", endDate: "9998-12-31", pageSize: 1_000 };
  const { data } = expectedBilling(practice, all, now);
  return practice.encounters.map((encounter, index) => {
    const { list, takenBack } = billed[index % billed.length]!;
    const {
      encounterId: _,
      problems: __,
      state: ___,
      changedFields: ____,
      billed: _____,
      ...as
    } = data.find(({ encounterId }) => encounterId === encounter.publicId)!;
    const known = as as Record<string, unknown>;
    const names = Object.keys(known);
    const lines = {
      nothing: () => null,
      "as it is": () => known,
      changed: (name: string) => ({ ...known, [name]: otherThan(known[name], name) }),
      part: (name: string) => ({ [name]: known[name] }),
      void: () => ({ ...known, units: 0, claimFrequencyCode: "8" }),
    };
    const marks = list.map(({ batch, day, kind, field }, place) => ({
      // The first that counts is no mere look.
      batch: place === 0 ? (batch ?? "W1") : batch,
      at: `2026-02-0${day}T12:00:00.000Z`,
      takenBackAt: place < list.length - takenBack ? null : "2026-02-04T12:00:00.000Z",
      line: lines[kind as keyof typeof lines](names[field % names.length]!),
    }));
    return { ...encounter, billed: marks };
  });
}

/** Another value of a field, of its kind. */
function otherThan(value: unknown, name: string): unknown {
  if (name === "timezone") return "Pacific/Honolulu";
  if (name === "modifiers") return ["XX"];
  if (["date", "patientBirthDate", "insuredBirthDate"].includes(name)) return "2001-02-03";
  if (name === "startTime" || name === "endTime") return "2001-02-03T04:05:06.000Z";
  if (["minutes", "units", "billingUnitMinutes", "replacesUnits"].includes(name)) return 777;
  return value === "OTHER" ? "ANOTHER" : "OTHER";
}
