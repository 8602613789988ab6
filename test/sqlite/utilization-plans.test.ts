import { expect, test } from "bun:test";
import { sql } from "kysely";
import {
  newApiKey,
  newAuthorization,
  newAuthorizationPool,
  newOrganization,
  newPatient,
} from "../support/factories.ts";
import { newDatabase, newService } from "../support/harness.ts";
import { statementsOf } from "../support/statements.ts";

test("utilization reads an authorization's records from covering indexes, limited to the span of the periods", async () => {
  const service = await newService();
  const organization = await newOrganization(service.database);
  const key = await newApiKey(service.database, organization);
  const patient_id = await newPatient(service.database, organization, { time_zone: "UTC" });
  const row = { patient_id, public_id: "apool_1" };
  const authorization_pool_id = await newAuthorizationPool(service.database, organization, row);
  await newAuthorization(service.database, organization, { patient_id, authorization_pool_id });
  const path = "GET /api/v1/authorization-utilization/apool_1";
  const { statements } = await statementsOf(() => service.call(path, { key }));
  // In a separate database, because a connection keeps its snapshot after an EXPLAIN.
  const plans = await (
    await newDatabase()
  ).read(async (db) => {
    const details: string[] = [];
    for (const text of statements.filter((one) => /cross join "(encounters|sessions)"/.test(one))) {
      const query = `explain query plan ${text.replaceAll("?", "'x'")}`;
      const { rows } = await sql.raw<{ detail: string }>(query).execute(db);
      details.push(...rows.map(({ detail }) => detail));
    }
    return details;
  });
  expect(plans).toEqual([
    "SCAN json_each VIRTUAL TABLE INDEX 1:",
    "SEARCH encounter USING COVERING INDEX encounters_by_authorization (organization_id=? AND authorization_id=? AND start_time>? AND start_time<?)",
    "SCAN json_each VIRTUAL TABLE INDEX 1:",
    "SEARCH session USING COVERING INDEX sessions_by_authorization (organization_id=? AND authorization_id=? AND start_time>? AND start_time<?)",
    "CORRELATED SCALAR SUBQUERY 1",
    "SEARCH encounter USING COVERING INDEX encounters_by_session (organization_id=? AND session_id=?)",
  ]);
});
