import { attribute } from "../intake-leads/attribution.ts";
import { addDays, type CalendarDate, daysBetween } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import type {
  CaregiverRecord,
  IntakeLeadRecord,
  PatientRecord,
  PayorEntry,
} from "../practice-file/model.ts";
import { DEMO_TIME_ZONE, instantAt } from "./calendar.ts";
import { caregiverId, type Client, type Clinic, patientId } from "./clinic.ts";
import {
  locationId,
  MEDICAID,
  numbered,
  type Payor,
  payors,
  referenceData,
  SELF_PAY,
} from "./organization.ts";
import {
  type Address,
  EmailAddresses,
  newAddress,
  newPhoneNumber,
  newRelatives,
  type Person,
  type Sex,
} from "./people.ts";
import { Random } from "./random.ts";
import { hasLeft } from "./slips.ts";
import type { Seat } from "./week.ts";

/** Generates families (users with the roles `PATIENT` and `CAREGIVER`) and their intake leads. */

/** A patient and a caregiver, in therapy or still on the intake board. */
export interface Family {
  number: number;
  child: Person;
  parent: Person;
  address: Address;
  phoneNumber: string;
  birthDate: CalendarDate;
  inquiredAt: Instant;
  /** The time of the last change. */
  changedAt: Instant;
  stageId: string;
  userStatus: string;
  isActive: boolean;
  /** Absent before therapy. */
  client?: Client;
  /** Absent before benefits are verified. */
  payor?: Payor;
}

/** Stages of families who are not in therapy yet. The second stage is custom and has no key. */
const INTAKE = [
  { stageId: "stage_new", userStatus: "LEAD", isVerified: false },
  { stageId: "stage_tour", userStatus: "LEAD", isVerified: false },
  { stageId: "stage_waitlist", userStatus: "WAITLIST", isVerified: false },
  { stageId: "stage_benefits", userStatus: "VERIFIED_BENEFITS", isVerified: true },
  { stageId: "stage_requested", userStatus: "AUTH_REQUESTED", isVerified: true },
  { stageId: "stage_approved", userStatus: "AUTH_APPROVED", isVerified: true },
] as const;

const INQUIRIES_PER_TEAM = 2;
const MORNING_AGES = { youngest: 2, oldest: 5 };
const AFTERNOON_AGES = { youngest: 6, oldest: 13 };
const ALL_AGES = { youngest: 2, oldest: 11 };

/** All families, in order of their numbers. Generated anew each time, with the same result. */
export function* families(clinic: Clinic): Generator<Family> {
  for (const client of clinic.clients) yield familyOf(clinic, client);
  const inquiries = INQUIRIES_PER_TEAM * clinic.teams.length;
  for (let index = 0; index < inquiries; index += 1) yield inquiringFamily(clinic, index);
}

export function familyOf(clinic: Clinic, client: Client): Family {
  const { seed, calendar } = clinic;
  const { number, seat, startDate, endDate } = client;
  const random = new Random(seed, "family", number);
  const inquiredOn = addDays(startDate, -random.whole(40, 120));
  const ages = seat.isMorning ? MORNING_AGES : AFTERNOON_AGES;
  const isOver = endDate < calendar.today;
  const isGone = isOver || hasLeft(clinic, client);
  return {
    number,
    ...newHousehold(random, startDate, ages),
    ...times(
      random,
      inquiredOn,
      isOver ? endDate : dateBetween(random, inquiredOn, calendar.today),
    ),
    ...(isGone ? DISCHARGED : progressOf(client, calendar.today)),
    isActive: !isGone,
    client,
    payor: client.payor,
  };
}

const DISCHARGED = { stageId: "stage_discharged", userStatus: "DISCHARGED" };

function progressOf({ startDate }: Client, today: CalendarDate) {
  if (startDate > today) return { stageId: "stage_therapy", userStatus: "THERAPY_SCHEDULED" };
  return { stageId: "stage_active", userStatus: "ACTIVE" };
}

