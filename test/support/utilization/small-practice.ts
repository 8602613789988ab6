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

/**
 * A service with two organizations that have the same pool, with one member, and the same standalone authorization, for
 * February 2026 with monthly units. Only the first has records.
 */
export async function newSmallPractice() {
  const service = await newService();
  const { database } = service;
  const [organization, other] = [await newOrganization(database), await newOrganization(database)];
  const [key, otherKey] = [
    await newApiKey(database, organization),
    await newApiKey(database, other),
  ];

  for (const organizationId of [organization, other]) {
    const patient_id = await newPatient(database, organizationId, {
      public_id: "usr_leo",
      time_zone: "America/New_York",
    });
    await newAuthorizationPool(database, organizationId, {
      public_id: "apool_1",
      patient_id,
      unit_frequency: "MONTHLY",
    });
    const row = {
      patient_id,
      service_line_id: await newServiceLine(database, organizationId, { public_id: "svc_97153" }),
      authorization_date: "2026-02-01" as CalendarDate,
      authorization_expiration_date: "2026-02-28" as CalendarDate,
    };
    await newAuthorization(database, organizationId, {
      ...row,
      public_id: "auth_member",
      authorization_pool_id: "apool_1",
    });
    await newAuthorization(database, organizationId, {
      ...row,
      public_id: "auth_alone",
      authorized_unit_frequency: "MONTHLY",
    });
  }

  for (const authorization_id of ["auth_member", "auth_alone"]) {
    const start_time = "2026-02-10T15:00:00.000Z" as Instant;
    const end_time = "2026-02-10T16:00:00.000Z" as Instant;
    await newEncounter(database, organization, { authorization_id, start_time, units: 2.5 });
    await newSession(database, organization, { authorization_id, start_time, end_time });
  }

  /** Requests an id, with or without a query. */
  const read = (idAndQuery: string, keyOfCaller = key) =>
    service.call(`GET ${PATH}/${idAndQuery}`, { key: keyOfCaller });
  return { service, database, organization, other, key, otherKey, path: PATH, read };
}
