import { type ExpressionBuilder, sql, type SqlBool } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { prepared, preparedFirst } from "../../db/prepared.ts";
import type { ApiKeyRow, Schema } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import type { KeyKind } from "./key-format.ts";
import { seesOwnPatientsOnly } from "./permissions.ts";

/** The row of a key without the hash, and the columns of its user that decide whether the key is valid. */
export type KeyRow = Omit<ApiKeyRow, "hash" | "kind"> & {
  kind: KeyKind;
  user_role: string | null;
  user_is_active: 0 | 1 | null;
  /** The organization's setting. */
  own_patients_only: string | null;
};

/** Whether a key shows own patients only. */
export function isLimitedKey({ role, user_role, own_patients_only }: KeyRow): boolean {
  return seesOwnPatientsOnly(user_role ?? role, own_patients_only);
}

/** Condition: a key is neither revoked nor expired. Its user may be inactive. */
export function isLive(now: Instant) {
  return sql<SqlBool>`(revoked_at is null and (expires_at is null or expires_at > ${now}))`;
}

function selectKeys(db: Db, organizationId?: string) {
  return db
    .selectFrom("api_keys as key")
    .$if(organizationId !== undefined, (query) =>
      query.where("key.organization_id", "=", organizationId as string),
    )
    .select([
      "key.organization_id",
      "key.id",
      "key.name",
      "key.role",
      "key.user_id",
      "key.created_at",
      "key.last_used_at",
      "key.expires_at",
      "key.revoked_at",
      "key.successor_id",
      "key.is_read_only",
      // The table accepts only these.
      (select) => select.ref("key.kind").$castTo<KeyKind>().as("kind"),
      // Subqueries, as most keys have no user: a join is several times slower.
      (select) => userOfKey(select, organizationId, "role").as("user_role"),
      (select) => userOfKey(select, organizationId, "is_active").as("user_is_active"),
      (select) =>
        select
          .selectFrom("organizations")
          .where("public_id", "=", organizationId ?? select.ref("key.organization_id"))
          .select("own_patients_only")
          .as("own_patients_only"),
    ]);
}

function userOfKey<Column extends "role" | "is_active">(
  select: ExpressionBuilder<Schema & { key: ApiKeyRow }, "key">,
  organizationId: string | undefined,
  column: Column,
) {
  return select
    .selectFrom("users as user")
    .where("user.organization_id", "=", organizationId ?? select.ref("key.organization_id"))
    .whereRef("user.public_id", "=", "key.user_id")
    .select(`user.${column}` as const);
}

/** Finds a key by hash: first its organization, since all other statements filter by organization. */
export async function findKeyByHash(db: Db, hash: string): Promise<KeyRow | undefined> {
  const organizationId = organizationsByHash.get(hash) ?? (await organizationOfHash(db, hash));
  return organizationId === undefined ? undefined : keyByHash(db, { organizationId, hash });
}

/** Cache of the organizations of recently used keys. They never change; the validity of a key is read each time. */
const organizationsByHash = new Map<string, string>();
const MAX_REMEMBERED = 10_000;

async function organizationOfHash(db: Db, hash: string): Promise<string | undefined> {
  const row = await rowOfHash(db, { hash });
  if (row === undefined) return undefined;
  if (organizationsByHash.size >= MAX_REMEMBERED) organizationsByHash.clear();
  organizationsByHash.set(hash, row.organization_id);
  return row.organization_id;
}

const rowOfHash = preparedFirst((db, { hash }: { hash: string }) =>
  db.selectFrom("key_organizations").select("organization_id").where("hash", "=", hash),
);

const keyByHash = preparedFirst(
  (db, { organizationId, hash }: { organizationId: string; hash: string }) =>
    selectKeys(db, organizationId).where("key.hash", "=", hash),
);

