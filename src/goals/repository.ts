import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { byId } from "../../db/join.ts";
import { countRows, readPage } from "../../db/page.ts";
import { writeRows } from "../../db/rows.ts";
import type { GoalMetricRow, GoalRow, Schema } from "../../db/schema.ts";
import type { PageSlice } from "../lib/page.ts";
import { recordedMaps } from "../schema/goals.ts";
import type { GoalType } from "./models/common.ts";
import { type GoalRows, type RecordedList, recordedLists } from "./rows.ts";

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
  let query = db
    .selectFrom("goals as goal")
    .where("goal.organization_id", "=", organizationId)
    .where("goal.parent_goal_id", "is", null);
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

/** One page of goals without a parent, ordered by id, each with its patient's id. */
export function listGoals(db: Db, organizationId: string, filter: GoalFilter, page: PageSlice) {
  const list = selectMatching(db, organizationId, filter);
  // By an expression, SQLite reads the patient's few goals and sorts them, instead of all goals in their order.
  const order = filter.patientId === undefined ? sql`goal.public_id` : sql`goal.public_id || ''`;
  const rows = list
    .innerJoin("treatment_plans as plan", byId("plan", "goal.treatment_plan_id"))
    .selectAll("goal")
    .select("plan.patient_id")
    .orderBy(order);
  return readPage(list, rows, page);
}

/** A goal or child goal of the organization. */
export function findGoal(
  db: Db,
  organizationId: string,
  publicId: string,
): Promise<GoalRow | undefined> {
  return db
    .selectFrom("goals")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("public_id", "=", publicId)
    .executeTakeFirst();
}

/**
 * Reads the goals with the given ids, their descendants, and the metrics and recorded data of all of them. Unknown ids
 * are skipped. The number of statements depends only on the types of goals.
 */
