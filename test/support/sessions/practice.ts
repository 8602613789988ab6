import type { Database } from "../../../db/database.ts";
import {
  newLocation,
  newNonBillableCode,
  newPatient,
  newServiceLine,
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
