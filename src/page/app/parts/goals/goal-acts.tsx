import { useContext, useState } from "preact/hooks";
import { changeGoal, changeStatus, type GoalFields } from "../../lib/goals/changes.ts";
import { mayChangeGoals } from "../../lib/goals/rights.ts";
import { Since } from "../../lib/base/response.ts";
import type { Finding, GoalProgress } from "../../lib/base/wire.ts";
import { Button } from "../base/button.tsx";
import { Field } from "../base/field.tsx";
import { Form } from "../base/form.tsx";
import { useWork } from "../base/work.tsx";

/** What a status is changed to, by the names of buttons. */
const STEPS: Record<string, [name: string, status: string][]> = {
  BASELINE: [["To maintenance", "IN_MAINTENANCE"]],
  IN_PROGRESS: [["To maintenance", "IN_MAINTENANCE"]],
  IN_MAINTENANCE: [
    ["Mastered", "MASTERED"],
    ["Back to in progress", "IN_PROGRESS"],
  ],
  MASTERED: [["Back to in progress", "IN_PROGRESS"]],
};

/** Whether a step is what the goal's progress speaks for. */
const isDue = ({ next, isMet }: GoalProgress, status: string): boolean =>
  status === "IN_PROGRESS" ? isMet === false : status === next;

/** The buttons of a goal; in a list only what is due. */
export function GoalActs({ goal, isAll = false }: { goal: GoalProgress; isAll?: boolean }) {
  const since = useContext(Since);
  const { isWorking, run, notice } = useWork("The goal could not be changed.");
  const [isDating, setDating] = useState(false);
  if (!mayChangeGoals()) return null;
  const { goalId, status, targetDate } = goal;
  const change = (from: GoalFields, to: GoalFields) =>
    run(() => changeGoal({ goalId, from, to, since }));
  const last = goal.phases.at(-1);
  const before = goal.phases.at(-2);
  const steps = (STEPS[status] ?? []).filter(([, to]) => isAll || isDue(goal, to));
  const isPast = targetDate !== null && goal.sessionsSince >= 0 && isAll;
  return (
    <>
      {last?.isAutomatic && before !== undefined && (
        <Button
          disabled={isWorking}
          onClick={() => change({ status }, { status: before.status })}
          title="The goal went on by itself"
        >
          Take back
        </Button>
      )}
      {steps.map(([name, to]) => (
        <Button
          key={to}
          class={to === goal.next ? "primary" : undefined}
          disabled={isWorking}
          onClick={() => change({ status }, { status: to })}
        >
          {name}
        </Button>
      ))}
      {isPast && <Button onClick={() => setDating(!isDating)}>New target date…</Button>}
      {isDating && (
        <TargetDate
          date={targetDate ?? ""}
          onChange={(date) => {
            setDating(false);
            void change(
              { targetAchievementDate: targetDate && midnight(targetDate) },
              { targetAchievementDate: midnight(date) },
            );
          }}
        />
      )}
      {notice}
    </>
  );
}

/** A day as systems write it: its midnight of UTC. */
const midnight = (date: string): string => `${date}T00:00:00.000Z`;

function TargetDate(properties: { date: string; onChange: (date: string) => void }) {
  const [date, setDate] = useState(properties.date);
  return (
    <Form onSubmit={() => properties.onChange(date)}>
      <Field type="date" label="Target date" value={date} onChange={setDate} isRequired />
      <button class="primary">Save</button>
    </Form>
  );
}

const ACTS: Partial<Record<Finding["check"], [name: string, status: string]>> = {
  GOAL_MET: ["To maintenance", "IN_MAINTENANCE"],
  GOAL_NO_LONGER_MET: ["Back to in progress", "IN_PROGRESS"],
};

/** What mends a finding about a goal at once. */
export function GoalFindingAct({ finding }: { finding: Finding }) {
  const { isWorking, run, notice } = useWork("The goal could not be changed.");
  const [name, status] = ACTS[finding.check] ?? [];
  if (status === undefined || finding.goalId === null || !mayChangeGoals()) return null;
  const { goalId } = finding;
  return (
    <>
      <Button disabled={isWorking} onClick={() => run(() => changeStatus(goalId, status))}>
        {name}
      </Button>
      {notice}
    </>
  );
}
