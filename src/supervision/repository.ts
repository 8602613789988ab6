import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { streamRows } from "../../db/rows.ts";
import { compare } from "../lib/compare.ts";
import type { InstantRange } from "../lib/time-zone.ts";
import { countOfEncounters, sessionsIn, sessionsOfSpan } from "../sessions/repository.ts";

/** A session, with what supervision needs of it. */
export type SupervisionSession = Awaited<
  ReturnType<ReturnType<typeof selectSessions>["execute"]>
>[number];

interface SessionScope {
  organizationId: string;
  /** Only sessions of this technician, and of supervision without one that can be of theirs. */
  technicianId?: string | undefined;
}

type Sessions = ReturnType<typeof sessionsOfSpan>[number];

/** Streams the sessions of a span, before it those that go on as it begins, ordered by start. */
export async function* streamSessions(
  db: Db,
  scope: SessionScope,
  span: InstantRange,
): AsyncGenerator<SupervisionSession[]> {
  const { organizationId, technicianId } = scope;
  const parts = sessionsOfSpan(db, organizationId, span);
  if (technicianId !== undefined)
    yield await listOfTechnician(db, { organizationId, technicianId }, parts, span);
  else for (const sessions of parts) yield* streamInOrder(db, organizationId, sessions);
}

/** Streams the sessions that start in a span, ordered by start. */
export function streamLaterSessions(
  db: Db,
  scope: SessionScope,
  span: InstantRange,
): AsyncIterable<SupervisionSession[]> {
  const { organizationId, technicianId } = scope;
  const sessions = sessionsIn(db, organizationId, span);
  return streamInOrder(db, organizationId, sessions, technicianId);
}

function streamInOrder(
  db: Db,
  organizationId: string,
  sessions: Sessions,
  technicianId?: string,
): AsyncIterable<SupervisionSession[]> {
  const all = selectSessions(db, organizationId, sessions);
  const own =
    technicianId === undefined ? all : all.where("session.technician_id", "=", technicianId);
  return streamRows(db, own.orderBy("session.start_time"));
}

/** In order of start: theirs, and supervision without a technician of clients whom they serve then or later. */
async function listOfTechnician(
  db: Db,
  { organizationId, technicianId }: { organizationId: string; technicianId: string },
  parts: readonly Sessions[],
  { from }: InstantRange,
): Promise<SupervisionSession[]> {
  const found: SupervisionSession[] = [];
  for (const sessions of parts)
    found.push(
      ...(await selectSessions(db, organizationId, sessions)
        .where("session.technician_id", "=", technicianId)
        .execute()),
    );
  const later = await db
    .selectFrom("sessions")
    .where("organization_id", "=", organizationId)
    .where("technician_id", "=", technicianId)
    .where("start_time", ">=", from)
    .select("client_id as clientId")
    .distinct()
    .execute();
  const clients = new Set([...found, ...later].flatMap(({ clientId }) => clientId ?? []));
  for (const sessions of parts)
    found.push(
      ...(await selectSessions(db, organizationId, sessions)
        .where("session.technician_id", "is", null)
        .where("session.is_supervision", "=", 1)
        .where(isOneOf("session.client_id", [...clients]))
        .execute()),
    );
  return found.sort((a, b) => compare(a.startTime, b.startTime));
}

function selectSessions(db: Db, organizationId: string, sessions: Sessions) {
  const query = db
    .selectFrom(sessions.as("session"))
    .where("session.organization_id", "=", organizationId);
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
