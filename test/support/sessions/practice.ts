import type { Database } from "../../../db/database.ts";
import type { Instant } from "../../../src/lib/instant.ts";
import {
  newLocation,
  newNonBillableCode,
  newPatient,
  newServiceLine,
  newSession,
  newUser,
} from "../factories.ts";

/** Adds the records that these sessions refer to, with the same ids in every organization. */
export async function addPeopleAndPlaces(database: Database, organization: string): Promise<void> {
  await newLocation(database, organization, { public_id: "loc_main" });
  await newLocation(database, organization, { public_id: "loc_home" });
  await newServiceLine(database, organization, { public_id: "svc_97153" });
  await newNonBillableCode(database, organization, { public_id: "nbc_meeting" });
  await newPatient(database, organization, { public_id: "usr_leo" });
  await newPatient(database, organization, { public_id: "usr_mia" });
  await newUser(database, organization, { public_id: "usr_tech", role: "TECHNICIAN" });
  await newUser(database, organization, { public_id: "usr_bcba", role: "CLINICIAN" });
}

/** Adds a billable session with all fields. */
export function addBillable(
  database: Database,
  organization: string,
  row: Parameters<typeof newSession>[2] = {},
): Promise<string> {
  return newSession(database, organization, {
    public_id: "apt_billable",
    title: "Direct therapy",
    status: "CONFIRMED",
    start_time: "2026-03-10T14:00:00.000Z" as Instant,
    end_time: "2026-03-10T15:30:00.000Z" as Instant,
    is_supervision: 0,
    is_client_present: 1,
    place_of_service: "HOME",
    location_id: "loc_main",
    technician_id: "usr_tech",
    client_id: "usr_leo",
    is_telehealth: 1,
    clinician_id: "usr_bcba",
    provider_location_id: "loc_home",
    service_line_id: "svc_97153",
    ...row,
  });
}

/** The billable session in the API. */
export const billable = {
  publicId: "apt_billable",
  title: "Direct therapy",
  status: "CONFIRMED",
  startTime: "2026-03-10T14:00:00.000Z",
  endTime: "2026-03-10T15:30:00.000Z",
  isSupervision: false,
  isClientPresent: true,
  placeOfService: "HOME",
  locationId: "loc_main",
  technicianId: "usr_tech",
  clientId: "usr_leo",
  isBillable: true,
  isTelehealth: true,
  clinicianId: "usr_bcba",
  providerLocationId: "loc_home",
  services: "svc_97153",
};

/** Adds a non-billable session with all fields. */
export function addNonBillable(
  database: Database,
  organization: string,
  row: Parameters<typeof newSession>[2] = {},
): Promise<string> {
  return newSession(database, organization, {
    public_id: "apt_meeting",
    title: "Team meeting",
    status: "UNCONFIRMED",
    start_time: "2026-03-11T08:00:00.000Z" as Instant,
    end_time: "2026-03-11T08:00:00.000Z" as Instant,
    is_supervision: 1,
    is_client_present: 0,
    place_of_service: "OFFICE",
    location_id: "loc_main",
    technician_id: "usr_tech",
    client_id: "usr_mia",
    is_billable: 0,
    non_billable_code_id: "nbc_meeting",
    ...row,
  });
}

/** The non-billable session in the API, without `isTelehealth`, `clinicianId`, `providerLocationId` and `services`. */
export const nonBillable = {
  publicId: "apt_meeting",
  title: "Team meeting",
  status: "UNCONFIRMED",
  startTime: "2026-03-11T08:00:00.000Z",
  endTime: "2026-03-11T08:00:00.000Z",
  isSupervision: true,
  isClientPresent: false,
  placeOfService: "OFFICE",
  locationId: "loc_main",
  technicianId: "usr_tech",
  clientId: "usr_mia",
  isBillable: false,
  nonBillableCode: "nbc_meeting",
};