function inquiringFamily({ seed, calendar, clients }: Clinic, index: number): Family {
  const number = clients.length + index + 1;
  const random = new Random(seed, "family", number);
  const { stageId, userStatus, isVerified } = INTAKE[index % INTAKE.length] ?? INTAKE[0];
  const inquiredOn = addDays(calendar.today, -random.whole(1, 75));
  return {
    number,
    ...newHousehold(random, calendar.today, ALL_AGES),
    ...times(random, inquiredOn, dateBetween(random, inquiredOn, calendar.today)),
    stageId,
    userStatus,
    isActive: true,
    ...(isVerified && { payor: random.pick(payors) }),
  };
}

function newHousehold(
  random: Random,
  date: CalendarDate,
  { youngest, oldest }: { youngest: number; oldest: number },
) {
  const age = 365 * random.whole(youngest, oldest) + random.whole(0, 364);
  return {
    ...newRelatives(random),
    birthDate: addDays(date, -age),
    address: newAddress(random),
    phoneNumber: newPhoneNumber(random),
  };
}

/** Times of the inquiry (in the morning) and the last change (in the afternoon); both may be on the same day. */
function times(random: Random, inquiredOn: CalendarDate, changedOn: CalendarDate) {
  return {
    inquiredAt: instantAt(inquiredOn, random.whole(9 * 60, 12 * 60)),
    changedAt: instantAt(changedOn, random.whole(13 * 60, 17 * 60)),
  };
}

/** A random date before `to` and not before `from`. */
function dateBetween(random: Random, from: CalendarDate, to: CalendarDate): CalendarDate {
  return addDays(from, random.whole(0, daysBetween(from, to) - 1));
}

export function* caregivers(clinic: Clinic): Generator<CaregiverRecord> {
  const emails = new EmailAddresses("family.example");
  for (const family of families(clinic)) {
    const { number, parent } = family;
    const random = new Random(clinic.seed, "caregiver", number);
    yield {
      type: "user",
      publicId: caregiverId(number),
      role: "CAREGIVER",
      firstName: parent.firstName,
      lastName: parent.lastName,
      email: emails.next(parent),
      phoneNumber: family.phoneNumber,
      isActive: family.isActive,
      createdAt: family.inquiredAt,
      updatedAt: family.changedAt,
      shouldSendSMS: random.chance(0.6),
    };
  }
}

export function* patients(clinic: Clinic): Generator<PatientRecord> {
  for (const family of families(clinic)) yield patient(clinic, family);
}

function patient({ seed, locations }: Clinic, family: Family): PatientRecord {
  const { number, child, client, payor } = family;
  const random = new Random(seed, "patient", number);
  const location = locationId(random.whole(1, locations));
  const isInsured = payor !== undefined && payor !== SELF_PAY;
  return {
    type: "user",
    publicId: patientId(number),
    role: "PATIENT",
    firstName: child.firstName,
    lastName: child.lastName,
    isActive: family.isActive,
    createdAt: family.inquiredAt,
    updatedAt: family.changedAt,
    shouldSendSMS: false,
    userStatus: family.userStatus,
    sex: child.sex,
    birthDate: family.birthDate,
    caregiverId: caregiverId(number),
    ...family.address,
    country: "US",
    // A few patients have no time zone, so that utilization must be given one.
    ...(!random.chance(0.03) && { timezone: DEMO_TIME_ZONE }),
    internalRecordId: numbered("MRN-", number),
    ...(isInsured && { payors: payorEntries(random, family, payor) }),
    ...(client === undefined ? { locationIds: [location] } : careOf(client.seat)),
  };
}

function careOf({ locationId, clinicianId, speechTherapistId }: Seat) {
  return {
    locationIds: [locationId],
    // Ordered by id.
    clinicianIds: [clinicianId, ...(speechTherapistId === undefined ? [] : [speechTherapistId])],
    primaryClinicianId: clinicianId,
  };
}

