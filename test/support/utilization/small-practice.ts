import type { CalendarDate } from "../../../src/lib/calendar-date.ts";
import type { Instant } from "../../../src/lib/instant.ts";
import {
  newApiKey,
  newAuthorization,
  newAuthorizationPool,
  newEncounter,
  newOrganization,
  newPatient,
  newServiceLine,
  newSession,
} from "../factories.ts";
import { newService } from "../harness.ts";

const PATH = "/api/v1/authorization-utilization";

/** A service with a pool, with one member, and a standalone authorization, for February 2026 with monthly units. */
export async function newSmallPractice() {
  const service = await newService();
  const { database } = service;
  const organization = await newOrganization(database);
  const key = await newApiKey(database, organization);
  const patient_id = await newPatient(database, organization, {
    ...{ public_id: "usr_leo", time_zone: "America/New_York" },
  });
  await newAuthorizationPool(database, organization, {
    ...{ public_id: "apool_1", patient_id, unit_frequency: "MONTHLY" },
  });
  const row = {
    patient_id,
    service_line_id: await newServiceLine(database, organization, { public_id: "svc_97153" }),
    authorization_date: "2026-02-01" as CalendarDate,
    authorization_expiration_date: "2026-02-28" as CalendarDate,
  };
  await newAuthorization(database, organization, {
    ...{ ...row, public_id: "auth_member", authorization_pool_id: "apool_1" },
  });
  await newAuthorization(database, organization, {
    ...{ ...row, public_id: "auth_alone", authorized_unit_frequency: "MONTHLY" },
  });
  for (const authorization_id of ["auth_member", "auth_alone"]) {
    const start_time = "2026-02-10T15:00:00.000Z" as Instant;
    const end_time = "2026-02-10T16:00:00.000Z" as Instant;
    await newEncounter(database, organization, { authorization_id, start_time, units: 2.5 });
    await newSession(database, organization, { authorization_id, start_time, end_time });
  }

  /** Requests an id, with or without a query. */
  const read = (idAndQuery: string) => service.call(`GET ${PATH}/${idAndQuery}`, { key });
  return { service, database, organization, key, path: PATH, read };
}
