import { type Insertable, sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { byEngine, isOneOf } from "../../db/engine.ts";
import type { GoalMetricRow, GoalRow, Row, Schema } from "../../db/schema.ts";
import type { PageSlice } from "../lib/page.ts";
import { recordedMaps } from "../schema/goals.ts";
import type { GoalType } from "./models/common.ts";
import { type GoalRows, type RecordedList, recordedLists } from "./rows.ts";

/** Whose a treatment plan of the organization is. */
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

/** Goals without a parent, on a plan or on the plans of a patient, of a kind and in a status. */
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
    .innerJoin("treatment_plans as plan", (join) =>
      join
        .onRef("plan.organization_id", "=", "goal.organization_id")
        .onRef("plan.public_id", "=", "goal.treatment_plan_id"),
    )
    .where("goal.organization_id", "=", organizationId)
    .where("goal.parent_goal_id", "is", null);
  if (treatmentPlanId !== undefined)
    query = query.where("goal.treatment_plan_id", "=", treatmentPlanId);
  if (patientId !== undefined) query = query.where("plan.patient_id", "=", patientId);
  if (type !== undefined) query = query.where("goal.type", "=", type);
  if (status !== undefined) query = query.where("goal.status", "=", status);
  return query;
}

/** One page of goals without a parent by id, each with whose it is. */
export function listGoals(
  db: Db,
  organizationId: string,
  filter: GoalFilter,
  { pageSize, offset }: PageSlice,
) {
  return selectMatching(db, organizationId, filter)
    .selectAll("goal")
    .select("plan.patient_id")
    .orderBy("goal.public_id")
    .limit(pageSize)
    .offset(offset)
    .execute();
}

/** How many goals without a parent pass the filter. */
export async function countGoals(
  db: Db,
  organizationId: string,
  filter: GoalFilter,
): Promise<number> {
  const { total } = await selectMatching(db, organizationId, filter)
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** One goal of the organization, a child goal included. */
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
 * Goals by their ids, with all goals below them and all that hangs on any of these; nothing for ids that the
 * organization does not have. The number of statements depends on the kinds among them, and on nothing else.
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

/** Some goals and all goals below them. */
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

/** How many goals there are below one; 0 for one that the organization does not have. */
export async function countGoalsBelow(
  db: Db,
  organizationId: string,
  publicId: string,
): Promise<number> {
  const { total } = await withTrees(db, organizationId, [publicId])
    .selectFrom("tree")
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Math.max(0, total - 1);
}

/** Names the ids of some goals and of all goals below them `tree`. */
function withTrees(db: Db, organizationId: string, ids: readonly string[]) {
  // The organization goes along, or SQLite would look through all its goals at every step.
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

/** The goals right below some goals, in the order of siblings. */
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

/** The metrics of some goals, three each. */
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

/** Reads what is recorded on some goals in one table, in the order of time. */
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

/** Writes new goals, parents before their children, and what hangs on them. */
export async function insertGoalRows(trx: Db, rows: GoalRows): Promise<void> {
  await insertAll(trx, "goals", rows.goals);
  await insertAll(trx, "goal_metrics", rows.metrics);
  for (const list of recordedLists)
    await insertAll(trx, recordedMaps[list].table, rows.recorded[list]);
}

/** A task analysis may have thousands of steps, and a statement takes a limited number of parameters. */
const ROWS_PER_STATEMENT = 100;

async function insertAll<Table extends keyof Schema>(
  trx: Db,
  table: Table,
  rows: Insertable<Schema[Table]>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    await trx
      .insertInto(table)
      .values(rows.slice(start, start + ROWS_PER_STATEMENT) as never)
      .execute();
}

/** Puts rows in the places of stored goals. */
export function replaceGoals(trx: Db, rows: GoalRow[]): Promise<void> {
  return replaceAll(trx, "goals", ["organization_id", "public_id"], rows);
}

/** Puts metrics in the places of those that goals have for the same purposes. */
export function replaceMetrics(trx: Db, rows: GoalMetricRow[]): Promise<void> {
  return replaceAll(trx, "goal_metrics", ["organization_id", "goal_id", "purpose"], rows);
}

/** With one statement, which has all the rows as JSON: a goal may have 499 children with three metrics each. */
async function replaceAll<Table extends "goals" | "goal_metrics">(
  trx: Db,
  table: Table,
  key: string[],
  rows: Row<Table>[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const list = JSON.stringify(rows);
  const values = columns.map((column) =>
    byEngine({
      sqlite: sql`value ->> ${sql.lit(`$.${column}`)}`,
      postgresql: sql.ref(column),
    }),
  );
  const others = columns.filter((column) => !key.includes(column));
  const replaced = others.map((column) => [column, sql.ref(`excluded.${column}`)]);
  await trx
    .insertInto(table)
    .columns(columns as never)
    .expression(
      byEngine({
        // Without a condition SQLite would take `on` for that of a join.
        sqlite: sql`select ${sql.join(values)} from json_each(${list}) where true`,
        postgresql: sql`select ${sql.join(values)} from json_populate_recordset(null::${sql.table(table)}, ${list})`,
      }),
    )
    .onConflict((conflict) =>
      conflict.columns(key as never).doUpdateSet(Object.fromEntries(replaced) as never),
    )
    .execute();
}

/** Deletes goals; the tables delete their metrics, their children and what was recorded on any of them. */
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
