import { InvalidInput, type Issue } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { explain, MAX_ISSUES } from "../schema/explanation.ts";
import { type Fields, type GoalDocument, metricsOf, newDocument, withEach } from "./document.ts";
import type { FrequencyDurationGoalUpdate } from "./models/frequency-duration.ts";
import type { IntervalGoalUpdate } from "./models/interval.ts";
import { ChildId, type ChildGoalUpdate, type OpportunityGoalUpdate } from "./models/opportunity.ts";
import type { RatingGoalUpdate } from "./models/rating.ts";

/** The union of the fields of all types' updates. */
export type AnyGoalUpdate = FrequencyDurationGoalUpdate &
  OpportunityGoalUpdate &
  RatingGoalUpdate &
  IntervalGoalUpdate;

/**
 * The tree of a goal after an update of one of its goals. Null clears a field, or resets it to its default. An element
 * of `childGoals` with the id of a child updates the given fields of that child; one without an id creates a child;
 * children that are missing from the list are deleted. The same applies to their own `childGoals`.
 *
 * @throws InvalidInput for ids in `childGoals` that belong to no child of the goal, or occur twice.
 */
export function updated(
  tree: GoalDocument,
  { publicId, update }: { publicId: string; update: AnyGoalUpdate },
  now: Instant,
): GoalDocument {
  const issues: Issue[] = [];

  function merged(
    goal: Fields,
    { childGoals, ...update }: AnyGoalUpdate | ChildGoalUpdate,
    path: Issue["path"],
  ): Fields {
    const fields: Fields = { ...goal, ...update };
    for (const [name, metric] of metricsOf(goal))
      fields[name] = { ...metric, ...(fields[name] as Fields) };
    if (childGoals !== undefined)
      fields.childGoals = mergedChildren(goal, childGoals ?? [], [...path, "childGoals"]);
    return fields;
  }

  function mergedChildren(
    { childGoals = [] }: { childGoals?: readonly GoalDocument[] },
    updates: readonly ChildGoalUpdate[],
    path: Issue["path"],
  ): Fields[] {
    const left = new Map(childGoals.map((child) => [child.publicId, child]));
    return updates.map((update, index) => {
      const child = { ...update, orderAmongSiblings: update.orderAmongSiblings ?? index };
      if (!("publicId" in child)) return merged({}, child, [...path, index]);
      const stored = left.get(child.publicId);
      left.delete(child.publicId);
      if (stored !== undefined) return merged(stored, child, [...path, index]);
      issues.push({ ...invalidChildId(child.publicId), path: [...path, index, "publicId"] });
      return {};
    });
  }

  const { orderAmongSiblings } = update;
  // Without siblings to be listed with, null is no index.
  const fields = orderAmongSiblings === null ? { ...update, orderAmongSiblings: 0 } : update;
  const result = withEach(tree, (goal) =>
    goal.publicId === publicId ? (merged(goal, fields, []) as GoalDocument) : goal,
  );
  if (issues.length > 0) throw new InvalidInput(issues.slice(0, MAX_ISSUES));
  return newDocument(result, now);
}

/**
 * The issue of an id that belongs to no child. The id may be of any type: a complete child has passed validation as a
 * new goal, whose schema does not have the field.
 */
function invalidChildId(publicId: unknown): Pick<Issue, "code" | "message"> {
  const [malformed] = explain(ChildId, publicId);
  return (
    malformed ?? {
      code: "custom",
      message: "Must be the id of a child of this goal, and must occur only once in the list",
    }
  );
}