export async function findKeyById(db: Db, id: string): Promise<KeyRow | undefined> {
  const row = await db
    .selectFrom("key_organizations")
    .select("organization_id")
    .where("key_id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return selectKeys(db, row.organization_id).where("key.id", "=", id).executeTakeFirst();
}

/** Lists keys of one organization, or of all, in order of creation. */
export function listKeys(db: Db, organizationId?: string): Promise<KeyRow[]> {
  return selectKeys(db, organizationId).orderBy("key.created_at").orderBy("key.id").execute();
}

/** The user for whom a key is created. */
export function findKeyHolder(db: Db, organizationId: string, userId: string) {
  return db
    .selectFrom("users")
    .select(["role", "is_active"])
    .where("organization_id", "=", organizationId)
    .where("public_id", "=", userId)
    .executeTakeFirst();
}

/** Which of some ids are those of patients. */
export async function findPatientIds(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await patientsAmong(db, { organizationId, ids });
  return rows.map((row) => row.public_id);
}

const patientsAmong = prepared(
  (db, { organizationId, ids }: { organizationId: string; ids: readonly string[] }) =>
    db
      .selectFrom("users")
      .select("public_id")
      .where("organization_id", "=", organizationId)
      .where(isOneOf("public_id", ids))
      .where("role", "=", "PATIENT"),
);

/**
 * The ids of somebody's own patients (docs/decisions.md): of those who are theirs by name, and of those with whom they, or
 * the technicians whom they lead, have a session from `since` on.
 */
export async function findOwnPatientIds(db: Db, reader: OwnReader): Promise<string[]> {
  const rows = await ownPatients(db, reader);
  return rows.map(({ id }) => id as string);
}

interface OwnReader {
  organizationId: string;
  userId: string;
  since: Instant;
}

/** Each part is found by an index. `union` removes what several have. */
const ownPatients = prepared((db, { organizationId, userId, since }: OwnReader) => {
  const people = db
    .selectNoFrom(sql<string>`cast(${userId} as text)`.as("user_id"))
    .unionAll(
      db
        .selectFrom("care_team_links")
        .select("technician_id as user_id")
        .where("organization_id", "=", organizationId)
        .where("clinician_id", "=", userId),
    );
  // From one client to the next by an index, so that the number of sessions does not matter. `max` instead of `exists`, which
  // PostgreSQL would join with all sessions of the organization where it has no statistics.
  const bookedBy = (column: "technician_id" | "clinician_id") => {
    const sessionsOf = sql`from sessions where organization_id = ${organizationId} and ${sql.ref(column)} = user_id`;
    const clients = sql<{ id: string }>`(
      with recursive client (user_id, id) as (
        select user_id, (select min(client_id) ${sessionsOf} and client_id is not null) from ${people.as("person")}
        union all
        select user_id, (select min(client_id) ${sessionsOf} and client_id > client.id) from client where id is not null
      )
      select id from client
      where id is not null and (select max(start_time) ${sessionsOf} and client_id = client.id) >= ${since}
    )`;
    return db.selectFrom(clients.as("booked")).select("id");
  };
  return bookedBy("technician_id")
    .union(bookedBy("clinician_id"))
    .union(
      db
        .selectFrom("patient_clinicians")
        .select("patient_id as id")
        .where("organization_id", "=", organizationId)
        .where("clinician_id", "=", userId),
    )
    .union(
      db
        .selectFrom("users")
        .select("public_id as id")
        .where("organization_id", "=", organizationId)
        .where("primary_clinician_id", "=", userId),
    );
});

export async function insertKey(db: Db, row: ApiKeyRow): Promise<void> {
  const { organization_id, id: key_id, hash } = row;
  await db.insertInto("key_organizations").values({ hash, key_id, organization_id }).execute();
  await db.insertInto("api_keys").values(row).execute();
}

export async function setKeySuccessor(
  db: Db,
  key: KeyRow,
  { successorId, expiresAt }: { successorId: string; expiresAt: Instant },
): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ successor_id: successorId, expires_at: expiresAt })
    .where("organization_id", "=", key.organization_id)
    .where("id", "=", key.id)
    .execute();
}

export async function setKeyRevoked(db: Db, key: KeyRow, revokedAt: Instant): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ revoked_at: revokedAt })
    .where("organization_id", "=", key.organization_id)
    .where("id", "=", key.id)
    .execute();
}

/** Whether the key of a caller is a successor of another one, or the other way round. */
export async function succeeds(
  db: Db,
  { organizationId, keyId }: { organizationId: string; keyId: string },
  otherId: string,
): Promise<boolean> {
  return (
    (await successorsOf(db, organizationId, otherId)).includes(keyId) ||
    (await successorsOf(db, organizationId, keyId)).includes(otherId)
  );
}

async function successorsOf(db: Db, organizationId: string, id: string): Promise<string[]> {
  const rows = await db
    .withRecursive("line(id, successor_id)", (cte) =>
      cte
        .selectFrom("api_keys")
        .select(["id", "successor_id"])
        .where("organization_id", "=", organizationId)
        .where("id", "=", id)
        .union(
          cte
            .selectFrom("line")
            .innerJoin("api_keys as next", "next.id", "line.successor_id")
            .where("next.organization_id", "=", organizationId)
            .select(["next.id", "next.successor_id"]),
        ),
    )
    .selectFrom("line")
    .select("id")
    .execute();
  return rows.map((row) => row.id);
}
