import { session } from "../../support/practice-file/lines.ts";

/** A practice that begins: two technicians, a patient whom the first visits at home, and no authorization yet. */

const ida = (publicId: string, times: string, other: object = {}) =>
  session(publicId, times, {
    ...{ title: "First visit", technicianId: "usr_ida", clientId: "usr_tom" },
    ...{ services: "svc_oak", locationId: "loc_oak", ...other },
  });

export const beginningPractice = [
  { type: "organization", publicId: "org_oak", name: "Oak House", weekStartsOn: "SUNDAY" },
  { type: "location", publicId: "loc_oak", name: "Oak room" },
  { type: "serviceLine", publicId: "svc_oak", name: "Care", billingUnitMinutes: 15 },
  {
    ...{ type: "user", publicId: "usr_ida", role: "TECHNICIAN", firstName: "Ida" },
    lastName: "Ek",
  },
  {
    ...{ type: "user", publicId: "usr_joe", role: "TECHNICIAN", firstName: "Joe" },
    lastName: "Ek",
  },
  {
    ...{ type: "user", publicId: "usr_meg", role: "CAREGIVER", firstName: "Meg", lastName: "Lund" },
    phoneNumber: "+14155550100",
  },
  {
    ...{ type: "user", publicId: "usr_tom", role: "PATIENT", firstName: "Tom", lastName: "Lund" },
    ...{ caregiverId: "usr_meg", addressLine1: "7 Oak Lane", city: "Barre", state: "VT" },
  },
  ida("apt_oak1", "2026-01-07 14:00-15:00"),
  ida("apt_oak2", "2026-01-08 13:00-14:00", { placeOfService: "OFFICE" }),
  ida("apt_oak3", "2026-01-08 15:00-16:00", { status: "UNCONFIRMED" }),
  ida("apt_oak4", "2026-01-08 18:00-19:00", {
    ...{ clientId: null, isSupervision: true, isClientPresent: false, title: "Review" },
    placeOfService: "OFFICE",
  }),
  ida("apt_oak6", "2026-01-13 14:00-15:00"),
  ida("apt_oak5", "2026-01-08 20:00-21:00", { status: "PATIENT_NO_SHOW" }),
];
