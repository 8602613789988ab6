import { fromBit } from "../../db/schema.ts";
import type { PlaceOfService, Session, SessionStatus } from "./model.ts";
import type { ShownSessionRow } from "./repository.ts";

/** A session as the API shows it (specification 2.3). */
export function presentSession(row: ShownSessionRow): Session {
  const common = {
    publicId: row.public_id,
    title: row.title,
    status: row.status as SessionStatus,
    startTime: row.start_time,
    endTime: row.end_time,
    isSupervision: fromBit(row.is_supervision),
    isClientPresent: fromBit(row.is_client_present),
    placeOfService: row.place_of_service as PlaceOfService,
    locationId: row.location_id,
    technicianId: row.technician_id,
    clientId: row.client_id,
  };
  // The table's checks see to it that each kind has what is its own.
  return fromBit(row.is_billable)
    ? {
        ...common,
        isBillable: true,
        isTelehealth: row.is_telehealth === 1,
        clinicianId: row.clinician_id,
        providerLocationId: row.provider_location_id,
        services: row.service_line_id ?? "",
      }
    : { ...common, isBillable: false, nonBillableCode: row.non_billable_code_id ?? "" };
}
