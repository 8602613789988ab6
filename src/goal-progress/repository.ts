import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf, valuesOf } from "../../db/engine.ts";
import { byId } from "../../db/join.ts";
import { countRows } from "../../db/page.ts";
import { prepared } from "../../db/prepared.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import type { PageSlice } from "../lib/page.ts";
import { remembered } from "../lib/remembered.ts";
import { entriesOf, type Fields, type GoalDocument, goalsIn } from "../goals/document.ts";
import { readDocuments } from "../goals/repository.ts";
import type { GoalStatus } from "../goals/models/common.ts";
import type { HeldSession } from "./points.ts";

/** Which goals and child goals are listed. */
export interface ListedGoals {
  planIds?: readonly string[] | undefined;
  goalIds?: readonly string[] | undefined;
  statuses?: readonly GoalStatus[] | undefined;
}

/** Goals and those below them, as a table of both. */
function goalsOf(db: Db, organizationId: string, { planIds, goalIds, statuses }: ListedGoals) {
  let own = db.selectFrom("goals as goal").where("goal.organization_id", "=", organizationId);
  let below = db
    .selectFrom("goals as goal")
    .innerJoin("child_goals as child", (join) =>
      join
        .onRef("child.goal_id", "=", "goal.public_id")
        .on("child.organization_id", "=", organizationId),
    )
    .where("goal.organization_id", "=", organizationId);
  if (planIds !== undefined) {
    own = own.where(isOneOf("goal.treatment_plan_id", planIds));
    below = below.where(isOneOf("goal.treatment_plan_id", planIds));
  }
  if (goalIds !== undefined) {
    own = own.where(isOneOf("goal.public_id", goalIds));
    below = below.where(isOneOf("child.public_id", goalIds));
  }
  if (statuses !== undefined) {
    own = own.where(isOneOf("goal.status", statuses));
    below = below.where(isOneOf("child.status", statuses));
  }
  return own
    .select(["goal.organization_id", "goal.public_id as id", "goal.public_id as top"])
    .select("goal.treatment_plan_id as planId")
    .unionAll(
      below
        .select(["goal.organization_id", "child.public_id as id", "goal.public_id as top"])
        .select("goal.treatment_plan_id as planId"),
    );
}

/** Goals of a page with their patients, ordered by patient, and the goal without a parent before those below it. */
export async function listGoalsOfPatients(
  db: Db,
  organizationId: string,
  goals: ListedGoals,
  page?: PageSlice,
) {
  const listed = goalsOf(db, organizationId, goals);
  let rows = db
    .selectFrom(listed.as("listed"))
    .innerJoin("treatment_plans as plan", byId("plan", "listed.planId" as never))
    .innerJoin("users as patient", byId("patient", "plan.patient_id"))
    .where("plan.organization_id", "=", organizationId)
    .where("patient.organization_id", "=", organizationId)
    .select(["listed.id", "listed.top", "listed.planId", "plan.patient_id as patientId"])
    .select(["patient.first_name as firstName", "patient.last_name as lastName"])
    .select(["patient.time_zone as patientTimeZone", "patient.is_active as isActive"])
    .select("patient.primary_clinician_id as primaryClinicianId")
    .orderBy("patient.last_name")
    .orderBy("patient.first_name")
    .orderBy("plan.patient_id")
    .orderBy("listed.top")
    .orderBy(sql`case when listed.id = listed.top then '' else listed.id end`);
  if (page !== undefined) rows = rows.limit(page.pageSize).offset(page.offset);
  return {
    rows: await rows.execute(),
    total: page === undefined ? 0 : await countRows(db.selectFrom(listed.as("listed"))),
  };
}

/** A goal of such a list. */
export type ListedGoal = Awaited<ReturnType<typeof listGoalsOfPatients>>["rows"][number];

/** A goal of a tree, without what is recorded, and the goal that it is a child of. */
export interface GoalOfTree {
  goal: GoalDocument;
  parentId: string | null;
}

