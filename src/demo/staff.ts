import type { AdminRole, ClinicianRole, Role } from "../access/roles.ts";
import { addDays, type CalendarDate, daysBetween } from "../lib/calendar-date.ts";
import type {
  AdministratorRecord,
  ClinicianRecord,
  CredentialEntry,
  CredentialingEntry,
  TechnicianRecord,
} from "../practice-file/model.ts";
import { instantAt } from "./calendar.ts";
import {
  type Clinic,
  speechTherapistId,
  type Team,
  TEAMS_PER_SPEECH_THERAPIST,
  technicianId,
} from "./clinic.ts";
import { locationId, MEDICAID, numbered, type Payor, payors, SELF_PAY } from "./organization.ts";
import { EmailAddresses, newPerson, newPhoneNumber } from "./people.ts";
import { Random } from "./random.ts";

const TEAMS_PER_CLINICAL_ADMIN = 8;
const TEAMS_PER_FORMER_TECHNICIAN = 2;
/** In days, when the calendar begins. */
const MIN_EMPLOYMENT = 30;
const MAX_EMPLOYMENT = 6 * 365;

/** Generates current and former staff. Each method yields one kind of user, ordered by id. */
export class Staff {
  readonly #clinic: Clinic;
  readonly #emails = new EmailAddresses("maple.example");

  constructor(clinic: Clinic) {
    this.#clinic = clinic;
  }

  *administrators(
    role: AdminRole,
    prefix: string,
    teamsEach: number,
  ): Generator<AdministratorRecord> {
    for (const [index, { locationId }] of this.#everyTeamOf(teamsEach).entries()) {
      const publicId = numbered(prefix, index + 1);
      yield {
        ...this.#employee(publicId, role),
        shouldSendSMS: false,
        locationIds: [locationId],
        primaryLocationId: locationId,
      };
    }
  }

  /** Each also supervises the technicians of one team, who therefore have two supervisors. */
  *clinicalAdmins(): Generator<ClinicianRecord> {
    for (const [index, team] of this.#everyTeamOf(TEAMS_PER_CLINICAL_ADMIN).entries()) {
      const publicId = numbered("usr_clinical_admin_", index + 1);
      yield this.#clinician("CLINICAL_ADMIN", team.technicianIds, {
        publicId,
        profession: "behaviorAnalyst",
        locationIds: [team.locationId],
      });
    }
  }

  *clinicians(): Generator<ClinicianRecord> {
    for (const team of this.#clinic.teams)
      yield this.#clinician("CLINICIAN", team.technicianIds, {
        publicId: team.clinicianId,
        profession: "behaviorAnalyst",
        locationIds: [team.locationId],
      });
  }

  *clinicalDirectors(): Generator<ClinicianRecord> {
    const locations = Array.from({ length: this.#clinic.locations }, (_, index) => index + 1);
    yield this.#clinician("CLINICAL_SUPERADMIN", [], {
      publicId: numbered("usr_director_", 1),
      profession: "director",
      locationIds: locations.map(locationId),
    });
  }

  *speechTherapists(): Generator<ClinicianRecord> {
    for (const [index, first] of this.#everyTeamOf(TEAMS_PER_SPEECH_THERAPIST).entries()) {
      const served = this.#clinic.teams.slice(
        first.number - 1,
        first.number - 1 + TEAMS_PER_SPEECH_THERAPIST,
      );
      yield this.#clinician("CLINICIAN", [], {
        publicId: speechTherapistId(index + 1),
        profession: "speechTherapist",
        locationIds: [...new Set(served.map((team) => team.locationId))],
      });
    }
  }

  *technicians(): Generator<TechnicianRecord> {
    const { teams } = this.#clinic;
    let count = 0;
    for (const { technicianIds, locationId } of teams)
      for (const publicId of technicianIds) {
        count += 1;
        yield this.#technician(publicId, locationId);
      }
    for (const { locationId } of this.#everyTeamOf(TEAMS_PER_FORMER_TECHNICIAN)) {
      count += 1;
      yield this.#technician(technicianId(count), locationId, false);
    }
  }

  /** Every `step`th team from the first on, for staff who serve several teams. */
  #everyTeamOf(step: number): Team[] {
    return this.#clinic.teams.filter((_, index) => index % step === 0);
  }

  #technician(publicId: string, locationId: string, isActive = true): TechnicianRecord {
    const provider: Provider = { publicId, profession: "technician", locationIds: [locationId] };
    return {
      ...this.#employee(publicId, "TECHNICIAN", isActive),
      ...providerFields(this.#clinic, provider),
    };
  }

  #clinician(
    role: ClinicianRole,
    careTeamTechnicianIds: string[],
    provider: Provider,
  ): ClinicianRecord {
    return {
      ...this.#employee(provider.publicId, role),
      ...providerFields(this.#clinic, provider),
      ...(careTeamTechnicianIds.length > 0 && { careTeamTechnicianIds }),
    };
  }

  #employee<StaffRole extends Role>(publicId: string, role: StaffRole, isActive = true) {
    const { seed, calendar } = this.#clinic;
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
      email: this.#emails.next(person),
      phoneNumber: newPhoneNumber(random),
      isActive,
      createdAt: instantAt(hiredOn, random.whole(8 * 60, 12 * 60)),
      updatedAt: instantAt(changedOn, random.whole(13 * 60, 18 * 60)),
    } as const;
  }
}

/** A member of staff who treats patients, and the qualification for it. */
interface Provider {
  publicId: string;
  profession: keyof typeof PROFESSIONS;
  /** Ordered by id; the first is the main location. */
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

/** Certificates by profession, with their validity in years. */
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

/** Payors with which providers contract. */
const INSURERS = payors.filter((payor) => payor !== SELF_PAY);

/** Fields of providers in addition to those of all users, except the care team. */
function providerFields({ seed, calendar }: Clinic, provider: Provider) {
  const { publicId, profession, locationIds } = provider;
  const random = new Random(seed, "provider", publicId);
  const { credentialType, practiceArea, years, specializations } = PROFESSIONS[profession];
  // Some have not renewed their certificate in time.
  const expiresOn = addDays(calendar.today, random.whole(-15, 365 * years));
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
    npiNumber: `9${random.whole(100_000_000, 999_999_999)}`,
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
  if (share < 0.1)
    return {
      ...entry,
      status: "EXPIRED",
      startDate,
      endDate: addDays(today, -random.whole(1, 80)),
    };
  return { ...entry, status: "APPROVED", startDate };
}