/** The parents' insurance first; for some children, Medicaid second. */
function payorEntries(random: Random, family: Family, payor: Payor): PayorEntry[] {
  const { parent, child, birthDate } = family;
  const parentBirthDate = addDays(birthDate, -365 * random.whole(21, 42) - random.whole(0, 364));
  const primary = payorEntry(family, payor, parent, {
    priority: "PRIMARY",
    relationshipToPatient: "PARENT",
    insuredBirthDate: parentBirthDate,
  });
  if (payor === MEDICAID || !random.chance(0.15)) return [primary];
  const secondary = payorEntry(family, MEDICAID, child, {
    priority: "SECONDARY",
    relationshipToPatient: "SELF",
    insuredBirthDate: birthDate,
  });
  return [primary, secondary];
}

function payorEntry(
  { number, address, inquiredAt }: Family,
  { publicId, prefix }: Payor,
  { firstName, lastName }: Person,
  plan: Pick<PayorEntry, "priority" | "relationshipToPatient" | "insuredBirthDate">,
): PayorEntry {
  return {
    payorId: publicId,
    ...plan,
    insuredAddress: address,
    memberId: numbered(`${prefix}-`, 100_000 + number),
    groupId: `${prefix}-G${(number % 7) + 1}`,
    planHolder: `${firstName} ${lastName}`,
    effectiveStartDate: `${inquiredAt.slice(0, 4)}-01-01` as CalendarDate,
  };
}

const labels = referenceData
  .filter(({ type }) => type === "intakeLabel")
  .map(({ publicId }) => publicId);

type Attribution = NonNullable<IntakeLeadRecord["attribution"]>;
type Relationship = IntakeLeadRecord["relationship"];

/** The leads of all families, including those already in therapy. */
export function* intakeLeads(clinic: Clinic): Generator<IntakeLeadRecord> {
  for (const family of families(clinic)) yield intakeLead(clinic, family);
}

function intakeLead({ seed }: Clinic, family: Family): IntakeLeadRecord {
  const { number, parent, stageId, inquiredAt } = family;
  const random = new Random(seed, "lead", number);
  const labelIds = random.some(labels, 0, 2);
  const attribution = newAttribution(random);
  const { source, channel, campaign } = attribute(attribution ?? {});
  return {
    type: "intakeLead",
    publicId: numbered("lead_", number),
    clientId: patientId(number),
    caregiverId: caregiverId(number),
    relationship: random.pick(RELATIONSHIPS[parent.sex]),
    stageId,
    ...(labelIds.length > 0 && { labelIds }),
    ...(attribution !== undefined && { attribution }),
    source,
    channel,
    ...(campaign !== null && { campaign }),
    createdAt: inquiredAt,
  };
}

/** Weighted by repetition. */
const RELATIONSHIPS: Record<Sex, readonly Relationship[]> = {
  FEMALE: ["MOTHER", "MOTHER", "MOTHER", "MOTHER", "GUARDIAN", "GRANDPARENT", "STEPMOTHER"],
  MALE: ["FATHER", "FATHER", "FATHER", "FATHER", "GUARDIAN", "GRANDPARENT", "STEPFATHER"],
};

/** The recorded visit; undefined for families who called. */
function newAttribution(random: Random): Attribution | undefined {
  const landingPage = `https://maple.example/${random.pick(["", "intake", "early-intervention", "insurance"])}`;
  const clickId = () => random.whole(2 ** 40, 2 ** 50).toString(36);
  const visits: (Attribution | undefined)[] = [
    undefined,
    undefined,
    { referrer: "https://www.google.com/", landingPage },
    { referrer: "https://www.google.com/", landingPage },
    { referrer: "https://www.bing.com/", landingPage },
    {
      utm_source: "google",
      utm_medium: "cpc",
      utm_campaign: "aba-therapy-near-me",
      utm_term: random.pick(["aba therapy", "autism therapy", "early intervention"]),
      gclid: clickId(),
      landingPage,
    },
    {
      utm_source: "facebook",
      utm_medium: "paid_social",
      utm_campaign: "Spring open house",
      utm_content: "video",
      fbclid: clickId(),
      landingPage,
    },
    { fbclid: clickId(), referrer: "https://m.facebook.com/", landingPage },
    { utm_source: "newsletter", utm_medium: "email", utm_campaign: "Parent evening", landingPage },
    { referrer: "https://pediatrics.example/resources", landingPage },
  ];
  return random.pick(visits);
}
