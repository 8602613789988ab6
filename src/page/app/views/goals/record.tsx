import { useEffect, useState } from "preact/hooks";
import { get, getAll, type Reading } from "../../lib/base/api.ts";
import { whenText, words } from "../../lib/base/format.ts";
import { newId } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { serverClock } from "../../lib/base/server-clock.ts";
import { useRemembered } from "../../lib/base/response.ts";
import { pathOf } from "../../lib/goals/changes.ts";
import { WORKED_ON } from "../../lib/goals/goals.ts";
import { endOf, isLate, tallyOf, timeIn } from "../../lib/goals/recording.ts";
import {
  entriesText,
  type Entry,
  outbox,
  outboxChanges,
  type Waiting,
} from "../../lib/goals/outbox.ts";
import { keptForPerson } from "../../lib/sign-in/signed-in.ts";
import { getSession } from "../../lib/session/sessions.ts";
import type { GoalProgress, GoalSummary, OpportunityGoal, Session } from "../../lib/base/wire.ts";
import { saveText } from "../../lib/base/download.ts";
import { Button } from "../../parts/base/button.tsx";
import { Field } from "../../parts/base/field.tsx";
import { Empty, ResponseView } from "../../parts/base/notices.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";

/** Recording a session's data, by one tap each, with or without a network. */

interface Card {
  goal: GoalProgress;
  settings: Settings;
}

/** What is offered on a card. */
type Settings = GoalSummary | OpportunityGoal;

interface Work {
  session: Session;
  cards: Card[];
}

/** Whose goals these are stands in the session, what is offered in the goals, and of a step in the whole of its chain. */
async function readWork(id: string, reading?: Reading): Promise<Work> {
  const session = await getSession(id, reading);
  const patientId = session.clientId ?? "";
  const [progress, goals] = await Promise.all([
    getAll<GoalProgress>("goal-progress", { patientId, status: WORKED_ON }, reading),
    getAll<GoalSummary>("goals", { patientId }, reading),
  ]);
  const hasSteps = progress.some(({ parentGoalId }) => parentGoalId !== null);
  const chains = goals.filter((goal) => "childGoalIds" in goal && goal.childGoalIds.length > 0);
  const trees = (hasSteps ? chains : []).map(({ publicId }) =>
    get<OpportunityGoal>(pathOf(publicId), reading),
  );
  const all: Settings[] = [...goals, ...(await Promise.all(trees)).flatMap(withSteps)];
  const settings = new Map(all.map((goal) => [goal.publicId, goal]));
  // A chain may be recorded on its steps alone.
  const isRecorded = ({ goalId, lastRecordedAt }: GoalProgress): boolean =>
    lastRecordedAt !== null || !progress.some(({ parentGoalId }) => parentGoalId === goalId);
  const cards = progress.filter(isRecorded).flatMap((goal) => {
    const own = settings.get(goal.goalId);
    return own === undefined ? [] : [{ goal, settings: own }];
  });
  return { session, cards };
}

function withSteps(goal: OpportunityGoal): OpportunityGoal[] {
  return [goal, ...goal.childGoals.flatMap(withSteps)];
}

export function Record({ id }: { id: string }) {
  const response = useRemembered(`record ${id}`, (reading) => readWork(id, reading));
  const session = response.value?.session;
  return (
    <main class="recording">
      <ViewHeader
        title="Record"
        lead={session === undefined ? "" : whenText(session, practiceZone())}
        isAboutPatients
      />
      <Outgoing />
      <ResponseView response={response}>
        {(work) =>
          work.cards.length === 0 ? (
            <Empty>No goal of this patient is worked on.</Empty>
          ) : (
            <Cards {...work} />
          )
        }
      </ResponseView>
    </main>
  );
}

/** What is not sent yet, and what was refused. */
function Outgoing() {
  outboxChanges.value;
  const { unsent = [], refused = [] } = outbox.value ?? {};
  return (
    <div role="status">
      {unsent.length > 0 && (
        <p class="hint">
          {entriesText(unsent.length)} kept on this device, and sent as soon as possible.{" "}
          <Button class="link" onClick={() => outbox.value?.hurry()}>
            Send now
          </Button>
        </p>
      )}
      {refused.length > 0 && (
        <div class="notice failure">
          <p>
            {entriesText(refused.length)} {refused.length === 1 ? "was" : "were"} refused:{" "}
            {refused[0]?.refused}
          </p>
          <Button onClick={() => saveText("refused-entries.txt", textOf(refused))}>
            Save as text
          </Button>{" "}
          <Button onClick={() => outbox.value?.forgetRefused()}>Forget</Button>
        </div>
      )}
    </div>
  );
}

function textOf(entries: readonly Waiting[]): string {
  return entries.map((each) => JSON.stringify(each)).join("\n");
}

