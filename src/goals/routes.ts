import type { Static } from "@sinclair/typebox";
import { Elysia, t } from "elysia";
import type { Database, Db } from "../../db/database.ts";
import type { Caller } from "../callers/api-keys.ts";
import { authorized } from "../http/authorized.ts";
import {
  goalBodyErrors,
  goalCreationErrors,
  commonGoalErrors,
  goalErrorResponse,
} from "../http/responses.ts";
import { InvalidInput } from "../lib/errors.ts";
import { pageRequest, pagination } from "../schema/pagination.ts";
import { SEQUENCE } from "../schema/unchanged-since.ts";
import { parse, UPDATE } from "../schema/validation.ts";
import { creationExamples, recordingExamples, updateExamples } from "./examples.ts";
import {
  Goal,
  GoalDeletion,
  GoalListQuery,
  GoalPage,
  DeletedGoalPath,
  GoalPath,
  GoalUpdate,
  goalUpdates,
  GoalWriteQuery,
  NewGoal,
} from "./model.ts";
import type { GoalType } from "./models/common.ts";
import { checkedEntries, record, remove, requireRecorder } from "./recording.ts";
import {
  GoalEntryDeletion,
  GoalEntryPath,
  GoalRecording,
  GoalRecordingResult,
} from "./recording-model.ts";
import {
  countRecorded,
  findPatientOfPlan,
  findPlaces,
  type GoalSize,
  listGoals,
  sizeOf,
} from "./repository.ts";
import {
  createGoal,
  deleteGoal,
  readGoal,
  requireGoal,
  requirePatientOfPlan,
  requireUnchanged,
  summarize,
  updateGoal,
} from "./service.ts";

/** Errors of writes with `unchangedSince`. */
const changedErrors = {
  410: goalErrorResponse(
    "The changes since `unchangedSince` are no longer known: they are older than 400 days, or a backup was restored.",
    "Changes since 12 are no longer known; export everything",
  ),
  412: goalErrorResponse(
    "The goal, one of its child goals, or what is recorded on them has changed after `unchangedSince`.",
    "Has changed since 12",
  ),
};

const unknownEntry = {
  404: goalErrorResponse(
    "The organization has no goal with this id, or the goal no such entry.",
    "Goal not found",
    "Entry not found",
  ),
};

const unknown = {
  404: goalErrorResponse("The organization has no goal with this id.", "Goal not found"),
};

