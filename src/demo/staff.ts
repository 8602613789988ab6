import type { AdminRole, ClinicianRole, Role } from "../access/roles.ts";
import { addDays, type CalendarDate, daysBetween } from "../lib/calendar-date.ts";
import type { CredentialEntry, CredentialingEntry, UserRecord } from "../practice-file/model.ts";
import { instantAt } from "./calendar.ts";
import {
  type Clinic,
  formerTechnicianId,
  speechTherapistId,
  type Team,
  TEAMS_PER_SPEECH_THERAPIST,
} from "./clinic.ts";
import { locationId, MEDICAID, numbered, type Payor, payors, SELF_PAY } from "./organization.ts";
import { EmailAddresses, newPerson, newPhoneNumber } from "./people.ts";
import { Random } from "./random.ts";

/** Current and former staff. */

/** For how many teams there is one in the office. */
const OFFICE: [role: AdminRole, prefix: string, teams: number][] = [
  ["ADMIN", "usr_admin_", 20],
  ["BILLING_MANAGER", "usr_billing_", 10],
  ["PAYROLL_ADMIN", "usr_payroll_", 25],
  ["SCHEDULING_MANAGER", "usr_scheduling_", 8],
];

const TEAMS_PER_CLINICAL_ADMIN = 8;
const TEAMS_PER_FORMER_TECHNICIAN = 2;
/** In days, when the calendar begins. */
const MIN_EMPLOYMENT = 30;
const MAX_EMPLOYMENT = 6 * 365;

export function* staff(clinic: Clinic): Generator<UserRecord> {
  const emails = new EmailAddresses("maple.example");
  const { teams } = clinic;
  /** Every `step`th team from the first on, for staff who serve several teams. */
  const everyTeam = (step: number): Team[] => teams.filter((_, index) => index % step === 0);

  const employee = <StaffRole extends Role>(
    publicId: string,
    role: StaffRole,
    isActive: boolean = true,
  ) => newEmployee(clinic, emails, { publicId, role, isActive });
  const clinician = (
    role: ClinicianRole,
    provider: Provider,
    careTeamTechnicianIds: string[] = [],
  ): UserRecord => ({
    ...employee(provider.publicId, role),
    ...providerFields(clinic, provider),
    ...(careTeamTechnicianIds.length > 0 && { careTeamTechnicianIds }),
  });
  const technician = (publicId: string, locationId: string, isActive = true): UserRecord => ({
    ...employee(publicId, "TECHNICIAN", isActive),
    ...providerFields(clinic, {
      ...{ publicId, profession: "technician", locationIds: [locationId], hasLeft: !isActive },
    }),
  });

  for (const [role, prefix, step] of OFFICE)
    for (const [index, { locationId }] of everyTeam(step).entries())
      yield {
        ...employee(numbered(prefix, index + 1), role),
        shouldSendSMS: false,
        locationIds: [locationId],
        primaryLocationId: locationId,
      };
  const profession = "behaviorAnalyst";
  // They also supervise the technicians of one team, who therefore have two supervisors.
  for (const [index, { technicianIds, locationId }] of everyTeam(
    TEAMS_PER_CLINICAL_ADMIN,
  ).entries()) {
    const publicId = numbered("usr_clinical_admin_", index + 1);
    yield clinician(
      "CLINICAL_ADMIN",
      { publicId, profession, locationIds: [locationId] },
      technicianIds,
    );
  }
  for (const { clinicianId: publicId, technicianIds, locationId } of teams) {
    yield clinician(
      "CLINICIAN",
      { publicId, profession, locationIds: [locationId] },
      technicianIds,
    );
    for (const technicianId of technicianIds) yield technician(technicianId, locationId);
  }
  yield clinician("CLINICAL_SUPERADMIN", {
    publicId: numbered("usr_director_", 1),
    profession: "director",
    locationIds: Array.from({ length: clinic.locations }, (_, index) => locationId(index + 1)),
  });
  for (const [index, { number }] of everyTeam(TEAMS_PER_SPEECH_THERAPIST).entries()) {
    const served = teams.slice(number - 1, number - 1 + TEAMS_PER_SPEECH_THERAPIST);
    yield clinician("CLINICIAN", {
      publicId: speechTherapistId(index + 1),
      profession: "speechTherapist",
      locationIds: [...new Set(served.map((team) => team.locationId))],
    });
  }
  for (const [index, { locationId }] of everyTeam(TEAMS_PER_FORMER_TECHNICIAN).entries())
    yield technician(formerTechnicianId(clinic, index), locationId, false);
}

