import { get, type Reading } from "../../lib/base/api.ts";
import { dateMeant, type Instant } from "../../lib/base/dates.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { openedDialog } from "../../lib/base/place.ts";
import type { FieldDescription } from "../../lib/base/record-fields.ts";
import { changeGoal, lineOfGoal, pathOf } from "../../lib/goals/changes.ts";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import { RecordForm, type Saving } from "../../parts/record/record-form.tsx";

/** What a goal is called, what it is, and by when it is to be reached; the specification's names, by its type (4.9). */
const FIELDS: Record<string, readonly string[]> = {
  frequency_duration: [
    ...["targetMaladaptiveBehaviorName", "targetAchievementDate"],
    ...["goalStatement", "definition", "instructions"],
  ],
  opportunity: ["shortDescription", "targetAchievementDate", "goalStatement", "instructions"],
  interval: ["title", "description", "instructions"],
  rating: ["title", "description", "instructions"],
};

const DATE = "targetAchievementDate";
const SHORT = ["targetMaladaptiveBehaviorName", "shortDescription", "title"];

/** What is called so in one line; the others are prose. */
function describe(name: string): FieldDescription {
  if (name === DATE) return { kind: "date" };
  return { maxLength: SHORT.includes(name) ? 300 : 10_000 };
}

/** As the API has it, or, where `type` is `goal`, as a practice file has it. */
type Goal = Record<string, string | null | undefined> & { type: string };

async function readGoal(id: string, reading: Reading): Promise<Goal> {
  const line = await lineOfGoal(id, reading);
  return (line as Goal | undefined) ?? get<Goal>(pathOf(id), reading);
}

function fieldsOf(goal: Goal): readonly string[] {
  const isLine = goal.type === "goal";
  const names = FIELDS[(isLine ? goal.goalType : goal.type) ?? ""] ?? [];
  return isLine && !names.includes(DATE) ? [...names, DATE] : names;
}

/** The form of the goal of the current place. */
export function EditGoalDialog() {
  const { id = "" } = openedDialog("edit-goal") ?? {};
  return (
    <ReadingDialog<Goal>
      title={(goal) => ["Edit", goal && nameIn(goal)].filter(Boolean).join(" ")}
      question={`edit goal ${id}`}
      read={(reading) => readGoal(id, reading)}
    >
      {(goal) => <GoalForm goalId={id} goal={goal} />}
    </ReadingDialog>
  );
}

const nameIn = (goal: Goal): string | undefined =>
  SHORT.flatMap((name) => goal[name] ?? []).find((text) => text !== "");

function GoalForm({ goalId, goal }: { goalId: string; goal: Goal }) {
  const fields = fieldsOf(goal);
  const date = goal[DATE] ? dateMeant(goal[DATE] as Instant, practiceZone()) : null;
  const save = async ({ changed, since }: Saving): Promise<void> => {
    const fieldsBy = (valueOf: (name: string) => string | null) =>
      Object.fromEntries(Object.keys(changed).map((name) => [name, valueOf(name)]));
    const from = fieldsBy((name) => goal[name] ?? null);
    const to = fieldsBy((name) => storedOf(name, changed[name] as string | null));
    if (Object.keys(to).length > 0) await changeGoal({ goalId, from, to, since });
  };
  return (
    <RecordForm
      label="Edit"
      description={Object.fromEntries(fields.map((name) => [name, describe(name)]))}
      sections={[{ fields }]}
      stored={{ ...goal, type: "goal", publicId: goalId, [DATE]: date }}
      save="Save"
      onSave={save}
    />
  );
}

/** A day is stored as systems write it: its midnight of UTC. */
function storedOf(name: string, text: string | null): string | null {
  return name === DATE && text !== null ? `${text}T00:00:00.000Z` : text;
}
