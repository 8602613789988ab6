import type { AdminRole, ClinicianRole } from "../callers/roles.ts";
import { attribute } from "../intake-leads/attribution.ts";
import { addDays, type CalendarDate } from "../lib/calendar-date.ts";
import { foldForSearch } from "../lib/text.ts";
import { endOfDay } from "../lib/time-zone.ts";
import type {
  CaregiverRecord,
  CredentialingEntry,
  IntakeLeadRecord,
  PatientRecord,
  PayorEntry,
  PracticeRecord,
  UserRecord,
} from "../practice-file/model.ts";
import { type Demo, patientId, prefixOf } from "./authorizations.ts";
import { dayOf, DEMO_TIME_ZONE, instantAt } from "./calendar.ts";
import {
  type Employee,
  families,
  type Family,
  numbered,
  referenceData,
  staff,
  staffId,
} from "./clinic.ts";

/** The users of the practice, and the intake leads of its families. */

const MEDICAID = "pay_juniper";
const INSURERS = [
  ...["pay_copperfield", "pay_fairwind", MEDICAID, "pay_lanternlight", "pay_northgate"],
  ...["pay_riverbend", "pay_sunfield"],
];

/** Users of all roles, ordered by id; ids begin with the kind of user. */
export function users(demo: Demo): UserRecord[] {
  const all: UserRecord[] = staff.map((each, index) => employee(demo, each, index));
  for (const [index, family] of families.entries())
    all.push(caregiver(demo, family, index), patient(demo, family, index));
  return all.sort((a, b) => (a.publicId < b.publicId ? -1 : 1));
}

/** First and last name, and the address that is made from them; domains are reserved for examples. */
function named(name: string, domain: string) {
  const [firstName = "", ...rest] = name.split(" ");
  const lettersOf = (word: string): string => foldForSearch(word).replace(/[^a-z]/g, "");
  const lastName = rest.join(" ");
  return { firstName, lastName, email: `${lettersOf(firstName)}.${lettersOf(lastName)}@${domain}` };
}

/** At another time of day for each, so that lists by time have one order. */
function at(date: CalendarDate, hour: number, index: number) {
  return instantAt(date, hour * 60 + ((index * 7) % 120));
}

function employee(demo: Demo, each: Employee, index: number): UserRecord {
  const { is, work, team } = each;
  const hired = dayOf(demo.today, work.since, index % 5);
  const places = { locationIds: work.at, ...(work.at[0] && { primaryLocationId: work.at[0] }) };
  const common = {
    type: "user",
    publicId: is.id,
    ...named(is.name, "maple.example"),
    phoneNumber: work.phone,
    isActive: work.left !== true,
    createdAt: at(hired, 9, index),
    updatedAt: at(hired, 14, index),
  } as const;
  const { type, publicId, ...others } = common;
  if (each.certificate === undefined)
    return {
      type,
      publicId,
      role: is.role as AdminRole,
      ...others,
      shouldSendSMS: false,
      ...places,
    };
  const { providerPayorIds, ...credentials } = certified(demo, each);
  return {
    ...{ type, publicId, role: is.role as ClinicianRole, ...others },
    ...(!work.withoutNpi && { npiNumber: numbered("9", 100_003 * (index + 1), 9) }),
    shouldSendSMS: work.sms === true,
    ...credentials,
    complianceCredentials: each.trainings ?? [],
    specializationIds: (each.specializations ?? []).map((id) => `spec_${id}`),
    ...places,
    ...(providerPayorIds.length > 0 && { providerPayorIds }),
    ...(team && { careTeamTechnicianIds: team.map(staffId) }),
  };
}

/** The certificate of a provider, and what each payor says of it. Only Medicaid credentials technicians. */
function certified({ today }: Demo, { is, work, certificate }: Employee) {
  const { type = "", until = 0, pending = [], expired = [] } = certificate ?? {};
  const payors = is.role === "TECHNICIAN" ? [MEDICAID] : INSURERS;
  const payorCredentialing = payors.map((payorId): CredentialingEntry => {
    const name = payorId.slice("pay_".length);
    const publicId = `${is.id.replace("usr_", "pcpay_")}_${name}`;
    const startDate = dayOf(today, work.since, 2);
    if (expired.includes(name))
      return { publicId, payorId, status: "EXPIRED", startDate, endDate: dayOf(today, -5, 4) };
    if (!pending.includes(name)) return { publicId, payorId, status: "APPROVED", startDate };
    const notes = "Application sent; the committee meets at the end of the month.";
    return { publicId, payorId, status: "PENDING", startDate: dayOf(today, -3), notes };
  });
  const expiresOn = dayOf(today, until);
  return {
    recertificationDate: endOfDay(addDays(expiresOn, -30), DEMO_TIME_ZONE),
    credentials: [
      {
        credentialType: type,
        practiceArea: type === "CCC-SLP" ? "SPEECH" : "ABA",
        credentialNumber: `${type}-${is.id.slice(-6)}`,
        expiresAt: endOfDay(expiresOn, DEMO_TIME_ZONE),
        credentialStatus: expiresOn < today ? "expired" : "active",
        payorCredentialing,
      },
    ],
    providerPayorIds: payorCredentialing
      .filter(({ status }) => status === "APPROVED")
      .map(({ payorId }) => payorId),
  };
}

