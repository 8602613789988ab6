import type { Db } from "../../db/database.ts";
import { ownPatientsOf } from "../callers/own-patients.ts";
import { addDays } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import { getOrganization } from "../organizations/repository.ts";
import { valuesOfList } from "../schema/fields.ts";
import type { PageRequest } from "../schema/pagination.ts";
import { type GoalDocument, goalsIn } from "../goals/document.ts";
import { type JudgedPoint, LOOKED_AT } from "./points.ts";
import { GoalCalendar, sessionsFrom } from "./calendar.ts";
import type { GoalProgress, GoalProgressQuery } from "./model.ts";
import {
  findPlansOf,
  type ListedGoal,
  type ListedGoals,
  listGoalsOfPatients,
  listHeldSessions,
  type GoalOfTree,
  readGoalsOf,
  readRecordedSince,
} from "./repository.ts";
import { progressOf } from "./progress.ts";
import { findPatientOfPlan, findPlaces, readDocuments } from "../goals/repository.ts";
import { listOfProviders } from "./verdict.ts";

export interface GoalProgressRequest extends Omit<GoalProgressQuery, "page" | "pageSize"> {
  organizationId: string;
  now: Instant;
}

/**
 * A page of goals with their progress.
 *
 * @throws InvalidInput for a status that is named twice.
 */
export async function readProgress(db: Db, request: GoalProgressRequest, page: PageRequest) {
  const { organizationId, now } = request;
  const listed = await listedGoals(db, request);
  const { rows, total } = await listGoalsOfPatients(db, organizationId, listed, page);
  const calendar = new GoalCalendar(now, await getOrganization(db, organizationId));
  const goals = await readGoalsOf(db, organizationId, rows);
  const patientIds = [...new Set(rows.map(({ patientId }) => patientId))];
  const from = sessionsFrom(calendar.spansOf("UTC").today);
  const sessions = await listHeldSessions(db, { organizationId, patientIds, from, now });
  const recordedOn = await readRecordedSince(db, {
    organizationId,
    tops: [...new Set(rows.map(({ top }) => top))],
    ids: rows.map(({ id }) => id),
    // No zone is a day behind UTC.
    since: addDays(calendar.spansOf("UTC").today, -LOOKED_AT - 2),
  });
  const data = rows.map((row): GoalProgress => {
    const { goal, parentId } = goals.get(row.id) as GoalOfTree;
    const spans = calendar.spansOf(row.patientTimeZone);
    const { points, ...progress } = progressOf(goal, recordedOn(row.id), {
      ...{ spans, sessions: sessions.get(row.patientId) ?? [] },
      daysInARow: calendar.daysInARow,
    });
    const start = request.startDate ?? addDays(spans.today, -SHOWN);
    return {
      ...headOf(row, goal, parentId),
      timezone: spans.zone,
      ...progress,
      steps: stepsOf(goal),
      phases: goal.phases,
      points: points.flatMap((point) => (point.endDate >= start ? [shown(point)] : [])),
    };
  });
  return { data, total, patientIds };
}

/** The days that are shown unless others are asked for. */
const SHOWN = 182;

/** The patients whom a request names by a treatment plan or a goal. */
export async function findPatientsOf(
  db: Db,
  organizationId: string,
  { treatmentPlanId, goalId }: Pick<GoalProgressQuery, "treatmentPlanId" | "goalId">,
): Promise<string[]> {
  const places = goalId === undefined ? [] : await findPlaces(db, organizationId, [goalId]);
  const plans = places.map((place) => place.treatmentPlanId);
  if (treatmentPlanId !== undefined) plans.push(treatmentPlanId);
  const ids = plans.map((id) => findPatientOfPlan(db, organizationId, id));
  return (await Promise.all(ids)).flatMap((id) => id ?? []);
}

/** Which goals a request is about. */
async function listedGoals(db: Db, request: GoalProgressRequest): Promise<ListedGoals> {
  const { organizationId, patientId, treatmentPlanId, providerId, goalId, now } = request;
  const statuses = request.status && valuesOfList(request.status);
  const listed: ListedGoals = { statuses };
  if (goalId !== undefined) listed.goalIds = await idsFrom(db, organizationId, goalId);
  const own =
    providerId === undefined
      ? undefined
      : await ownPatientsOf({ organizationId, userId: providerId }, db, now);
  const patients = [own, patientId === undefined ? undefined : [patientId]].flatMap((ids) =>
    ids === undefined ? [] : [new Set(ids)],
  );
  const [first, ...others] = patients;
  if (first !== undefined) {
    const ids = others.reduce((some, each) => some.intersection(each), first);
    listed.planIds = await findPlansOf(db, organizationId, [...ids]);
  }
  if (treatmentPlanId !== undefined)
    listed.planIds = (listed.planIds ?? [treatmentPlanId]).filter((id) => id === treatmentPlanId);
  return listed;
}

/** The ids of a goal and of those below it. */
async function idsFrom(db: Db, organizationId: string, goalId: string): Promise<string[]> {
  const [place] = await findPlaces(db, organizationId, [goalId]);
  if (place === undefined) return [];
  const [tree] = await readDocuments(db, organizationId, [place.top]);
  const found = tree && goalsIn(tree).find(({ goal }) => goal.publicId === goalId);
  return found === undefined ? [] : [...goalsIn(found.goal)].map(({ goal }) => goal.publicId);
}

const LONGEST_NAME = 80;

function headOf(row: ListedGoal, goal: GoalDocument, parentGoalId: string | null) {
  const text = (field: string) => (goal[field] ?? null) as string | null;
  const statement = text("goalStatement");
  const name =
    text("title") ??
    text("targetMaladaptiveBehaviorName") ??
    text("shortDescription") ??
    statement ??
    "";
  return {
    ...{ goalId: goal.publicId, parentGoalId },
    orderAmongSiblings: parentGoalId === null ? null : (goal.orderAmongSiblings ?? 0),
    ...{ type: goal.goalType, status: goal.status },
    ...{ patientId: row.patientId, patientFirstName: row.firstName },
    ...{ patientLastName: row.lastName, treatmentPlanId: row.planId },
    name: name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name,
    statement,
  };
}

function stepsOf({ childGoals = [] }: GoalDocument) {
  if (childGoals.length === 0) return null;
  const mastered = childGoals.filter(({ status }) => status === "MASTERED").length;
  return { total: childGoals.length, mastered };
}

function shown({ providers, ...point }: JudgedPoint): GoalProgress["points"][number] {
  return { ...point, providerIds: listOfProviders(providers) };
}
