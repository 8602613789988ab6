import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { byId } from "../../db/join.ts";
import type { InstantRange } from "../lib/time-zone.ts";
import { sessionsOfSpan } from "../sessions/repository.ts";

/** Whom records are about, and when. */

export function peopleOfSessions(db: Db, organizationId: string, ids: readonly string[]) {
  return db
    .selectFrom("sessions")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", ids))
    .select(["client_id", "technician_id", "clinician_id", "start_time", "end_time"])
    .execute();
}

export function patientsOfEncounters(db: Db, organizationId: string, ids: readonly string[]) {
  return db
    .selectFrom("encounters as encounter")
    .innerJoin(
      "authorizations as authorization",
      byId("authorization", "encounter.authorization_id"),
    )
    .where("encounter.organization_id", "=", organizationId)
    .where(isOneOf("encounter.public_id", ids))
    .select(["authorization.patient_id", "encounter.session_id", "encounter.start_time"])
    .execute();
}

/** The patients of authorizations, pools, treatment plans and goals. */
export async function patientsOfRecords(
  db: Db,
  organizationId: string,
  ids: Record<"authorizations" | "pools" | "plans" | "goals", readonly string[]>,
): Promise<string[]> {
  const patients = (table: "authorizations" | "authorization_pools" | "treatment_plans") =>
    db.selectFrom(table).where("organization_id", "=", organizationId).select("patient_id");
  const plansOfGoals = db
    .selectFrom("goals")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", ids.goals))
    .select("treatment_plan_id");
  const rows = await patients("authorizations")
    .where(isOneOf("public_id", ids.authorizations))
    .union(patients("authorization_pools").where(isOneOf("public_id", ids.pools)))
    .union(patients("treatment_plans").where(isOneOf("public_id", ids.plans)))
    .union(patients("treatment_plans").where("public_id", "in", plansOfGoals))
    .execute();
  return rows.map(({ patient_id }) => patient_id);
}

/** The time zones of patients among some people, as stored. */
export async function timeZonesOfPatients(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom("users")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", userIds))
    .where("role", "=", "PATIENT")
    .select("time_zone")
    .distinct()
    .execute();
  return rows.map(({ time_zone }) => time_zone);
}

/** The providers of the sessions that some people have in a span. */
export async function providersBeside(
  db: Db,
  organizationId: string,
  { people, span }: { people: readonly string[]; span: InstantRange },
): Promise<string[]> {
  const providers = new Set<string | null>();
  for (const sessions of sessionsOfSpan(db, organizationId, span, people)) {
    const rows = await db
      .selectFrom(sessions.as("session"))
      .select(["technician_id", "clinician_id"])
      .distinct()
      .execute();
    for (const row of rows) providers.add(row.technician_id).add(row.clinician_id);
  }
  return [...providers].filter((id) => id !== null);
}
