import type { Db } from "../../db/database.ts";
import type { UserRow } from "../../db/schema.ts";
import { isAdmin, isClinician, isProvider, type Role } from "../callers/roles.ts";
import {
  authorizationsOf,
  cliniciansOf,
  entriesOf,
  leadsOf,
  locationsOf,
  type OfUsers,
  payorNamesOfCredentials,
  payorNamesOfPatients,
  poolsOf,
  sizeOf,
  specializationsOf,
  techniciansOf,
} from "./details-repository.ts";

/** Dependent records of the users of a page, keyed by user. */
export type UserDetails = Awaited<ReturnType<typeof readUserDetails>>;

/** More rows or bytes of entries than this make a page an expensive read. Most people have a handful. */
const MANY_ROWS = 2_000;
const MANY_BYTES = 1_000_000;

/** Whether users have so much that reading it takes long. */
export async function haveMuch(
  db: Db,
  organizationId: string,
  users: readonly Pick<UserRow, "public_id">[],
): Promise<boolean> {
  const userIds = users.map((user) => user.public_id);
  const size = await sizeOf(db, { organizationId, userIds });
  if (size === undefined) return false;
  return size.authorizations + size.locations > MANY_ROWS || size.bytes > MANY_BYTES;
}

/**
 * Reads the dependent records of users. Statements that no user's role needs are skipped. Their number does not depend
 * on the number of users.
 */
export async function readUserDetails(
  db: Db,
  organizationId: string,
  users: Pick<UserRow, "public_id" | "role">[],
) {
  const idsOf = (hasRole: (role: Role) => boolean): string[] =>
    users.filter((user) => hasRole(user.role as Role)).map((user) => user.public_id);
  const patients = idsOf((role) => role === "PATIENT");
  const providers = idsOf(isProvider);
  const clinicians = idsOf(isClinician);
  const technicians = idsOf((role) => role === "TECHNICIAN");
  const located = idsOf((role) => role === "PATIENT" || isProvider(role) || isAdmin(role));

  const read = async <Row extends { user_id: string }>(
    statement: (db: Db, users: OfUsers) => Promise<Row[]>,
    userIds: string[],
  ): Promise<Map<string, Row[]>> => {
    const rows = userIds.length === 0 ? [] : await statement(db, { organizationId, userIds });
    return Map.groupBy(rows, (row) => row.user_id);
  };

  return {
    locations: await read(locationsOf, located),
    entries: await read(entriesOf, [...patients, ...providers]),
    payorNames: await read(payorNamesOfPatients, patients),
    authorizations: await read(authorizationsOf, patients),
    pools: await read(poolsOf, patients),
    clinicians: await read(cliniciansOf, patients),
    credentialingNames: await read(payorNamesOfCredentials, providers),
    specializations: await read(specializationsOf, providers),
    technicians: await read(techniciansOf, clinicians),
    leads: await read(leadsOf, technicians),
  };
}
