import { compare, dayOf, expectedAnswer, millionths } from "../utilization/oracle.ts";
import { zoneOf } from "../utilization/overview-oracle.ts";
import type { ChecksPractice, ChecksQuery } from "../checks/oracle.ts";
import { localAt } from "../lib/zoned.ts";

/**
 * An independent oracle for billing lines, as simple as possible: each line scans all records of the practice file. Only
 * the periods come from the oracle of utilization. Uses nothing of `src/`.
 */
export interface BillingPractice extends ChecksPractice {
  patients: (ChecksPractice["patients"][number] & {
    birthDate: string | null;
    internalRecordId: string | null;
    primaryClinicianId: string | null;
    sex: string | null;
    addressLine1: string | null;
    postalCode: string | null;
    payors: {
      payorId: string;
      priority: string;
      relationshipToPatient: string;
      memberId: string;
      groupId: string | null;
      planHolder: string;
      insuredBirthDate: string;
      insuredAddress: { city?: string };
      effectiveStartDate: string;
      effectiveEndDate: string | null;
    }[];
  })[];
  providers: (ChecksPractice["providers"][number] & { npiNumber: string | null })[];
  serviceLines: (ChecksPractice["serviceLines"][number] & {
    code: string | null;
    modifiers: string[];
    recordsData: boolean;
  })[];
  /** What was recorded, on a goal of the patient. */
  recorded: { patientId: string; happenedAt: string }[];
  sessions: (ChecksPractice["sessions"][number] & { placeOfService: string })[];
  encounters: (ChecksPractice["encounters"][number] & { billed: HandOver[] })[];
}

export interface HandOver {
  batch: string | null;
  at: string;
  takenBackAt: string | null;
  line: Record<string, unknown> | null;
}

export type BillingQuery = Omit<ChecksQuery, "check"> & {
  state?: string;
  problem?: string;
  batch?: string;
};

const STATES = ["READY", "PROBLEM", "BILLED", "CHANGED", "TAKEN_BACK"];
const PROBLEMS = [
  ...["NO_SESSION", "DELIVERED_UNHELD", "DELIVERED_TWICE", "OUTSIDE_AUTHORIZATION"],
  ...["CREDENTIALS_ENDED", "OVER_AUTHORIZED", "NO_PAYOR", "NO_COVERAGE", "NO_CODE"],
  ...["NO_PROVIDER", "NO_NPI", "UNITS_DIFFER", "NO_UNITS", "NOTHING_RECORDED"],
];
const NOT_COMPARED = new Set([
  ...["timezone", "patientFirstName", "patientLastName", "payorName", "serviceLineName"],
  ...["renderedByFirstName", "renderedByLastName"],
  ...["supervisedByFirstName", "supervisedByLastName", "localStart", "localEnd"],
  ...["patientAddressLine1", "patientAddressLine2", "patientCity", "patientState"],
  ...["patientPostalCode", "insuredAddressLine1", "insuredAddressLine2", "insuredCity"],
  ...["insuredState", "insuredPostalCode"],
]);
const PLACES: Record<string, string> = { HOME: "12", OFFICE: "11", SCHOOL: "03" };
const HELD = ["CONFIRMED", "UNCONFIRMED", "REQUESTED_TO_CANCEL"];

