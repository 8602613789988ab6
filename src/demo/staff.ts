import type { AdminRole, ClinicianRole, Role } from "../access/roles.ts";
import { addDays, daysBetween } from "../lib/calendar-date.ts";
import type {
  AdministratorRecord,
  ClinicianRecord,
  TechnicianRecord,
} from "../practice-file/model.ts";
import { instantAt } from "./calendar.ts";
import type { Clinic } from "./clinic.ts";
import { EmailAddresses, newPhoneNumber } from "./contacts.ts";
import { numbered } from "./ids.ts";
import { newPerson } from "./names.ts";
import { optionalList } from "./optional-list.ts";
import { type Provider, providerFields } from "./providers.ts";
import { Random } from "./random.ts";
import { locationId } from "./reference-data.ts";
import { speechTherapistId, type Team, technicianId, TEAMS_PER_SPEECH_THERAPIST } from "./team.ts";

const TEAMS_PER_CLINICAL_ADMIN = 8;
const TEAMS_PER_FORMER_TECHNICIAN = 2;
/** In days, as the calendar begins. */
const SHORTEST_EMPLOYMENT = 30;
const LONGEST_EMPLOYMENT = 6 * 365;

/** Who works at the practice, or did: each method makes one kind of user, in the order of the ids. */
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

  /** Each of them supervises the technicians of one team too, who so have two leads. */
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

  /** The first team and every so many after it: for staff of whom there is one for several teams. */
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
      ...optionalList("careTeamTechnicianIds", careTeamTechnicianIds),
    };
  }

  #employee<StaffRole extends Role>(publicId: string, role: StaffRole, isActive = true) {
    const { seed, calendar } = this.#clinic;
    const random = new Random(seed, "employee", publicId);
    const person = newPerson(random);
    const hiredOn = addDays(
      calendar.firstDay,
      -random.whole(SHORTEST_EMPLOYMENT, LONGEST_EMPLOYMENT),
    );
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