/** What was recorded in this view, so that the last entry can be taken back. */
interface Recorded {
  goalId: string;
  entry: Entry;
}

function Cards({ session, cards }: Work) {
  const [open, setOpen] = useState(cards[0]?.goal.goalId);
  // A stopwatch goes on while another card is open.
  const [opened, setOpened] = useState<ReadonlySet<string | undefined>>(
    new Set([open, ...stopwatches.keys()]),
  );
  const [recorded, setRecorded] = useState<readonly Recorded[]>([]);
  const [isEnding, setEnding] = useState(false);
  const [unwatched, setUnwatched] = useState<ReadonlySet<string>>(new Set());
  const add = (goalId: string, fields: Fields): void => {
    const entry = { publicId: newId("rec_"), ...fields };
    // Kept before anything else.
    outbox.value?.add(goalId, entry);
    setRecorded([...recorded, { goalId, entry }]);
  };
  const undo = (last: Recorded): void => {
    setRecorded(recorded.filter((each) => each !== last));
    outbox.value?.undo(last.goalId, last.entry);
  };
  const silent = cards.filter(
    ({ goal }) =>
      goal.type === "frequency_duration" &&
      !unwatched.has(goal.goalId) &&
      !recorded.some(({ goalId }) => goalId === goal.goalId) &&
      (goal.lastRecordedAt ?? "") < session.startTime,
  );
  return (
    <>
      {isLate(session) && (
        <p class="hint">The session is over: what you note is recorded at its end.</p>
      )}
      {cards.map((card) => {
        const { goal } = card;
        const own = recorded.filter(({ goalId }) => goalId === goal.goalId);
        const last = own.at(-1);
        const isOpen = open === goal.goalId;
        return (
          <section key={goal.goalId} class="panel">
            <h2>
              <Button
                class="link"
                aria-expanded={isOpen}
                onClick={() => {
                  setOpen(isOpen ? undefined : goal.goalId);
                  setOpened(new Set([...opened, goal.goalId]));
                }}
              >
                <bdi>{goal.name}</bdi>
              </Button>{" "}
              <small>{words(goal.status)}</small>
            </h2>
            {opened.has(goal.goalId) && (
              <div hidden={!isOpen}>
                <Taps
                  {...card}
                  own={own}
                  at={(moment) => timeIn(session, moment)}
                  add={(fields) => add(goal.goalId, fields)}
                />
                <p class="hint">
                  {tallyOf(
                    goal,
                    own.map(({ entry }) => entry),
                  )}{" "}
                  {last !== undefined && (
                    <Button class="link" onClick={() => undo(last)}>
                      Undo
                    </Button>
                  )}
                </p>
              </div>
            )}
          </section>
        );
      })}
      <Button onClick={() => setEnding(!isEnding)}>End of session</Button>
      {isEnding && (
        <section class="panel">
          <h2>Behaviors without an entry</h2>
          {silent.length === 0 && <p class="hint">None.</p>}
          {silent.map(({ goal: { goalId, name } }) => (
            <div key={goalId}>
              <p>
                <bdi>{name}</bdi>
              </p>
              <div class="taps">
                <Button onClick={() => add(goalId, { quantity: 0, happenedAt: endOf(session) })}>
                  Did not happen
                </Button>
                <Button onClick={() => setUnwatched(new Set([...unwatched, goalId]))}>
                  Not watched
                </Button>
              </div>
            </div>
          ))}
        </section>
      )}
    </>
  );
}

type Fields = Record<string, unknown>;

interface TapsProperties extends Card {
  own: readonly Recorded[];
  /** When something happened, at a moment or now. */
  at: (moment?: number) => string;
  add: (fields: Fields) => void;
}

function Taps({ goal, settings, own, at, add }: TapsProperties) {
  if (settings.type === "opportunity")
    return (
      <div class="taps">
        {settings.enabledOutcomes.map((outcome) => (
          <Button key={outcome} onClick={() => add({ outcome, happenedAt: at() })}>
            {words(outcome)}
          </Button>
        ))}
      </div>
    );
  if (settings.type === "frequency_duration") {
    const hasDuration = /DURATION/.test(settings.dataCollectionType ?? "");
    return <BehaviorTaps {...{ hasDuration, goal, at, add }} />;
  }
  if (settings.type === "rating") return <RatingTaps {...{ own, goal, at, add }} />;
  return <IntervalTaps {...{ settings, at, add }} />;
}

/** When the stopwatches that run were started, by goal: they go on behind other views, and over a lock. */
const stopwatches = new Map<string, number>();
keptForPerson(() => stopwatches.clear());

