import type { Database } from "bun:sqlite";
import type { SessionRow } from "../../db/schema.ts";
import { type FloorPage, pageOf, PAGE_SIZE } from "./page.ts";

/** The first page of an organization's sessions. */
export function sessionsFloor(file: Database): (organizationId: string) => FloorPage {
  const page = file.prepare<SessionRow, [string]>(
    `select public_id, title, status, start_time, end_time, is_supervision, is_client_present,
       place_of_service, location_id, technician_id, client_id, is_billable, is_telehealth,
       clinician_id, provider_location_id, service_line_id, non_billable_code_id
     from sessions where organization_id = ?
     order by start_time, public_id limit ${PAGE_SIZE}`,
  );
  const count = file.prepare<{ total: number }, [string]>(
    "select sum(sessions) as total from session_counts where organization_id = ?",
  );
  return (organizationId) =>
    pageOf(page.all(organizationId).map(toSession), count.get(organizationId)?.total ?? 0);
}

function toSession(row: SessionRow): object {
  const isBillable = row.is_billable === 1;
  const common = {
    publicId: row.public_id,
    title: row.title,
    status: row.status,
    startTime: row.start_time,
    endTime: row.end_time,
    isSupervision: row.is_supervision === 1,
    isClientPresent: row.is_client_present === 1,
    placeOfService: row.place_of_service,
    locationId: row.location_id,
    technicianId: row.technician_id,
    clientId: row.client_id,
    isBillable,
  };
  if (!isBillable) return { ...common, nonBillableCode: row.non_billable_code_id };
  return {
    ...common,
    isTelehealth: row.is_telehealth === 1,
    clinicianId: row.clinician_id,
    providerLocationId: row.provider_location_id,
    services: row.service_line_id,
  };
}