/** The body of the 200. */
export function expectedBilling(practice: BillingPractice, query: BillingQuery, now: string) {
  const zone = zoneOf(practice, null, undefined);
  const today = localAt(now, zone).toPlainDate();
  const isWhole = query.batch !== undefined && !query.startDate && !query.endDate;
  const defaults = [today.subtract({ days: 90 }).toString(), today.toString()] as const;
  let startDate = query.startDate ?? (isWhole ? "0001-01-01" : defaults[0]);
  let endDate = query.endDate ?? (isWhole ? "9999-12-31" : defaults[1]);
  const wanted = practice.encounters
    .map((encounter) => lineOf(practice, encounter, query.timezone, now))
    .filter(({ date }) => startDate <= date && date <= endDate)
    .filter((line) => query.patientId === undefined || line.patientId === query.patientId)
    .filter((line) => query.payorId === undefined || line.payorId === query.payorId)
    .filter((line) => query.providerId === undefined || line.renderedById === query.providerId)
    .filter(
      ({ billed }) =>
        query.batch === undefined || billed.some(({ batch }) => batch === query.batch),
    )
    .sort(
      (a, b) =>
        compare(a.date, b.date) ||
        compare(a.patientLastName, b.patientLastName) ||
        compare(a.patientFirstName, b.patientFirstName) ||
        compare(a.encounterId, b.encounterId),
    );
  const shown = wanted
    .filter(({ state }) => (query.state ?? STATES.join()).split(",").includes(state))
    .filter(
      ({ problems }) =>
        query.problem === undefined ||
        query.problem.split(",").some((name) => problems.includes(name)),
    );
  if (isWhole) [startDate, endDate] = [wanted[0]?.date, wanted.at(-1)?.date] as [string, string];
  if (isWhole && wanted.length === 0) [startDate, endDate] = defaults;
  const billed = wanted.flatMap((line) => line.billed);
  const names = new Set(billed.flatMap(({ batch }) => batch ?? []));
  const batches = [...names].map((batch) => {
    const own = billed.filter((one) => one.batch === batch);
    const takenBack = own.filter(({ takenBackAt }) => takenBackAt !== null).length;
    const times = own.map(({ at }) => at).sort(compare);
    return { batch, lines: times.length, takenBack, firstAt: times[0]!, lastAt: times.at(-1)! };
  });
  const { page = 1, pageSize = 25 } = query;
  const count = (is: (line: (typeof wanted)[number]) => boolean) => wanted.filter(is).length;
  return {
    startDate,
    endDate,
    totals: {
      lines: wanted.length,
      states: Object.fromEntries(
        STATES.map((state) => [state, count((line) => line.state === state)]),
      ),
      problems: Object.fromEntries(
        PROBLEMS.map((name) => [name, count((line) => line.problems.includes(name))]),
      ),
    },
    batches: batches.sort((a, b) => compare(b.lastAt, a.lastAt) || compare(a.batch, b.batch)),
    data: shown.slice((page - 1) * pageSize, page * pageSize),
    pagination: {
      ...{ page, pageSize, totalCount: shown.length },
      totalPages: Math.ceil(shown.length / pageSize),
    },
  };
}

type Encounter = BillingPractice["encounters"][number];

function lineOf(
  practice: BillingPractice,
  encounter: Encounter,
  asked: string | undefined,
  now: string,
) {
  const facts = factsOf(practice, encounter, asked);
  const problems = problemsOf(practice, encounter, facts, now);
  const current = factsOf(practice, encounter, undefined) as Record<string, unknown>;
  const { shown, ...standing } = standingOf(encounter.billed, current, problems.length > 0);
  const billed = encounter.billed.map(({ line, ...rest }, index) =>
    shown.includes(index) ? { ...rest, line } : rest,
  );
  const { state, changedFields, ...next } = standing;
  const line = { encounterId: encounter.publicId, ...facts, ...next, problems };
  return { ...line, state, changedFields, billed };
}

/** What becomes of a line: the list is followed from its beginning. */
export function standingOf(
  billed: readonly HandOver[],
  current: Record<string, unknown>,
  hasProblems: boolean,
) {
  let last: number | undefined;
  let claim: number | undefined;
  let isVoided = false;
  for (const [index, { batch, takenBackAt, line }] of billed.entries()) {
    if (takenBackAt !== null) continue;
    last = index;
    if (batch === null) continue;
    isVoided = line?.units === 0;
    claim = isVoided ? undefined : index;
  }
  const shown = [last, claim];
  const none = { claimFrequencyCode: null, replacesBatch: null, replacesUnits: null };
  const first = { ...none, claimFrequencyCode: "1" };
  if (last === undefined) {
    const state = hasProblems ? "PROBLEM" : "READY";
    return { shown, ...first, state: billed[0] ? "TAKEN_BACK" : state, changedFields: [] };
  }
  const differs = (line: HandOver["line"], name: string) =>
    line !== null && name in line && !Bun.deepEquals(line[name], current[name]);
  const changedFields = Object.keys(current).filter(
    (name) => !NOT_COMPARED.has(name) && differs(billed[last]!.line, name),
  );
  if (changedFields.length === 0 || (isVoided && current.units === 0))
    return { shown, ...none, state: "BILLED", changedFields: [] };
  if (claim === undefined) return { shown, ...first, state: "CHANGED", changedFields };
  const { batch: replacesBatch, line } = billed[claim]!;
  const isVoid = current.units === 0 || differs(line, "payorId") || differs(line, "patientId");
  const claimFrequencyCode = isVoid ? "8" : "7";
  const replacesUnits = line?.units ?? null;
  const next = { claimFrequencyCode, replacesBatch, replacesUnits };
  return { shown, ...next, state: "CHANGED", changedFields };
}