function newEmployee<StaffRole extends Role>(
  { seed, calendar }: Clinic,
  emails: EmailAddresses,
  { publicId, role, isActive }: { publicId: string; role: StaffRole; isActive: boolean },
) {
  const random = new Random(seed, "employee", publicId);
  const person = newPerson(random);
  const hiredOn = addDays(calendar.firstDay, -random.whole(MIN_EMPLOYMENT, MAX_EMPLOYMENT));
  const changedOn = addDays(hiredOn, random.whole(0, daysBetween(hiredOn, calendar.today) - 1));
  return {
    type: "user",
    publicId,
    role,
    firstName: person.firstName,
    lastName: person.lastName,
    email: emails.next(person),
    phoneNumber: newPhoneNumber(random),
    isActive,
    createdAt: instantAt(hiredOn, random.whole(8 * 60, 12 * 60)),
    updatedAt: instantAt(changedOn, random.whole(13 * 60, 18 * 60)),
  } as const;
}

/** A member of staff who treats patients, and the qualification for it. */
interface Provider {
  publicId: string;
  profession: keyof typeof PROFESSIONS;
  /** Ordered by id; the first is the main location. */
  locationIds: string[];
  hasLeft?: boolean;
}

/** For how long the certificates of those who have left have ended. */
const DAYS_WITHOUT = 60;

const BEHAVIOR_SPECIALIZATIONS = [
  ...["spec_early_intervention", "spec_feeding", "spec_play_groups", "spec_school"],
  ...["spec_severe_behavior", "spec_social_skills", "spec_verbal_behavior"],
];

/** Certificates by profession, with their validity in years. */
const PROFESSIONS = {
  technician: { credentialType: "RBT", practiceArea: "ABA", years: 1 },
  behaviorAnalyst: { credentialType: "BCBA", practiceArea: "ABA", years: 2 },
  director: { credentialType: "BCBA-D", practiceArea: "ABA", years: 2 },
  speechTherapist: { credentialType: "CCC-SLP", practiceArea: "SPEECH", years: 3 },
} as const;

const TRAININGS = ["BLS", "CPR", "HIPAA", "MANDATED_REPORTER"];

const INSURERS = payors.filter((payor) => payor !== SELF_PAY);

/** Fields of providers in addition to those of all users, except the care team. */
function providerFields({ seed, calendar }: Clinic, provider: Provider) {
  const { publicId, profession, locationIds } = provider;
  const random = new Random(seed, "provider", publicId);
  const { credentialType, practiceArea, years } = PROFESSIONS[profession];
  const specializations = practiceArea === "ABA" ? BEHAVIOR_SPECIALIZATIONS : ["spec_speech"];
  // Some have not renewed their certificate in time; those who have left have let it end.
  const remaining = random.whole(-15, 365 * years);
  const expiresOn = addDays(calendar.today, provider.hasLeft ? -DAYS_WITHOUT : remaining);
  // Only Medicaid credentials individual technicians.
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
  const providerPayorIds = payorCredentialing
    .filter(({ status }) => status === "APPROVED")
    .map(({ payorId }) => payorId);
  return {
    // Real NPI numbers begin with 1 or 2, so these belong to nobody.
    ...withNpi(publicId, `9${random.whole(100_000_000, 999_999_999)}`),
    shouldSendSMS: random.chance(0.7),
    recertificationDate: instantAt(addDays(expiresOn, -30), 0),
    credentials: [credential],
    complianceCredentials: random.some(TRAININGS, 2, 4),
    specializationIds: random.some(specializations, 1, 3),
    locationIds,
    ...(locationIds[0] !== undefined && { primaryLocationId: locationIds[0] }),
    ...(providerPayorIds.length > 0 && { providerPayorIds }),
  };
}

/** Of the first speech therapist, nobody has entered it. */
function withNpi(publicId: string, npiNumber: string): { npiNumber?: string } {
  return publicId === speechTherapistId(1) ? {} : { npiNumber };
}

/** Credentialing with each payor: mostly approved, some pending, some without a renewed contract. */
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
  if (share >= 0.1) return { ...entry, status: "APPROVED", startDate };
  const endDate = addDays(today, -random.whole(1, 80));
  return { ...entry, status: "EXPIRED", startDate, endDate };
}
