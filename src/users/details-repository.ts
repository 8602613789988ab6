import { sql } from "kysely";
import { isOneOf } from "../../db/engine.ts";
import { byId } from "../../db/join.ts";
import { prepared, preparedFirst } from "../../db/prepared.ts";
import type { Schema } from "../../db/schema.ts";
import { entryLinks } from "../schema/users.ts";

/**
 * Reads the dependent rows of all users of a page, with one statement per table. Rows are in the order of the API.
 */

/** The users whose rows are read. */
export interface OfUsers {
  organizationId: string;
  userIds: string[];
}

/** The numbers of rows in the longest lists of the users, and the bytes of their entries, which are not read. */
export const sizeOf = preparedFirst((db, { organizationId, userIds }: OfUsers) => {
  const of = (table: "authorizations" | "user_locations" | "users", owner: string) =>
    db
      .selectFrom(table as "users")
      .where("organization_id", "=", organizationId)
      .where(isOneOf(owner, userIds));
  const count = sql<number>`count(*)`.as("total");
  const bytes = sql<number>`
    coalesce(sum(coalesce(octet_length(payors), 0) + coalesce(octet_length(credentials), 0)), 0)
  `.as("total");
  return db
    .selectFrom("organizations")
    .where("public_id", "=", organizationId)
    .select([
      of("authorizations", "patient_id").select(count).as("authorizations"),
      of("user_locations", "user_id").select(count).as("locations"),
      of("users", "public_id").select(bytes).as("bytes"),
    ])
    .$castTo<{ authorizations: number; locations: number; bytes: number }>();
});

/** Makes the statement that reads the ids to which users are linked in a table, in their order. */
function linksIn(table: keyof Schema, userColumn: string, linkedColumn: string) {
  const [user, linked] = [sql.ref<string>(userColumn), sql.ref<string>(linkedColumn)];
  return prepared((db, { organizationId, userIds }: OfUsers) =>
    db
      .selectFrom(table as "user_locations")
      .select([user.as("user_id"), linked.as("linked_id")])
      .where("organization_id", "=", organizationId)
      .where(isOneOf(userColumn, userIds))
      .orderBy(user)
      .orderBy(linked),
  );
}

export const locationsOf = linksIn("user_locations", "user_id", "location_id");
export const cliniciansOf = linksIn("patient_clinicians", "patient_id", "clinician_id");
export const techniciansOf = linksIn("care_team_links", "clinician_id", "technician_id");
export const leadsOf = linksIn("care_team_links", "technician_id", "clinician_id");

/** Makes the statement that reads the names of the payors to which entries of users refer. */
function payorNamesIn({ table, owner, linked }: (typeof entryLinks)[keyof typeof entryLinks]) {
  const user = sql.ref<string>(`link.${owner}`);
  return prepared((db, { organizationId, userIds }: OfUsers) =>
    db
      .selectFrom(`${table as "patient_payors"} as link`)
      .innerJoin("payors as payor", byId("payor", `link.${linked}`))
      .select([user.as("user_id"), "payor.public_id", "payor.name"])
      .where("link.organization_id", "=", organizationId)
      .where(isOneOf(`link.${owner}`, userIds)),
  );
}

export const payorNamesOfPatients = payorNamesIn(entryLinks.payorsOfPatient);
export const payorNamesOfCredentials = payorNamesIn(entryLinks.payorsOfCredentials);

/**
 * The columns of entries of some users: `payorsIn` and `credentialsIn` have the entries. One statement for
 * any number of users.
 */
export const entriesOf = prepared((db, { organizationId, userIds }: OfUsers) =>
  db
    .selectFrom("users")
    .select(["public_id as user_id", "payors", "credentials"])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", userIds)),
);

export const authorizationsOf = prepared((db, { organizationId, userIds }: OfUsers) =>
  db
    .selectFrom("authorizations as authorization")
    .innerJoin("service_lines as line", byId("line", "authorization.service_line_id"))
    .select([
      "authorization.public_id",
      "authorization.patient_id as user_id",
      "authorization.authorization_pool_id",
      "authorization.authorization_number",
      "authorization.authorization_status",
      "authorization.authorized_units_quantity",
      "authorization.authorized_unit_frequency",
      "authorization.service_line_id",
      "line.name as service_line_name",
      "authorization.authorization_date",
      "authorization.authorization_expiration_date",
    ])
    .where("authorization.organization_id", "=", organizationId)
    .where(isOneOf("authorization.patient_id", userIds))
    .orderBy("authorization.patient_id")
    .orderBy("authorization.authorization_date")
    .orderBy("authorization.public_id"),
);

export const poolsOf = prepared((db, { organizationId, userIds }: OfUsers) =>
  db
    .selectFrom("authorization_pools as pool")
    .innerJoin("payors as payor", byId("payor", "pool.payor_id"))
    .select([
      "pool.public_id",
      "pool.patient_id as user_id",
      "pool.payor_id",
      "payor.name as payor_name",
      "pool.total_units",
      "pool.unit_frequency",
      "pool.is_unlimited",
    ])
    .where("pool.organization_id", "=", organizationId)
    .where(isOneOf("pool.patient_id", userIds))
    .orderBy("pool.patient_id")
    .orderBy("pool.public_id"),
);

export const specializationsOf = prepared((db, { organizationId, userIds }: OfUsers) =>
  db
    .selectFrom("provider_specializations as link")
    .innerJoin(
      "specializations as specialization",
      byId("specialization", "link.specialization_id"),
    )
    .select(["link.user_id", "specialization.public_id", "specialization.name"])
    .where("link.organization_id", "=", organizationId)
    .where(isOneOf("link.user_id", userIds))
    .orderBy("link.user_id")
    .orderBy("link.specialization_id"),
);