function factsOf(practice: BillingPractice, encounter: Encounter, asked: string | undefined) {
  const byId = <One extends { publicId: string }>(all: One[], id: string | null | undefined) =>
    all.find(({ publicId }) => publicId === id);
  const authorization = byId(practice.authorizations, encounter.authorizationId)!;
  const patient = byId(practice.patients, authorization.patientId)!;
  const pool = byId(practice.authorizationPools, authorization.authorizationPoolId);
  const service = byId(practice.serviceLines, authorization.serviceLineId)!;
  const session = byId(practice.sessions, encounter.sessionId);
  const timezone = zoneOf(practice, patient.timezone, asked);
  const date = dayOf(encounter.startTime, timezone);
  const payorId = pool ? pool.payorId : authorization.payorId;
  const rank = (priority: string) =>
    String(["PRIMARY", "SECONDARY", "TERTIARY"].indexOf(priority) + 4).replace("3", "9") + priority;
  const [coverage] = patient.payors
    .filter((one) => one.payorId === payorId && /\S/.test(one.memberId))
    .filter((one) => one.effectiveStartDate <= date && date <= (one.effectiveEndDate ?? "9999"))
    .sort(
      (a, b) =>
        compare(rank(a.priority), rank(b.priority)) ||
        compare(b.effectiveStartDate, a.effectiveStartDate),
    );
  const order = session?.isSupervision
    ? [session.clinicianId, session.technicianId]
    : [session?.technicianId, session?.clinicianId];
  const renderedBy = byId(
    practice.providers,
    order.find((id) => id != null),
  );
  const supervisor = session?.clinicianId ?? patient.primaryClinicianId;
  const supervisedBy =
    renderedBy === undefined || supervisor === renderedBy.publicId
      ? undefined
      : byId(practice.providers, supervisor);
  const credential = renderedBy?.credentialEnds.findIndex((end) => end > session!.startTime) ?? -1;
  const named = (person: typeof renderedBy, name: string) => (person === undefined ? null : name);
  return {
    date,
    timezone,
    startTime: session?.startTime ?? null,
    endTime: session?.endTime ?? null,
    minutes: session ? minutesOf(session) : null,
    patientId: patient.publicId,
    patientFirstName: patient.firstName,
    patientLastName: patient.lastName,
    patientBirthDate: patient.birthDate,
    internalRecordId: patient.internalRecordId,
    payorId,
    payorName: payorId === null ? null : "Acme Health",
    memberId: coverage?.memberId ?? null,
    groupId: coverage?.groupId ?? null,
    planHolder: coverage?.planHolder ?? null,
    relationshipToPatient: coverage?.relationshipToPatient ?? null,
    priority: coverage?.priority ?? null,
    authorizationId: authorization.publicId,
    authorizationNumber: authorization.authorizationNumber,
    poolId: pool?.publicId ?? null,
    serviceLineId: service.publicId,
    serviceLineName: service.name ?? "Therapy",
    code: service.code,
    modifiers: service.modifiers,
    placeOfService: session?.placeOfService ?? null,
    placeOfServiceCode: session ? PLACES[session.placeOfService]! : null,
    units: encounter.units,
    billingUnitMinutes: service.billingUnitMinutes,
    renderedById: renderedBy?.publicId ?? null,
    renderedByFirstName: named(renderedBy, "Ana"),
    renderedByLastName: named(renderedBy, "Ruiz"),
    renderedByNpi: renderedBy?.npiNumber ?? null,
    renderedByCredential: credential === -1 ? null : "BCBA",
    supervisedById: supervisedBy?.publicId ?? null,
    supervisedByFirstName: named(supervisedBy, "Ana"),
    supervisedByLastName: named(supervisedBy, "Ruiz"),
    supervisedByNpi: supervisedBy?.npiNumber ?? null,
    localStart: session ? wallClock(session.startTime, timezone) : null,
    localEnd: session ? wallClock(session.endTime, timezone) : null,
    patientSex: patient.sex,
    patientAddressLine1: patient.addressLine1,
    patientAddressLine2: null,
    patientCity: null,
    patientState: null,
    patientPostalCode: patient.postalCode,
    insuredBirthDate: coverage?.insuredBirthDate ?? null,
    insuredAddressLine1: null,
    insuredAddressLine2: null,
    insuredCity: coverage?.insuredAddress.city ?? null,
    insuredState: null,
    insuredPostalCode: null,
  };
}

function wallClock(instant: string, timezone: string): string {
  const local = localAt(instant, timezone);
  return local.toString({ smallestUnit: "minute", roundingMode: "floor" });
}

function minutesOf({ startTime, endTime }: { startTime: string; endTime: string }): number {
  return Math.floor((Date.parse(endTime) - Date.parse(startTime)) / 60_000);
}