export async function readGoalRows(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<GoalRows> {
  const goals = await goalTreesOf(db, organizationId, ids);
  const read = async <Row>(
    statement: (db: Db, organizationId: string, goalIds: string[]) => Promise<Row[]>,
    ...types: GoalType[]
  ): Promise<Row[]> => {
    const those = goals.filter((goal) => types.includes(goal.type as GoalType));
    const goalIds = those.map((goal) => goal.public_id);
    return goalIds.length === 0 ? [] : statement(db, organizationId, goalIds);
  };
  return {
    goals,
    metrics: await read(metricsOf, "frequency_duration", "opportunity"),
    recorded: {
      behaviorInstances: await read(recordsIn("behavior_instances"), "frequency_duration"),
      skillTrials: await read(recordsIn("skill_trials"), "opportunity"),
      ratingInstances: await read(recordsIn("rating_instances"), "rating"),
      intervalSets: await read(recordsIn("interval_sets", "started_at"), "interval"),
    },
  };
}

/** Reads goals and their descendants. */
export function goalTreesOf(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<GoalRow[]> {
  return withTrees(db, organizationId, ids)
    .selectFrom("goals as goal")
    .selectAll("goal")
    .where("goal.organization_id", "=", organizationId)
    .where("goal.public_id", "in", (select) => select.selectFrom("tree").select("public_id"))
    .orderBy("goal.order_among_siblings")
    .orderBy("goal.public_id")
    .execute();
}

/** Counts the descendants of a goal; 0 if the organization does not have the goal. */
export async function countGoalsBelow(
  db: Db,
  organizationId: string,
  publicId: string,
): Promise<number> {
  const total = await countRows(withTrees(db, organizationId, [publicId]).selectFrom("tree"));
  return Math.max(0, total - 1);
}

/** Whether more than a number of data are recorded on a goal and its descendants. */
export async function hasMoreRecorded(
  db: Db,
  organizationId: string,
  publicId: string,
  limit: number,
): Promise<boolean> {
  const recordedIn = (table: RecordedTable) =>
    db
      .selectFrom(table as "skill_trials")
      .select("goal_id")
      .where("organization_id", "=", organizationId)
      .where("goal_id", "in", sql<string>`(select public_id from tree)`);
  const recorded = withTrees(db, organizationId, [publicId]).selectFrom(
    recordedIn("behavior_instances")
      .unionAll(recordedIn("skill_trials"))
      .unionAll(recordedIn("rating_instances"))
      .unionAll(recordedIn("interval_sets"))
      .limit(limit + 1)
      .as("recorded"),
  );
  return (await countRows(recorded)) > limit;
}

/** Adds the common table expression `tree`: the ids of the given goals and their descendants. */
function withTrees(db: Db, organizationId: string, ids: readonly string[]) {
  // The organization is part of the recursive term so that SQLite uses the index; without it, every step scans.
  return db.withRecursive("tree(organization_id, public_id)", (cte) =>
    cte
      .selectFrom("goals")
      .select(["organization_id", "public_id"])
      .where("organization_id", "=", organizationId)
      .where(isOneOf("public_id", ids))
      .union(
        cte
          .selectFrom("tree as parent")
          .innerJoin("goals as child", (join) =>
            join
              .onRef("child.organization_id", "=", "parent.organization_id")
              .onRef("child.parent_goal_id", "=", "parent.public_id"),
          )
          .where("child.organization_id", "=", organizationId)
          .select(["child.organization_id", "child.public_id"]),
      ),
  );
}

/** The children of the given goals, in sibling order. */
export function childrenOf(db: Db, organizationId: string, goalIds: readonly string[]) {
  return db
    .selectFrom("goals")
    .select(["public_id", "parent_goal_id"])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("parent_goal_id", goalIds))
    .orderBy("parent_goal_id")
    .orderBy("order_among_siblings")
    .orderBy("public_id")
    .execute();
}

/** The metrics of the given goals, three per goal. */
export function metricsOf(
  db: Db,
  organizationId: string,
  goalIds: string[],
): Promise<GoalMetricRow[]> {
  return db
    .selectFrom("goal_metrics")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where(isOneOf("goal_id", goalIds))
    .execute();
}

type RecordedTable = (typeof recordedMaps)[RecordedList]["table"];

/** Makes the function that reads the data of one table recorded on goals, in chronological order. */
function recordsIn<Table extends RecordedTable>(table: Table, time = "happened_at") {
  return async (db: Db, organizationId: string, goalIds: string[]): Promise<Schema[Table][]> => {
    const rows = await db
      .selectFrom(table as "skill_trials")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where(isOneOf("goal_id", goalIds))
      .orderBy(time as "happened_at")
      .orderBy("public_id")
      .execute();
    return rows as unknown as Schema[Table][];
  };
}

/** Inserts goals with their metrics and recorded data. */
export async function insertGoalRows(trx: Db, rows: GoalRows): Promise<void> {
  await writeRows(trx, "goals", rows.goals);
  await writeRows(trx, "goal_metrics", rows.metrics);
  for (const list of recordedLists)
    await writeRows(trx, recordedMaps[list].table, rows.recorded[list]);
}

/** Overwrites stored goals. */
export function replaceGoals(trx: Db, rows: GoalRow[]): Promise<void> {
  return writeRows(trx, "goals", rows, ["organization_id", "public_id"]);
}

/** Overwrites stored metrics by goal and purpose. */
export function replaceMetrics(trx: Db, rows: GoalMetricRow[]): Promise<void> {
  return writeRows(trx, "goal_metrics", rows, ["organization_id", "goal_id", "purpose"]);
}

/** Marks a goal without parent, whose record has all goals below it, with the sequence of a write; a new one as its first, too. */
export async function setGoalSequences(
  trx: Db,
  { organization_id, public_id }: Pick<GoalRow, "organization_id" | "public_id">,
  sequences: { sequence: number; first_sequence?: number },
): Promise<void> {
  await trx
    .updateTable("goals")
    .set(sequences)
    .where("organization_id", "=", organization_id)
    .where("public_id", "=", public_id)
    .execute();
}

/** The sequence of the last write that changed the record of a goal without parent. */
export async function findGoalSequence(
  db: Db,
  { organization_id, public_id }: Pick<GoalRow, "organization_id" | "public_id">,
): Promise<number> {
  const { sequence } = await db
    .selectFrom("goals")
    .select("sequence")
    .where("organization_id", "=", organization_id)
    .where("public_id", "=", public_id)
    .executeTakeFirstOrThrow();
  return sequence;
}

/** Deletes goals. Foreign keys cascade to their metrics, descendants and recorded data. */
export async function deleteGoalRows(
  trx: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .deleteFrom("goals")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", ids))
    .execute();
}
