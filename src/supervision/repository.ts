import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { streamRows } from "../../db/rows.ts";
import type { InstantRange } from "../lib/time-zone.ts";
import { countOfEncounters, sessionsIn, sessionsOfSpan } from "../sessions/repository.ts";

/** A session, with what supervision needs of it. */
export type SupervisionSession = Awaited<
  ReturnType<ReturnType<typeof selectSessions>["execute"]>
>[number];

interface SessionScope {
  organizationId: string;
  /** Only sessions with this technician, or with none. */
  technicianId?: string | undefined;
}

/** Streams the sessions of a span, before it those that go on as it begins, ordered by start. */
export async function* streamSessions(
  db: Db,
  scope: SessionScope,
  span: InstantRange,
): AsyncGenerator<SupervisionSession[]> {
  for (const sessions of sessionsOfSpan(db, scope.organizationId, span))
    yield* streamRows(db, selectSessions(db, scope, sessions).orderBy("session.start_time"));
}

/** Streams the sessions that start in a span, ordered by start. */
export function streamLaterSessions(
  db: Db,
  scope: SessionScope,
  span: InstantRange,
): AsyncIterable<SupervisionSession[]> {
  const sessions = sessionsIn(db, scope.organizationId, span);
  return streamRows(db, selectSessions(db, scope, sessions).orderBy("session.start_time"));
}

function selectSessions(
  db: Db,
  { organizationId, technicianId }: SessionScope,
  sessions: ReturnType<typeof sessionsOfSpan>[number],
) {
  let query = db
    .selectFrom(sessions.as("session"))
    .where("session.organization_id", "=", organizationId);
  if (technicianId !== undefined)
    query = query.where((where) =>
      where.or([
        where("session.technician_id", "=", technicianId),
        where("session.technician_id", "is", null),
      ]),
    );
  return query.select([
    "session.start_time as startTime",
    "session.end_time as endTime",
    "session.status",
    "session.is_billable as isBillable",
    "session.is_supervision as isSupervision",
    "session.is_client_present as isClientPresent",
    "session.technician_id as technicianId",
    "session.client_id as clientId",
    "session.authorization_id as authorizationId",
    countOfEncounters(organizationId).as("encounters"),
  ]);
}

export interface Technician {
  technicianId: string;
  technicianFirstName: string;
  technicianLastName: string;
}

/** The active technicians, and some users who may not be active. */
export function listTechnicians(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<Technician[]> {
  return db
    .selectFrom("users")
    .where("organization_id", "=", organizationId)
    .where(({ or, and, eb }) =>
      or([
        and([eb("role", "=", "TECHNICIAN"), eb("is_active", "=", 1)]),
        isOneOf("public_id", userIds),
      ]),
    )
    .select([
      "public_id as technicianId",
      "first_name as technicianFirstName",
      "last_name as technicianLastName",
    ])
    .execute();
}