/** One more; where durations are kept, from the start of a stopwatch to its stop. */
function BehaviorTaps({
  hasDuration,
  goal: { goalId },
  at,
  add,
}: Pick<TapsProperties, "goal" | "at" | "add"> & { hasDuration: boolean }) {
  const [begun, setBegun] = useState(stopwatches.get(goalId));
  const note = (moment?: number): void => {
    if (moment) stopwatches.set(goalId, moment);
    else stopwatches.delete(goalId);
    setBegun(moment);
  };
  const [antecedent, setAntecedent] = useState("");
  const [consequence, setConsequence] = useState("");
  const seconds = useSeconds(begun);
  const one = (fields: Fields): void => {
    add({
      ...{ quantity: 1, happenedAt: at(), ...fields },
      ...(antecedent !== "" && { antecedent }),
      ...(consequence !== "" && { consequence }),
    });
    setAntecedent("");
    setConsequence("");
  };
  return (
    <>
      <div class="taps">
        {hasDuration ? (
          begun === undefined ? (
            <Button class="primary" onClick={() => note(serverClock.now())}>
              Start
            </Button>
          ) : (
            <Button
              class="primary"
              onClick={() => {
                one({
                  happenedAt: at(begun),
                  durationSeconds: Math.round(secondsSince(begun)),
                });
                note();
              }}
            >
              Stop · {seconds} s
            </Button>
          )
        ) : (
          <Button class="primary" onClick={() => one({})}>
            +1
          </Button>
        )}
      </div>
      <details>
        <summary>More</summary>
        <Field label="Antecedent" value={antecedent} onType={setAntecedent} />
        <Field label="Consequence" value={consequence} onType={setConsequence} />
      </details>
    </>
  );
}

/** The seconds since a moment, counted on. */
function useSeconds(begun: number | undefined): number {
  const [, tick] = useState(0);
  useEffect(() => {
    if (begun === undefined) return;
    const timer = setInterval(() => tick((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, [begun]);
  return begun === undefined ? 0 : Math.floor(secondsSince(begun));
}

/** None where the clock of the device was set back meanwhile. */
function secondsSince(begun: number): number {
  return Math.max(0, (serverClock.now() - begun) / 1000);
}

/** The numbers that were used before, or another one. */
function RatingTaps({ goal, own, at, add }: Omit<TapsProperties, "settings">) {
  const [other, setOther] = useState("");
  const used = [
    ...goal.points.flatMap(({ value, count }) => (count === 1 && value !== null ? [value] : [])),
    ...own.map(({ entry }) => Number(entry.value)),
  ];
  const values = [...new Set(used)].sort((a, b) => a - b).slice(0, 12);
  const rate = (value: number): void => add({ value, happenedAt: at() });
  return (
    <>
      <div class="taps">
        {values.map((value) => (
          <Button key={value} onClick={() => rate(value)}>
            {value}
          </Button>
        ))}
      </div>
      <Field label="A number" type="number" value={other} onType={setOther} />
      <Button
        disabled={other.trim() === "" || Number.isNaN(Number(other))}
        onClick={() => {
          rate(Number(other));
          setOther("");
        }}
      >
        Record
      </Button>
    </>
  );
}

interface Intervals {
  settings: Extract<GoalSummary, { type: "interval" }>;
}

/** A set of intervals with a timer: yes or no for each, the rest no. */
function IntervalTaps({ settings, at, add }: Pick<TapsProperties, "at" | "add"> & Intervals) {
  const [begun, setBegun] = useState<number>();
  const [yes, setYes] = useState<ReadonlySet<number>>(new Set());
  const seconds = useSeconds(begun);
  const {
    intervalQuantity: quantity,
    intervalDuration: duration,
    intervalRecordingType,
  } = settings;
  const place = Math.min(quantity - 1, Math.floor(seconds / duration));
  const isOver = seconds >= quantity * duration;
  if (begun === undefined)
    return (
      <div class="taps">
        <Button class="primary" onClick={() => setBegun(serverClock.now())}>
          Start {quantity} × {duration} s ({words(intervalRecordingType).toLowerCase()})
        </Button>
      </div>
    );
  const finish = (): void => {
    const intervals = Array.from({ length: quantity }, (_, index) => yes.has(index));
    add({ startedAt: at(begun), intervals });
    setBegun(undefined);
    setYes(new Set());
  };
  return (
    <>
      <p role="status">
        {isOver
          ? "The set is over."
          : `Interval ${place + 1} of ${quantity}, ${Math.ceil((place + 1) * duration - seconds)} s`}
      </p>
      <div class="taps">
        {[true, false].map((isYes) => (
          <Button
            key={String(isYes)}
            aria-pressed={yes.has(place) === isYes}
            disabled={isOver}
            onClick={() => {
              const marked = new Set(yes);
              marked[isYes ? "add" : "delete"](place);
              setYes(marked);
            }}
          >
            {isYes ? "Yes" : "No"}
          </Button>
        ))}
        <Button class="primary" onClick={finish}>
          {isOver ? "Keep the set" : "End here, the rest no"}
        </Button>
      </div>
    </>
  );
}
