import { addDays, type CalendarDate } from "../lib/calendar-date.ts";
import type { CredentialEntry, CredentialingEntry } from "../practice-file/model.ts";
import { instantAt } from "./calendar.ts";
import type { Clinic } from "./clinic.ts";
import { optionalList } from "./optional-list.ts";
import { MEDICAID, type Payor, payors, SELF_PAY } from "./payors.ts";
import { Random } from "./random.ts";

/** Staff who treat patients, and what entitles them to. */
export interface Provider {
  publicId: string;
  profession: keyof typeof PROFESSIONS;
  /** In the order of the ids; the first is where they mostly are. */
  locationIds: string[];
}

const BEHAVIOR_SPECIALIZATIONS = [
  "spec_early_intervention",
  "spec_feeding",
  "spec_play_groups",
  "spec_school",
  "spec_severe_behavior",
  "spec_social_skills",
  "spec_verbal_behavior",
];

/** The certificate of each, and for how many years it holds. */
const PROFESSIONS = {
  technician: {
    credentialType: "RBT",
    practiceArea: "ABA",
    years: 1,
    specializations: BEHAVIOR_SPECIALIZATIONS,
  },
  behaviorAnalyst: {
    credentialType: "BCBA",
    practiceArea: "ABA",
    years: 2,
    specializations: BEHAVIOR_SPECIALIZATIONS,
  },
  director: {
    credentialType: "BCBA-D",
    practiceArea: "ABA",
    years: 2,
    specializations: BEHAVIOR_SPECIALIZATIONS,
  },
  speechTherapist: {
    credentialType: "CCC-SLP",
    practiceArea: "SPEECH",
    years: 3,
    specializations: ["spec_speech"],
  },
} as const;

const TRAININGS = ["BLS", "CPR", "HIPAA", "MANDATED_REPORTER"];

/** Who contracts with providers. */
const INSURERS = payors.filter((payor) => payor !== SELF_PAY);

/** The fields that providers have beside those of all users, but for the care team. */
export function providerFields({ seed, calendar }: Clinic, provider: Provider) {
  const { publicId, profession, locationIds } = provider;
  const random = new Random(seed, "provider", publicId);
  const { credentialType, practiceArea, years, specializations } = PROFESSIONS[profession];
  // A few are late with their renewal.
  const expiresOn = addDays(calendar.today, random.whole(-15, 365 * years));
  // Only the state wants to know its technicians one by one.
  const contractors = profession === "technician" ? [MEDICAID] : INSURERS;
  const payorCredentialing = contractors.map((payor) =>
    credentialing(random, calendar.today, publicId, payor),
  );
  const credential: CredentialEntry = {
    credentialType,
    practiceArea,
    credentialNumber: `${credentialType}-${publicId.slice(-6)}`,
    expiresAt: instantAt(expiresOn, 0),
    credentialStatus: expiresOn < calendar.today ? "expired" : "active",
    payorCredentialing,
  };
  const approved = payorCredentialing.filter(({ status }) => status === "APPROVED");
  return {
    // Real numbers begin with 1 or 2: these are nobody's.
    npiNumber: `9${random.whole(100_000_000, 999_999_999)}`,
    shouldSendSMS: random.chance(0.7),
    recertificationDate: instantAt(addDays(expiresOn, -30), 0),
    credentials: [credential],
    complianceCredentials: random.some(TRAININGS, 2, 4),
    specializationIds: random.some(specializations, 1, 3),
    locationIds,
    ...(locationIds[0] !== undefined && { primaryLocationId: locationIds[0] }),
    ...optionalList(
      "providerPayorIds",
      approved.map(({ payorId }) => payorId),
    ),
  };
}

/** Where somebody stands with a payor: mostly approved, some waiting, and some without a new contract. */
function credentialing(
  random: Random,
  today: CalendarDate,
  userId: string,
  payor: Payor,
): CredentialingEntry {
  const entry = {
    publicId: `${userId.replace("usr_", "pcpay_")}_${payor.publicId.slice("pay_".length)}`,
    payorId: payor.publicId,
  };
  const startDate = addDays(today, -random.whole(90, 900));
  const share = random.fraction();
  if (share < 0.06) {
    const notes = "Application sent; the committee meets at the end of the month.";
    return { ...entry, status: "PENDING", startDate: addDays(today, -random.whole(5, 40)), notes };
  }
  if (share < 0.1)
    return {
      ...entry,
      status: "EXPIRED",
      startDate,
      endDate: addDays(today, -random.whole(1, 80)),
    };
  return { ...entry, status: "APPROVED", startDate };
}
