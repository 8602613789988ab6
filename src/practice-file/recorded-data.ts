import { entriesOf, type GoalDocument, goalsIn, recordedOn, withEach } from "../goals/document.ts";
import { type GoalPlace, readRecorded } from "../goals/repository.ts";
import type { ImportState } from "./import-state.ts";
import type { Fields } from "./read-record.ts";

/**
 * What was recorded on goals, in a practice file: where a goal's line, or an element of its child goals, leaves it out,
 * what is stored stays. What a file takes away is noted.
 */

/**
 * The goal that results from a line, whose child goals keep recorded data and phases that their elements leave out, if
 * they were children of the same goal before.
 */
export function keepRecorded(
  state: ImportState,
  record: Fields | undefined,
  before: Fields,
): Fields | undefined {
  if (record === undefined) return undefined;
  const stored = new Map(goalsIn(before as GoalDocument).map(({ goal }) => [goal.publicId, goal]));
  const kept = withEach(record as GoalDocument, (goal) => {
    const own = stored.get(goal.publicId);
    if (own === undefined || goal.publicId === record.publicId) return goal;
    const { phases, skillTrials } = own;
    return Object.assign({ phases, skillTrials }, goal);
  });
  const given = new Map(goalsIn(kept).map(({ goal }) => [goal.publicId, goal]));
  for (const [id, goal] of stored) noteLost(state, id, recordedIds(goal), given.get(id));
  return kept;
}

/** Notes what is recorded on goals that are about to leave their trees, and that the file does not have. */
export async function noteLostBy(
  state: ImportState,
  moved: readonly GoalPlace[],
  given: ReadonlyMap<string, GoalDocument>,
): Promise<void> {
  const { trx, organizationId } = state;
  const [tops, ids] = [moved.map(({ top }) => top), moved.map(({ id }) => id)];
  const rows = await readRecorded(trx, organizationId, { tops, ids });
  for (const [id, days] of Map.groupBy(rows, (row) => row.recorded_on))
    noteLost(state, id, idsOf(entriesOf(days)), given.get(id));
}

function noteLost(
  { lost }: ImportState,
  id: string,
  stored: ReadonlySet<unknown>,
  given: GoalDocument | undefined,
): void {
  const { size } = given === undefined ? stored : stored.difference(recordedIds(given));
  if (size > 0) lost.set(id, size);
}

function recordedIds(goal: GoalDocument): Set<unknown> {
  return idsOf(recordedOn(goal).entries);
}

function idsOf(entries: readonly Fields[]): Set<unknown> {
  return new Set(entries.map(({ publicId }) => publicId));
}

const MAX_NAMED = 3;

/** The note on all that is lost; none if nothing is. */
export function lostNotes({ lost }: ImportState): string[] {
  if (lost.size === 0) return [];
  const ids = [...lost.keys()].sort();
  const total = ids.reduce((sum, id) => sum + (lost.get(id) ?? 0), 0);
  const named = ids.slice(0, MAX_NAMED).map((id) => `${id} (${lost.get(id)})`);
  const goals = ids.length === 1 ? "1 goal loses" : `${ids.length} goals lose`;
  const more = ids.length > MAX_NAMED ? ", …" : "";
  return [
    `${goals} ${total} recorded data that the file does not have: ${named.join(", ")}${more}`,
  ];
}
