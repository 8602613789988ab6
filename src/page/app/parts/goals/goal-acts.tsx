import { useContext } from "preact/hooks";
import { changeGoal, changeStatus } from "../../lib/goals/changes.ts";
import { mayChangeGoals } from "../../lib/base/rights.ts";
import { isPast, STEP_NAMES, STEPS } from "../../lib/goals/goals.ts";
import { openDialog } from "../../lib/base/place.ts";
import { Since } from "../../lib/base/response.ts";
import type { GoalProgress } from "../../lib/base/wire.ts";
import { Button } from "../base/button.tsx";
import { useWork } from "../base/work.tsx";

/** Whether a step is what the goal's progress speaks for. */
const isDue = ({ next, isMet }: GoalProgress, status: string): boolean =>
  status === "IN_PROGRESS" ? isMet === false : status === next;

/** The buttons of a goal; in a list only what is due. */
export function GoalActs({ goal, isAll = false }: { goal: GoalProgress; isAll?: boolean }) {
  const since = useContext(Since);
  const { isWorking, run, notice } = useWork("The goal could not be changed.");
  if (!mayChangeGoals()) return null;
  const { goalId, status } = goal;
  const change = (to: string) =>
    run(() => changeGoal({ goalId, from: { status }, to: { status: to }, since }));
  const last = goal.phases.at(-1);
  const before = goal.phases.at(-2);
  const steps = (STEPS[status] ?? []).filter((to) => isAll || isDue(goal, to));
  const edit = isAll ? "Edit…" : isPast(goal) ? "New target date…" : undefined;
  return (
    <>
      {last?.isAutomatic && before !== undefined && (
        <Button disabled={isWorking} onClick={() => change(before.status)}>
          Take back
        </Button>
      )}
      {steps.map((to) => (
        <Button
          key={to}
          class={to === goal.next ? "primary" : undefined}
          disabled={isWorking}
          onClick={() => change(to)}
        >
          {STEP_NAMES[to]}
        </Button>
      ))}
      {edit !== undefined && (
        <Button disabled={isWorking} onClick={() => openDialog("edit-goal", { id: goalId })}>
          {edit}
        </Button>
      )}
      {notice}
    </>
  );
}

/** What brings a goal of which only the id is known to another status at once. */
export function GoalStep(properties: { name: string; goalId: string; status: string }) {
  const { name, goalId, status } = properties;
  const { isWorking, run, notice } = useWork("The goal could not be changed.");
  return (
    <>
      <Button disabled={isWorking} onClick={() => run(() => changeStatus(goalId, status))}>
        {name}
      </Button>
      {notice}
    </>
  );
}