function problemsOf(
  practice: BillingPractice,
  encounter: Encounter,
  line: ReturnType<typeof factsOf>,
  now: string,
): string[] {
  const session = practice.sessions.find(({ publicId }) => publicId === encounter.sessionId);
  if (encounter.units === 0)
    return encounter.billed.some(({ takenBackAt }) => takenBackAt === null) ? [] : ["NO_UNITS"];
  const ofSession = practice.encounters.filter(
    (one) => session !== undefined && one.sessionId === session.publicId && one.units > 0,
  );
  ofSession.sort(byStart);
  const authorization = practice.authorizations.find(
    ({ publicId }) => publicId === encounter.authorizationId,
  )!;
  const provider = practice.providers.find(({ publicId }) => publicId === line.renderedById);
  const ends = provider?.credentialEnds ?? [];
  const isHeld = session !== undefined && HELD.includes(session.status);
  const unit = line.billingUnitMinutes;
  const service = practice.serviceLines.find(({ publicId }) => publicId === line.serviceLineId)!;
  const around = (time: string, minutes: number) => Date.parse(time) + minutes * 60_000;
  const isRecorded = practice.recorded.some(
    ({ patientId, happenedAt }) =>
      session !== undefined &&
      patientId === line.patientId &&
      around(session.startTime, -30) <= Date.parse(happenedAt) &&
      Date.parse(happenedAt) <= around(session.endTime, 30),
  );
  const holds: Record<string, boolean> = {
    NO_SESSION: session === undefined,
    DELIVERED_UNHELD: session !== undefined && !isHeld,
    DELIVERED_TWICE: ofSession.length > 0 && ofSession[0] !== encounter,
    OUTSIDE_AUTHORIZATION:
      line.date < authorization.authorizationDate ||
      line.date > authorization.authorizationExpirationDate,
    CREDENTIALS_ENDED: isHeld && ends.length > 0 && ends.every((end) => end <= session.startTime),
    OVER_AUTHORIZED: isOver(practice, encounter, line.timezone, now),
    NO_PAYOR: line.payorId === null,
    NO_COVERAGE: line.payorId !== null && line.memberId === null,
    NO_CODE: line.code === null,
    NO_PROVIDER: session !== undefined && line.renderedById === null,
    NO_NPI:
      line.renderedById !== null && line.renderedByNpi === null && line.supervisedByNpi === null,
    UNITS_DIFFER:
      session !== undefined &&
      unit !== null &&
      Math.floor(minutesOf(session) / unit + 0.5) !== encounter.units,
    NOTHING_RECORDED: service.recordsData && isHeld && !isRecorded,
  };
  return PROBLEMS.filter((name) => holds[name]);
}

function byStart(a: Encounter, b: Encounter): number {
  return compare(a.startTime, b.startTime) || compare(a.publicId, b.publicId);
}

/** Whether the units of the period, in order up to this encounter, are more than authorized. */
function isOver(
  practice: BillingPractice,
  encounter: Encounter,
  timezone: string,
  now: string,
): boolean {
  const authorization = practice.authorizations.find(
    ({ publicId }) => publicId === encounter.authorizationId,
  )!;
  const pool = practice.authorizationPools.find(
    ({ publicId }) => publicId === authorization.authorizationPoolId,
  );
  const limit = pool
    ? pool.isUnlimited
      ? null
      : pool.totalUnits
    : authorization.authorizedUnitsQuantity;
  if (limit === null || limit === undefined) return false;
  const day = dayOf(encounter.startTime, timezone);
  const answer = expectedAnswer(
    practice,
    { publicId: pool?.publicId ?? authorization.publicId, startDate: day, endDate: day, timezone },
    now,
  );
  const period = (answer.pool?.periods ?? answer.members[0]!.periods).find(
    ({ startDate, endDate }) => startDate <= day && day <= endDate,
  );
  const isCounted = (one: Encounter) => {
    const member = practice.authorizations.find(
      ({ publicId }) => publicId === one.authorizationId,
    )!;
    const isOfSubject = pool
      ? member.authorizationPoolId === pool.publicId
      : member === authorization;
    const date = dayOf(one.startTime, timezone);
    return (
      period !== undefined &&
      isOfSubject &&
      member.authorizationDate <= date &&
      date <= member.authorizationExpirationDate &&
      period.startDate <= date &&
      date <= period.endDate
    );
  };
  if (!isCounted(encounter)) return false;
  const upTo = practice.encounters
    .filter(isCounted)
    .filter((one) => byStart(one, encounter) <= 0)
    .reduce((sum, { units }) => sum + millionths(units), 0n);
  return upTo > millionths(limit);
}