/** When a family asked first, and when their record was changed last. */
function times({ today }: Demo, { inquiry, therapy }: Family, index: number) {
  const last = Math.min(
    -1,
    Math.max(inquiry.week, therapy?.until ?? therapy?.since ?? inquiry.week),
  );
  return {
    createdAt: at(dayOf(today, inquiry.week, index % 5), 9, index),
    updatedAt: at(dayOf(today, last, index % 5), 14, index),
  };
}

const stageKeys = new Map(
  referenceData
    .map((line) => JSON.parse(line) as PracticeRecord)
    .flatMap((each) => (each.type === "intakeStage" ? [[each.publicId, each.key] as const] : [])),
);

/** The status of a patient is the key of the stage; one without a key is a stage of leads. */
function statusOf({ inquiry }: Family): string {
  return stageKeys.get(`stage_${inquiry.stage}`) ?? "LEAD";
}

function isActive(family: Family): boolean {
  return !family.child.left && statusOf(family) !== "DISCHARGED";
}

function caregiverId(index: number): string {
  return numbered("usr_caregiver_", index + 1);
}

function caregiver(demo: Demo, family: Family, index: number): CaregiverRecord {
  const { name, phone, sms = false } = family.parent;
  return {
    type: "user",
    publicId: caregiverId(index),
    role: "CAREGIVER",
    ...named(name, "family.example"),
    phoneNumber: phone,
    isActive: isActive(family),
    ...times(demo, family, index),
    shouldSendSMS: sms,
  };
}

function patient(demo: Demo, family: Family, index: number): PatientRecord {
  const { child, therapy, insurance, week = [] } = family;
  const { firstName, lastName } = named(child.name, "");
  const speech = week.flatMap(({ by }) => by ?? []);
  return {
    type: "user",
    publicId: patientId(index),
    role: "PATIENT",
    ...{ firstName, lastName, isActive: isActive(family), ...times(demo, family, index) },
    shouldSendSMS: false,
    userStatus: statusOf(family),
    sex: child.sex as "FEMALE" | "MALE",
    birthDate: birthDate(demo, child.born, index),
    caregiverId: caregiverId(index),
    ...addressOf(family),
    country: "US",
    // A few patients have no time zone, so that utilization must be given one.
    ...(!child.withoutZone && { timezone: DEMO_TIME_ZONE }),
    internalRecordId: numbered("MRN-", index + 1),
    ...(insurance?.parentBorn && { payors: payorEntries(demo, family, index) }),
    locationIds: [therapy?.at ?? family.location ?? ""],
    ...(therapy && {
      clinicianIds: [therapy.clinician, ...speech].map(staffId),
      primaryClinicianId: staffId(therapy.clinician),
    }),
  };
}

function addressOf({ home }: Family) {
  const parts = home.split(", ");
  const [town = ""] = parts.slice(-1);
  const [addressLine1 = "", addressLine2] = parts.slice(0, -1);
  return {
    addressLine1,
    ...(addressLine2 !== undefined && { addressLine2 }),
    ...{ city: town.slice(0, -6), state: "NY", postalCode: town.slice(-5) },
  };
}

function birthDate({ today }: Demo, week: number, index: number): CalendarDate {
  return dayOf(today, week, index % 7);
}

/** The parents' insurance first; for some children, Medicaid second. */
function payorEntries(demo: Demo, family: Family, index: number): PayorEntry[] {
  const { child, parent, inquiry, insurance } = family;
  const entry = (payorId: string, plan: Partial<PayorEntry>): PayorEntry => ({
    payorId,
    priority: "PRIMARY",
    relationshipToPatient: "PARENT",
    insuredBirthDate: birthDate(demo, insurance?.parentBorn ?? 0, index),
    ...plan,
    insuredAddress: addressOf(family),
    memberId: numbered(`${prefixOf(payorId)}-`, 100_001 + index),
    groupId: `${prefixOf(payorId)}-G${((index + 1) % 7) + 1}`,
    planHolder: plan.priority === "SECONDARY" ? child.name : parent.name,
    effectiveStartDate: `${dayOf(demo.today, inquiry.week).slice(0, 4)}-01-01` as CalendarDate,
  });
  const primary = entry(insurance?.payor ?? "", {});
  if (!insurance?.medicaid) return [primary];
  const insuredBirthDate = birthDate(demo, child.born, index);
  return [
    primary,
    entry(MEDICAID, { priority: "SECONDARY", relationshipToPatient: "SELF", insuredBirthDate }),
  ];
}

/** The leads of all families, including those already in therapy. */
export function* intakeLeads(demo: Demo): Generator<IntakeLeadRecord> {
  for (const [index, family] of families.entries()) {
    const { inquiry, parent, attribution } = family;
    const { source, channel, campaign } = attribute(attribution ?? {});
    yield {
      type: "intakeLead",
      publicId: numbered("lead_", index + 1),
      clientId: patientId(index),
      caregiverId: caregiverId(index),
      relationship: parent.is,
      stageId: `stage_${inquiry.stage}`,
      ...(inquiry.labels && { labelIds: inquiry.labels.map((id) => `lbl_${id}`) }),
      ...(attribution && { attribution }),
      source,
      channel,
      ...(campaign !== null && { campaign }),
      createdAt: times(demo, family, index).createdAt,
    };
  }
}
