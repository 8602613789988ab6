import { useContext } from "preact/hooks";
import { get, type Reading } from "../../lib/base/api.ts";
import { useDraft } from "../../lib/base/draft.ts";
import { labelOf } from "../../lib/base/labels.ts";
import { closeDialog, openedDialog } from "../../lib/base/place.ts";
import { Since } from "../../lib/base/response.ts";
import { changeGoal, type GoalFields, lineOfGoal, pathOf } from "../../lib/goals/changes.ts";
import { Button } from "../../parts/base/button.tsx";
import { Field, textsOf } from "../../parts/base/field.tsx";
import { Form } from "../../parts/base/form.tsx";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import { useWork } from "../../parts/base/work.tsx";

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

/** In one line; the others are prose. */
const SHORT = ["targetMaladaptiveBehaviorName", "shortDescription", "title"];
const DATE = "targetAchievementDate";

/** As the API has it, or, where `type` is `goal`, as a practice file has it. */
type Goal = Record<string, string | null | undefined> & { type: string };

async function readGoal(id: string, reading: Reading): Promise<Goal> {
  const line = await lineOfGoal(id, reading);
  return (line as Goal | undefined) ?? get<Goal>(pathOf(id), reading);
}

const isLine = ({ type }: Goal): boolean => type === "goal";

function fieldsOf(goal: Goal): readonly string[] {
  const names = FIELDS[(isLine(goal) ? goal.goalType : goal.type) ?? ""] ?? [];
  return isLine(goal) && !names.includes(DATE) ? [...names, DATE] : names;
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
  const names = fieldsOf(goal);
  const stored = Object.fromEntries(names.map((name) => [name, shownOf(name, goal[name])]));
  const [typed, setTyped] = useDraft(`edit goal ${goalId}`, stored);
  const text = textsOf(typed, setTyped);
  const since = useContext(Since);
  const { isWorking, run, notice } = useWork("The goal could not be changed.");
  const save = async (): Promise<void> => {
    const changed = names.filter((name) => typed[name] !== stored[name]);
    const fields = (valueOf: (name: string) => string | null): GoalFields =>
      Object.fromEntries(changed.map((name) => [name, valueOf(name)]));
    const from = fields((name) => goal[name] ?? null);
    const to = fields((name) => storedOf(name, typed[name]));
    if (changed.length > 0) await changeGoal({ goalId, from, to, since });
    closeDialog();
  };
  return (
    <Form class="record-form" aria-label="Edit" onSubmit={() => run(save)}>
      <div class="record-fields">
        {names.map((name) => (
          <Field
            key={name}
            label={labelOf(name)}
            type={name === DATE ? "date" : SHORT.includes(name) ? "text" : "prose"}
            {...text(name)}
          />
        ))}
      </div>
      {notice}
      <div class="buttons">
        <button type="submit" class="primary" disabled={isWorking}>
          Save
        </button>
        <Button onClick={closeDialog}>Cancel</Button>
      </div>
    </Form>
  );
}

/** A day is stored as systems write it: its midnight of UTC. */
const shownOf = (name: string, value: string | null | undefined): string =>
  (name === DATE ? value?.slice(0, 10) : value) ?? "";
const storedOf = (name: string, text = ""): string | null =>
  text === "" ? null : name === DATE ? `${text}T00:00:00.000Z` : text;
