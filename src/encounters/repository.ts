import type { SelectQueryBuilder } from "kysely";
import type { Db } from "../../db/database.ts";
import { readPage } from "../../db/page.ts";
import type { Schema } from "../../db/schema.ts";
import type { PageSlice } from "../lib/page.ts";
import { type Days, instantsOfDays } from "../schema/days.ts";
import { columnsFor } from "../schema/record-map.ts";
import { encounterMap } from "../schema/sessions.ts";
import { Encounter, MOST_ENCOUNTERS } from "./model.ts";

/** Filter of encounters by authorization, session, patient and days of start. */
export interface EncounterFilter extends Days {
  authorizationId?: string;
  sessionId?: string;
  patientId?: string;
}

const shownColumns = columnsFor(encounterMap, Encounter).map(
  (column) => `encounters.${column}` as const,
);

/** One page of an organization's encounters, ordered by start, then id. */
export function listEncounters(
  db: Db,
  organizationId: string,
  filter: EncounterFilter,
  page: PageSlice,
) {
  const list = selectMatching(db, organizationId, filter);
  return readPage(list, inOrder(list), page);
}

/** The encounters of a session, as many as it may have, ordered by start, then id. */
export function encountersOfSession(db: Db, organizationId: string, sessionId: string) {
  return inOrder(selectMatching(db, organizationId, { sessionId }))
    .limit(MOST_ENCOUNTERS)
    .execute();
}

function inOrder(list: ReturnType<typeof selectMatching>) {
  return list.select(shownColumns).orderBy("encounters.start_time").orderBy("encounters.public_id");
}

function selectMatching(db: Db, organizationId: string, filter: EncounterFilter) {
  const { authorizationId, sessionId, patientId } = filter;
  const { from, to } = instantsOfDays(filter);
  let query = (
    patientId === undefined
      ? db.selectFrom("encounters")
      : selectOfPatient(db, organizationId, patientId)
  ).where("encounters.organization_id", "=", organizationId);
  if (authorizationId !== undefined)
    query = query.where("encounters.authorization_id", "=", authorizationId);
  if (sessionId !== undefined) query = query.where("encounters.session_id", "=", sessionId);
  if (from !== undefined) query = query.where("encounters.start_time", ">=", from);
  if (to !== undefined) query = query.where("encounters.start_time", "<=", to);
  return query;
}

/** `cross join` fixes the join order on SQLite, which would otherwise scan all encounters for those of one patient. */
function selectOfPatient(
  db: Db,
  organizationId: string,
  patientId: string,
): SelectQueryBuilder<Schema, "encounters", object> {
  return db
    .selectFrom("authorizations")
    .crossJoin("encounters")
    .where("authorizations.organization_id", "=", organizationId)
    .where("authorizations.patient_id", "=", patientId)
    .whereRef("encounters.authorization_id", "=", "authorizations.public_id");
}