export const goals = new Elysia({ prefix: "/goals", tags: ["Goals"] })
  .use(authorized)
  .get(
    "",
    ({ caller: { organizationId }, query, shows, read }) =>
      read(async (db) => {
        const page = pageRequest(query);
        const { rows, total } = await listGoals(db, organizationId, query, page);
        const { treatmentPlanId } = query;
        const patientOfPlan =
          treatmentPlanId === undefined
            ? undefined
            : await findPatientOfPlan(db, organizationId, treatmentPlanId);
        shows(rows, query.patientId, patientOfPlan);
        const data = await summarize(db, organizationId, rows);
        return { data, pagination: pagination(page, total) };
      }),
    {
      permission: "readGoals",
      expensive: true,
      query: GoalListQuery,
      response: { 200: GoalPage, ...commonGoalErrors },
      detail: {
        operationId: "listGoals",
        summary: "List goals",
        description:
          "Goals without a parent, ordered by id. Recorded data and child goals are not included; `getGoal` has them.",
        headers: [SEQUENCE],
        links: {
          getGoal: { goalId: "/data/0/publicId" },
          updateGoal: { goalId: "/data/0/publicId" },
          deleteGoal: { goalId: "/data/0/publicId" },
        },
      },
    },
  )
  .get(
    "/:goalId",
    ({ caller: { organizationId }, params, shows, read }) =>
      read(async (db) => {
        const goal = await requireGoal(db, organizationId, params.goalId);
        shows(await requirePatientOfPlan(db, organizationId, goal.treatmentPlanId));
        return readGoal(db, organizationId, goal);
      }),
    {
      permission: "readGoals",
      expensive: isLarge,
      params: GoalPath,
      response: { 200: Goal, ...commonGoalErrors, ...unknown },
      detail: {
        operationId: "getGoal",
        summary: "Read one goal",
        description:
          "One goal of any type, with its recorded data and child goals. The id may be that of a child goal.",
        headers: [SEQUENCE],
        links: {
          updateGoal: { goalId: "/publicId" },
          deleteGoal: { goalId: "/publicId" },
          recordOnGoal: { goalId: "/publicId" },
          removeRecorded: { goalId: "/publicId", entryId: "/skillTrials/0/publicId" },
        },
      },
    },
  )
  .post(
    "",
    ({ caller: { organizationId }, body, now, shows, write }) =>
      write(201, async (trx) => {
        shows(await requirePatientOfPlan(trx, organizationId, body.treatmentPlanId));
        return createGoal(trx, organizationId, body, now);
      }),
    {
      permission: "writeGoals",
      body: NewGoal,
      response: { 201: Goal, ...goalCreationErrors },
      detail: {
        operationId: "createGoal",
        summary: "Create a goal",
        description:
          "Creates a goal on a treatment plan. `type` decides which other fields the body has.",
        examples: creationExamples,
        headers: [SEQUENCE],
        links: {
          getGoal: { goalId: "/publicId" },
          updateGoal: { goalId: "/publicId" },
          deleteGoal: { goalId: "/publicId" },
        },
      },
    },
  )
  .patch(
    "/:goalId",
    ({ caller: { organizationId }, params, query, body, now, shows, write }) => {
      const requireGoalOf = async (db: Db) => {
        const goal = await requireGoal(db, organizationId, params.goalId);
        shows(await requirePatientOfPlan(db, organizationId, goal.treatmentPlanId));
        return goal;
      };
      const lookFirst = async (db: Db) => {
        const goal = await requireGoalOf(db);
        return { goal, update: checkedUpdate(goal.type, body) };
      };
      const writing = async (trx: Db, basis: Awaited<ReturnType<typeof lookFirst>>) => {
        const goal = await requireGoalOf(trx);
        // What is recorded is nothing that an update can overwrite.
        await requireUnchanged(trx, organizationId, goal.changedSequence, query.unchangedSince);
        // An import may have changed the goal's type since that look.
        const isAsChecked = goal.type === basis.goal.type;
        const update = isAsChecked ? basis.update : checkedUpdate(goal.type, body);
        return updateGoal(trx, organizationId, goal, { update, now });
      };
      // Invalid updates are refused before the transaction starts, so that they do not block other writers.
      return write(200, writing, lookFirst);
    },
    {
      permission: "writeGoals",
      expensive: isLargeWrite,
      params: GoalPath,
      query: GoalWriteQuery,
      // Validated in the handler: the fields depend on the type of the stored goal.
      body: t.NoValidate(GoalUpdate),
      response: { 200: Goal, ...commonGoalErrors, ...goalBodyErrors, ...unknown, ...changedErrors },
      detail: {
        operationId: "updateGoal",
        summary: "Update a goal",
        description:
          "Changes the fields that are in the body; all others stay unchanged. The allowed fields depend on the goal's type, which cannot change. Null clears a field that is optional when a goal is created.",
        examples: updateExamples,
        headers: [SEQUENCE],
        links: { deleteGoal: { goalId: "/publicId" } },
      },
    },
  )
  .post(
    "/:goalId/recorded-data",
    ({ caller, params, body, now, shows, did, write }) => {
      const lookFirst = async (db: Db) => {
        const goal = await requireGoal(db, caller.organizationId, params.goalId);
        const { treatmentPlanId, type } = goal;
        const patientId = await requirePatientOfPlan(db, caller.organizationId, treatmentPlanId);
        shows(patientId);
        const recorder = { caller, patientId, now };
        await requireRecorder(db, recorder);
        return { goal, recorder, entries: checkedEntries(type, body) };
      };
      return write(
        201,
        async (trx) => {
          // Looked for once more: meanwhile an import may have made something else of it.
          const { goal, recorder, entries } = await lookFirst(trx);
          const done = await record(trx, goal, entries, recorder);
          did(`${done.recorded} recorded${changeText(done.advancedFrom, done.status)}`);
          return done;
        },
        lookFirst,
      );
    },
    {
      permission: "recordOnGoals",
      expensive: isMuchRecorded,
      params: GoalPath,
      // Validated in the handler: the fields depend on the type of the stored goal.
      body: t.NoValidate(GoalRecording),
      response: { 201: GoalRecordingResult, ...goalCreationErrors, ...unknown },
      detail: {
        operationId: "recordOnGoal",
        summary: "Record on a goal",
        description:
          "Adds entries of the goal's kind to what is recorded on it; nothing is replaced. An entry that is there already, with the same id and content, is not added again, so that a request without an answer can be repeated. If the criterion is met then and the goal's `autoProgress…` switch is on, the goal goes on by one status. A technician records for own patients, and what happened in the last 14 days.",
        headers: [SEQUENCE],
        examples: recordingExamples,
      },
    },
  )
  .delete(
    "/:goalId/recorded-data/:entryId",
    ({ caller, params, now, shows, did, write }) =>
      write(200, async (trx) => {
        const goal = await requireGoal(trx, caller.organizationId, params.goalId);
        const { treatmentPlanId } = goal;
        const patientId = await requirePatientOfPlan(trx, caller.organizationId, treatmentPlanId);
        shows(patientId);
        const recorder = { caller, patientId, now };
        await requireRecorder(trx, recorder);
        const done = await remove(trx, goal, params.entryId, recorder);
        did(`1 removed${changeText(done.takenBackFrom, done.status)}`);
        return done;
      }),
    {
      permission: "recordOnGoals",
      expensive: isMuchRecorded,
      params: GoalEntryPath,
      response: { 200: GoalEntryDeletion, ...commonGoalErrors, ...unknownEntry },
      detail: {
        operationId: "removeRecorded",
        summary: "Remove an entry that was recorded on a goal",
        description:
          "Removes one entry. If the goal went on by itself by it, at most 24 hours ago, it goes back.",
        headers: [SEQUENCE],
      },
    },
  )
  .delete(
    "/:goalId",
    ({ caller: { organizationId }, now, params, query, shows, write }) =>
      write(200, async (trx) => {
        const goal = await requireGoal(trx, organizationId, params.goalId);
        shows(await requirePatientOfPlan(trx, organizationId, goal.treatmentPlanId));
        await requireUnchanged(trx, organizationId, goal.sequence, query.unchangedSince);
        await deleteGoal(trx, organizationId, goal, now);
        return { success: true } as const;
      }),
    {
      permission: "writeGoals",
      expensive: isLargeWrite,
      params: DeletedGoalPath,
      query: GoalWriteQuery,
      response: { 200: GoalDeletion, ...commonGoalErrors, ...unknown, ...changedErrors },
      detail: {
        operationId: "deleteGoal",
        summary: "Delete a goal",
        description:
          "Permanently deletes a goal of any type with its metrics, child goals and recorded data.",
        headers: [SEQUENCE],
      },
    },
  );

