import { noteAct } from "../base/acts.ts";
import { get, patch, type Reading } from "../base/api.ts";
import { dateText, words } from "../base/format.ts";

/** Changes of goals. Each can be undone. */

/** The fields of a goal that the page changes. */
export interface GoalFields {
  status?: string;
  targetAchievementDate?: string | null;
}

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
  const sequence = await patch(pathOf(goalId), to, since);
  noteAct({ said: saidOf(to), undo: () => patch(pathOf(goalId), from, sequence) });
}

/** Sets another status of a goal of which only the id is known. */
export async function changeStatus(goalId: string, status: string): Promise<void> {
  const reading: Reading = {};
  const { status: from } = await get<{ status: string }>(pathOf(goalId), reading);
  await changeGoal({ goalId, from: { status: from }, to: { status }, since: reading.sequence });
}

function pathOf(goalId: string): string {
  return `goals/${encodeURIComponent(goalId)}`;
}

function saidOf({ status, targetAchievementDate }: GoalFields): string {
  if (status !== undefined) return `The goal is now: ${words(status)}.`;
  return targetAchievementDate == null
    ? "The goal has no target date any more."
    : `The goal’s target date is ${dateText(targetAchievementDate.slice(0, 10))}.`;
}
