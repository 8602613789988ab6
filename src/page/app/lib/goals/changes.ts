import { noteAct } from "../base/acts.ts";
import { get, patch, type Reading, readRecord } from "../base/api.ts";
import { Failure } from "../base/failure.ts";
import { dateText, words } from "../base/format.ts";
import type { Line } from "../base/lines.ts";
import { mayWrite } from "../base/rights.ts";
import { revision } from "../base/revision.ts";
import { hasChanged, write } from "../base/write.ts";
import { STEPS } from "./goals.ts";

/** Changes of goals. Each can be undone. */

/** The fields of a goal that the page changes. */
type GoalFields = Readonly<Record<string, string | null>>;

interface GoalChange {
  goalId: string;
  from: GoalFields;
  to: GoalFields;
  /** The sequence of what it is based on. */
  since: number | undefined;
}

/**
 * Changes a goal.
 *
 * @throws Failure if it is refused; with the status 412 if somebody else has changed it since.
 */
export async function changeGoal({ goalId, from, to, since }: GoalChange): Promise<void> {
  const line = await lineOfGoal(goalId);
  if (line !== undefined) {
    const { type, publicId, status, phases } = line;
    // A status that is taken back has never been: with it go the phases that it made.
    const before = to.status === undefined ? from : { status, phases };
    const lines = [{ type, publicId, ...to }];
    return write({ done: saidOf(to), lines, undo: [{ type, publicId, ...before }] }, since);
  }
  const sequence = await patch(pathOf(goalId), to, since).catch((error: unknown) => {
    // What somebody else has made of it is shown.
    if (hasChanged(error)) revision.value += 1;
    throw error;
  });
  noteAct({ said: saidOf(to), undo: () => patch(pathOf(goalId), from, sequence) });
}

/**
 * A goal as a practice file has it, for who may write goals by one: it has the phases, and the target date of all types.
 * Steps of a chain have none of their own.
 */
export async function lineOfGoal(goalId: string, reading?: Reading): Promise<Line | undefined> {
  return mayWrite("goal") ? readRecord("goal", goalId, reading) : undefined;
}

/**
 * Brings a goal that was found to another status. The finding may be of this morning.
 *
 * @throws Failure if somebody else has brought it to a status of which that was not found.
 */
export async function changeStatus(goalId: string, status: string): Promise<void> {
  const reading: Reading = {};
  const { status: from } = await get<{ status: string }>(pathOf(goalId), reading);
  if (!STEPS[from]?.some((to) => to === status)) {
    revision.value += 1;
    throw new Failure(`Somebody else has changed it meanwhile, to: ${words(from)}.`);
  }
  await changeGoal({ goalId, from: { status: from }, to: { status }, since: reading.sequence });
}

export function pathOf(goalId: string): string {
  return `goals/${encodeURIComponent(goalId)}`;
}

function saidOf({ status, targetAchievementDate: date, ...others }: GoalFields): string {
  if (status != null) return `The goal is now: ${words(status)}.`;
  if (date === undefined || Object.keys(others).length > 0) return "The goal was changed.";
  return date === null
    ? "The goal has no target date any more."
    : `The goal’s target date is ${dateText(date.slice(0, 10))}.`;
}
