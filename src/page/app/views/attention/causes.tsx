import { useEffect, useRef, useState } from "preact/hooks";
import { today } from "../../lib/base/dates.ts";
import { type Cause, CHECKS, STAKES } from "../../lib/attention/findings.ts";
import { type Grouping, inboxOf, type Section } from "../../lib/attention/inbox.ts";
import { countText } from "../../lib/base/format.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { type Act, actOn } from "../../lib/attention/mending.ts";
import { goTo, noteOpen, openDialog, openedDialog, wasOpen } from "../../lib/base/place.ts";
import { mayPutOnAuthorization } from "../../lib/base/rights.ts";
import type { Finding } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { GoalStep } from "../../parts/goals/goal-acts.tsx";
import { AuthorizationDialogs } from "../authorizations/authorization-dialogs.tsx";
import { FindingText, WithNamedRecords } from "./finding-text.tsx";
import { EditGoalDialog, MendDialog, PutOnDialog } from "../late-forms.ts";

/** The causes of findings as an inbox: a row each, with the one act that mends all of it. */
export function Causes(properties: {
  findings: readonly Finding[];
  by?: Grouping;
  /** Whose page it is: their name is not said again, and the dialogs of their authorizations are there. */
  of?: string;
}) {
  const { findings, by = "cause", of } = properties;
  const sections = inboxOf(findings, by, today(practiceZone()));
  const inbox = useRef<HTMLDivElement>(null);
  useFocusOnNext(inbox, sections);
  return (
    <WithNamedRecords findings={findings}>
      <Dialogs causes={sections.flatMap(({ causes }) => causes)} of={of} />
      <div ref={inbox} onKeyDown={moveAlong}>
        {sections.map(({ key, heading, personId, count, causes }) => (
          <section key={key} class="causes" aria-label={heading}>
            <h2>
              {personId === null ? heading : <PersonLink id={personId} name={heading} />}{" "}
              <small>{count}</small>
            </h2>
            <ul class="inbox">
              {causes.map((cause) => (
                <Row key={cause.key} cause={cause} of={of ?? personId ?? undefined} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </WithNamedRecords>
  );
}

/** The dialogs of the acts. */
function Dialogs({ causes, of }: { causes: readonly Cause[]; of: string | undefined }) {
  const put = openedDialog("put-on");
  // What was mended is no cause any more.
  const mended = causes.find(({ key }) => key === openedDialog("mend")?.cause);
  const patientId = ["renew", "renew-all", "edit-authorization", "edit-pool", "new-authorization"]
    .map((name) => openedDialog(name)?.patient)
    .find((id) => id !== undefined);
  return (
    <>
      {put && mayPutOnAuthorization() && <PutOnDialog about={put} />}
      {mended && <MendDialog cause={mended} />}
      {openedDialog("edit-goal") && <EditGoalDialog />}
      {patientId !== undefined && patientId !== of && (
        <AuthorizationDialogs patientId={patientId} />
      )}
    </>
  );
}

function rowsIn(inbox: Element | null): Element[] {
  return [...(inbox?.querySelectorAll(".inbox > li") ?? [])];
}

/** The place of the row that has an element; -1 if none has it. */
function rowOf(element: EventTarget | null, rows: readonly Element[]): number {
  return element instanceof Node ? rows.findIndex((row) => row.contains(element)) : -1;
}

/** Arrows go from row to row. */
function moveAlong(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const rows = rowsIn(event.currentTarget);
  const from = rowOf(event.target, rows);
  const to = by === undefined || from < 0 ? undefined : rows[from + by];
  if (to === undefined) return;
  event.preventDefault();
  focusRow(to);
}

function focusRow(row: Element | undefined): void {
  row?.querySelector<HTMLElement>(".sentence")?.focus();
}

/** When the row with the focus is mended, the next one has it. */
function useFocusOnNext(
  inbox: { current: HTMLElement | null },
  sections: readonly Section[],
): void {
  const left = useRef(-1);
  const count = sections.flatMap(({ causes }) => causes).length;
  const before = useRef(count);
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      left.current = rowOf(target, rowsIn(inbox.current));
    };
    const { current } = inbox;
    current?.addEventListener("focusin", note);
    return () => current?.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement?.matches("main h1");
    if (count < before.current && left.current >= 0 && isLost) {
      const rows = rowsIn(inbox.current);
      focusRow(rows[Math.min(left.current, rows.length - 1)]);
    }
    before.current = count;
  }, [count]);
}

function Row({ cause, of }: { cause: Cause; of: string | undefined }) {
  const { key, check, person, patients, findings, sentence } = cause;
  const [isOpen, setOpen] = useState(() => wasOpen(key));
  const [first] = findings as [Finding];
  const by = first.providerId === person?.id ? "provider" : "patient";
  const { short, stake } = CHECKS[check];
  return (
    <li class={isOpen ? "open" : undefined}>
      <i class={`stake ${stake}`} role="img" aria-label={STAKES[stake]} title={STAKES[stake]} />
      <span class="kind">{short}</span>
      <p class="what">
        {person !== null && person.id !== of && <PersonLink id={person.id} name={person.name} />}{" "}
        <button
          type="button"
          class="sentence"
          aria-expanded={isOpen}
          onClick={() => {
            noteOpen(key, !isOpen);
            setOpen(!isOpen);
          }}
        >
          {sentence}
          {patients.length > 0 && <small> {patients.join(", ")}</small>}
        </button>
      </p>
      <ActButton act={actOn(cause)} />
      {isOpen && (
        <ul class="ones" aria-label={countText(findings.length, "finding")}>
          {findings.map((finding, index) => (
            <li key={index}>
              <FindingText finding={finding} by={by} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** What mends all findings of a cause; nothing for who may not. */
export function ActButton({ act }: { act: Act | undefined }) {
  return (
    <span class="mend">
      {act !== undefined &&
        ("status" in act ? (
          <GoalStep {...act} />
        ) : (
          <Button
            onClick={() =>
              "address" in act ? goTo(act.address) : openDialog(act.dialog, act.about)
            }
          >
            {act.name}
          </Button>
        ))}
    </span>
  );
}