/** Reads and writes of goals with more of these count as expensive requests. */
const FEW_RECORDED = 1_000;
const FEW_CHILDREN = 20;
const FEW_BYTES = 1_000_000;

/** Recording on goals with more of these counts as an expensive request. */
const MUCH_RECORDED = 10_000;

/** Whether so much is recorded on a goal that to add to it takes long. */
function isMuchRecorded({ caller, params, read }: GoalContext): Promise<boolean> {
  const { organizationId } = caller;
  return read(async (db) => {
    const [place] = await findPlaces(db, organizationId, [params.goalId]);
    return place !== undefined && (await countRecorded(db, organizationId, place)) > MUCH_RECORDED;
  });
}

/** What became of a goal's status by recording: `, IN_PROGRESS to IN_MAINTENANCE`. */
function changeText(from: string | null, to: string): string {
  return from === null ? "" : `, ${from} to ${to}`;
}

interface GoalContext {
  caller: Caller;
  params: Static<typeof GoalPath>;
  /** Not validated yet. */
  body: unknown;
  read: Database["read"];
}

/** Whether a goal, or the one that it is part of, takes long to be read. */
async function isLarge(context: GoalContext): Promise<boolean> {
  const { recorded, bytes } = await storedSize(context);
  return recorded > FEW_RECORDED || bytes > FEW_BYTES;
}

/** Whether a goal, or the one that it is part of, takes long to be written, as it is or with the children of the body. */
async function isLargeWrite(context: GoalContext): Promise<boolean> {
  if (givesManyChildren(context.body)) return true;
  const { children, recorded, bytes } = await storedSize(context);
  return children > FEW_CHILDREN || recorded > FEW_RECORDED || bytes > FEW_BYTES;
}

function storedSize({ caller, params, read }: GoalContext): Promise<GoalSize> {
  const { organizationId } = caller;
  return read(async (db) => {
    const [place] = await findPlaces(db, organizationId, [params.goalId]);
    return sizeOf(db, organizationId, place?.top ?? params.goalId);
  });
}

/** Whether a body, valid or not, has more than 20 child goals at any depth. */
function givesManyChildren(body: unknown): boolean {
  const goals: unknown[] = [body];
  for (const goal of goals) {
    const { childGoals } = (goal ?? {}) as { childGoals?: unknown };
    if (Array.isArray(childGoals)) goals.push(...childGoals.slice(0, FEW_CHILDREN + 1));
    if (goals.length - 1 > FEW_CHILDREN) return true;
  }
  return false;
}

/** @throws InvalidInput */
function checkedUpdate(type: GoalType, body: unknown): GoalUpdate {
  const parsed = parse(goalUpdates[type], body, UPDATE);
  if ("issues" in parsed) throw new InvalidInput(parsed.issues);
  return parsed.value;
}
