import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { byEngine, isOneOf } from "../../db/engine.ts";
import { byId } from "../../db/join.ts";
import { readPage } from "../../db/page.ts";
import { prepared } from "../../db/prepared.ts";
import { writeRows } from "../../db/rows.ts";
import type { ChildGoalRow, GoalRow } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import type { PageSlice } from "../lib/page.ts";
import { childRows, documentOf, type GoalDocument, goalRow, idsIn } from "./document.ts";
import type { GoalType } from "./models/common.ts";

/** The patient of a treatment plan; undefined if the organization has no such plan. */
export async function findPatientOfPlan(
  db: Db,
  organizationId: string,
  treatmentPlanId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("treatment_plans")
    .select("patient_id")
    .where("organization_id", "=", organizationId)
    .where("public_id", "=", treatmentPlanId)
    .executeTakeFirst();
  return row?.patient_id;
}

/** Filter for goals without a parent. */
export interface GoalFilter {
  treatmentPlanId?: string;
  patientId?: string;
  type?: string;
  status?: string;
}

function selectMatching(db: Db, organizationId: string, filter: GoalFilter) {
  const { treatmentPlanId, patientId, type, status } = filter;
  let query = db.selectFrom("goals as goal").where("goal.organization_id", "=", organizationId);
  if (treatmentPlanId !== undefined)
    query = query.where("goal.treatment_plan_id", "=", treatmentPlanId);
  if (patientId !== undefined)
    query = query.where("goal.treatment_plan_id", "in", ({ selectFrom }) =>
      selectFrom("treatment_plans")
        .select("public_id")
        .where("organization_id", "=", organizationId)
        .where("patient_id", "=", patientId),
    );
  if (type !== undefined) query = query.where("goal.type", "=", type);
  if (status !== undefined) query = query.where("goal.status", "=", status);
  return query;
}

/** One page of goals without a parent, ordered by id, each with its patient's id. What is below them is not read. */
export function listGoals(db: Db, organizationId: string, filter: GoalFilter, page: PageSlice) {
  const list = selectMatching(db, organizationId, filter);
  // By an expression, SQLite reads the patient's few goals and sorts them, instead of all goals in their order.
  const order = filter.patientId === undefined ? sql`goal.public_id` : sql`goal.public_id || ''`;
  const rows = list
    .innerJoin("treatment_plans as plan", byId("plan", "goal.treatment_plan_id"))
    .select(["goal.public_id", "goal.document", "plan.patient_id"])
    .orderBy(order);
  return readPage(list, rows, page);
}

/** The children of the given goals, in sibling order. */
export function childrenOf(
  db: Db,
  organizationId: string,
  goalIds: readonly string[],
): Promise<Pick<ChildGoalRow, "public_id" | "goal_id">[]> {
  return db
    .selectFrom("child_goals")
    .select(["public_id", "goal_id"])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("goal_id", goalIds))
    .where("position", "is not", null)
    .orderBy("goal_id")
    .orderBy("position")
    .execute();
}

/** Where a goal or child goal is. */
export interface GoalPlace {
  id: string;
  /** The goal without a parent: the goal itself, or the one that it is part of. */
  top: string;
  treatmentPlanId: string;
  type: GoalType;
  /** Of the last write that changed the goal without a parent, or one below it. */
  sequence: number;
  /** Of the last one that changed more than what is recorded. */
  changedSequence: number;
}

