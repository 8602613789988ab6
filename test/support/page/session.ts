import type { Session } from "../../../src/page/app/lib/base/wire.ts";

/** A session as the API shows it, of a technician, a clinician and a patient, unless it says otherwise. */
export function shownSession(given: object = {}): Session {
  return {
    ...{ publicId: "apt_1", title: "Direct therapy", status: "CONFIRMED" },
    ...{ startTime: "2026-11-23T14:00:00.000Z", endTime: "2026-11-23T16:00:00.000Z" },
    ...{ isSupervision: false, isClientPresent: true, placeOfService: "OFFICE" },
    ...{ locationId: "loc_main", technicianId: "usr_tech", clientId: "usr_kid" },
    ...{ isBillable: true, isTelehealth: false, clinicianId: "usr_bcba" },
    ...{ providerLocationId: null, services: "svc_97153" },
    ...given,
  } as Session;
}
