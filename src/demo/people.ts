import type { UserRecord } from "../practice-file/model.ts";
import type { Clinic } from "./clinic.ts";
import { caregivers, patients } from "./patients.ts";
import { Staff } from "./staff.ts";

/** Users of all roles, in the order of their ids, which begin with what somebody is. */
export function* users(clinic: Clinic): Generator<UserRecord> {
  const staff = new Staff(clinic);
  yield* staff.administrators("ADMIN", "usr_admin_", 20);
  yield* staff.administrators("BILLING_MANAGER", "usr_billing_", 10);
  yield* caregivers(clinic);
  yield* staff.clinicalAdmins();
  yield* staff.clinicians();
  yield* staff.clinicalDirectors();
  yield* patients(clinic);
  yield* staff.administrators("PAYROLL_ADMIN", "usr_payroll_", 25);
  yield* staff.administrators("SCHEDULING_MANAGER", "usr_scheduling_", 8);
  yield* staff.speechTherapists();
  yield* staff.technicians();
}