/** The places of some goals. Unknown ids are skipped. */
export async function findPlaces(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<GoalPlace[]> {
  const own = db
    .selectFrom("goals as goal")
    .where("goal.organization_id", "=", organizationId)
    .where(isOneOf("goal.public_id", ids))
    .select(["goal.public_id as id", "goal.public_id as top", "goal.type"])
    .select(["goal.treatment_plan_id as treatmentPlanId", "goal.sequence"])
    .select("goal.changed_sequence as changedSequence");
  const below = db
    .selectFrom("child_goals as child")
    .innerJoin("goals as goal", byId("goal", "child.goal_id"))
    .where("child.organization_id", "=", organizationId)
    .where(isOneOf("child.public_id", ids))
    .select(["child.public_id as id", "child.goal_id as top", "goal.type"])
    .select(["goal.treatment_plan_id as treatmentPlanId", "goal.sequence"])
    .select("goal.changed_sequence as changedSequence");
  return own.unionAll(below).$castTo<GoalPlace>().execute();
}

/** The size of a goal without a parent, with all below it and recorded. */
export interface GoalSize {
  /** The number of goals below it. */
  children: number;
  /** The number of data recorded on it and them. */
  recorded: number;
  /** The length of all in bytes, without the goal's own fields. */
  bytes: number;
}

/** Nothing for an unknown goal. */
export async function sizeOf(db: Db, organizationId: string, goalId: string): Promise<GoalSize> {
  const below = (table: "child_goals" | "recorded_data") =>
    sql`from ${sql.table(table)} where organization_id = ${organizationId} and goal_id = ${goalId}`;
  const { rows } = await sql<GoalSize>`
    select
      (select count(*) ${below("child_goals")}) as children,
      (select coalesce(sum(amount), 0) ${below("recorded_data")}) as recorded,
      octet_length(child_goals)
        + (select coalesce(sum(octet_length(entries)), 0) ${below("recorded_data")}) as bytes
    from goals where organization_id = ${organizationId} and public_id = ${goalId}
  `.execute(db);
  return rows[0] ?? { children: 0, recorded: 0, bytes: 0 };
}

/** Goals without a parent, with all below them but what is recorded. Unknown ids are skipped. */
export async function readDocuments(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<GoalDocument[]> {
  const rows = await db
    .selectFrom("goals")
    .select(["document", "child_goals"])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", ids))
    .execute();
  return rows.map((row) => documentOf(row));
}

/** A stored goal without a parent, with all below it but what is recorded. */
export async function readDocument(
  db: Db,
  organizationId: string,
  id: string,
): Promise<GoalDocument> {
  const [goal] = await readDocuments(db, organizationId, [id]);
  if (goal === undefined) throw new Error("The goal is gone");
  return goal;
}

/** What is recorded on some goals of some trees, in the order of days. */
export function readRecorded(
  db: Db,
  organizationId: string,
  { tops, ids }: { tops: readonly string[]; ids: readonly string[] },
) {
  return db
    .selectFrom("recorded_data")
    .select(["recorded_on", "entries"])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("goal_id", tops))
    .where(isOneOf("recorded_on", ids))
    .orderBy("day")
    .execute();
}

/** What is recorded on a tree: how many entries, and their length in bytes as an export has them. */
export async function sizeOfRecorded(
  db: Db,
  organizationId: string,
  goalId: string,
): Promise<{ recorded: number; bytes: number }> {
  // A list has its brackets and commas once, and each of its days has brackets.
  const { rows } = await sql<{ recorded: number; bytes: number }>`
    select coalesce(sum(amount), 0) as recorded,
      coalesce(sum(octet_length(entries)), 0) - count(*) + count(distinct recorded_on) as bytes
    from recorded_data where organization_id = ${organizationId} and goal_id = ${goalId}
  `.execute(db);
  return rows[0] ?? { recorded: 0, bytes: 0 };
}

/** How many entries are recorded on a goal, without those of the goals below it. */
export async function countRecorded(
  db: Db,
  organizationId: string,
  { top, id }: Pick<GoalPlace, "top" | "id">,
): Promise<number> {
  const { total } = await db
    .selectFrom("recorded_data")
    .select((select) => select.fn.sum<number | null>("amount").as("total"))
    .where("organization_id", "=", organizationId)
    .where("goal_id", "=", top)
    .where("recorded_on", "=", id)
    .executeTakeFirstOrThrow();
  return total ?? 0;
}

/** Replaces what is recorded on a goal on some days. */
export async function replaceDays(
  trx: Db,
  organization_id: string,
  { top: goal_id, id: recorded_on }: GoalPlace,
  { days, rows }: { days: ReadonlySet<string>; rows: readonly object[] },
): Promise<void> {
  await trx
    .deleteFrom("recorded_data")
    .where("organization_id", "=", organization_id)
    .where("goal_id", "=", goal_id)
    .where("recorded_on", "=", recorded_on)
    .where(isOneOf("day", [...days]))
    .execute();
  const written = rows.map((row) => ({ organization_id, goal_id, recorded_on, ...row }));
  await writeRows(trx, "recorded_data", written);
}

/** Notes the number of a write that has only changed what is recorded on a goal without a parent, or below it. */
export async function setSequence(
  trx: Db,
  {
    organizationId,
    publicId,
    sequence,
  }: { organizationId: string; publicId: string; sequence: number },
): Promise<void> {
  await trx
    .updateTable("goals")
    .set({ sequence })
    .where("organization_id", "=", organizationId)
    .where("public_id", "=", publicId)
    .execute();
}

/** The time zone of a patient as it is stored. */
export async function findPatientZone(
  db: Db,
  { organizationId, patientId }: { organizationId: string; patientId: string },
): Promise<string | null> {
  const { time_zone } = await db
    .selectFrom("users")
    .select("time_zone")
    .where("organization_id", "=", organizationId)
    .where("public_id", "=", patientId)
    .executeTakeFirstOrThrow();
  return time_zone;
}

/** A time of a patient, from one instant to another, both included. */
export interface PatientTime {
  patientId: string;
  from: Instant;
  to: Instant;
}

/** When an entry of `recorded_data` happened. */
const entryTime = byEngine<string>({
  sqlite: sql`coalesce(entry.value ->> 'happenedAt', entry.value ->> 'startedAt')`,
  postgresql: sql`coalesce(entry ->> 'happenedAt', entry ->> 'startedAt')`,
});

const entriesOfDay = byEngine<unknown>({
  sqlite: sql`json_each(entries) as entry`,
  postgresql: sql`json_array_elements(cast(entries as json)) as entry`,
});

const times = (json: string) =>
  byEngine<unknown>({
    sqlite: sql`(
      select key as place, value ->> 0 as patient_id, value ->> 1 as since, value ->> 2 as until
      from json_each(${json})
    )`,
    postgresql: sql`(
      select place - 1 as place, time ->> 0 as patient_id, time ->> 1 as since, time ->> 2 as until
      from json_array_elements(cast(${json} as json)) with ordinality as list (time, place)
    )`,
  });

/** The days on which something was recorded, on any goal of a patient, of which a part may be within a time. */
const daysWithin = (organizationId: string, beside = sql``) => sql`
  treatment_plans as plan
  cross join goals as goal
  cross join recorded_data as recorded
  ${beside}
  where plan.organization_id = ${organizationId} and plan.patient_id = time.patient_id
    and goal.organization_id = ${organizationId} and goal.treatment_plan_id = plan.public_id
    and recorded.organization_id = ${organizationId} and goal_id = goal.public_id
    and day between substr(since, 1, 10) and substr(until, 1, 10)
    and first_at <= until and last_at >= since`;

const recordedWithin = prepared(
  (_, { organizationId, json }: { organizationId: string; json: string }) =>
    sql<{ place: number }>`
      select place from ${times(json)} as time where exists (
        select 1 from ${daysWithin(organizationId)} and (
          first_at >= since or last_at <= until or exists (
            select 1 from ${entriesOfDay} where ${entryTime} between since and until
          )
        )
      )`,
);

/**
 * Which of some times of patients something was recorded in, on goals of any status, by their places in the list. Entries
 * are read only of a day that has some both before and after the time.
 */
export async function findRecordedWithin(
  db: Db,
  organizationId: string,
  list: readonly PatientTime[],
): Promise<Set<number>> {
  const json = JSON.stringify(list.map(({ patientId, from, to }) => [patientId, from, to]));
  const rows = await recordedWithin(db, { organizationId, json });
  return new Set(rows.map(({ place }) => place));
}

/** How much was recorded within a time of a patient, and when. */
export interface RecordedWithin {
  entries: number;
  /** Goals and child goals. */
  goals: number;
  firstAt: Instant | null;
  lastAt: Instant | null;
}

export async function countRecordedWithin(
  db: Db,
  organizationId: string,
  { patientId, from, to }: PatientTime,
): Promise<RecordedWithin> {
  const json = JSON.stringify([[patientId, from, to]]);
  const { rows } = await sql<RecordedWithin>`
    select count(*) as entries, count(distinct recorded_on) as goals,
      min(at) as "firstAt", max(at) as "lastAt"
    from (
      select recorded_on, ${entryTime} as at, since, until
      from ${times(json)} as time cross join ${daysWithin(organizationId, sql`cross join ${entriesOfDay}`)}
    ) as recorded where at between since and until
  `.execute(db);
  return rows[0] ?? { entries: 0, goals: 0, firstAt: null, lastAt: null };
}

/** Inserts a goal on which nothing is recorded. */
export async function insertGoal(
  trx: Db,
  organizationId: string,
  goal: GoalDocument,
  sequence: number,
): Promise<void> {
  const numbers = { sequence, first_sequence: sequence, changed_sequence: sequence };
  const row = { ...goalRow(organizationId, goal), ...numbers };
  await writeRows(trx, "goals", [row]);
  await writeRows(trx, "child_goals", childRows(organizationId, goal));
}

const replaceRow = prepared(
  (
    trx,
    {
      organization_id,
      public_id,
      ...columns
    }: GoalRow & { sequence: number; changed_sequence: number },
  ) =>
    trx
      .updateTable("goals")
      .set(columns)
      .where("organization_id", "=", organization_id)
      .where("public_id", "=", public_id),
);

/** The document of a goal without a parent, before and after a change. */
export interface GoalChange {
  before: GoalDocument;
  after: GoalDocument;
}

/** Overwrites stored goals. What is recorded on goals that are no longer below them is deleted. */
export async function replaceGoals(
  trx: Db,
  organizationId: string,
  changes: readonly GoalChange[],
  sequence: number,
): Promise<void> {
  for (const { after } of changes)
    await replaceRow(trx, {
      ...goalRow(organizationId, after),
      ...{ sequence, changed_sequence: sequence },
    });
  const rearranged = changes.filter(
    ({ before, after }) =>
      !Bun.deepEquals(childRows(organizationId, before), childRows(organizationId, after)),
  );
  if (rearranged.length === 0) return;
  const goalIds = rearranged.map(({ after }) => after.publicId);
  const gone = rearranged.flatMap(({ before, after }) => [
    ...idsIn(before).difference(idsIn(after)),
  ]);
  await trx
    .deleteFrom("child_goals")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("goal_id", goalIds))
    .execute();
  const index = rearranged.flatMap(({ after }) => childRows(organizationId, after));
  await writeRows(trx, "child_goals", index);
  await trx
    .deleteFrom("recorded_data")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("goal_id", goalIds))
    .where(isOneOf("recorded_on", gone))
    .execute();
}

/** Deletes goals without a parent. Foreign keys cascade to what is below and recorded. */
export async function deleteGoals(
  trx: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom("goals")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", ids))
    .execute();
}
