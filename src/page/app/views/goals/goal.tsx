import { withQuery } from "../../lib/base/api.ts";
import { dateOf } from "../../lib/base/dates.ts";
import { dateText, daysText, shortDateText, unitsText, words } from "../../lib/base/format.ts";
import {
  criterionText,
  metText,
  phaseText,
  silenceText,
  standingText,
  STATES,
  valueText,
} from "../../lib/goals/goals.ts";
import { patientName, readNames, useNames } from "../../lib/person/people.ts";
import { addressOf, openedDialog } from "../../lib/base/place.ts";
import { useGet } from "../../lib/base/response.ts";
import type { GoalPoint, GoalProgress, PageOf } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Facts } from "../../parts/base/facts.tsx";
import { spreadsheetOf } from "../../lib/base/spreadsheet.ts";
import { type Column, ListTable } from "../../parts/base/list-table.tsx";
import { Empty, ResponseView } from "../../parts/base/notices.tsx";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { SaveAsCsv } from "../../parts/base/save-as-csv.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import { GoalActs } from "../../parts/goals/goal-acts.tsx";
import { GoalGraph } from "../../parts/goals/goal-graph.tsx";
import { Target } from "./goals.tsx";
import { EditGoalDialog } from "../late-forms.ts";

/** One goal: its graph, what it is held to, and the numbers; of a chain its steps. */

export function Goal({ id }: { id: string }) {
  const response = useGet<PageOf<GoalProgress>>(
    withQuery("goal-progress", { goalId: id, pageSize: 100 }),
  );
  const goal = response.value?.data.find(({ goalId }) => goalId === id);
  return (
    <main>
      <ViewHeader
        title={<bdi>{goal?.name ?? "Goal"}</bdi>}
        lead={goal?.statement === goal?.name ? "" : (goal?.statement ?? "")}
      >
        {openedDialog("edit-goal") && <EditGoalDialog />}
        {goal && (
          <div class="actions">
            <Button onClick={() => print()}>Print</Button>
            <SaveAsCsv read={() => savedGoal(goal)} />
          </div>
        )}
      </ViewHeader>
      <ResponseView response={response}>
        {({ data }) => {
          const own = data.find(({ goalId }) => goalId === id);
          return own === undefined ? (
            <Empty>There is no such goal.</Empty>
          ) : (
            <One goal={own} all={data} />
          );
        }}
      </ResponseView>
    </main>
  );
}

function One({ goal, all }: { goal: GoalProgress; all: readonly GoalProgress[] }) {
  const name = useNames(all.flatMap((each) => [...each.metWith, ...peopleOf(each)]));
  const steps = all
    .filter(({ parentGoalId }) => parentGoalId === goal.goalId)
    .toSorted((a, b) => (a.orderAmongSiblings ?? 0) - (b.orderAmongSiblings ?? 0));
  const last = goal.phases.at(-1);
  return (
    <>
      {last?.isAutomatic && (
        <p class="notice" role="status">
          It went on by itself: its criterion was met.
        </p>
      )}
      <section class="panel">
        <h2>Progress</h2>
        <div class="goal-acts">
          <GoalActs goal={goal} isAll />
        </div>
        {goal.points.length > 0 || steps.length === 0 ? (
          <GoalGraph goal={goal} name={name} />
        ) : (
          <p class="hint">What is recorded is recorded on its steps.</p>
        )}
        <Facts
          facts={[
            ["Patient", <PersonLink id={goal.patientId} name={patientName(goal)} />],
            ["Status", words(goal.status)],
            ["Criterion", criterionText(goal)],
            [
              "Now",
              [standingText(goal), metText(goal), silenceText(goal)].filter(Boolean).join("; "),
            ],
            ["Recorded by", goal.metWith.map(name).join(", ")],
            ["Target", <Target goal={goal} />],
            ["Phases", phasesText(goal)],
          ]}
        />
      </section>
      {steps.length > 0 && <Steps steps={steps} />}
      {goal.points.length > 0 && (
        <section class="panel">
          <h2>The numbers</h2>
          <ListTable
            label="Points"
            columns={pointColumns(goal, name)}
            keyOf={({ startDate }) => startDate}
            rows={goal.points.toReversed()}
          />
        </section>
      )}
    </>
  );
}

/** `Baseline from Sep 7, 2026; Teaching from Sep 21, 2026` */
function phasesText({ phases, timezone }: GoalProgress): string {
  return phases
    .map(({ status, since, isAutomatic }) => {
      const from = since === null ? "" : ` from ${dateText(dateOf(since, timezone as never))}`;
      return `${phaseText(status, isAutomatic)}${from}`;
    })
    .join("; ");
}

/** The last days of a grid of steps. */
const DAYS_OF_GRID = 12;

/** The steps of a chain by the days on which something was recorded on one of them. */
function Steps({ steps }: { steps: readonly GoalProgress[] }) {
  const days = [...new Set(steps.flatMap(({ points }) => points.map(({ startDate }) => startDate)))]
    .sort()
    .slice(-DAYS_OF_GRID);
  const columns: Column<GoalProgress>[] = [
    {
      name: "Step",
      cell: ({ goalId, name }) => <a href={addressOf(["goals", goalId])}>{name}</a>,
    },
    {
      name: "Status",
      class: "date",
      cell: ({ status }) => <span class="badge">{words(status)}</span>,
    },
    ...days.map((day): Column<GoalProgress> => ({
      name: shortDateText(day),
      class: "number",
      cell: (step) => {
        const point = step.points.find(({ startDate }) => startDate === day);
        return point === undefined ? "" : valueText(point.value, step);
      },
    })),
  ];
  return (
    <section class="panel">
      <h2>Steps</h2>
      <div class="scroller">
        <ListTable label="Steps" columns={columns} keyOf={({ goalId }) => goalId} rows={steps} />
      </div>
    </section>
  );
}

function pointColumns(goal: GoalProgress, name: (id: string) => string): Column<GoalPoint>[] {
  const value = ({ value: of }: GoalPoint) => (of === null ? "–" : valueText(of, goal));
  const of = ({ count, total }: GoalPoint) =>
    total === null ? unitsText(count) : `${count} of ${total}`;
  const who = ({ providerIds }: GoalPoint) => providerIds.map(name).join(", ");
  return [
    {
      name: "When",
      cell: ({ startDate, endDate }) => daysText({ startDate, endDate } as never),
      saved: { From: ({ startDate }) => startDate, To: ({ endDate }) => endDate },
    },
    { name: "Value", class: "number", cell: value, saved: { Value: (point) => point.value } },
    {
      name: "Recorded",
      class: "number",
      cell: of,
      saved: { Count: ({ count }) => count, Total: ({ total }) => total },
    },
    {
      name: "Sessions",
      class: "number",
      cell: ({ sessions }) => sessions,
      saved: { Sessions: ({ sessions }) => sessions },
    },
    { name: "With", class: "words", cell: who, saved: { With: who } },
    {
      name: "Note",
      class: "words",
      cell: ({ state }) => STATES[state],
      saved: { Note: ({ state }) => STATES[state] },
    },
  ];
}

async function savedGoal(goal: GoalProgress) {
  const name = await readNames(peopleOf(goal));
  return { name: "goal", rows: spreadsheetOf(pointColumns(goal, name), goal.points) };
}

/** Who has delivered the sessions of a goal's points. */
function peopleOf({ points }: GoalProgress): string[] {
  return points.flatMap(({ providerIds }) => providerIds);
}