/** The documents of listed goals. */
export async function readGoalsOf(
  db: Db,
  organizationId: string,
  rows: readonly Pick<ListedGoal, "top">[],
): Promise<Map<string, GoalOfTree>> {
  const tops = [...new Set(rows.map(({ top }) => top))];
  const goals = new Map<string, GoalOfTree>();
  for (const tree of await readDocuments(db, organizationId, tops)) {
    goals.set(tree.publicId, { goal: tree, parentId: null });
    for (const { goal: parent } of goalsIn(tree))
      for (const goal of parent.childGoals ?? [])
        goals.set(goal.publicId, { goal, parentId: parent.publicId });
  }
  return goals;
}

/** The treatment plans of some patients. */
export async function findPlansOf(
  db: Db,
  organizationId: string,
  patientIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom("treatment_plans")
    .select("public_id")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("patient_id", patientIds))
    .execute();
  return rows.map(({ public_id }) => public_id);
}

interface Goals {
  organizationId: string;
  /** The goals without a parent that they are or are part of. */
  tops: readonly string[];
  ids: readonly string[];
}

const recordedSince = prepared(
  (db, { organizationId, tops, ids, since }: Goals & { since: CalendarDate }) =>
    db
      .selectFrom("recorded_data")
      .select(["recorded_on", "entries"])
      .where("organization_id", "=", organizationId)
      .where(isOneOf("goal_id", tops))
      .where("day", ">=", since)
      .where(isOneOf("recorded_on", ids))
      .orderBy("goal_id")
      .orderBy("day"),
);

const lastRecorded = prepared(
  (db, { organizationId, tops, ids, before }: Goals & { before: CalendarDate }) =>
    db
      .selectFrom("recorded_data")
      .select((select) => ["recorded_on", select.fn.max("last_at").as("lastAt")])
      .where("organization_id", "=", organizationId)
      .where(isOneOf("goal_id", tops))
      .where("day", "<", before)
      .where(isOneOf("recorded_on", ids))
      .groupBy("recorded_on"),
);

/** What was recorded on a goal from a day on; if nothing was, when something was recorded last before it. */
export interface RecordedSince {
  entries: Fields[];
  lastBefore: Instant | null;
}

/** What was recorded on some goals from a UTC day on. */
export async function readRecordedSince(
  db: Db,
  { since, ...goals }: Goals & { since: CalendarDate },
): Promise<(id: string) => RecordedSince> {
  const days = Map.groupBy(
    await recordedSince(db, { ...goals, since }),
    ({ recorded_on }) => recorded_on,
  );
  const others = goals.ids.filter((id) => !days.has(id));
  const last = new Map<string, Instant>();
  if (others.length > 0)
    for (const row of await lastRecorded(db, { ...goals, ids: others, before: since }))
      last.set(row.recorded_on, row.lastAt as Instant);
  return (id) => ({ entries: entriesOf(days.get(id) ?? []), lastBefore: last.get(id) ?? null });
}

const heldSessions = prepared(
  (
    db,
    {
      organizationId,
      patientIds,
      ...when
    }: { organizationId: string; patientIds: readonly string[]; from: Instant; now: Instant },
  ) =>
    // Patient by patient: with their list as a condition, SQLite would read all confirmed sessions of the practice.
    db
      .selectFrom(valuesOf(patientIds).as("patient"))
      .crossJoin("sessions")
      .select(["client_id", "start_time", "end_time", "technician_id", "clinician_id"])
      .where("organization_id", "=", organizationId)
      .whereRef("client_id", "=", "patient.value")
      .where("start_time", ">=", when.from)
      .where("end_time", "<=", when.now)
      .where("start_time", "<=", when.now)
      .where("status", "=", "CONFIRMED")
      .where("is_client_present", "=", 1)
      .where("is_supervision", "=", 0)
      .orderBy("client_id")
      .orderBy("start_time"),
);

/** The sessions with some patients that were held, by patient, in order of their start. */
export async function listHeldSessions(
  db: Db,
  request: { organizationId: string; patientIds: readonly string[]; from: Instant; now: Instant },
): Promise<Map<string, HeldSession[]>> {
  const sessions = new Map<string, HeldSession[]>();
  for (const row of await heldSessions(db, request))
    remembered(sessions, row.client_id as string, () => []).push({
      startTime: row.start_time,
      endTime: row.end_time,
      providerId: row.technician_id ?? row.clinician_id,
    });
  return sessions;
}
