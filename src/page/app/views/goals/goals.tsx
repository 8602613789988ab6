import { withQuery } from "../../lib/base/api.ts";
import { addDays, today } from "../../lib/base/dates.ts";
import { dateText, words } from "../../lib/base/format.ts";
import {
  criterionText,
  isPast,
  lastPoint,
  metText,
  silenceText,
  standingText,
  WORKED_ON,
} from "../../lib/goals/goals.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { addressOf, openedDialog, parameter } from "../../lib/base/place.ts";
import { useGet } from "../../lib/base/response.ts";
import { causesOf, CHECKS } from "../../lib/attention/findings.ts";
import { actOn } from "../../lib/attention/mending.ts";
import { patientName, rowName } from "../../lib/person/people.ts";
import { useList } from "../../lib/base/list.ts";
import type { ChecksReport, Finding, GoalProgress, PageOf } from "../../lib/base/wire.ts";
import { Filters, PatientFilter } from "../../parts/base/filters.tsx";
import { type Column, ListTable } from "../../parts/base/list-table.tsx";
import { ListView } from "../../parts/base/list-view.tsx";
import { PartFailure } from "../../parts/base/notices.tsx";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { ActButton } from "../attention/causes.tsx";
import { GoalActs } from "../../parts/goals/goal-acts.tsx";
import { Sparkline } from "../../parts/goals/goal-graph.tsx";
import { EditGoalDialog } from "../late-forms.ts";

/** The goals that are worked on, by patient, and above them what is due. */

const DUE = "GOAL_MET,GOAL_SILENT,GOAL_NO_LONGER_MET,GOAL_PAST";
const WEEKS_SHOWN = 12;

/** The request for goals that are worked on. */
function goalsQuery(patientId?: string) {
  const startDate = addDays(today(practiceZone()), -7 * WEEKS_SHOWN);
  return { patientId, status: WORKED_ON, startDate };
}

export function Goals() {
  const patientId = parameter("patientId");
  const list = useList<PageOf<GoalProgress>>("goal-progress", goalsQuery(patientId));
  return (
    <ListView
      title="Goals"
      list={list}
      lead={() => "worked on, of the last twelve weeks"}
      isAboutPatients
      filters={
        <Filters>
          <PatientFilter />
        </Filters>
      }
      above={
        <>
          <Due patientId={patientId} />
          {openedDialog("edit-goal") && <EditGoalDialog />}
        </>
      }
      columns={[PATIENT, ...GOAL_COLUMNS]}
      keyOf={({ goalId }) => goalId}
      saveAs="goals"
      empty="No goal is worked on."
    />
  );
}

/** What is due: findings about goals, each with what mends it. */
function Due({ patientId }: { patientId: string | undefined }) {
  const response = useGet<ChecksReport>(
    withQuery("checks", { check: DUE, patientId, pageSize: 25 }),
  );
  const { data = [], pagination } = response.value ?? {};
  if (response.failure !== undefined) return <PartFailure response={response} what="What is due" />;
  if (pagination === undefined || data.length === 0) return null;
  return (
    <details class="panel due" open={data.length <= 6}>
      <summary>
        Due <small>{pagination.totalCount}</small>
      </summary>
      <ul>
        {causesOf(data).map((cause) => {
          const [finding] = cause.findings as [Finding];
          return (
            <li key={cause.key}>
              <span class="badge">{CHECKS[finding.check].name}</span>{" "}
              <a href={addressOf(["goals", finding.goalId ?? ""])}>
                <bdi>{rowName(finding, "patient")}</bdi>
              </a>{" "}
              {cause.sentence} <ActButton act={actOn(cause)} />
            </li>
          );
        })}
      </ul>
    </details>
  );
}

const PATIENT: Column<GoalProgress> = {
  name: "Patient",
  cell: (goal) => <PersonLink id={goal.patientId} name={patientName(goal)} />,
  saved: { Patient: patientName },
};

const GOAL_COLUMNS: Column<GoalProgress>[] = [
  {
    name: "Goal",
    class: "wide words",
    cell: (goal) => (
      <>
        <a class="subject" href={addressOf(["goals", goal.goalId])}>
          <bdi>{goal.name}</bdi>
        </a>
        {[metText(goal), silenceText(goal)].map(
          (text) =>
            text !== undefined && (
              <div key={text} class="hint">
                {text}
              </div>
            ),
        )}
      </>
    ),
    saved: { Goal: ({ name }) => name },
  },
  {
    name: "Status",
    class: "date",
    cell: ({ status, phases }) => (
      <>
        <span class="badge">{words(status)}</span>
        {phases.at(-1)?.isAutomatic && <small> by itself</small>}
      </>
    ),
    saved: { Status: ({ status }) => words(status) },
  },
  { name: "Last 12 weeks", class: "date", cell: (goal) => <Sparkline goal={goal} /> },
  {
    name: "Last value",
    class: "wide words",
    cell: standingText,
    saved: { "Last value": (goal) => lastPoint(goal)?.value ?? null, Criterion: criterionText },
  },
  {
    name: "Target",
    class: "date",
    cell: (goal) => <Target goal={goal} />,
    saved: { Target: ({ targetDate }) => targetDate },
  },
  { name: "", class: "actions", cell: (goal) => <GoalActs goal={goal} /> },
];

/** A target date, red once it is past. */
export function Target({ goal }: { goal: GoalProgress }) {
  if (goal.targetDate === null) return <>–</>;
  return <span class={isPast(goal) ? "share-over" : undefined}>{dateText(goal.targetDate)}</span>;
}

/** The goals of a person's page. */
export function GoalsOf({ patientId }: { patientId: string }) {
  const response = useGet<PageOf<GoalProgress>>(
    withQuery("goal-progress", { ...goalsQuery(patientId), pageSize: 50 }),
  );
  if (response.failure !== undefined) return <PartFailure response={response} what="The goals" />;
  if (response.value === undefined) return null;
  const {
    data,
    pagination: { totalCount },
  } = response.value;
  if (data.length === 0) return null;
  return (
    <section class="panel">
      <h2>
        <a href={addressOf(["goals"], { patientId })}>
          {data.length < totalCount ? `All ${totalCount} goals` : "Goals"}
        </a>
      </h2>
      <ListTable
        label="Goals"
        columns={GOAL_COLUMNS.slice(0, -1)}
        keyOf={({ goalId }) => goalId}
        rows={data}
      />
    </section>
  );
}
