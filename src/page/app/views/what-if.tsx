import { withOutsideTerm } from "../lib/authorizations.ts";
import { type DateRange, instantAt, type TimeZone } from "../lib/dates.ts";
import { useDraft } from "../lib/draft.ts";
import { closeDialog, openDialog, openedDialog } from "../lib/place.ts";
import { useResponse } from "../lib/response.ts";
import { mayPlan } from "../lib/rights.ts";
import { askWhatIf } from "../lib/summary.ts";
import type { Session, WhatIf } from "../lib/wire.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import type { Stretch } from "../parts/week-grid.tsx";
import { AddSessions } from "./add-sessions.tsx";
import { BookedWeeks } from "./booked-weeks.tsx";
import { BookingDialog, bookText } from "./booking.tsx";
import { UsualWeek, type UsualWeeks } from "./long-period.tsx";
import { type Added, Outcome, type Plan } from "./what-if-outcome.tsx";

/** What is planned, before it is booked. */
interface Draft {
  /** Of the authorization. */
  id: string;
  added: Added[];
  cancelled: Session[];
  /** The smallest sequence of the weeks that showed the cancelled ones; undefined without any. */
  since: number | undefined;
}

const NOTHING = { added: [], cancelled: [], since: undefined };

/**
 * The what-if: sessions are added by dragging in a week or with a form, and booked ones are selected to be
 * cancelled. The API calculates the periods. Nothing is written until the sessions are booked.
 */
export function WhatIfPanel(properties: {
  /** The authorizations that can be booked on, with the names of their services. */
  authorizations: { id: string; serviceLine: string; name: string; term: DateRange | undefined }[];
  patientId: string;
  /** The selected one; in a pool, one must be selected. */
  chosen: string | undefined;
  zone: TimeZone;
  /** How the term goes on with what a plan changes; undefined until that is known. */
  usualWeeks: ((outcome: WhatIf | undefined) => UsualWeeks | undefined) | undefined;
}) {
  const { authorizations, patientId, zone, usualWeeks } = properties;
  const name = `What-if ${authorizations[0]?.id} ${properties.chosen}`;
  const [draft, setDraft] = useDraft<Draft>(name, {
    id: properties.chosen ?? authorizations[0]?.id ?? "",
    ...NOTHING,
  });
  const { id, added, cancelled, since } = draft;
  const term = authorizations.find((authorization) => authorization.id === id)?.term;
  const isPlanned = added.length + cancelled.length > 0;

  const choose = (next: string): void => setDraft({ ...NOTHING, id: next, added });
  const add = (stretches: Stretch[]): void => {
    const more = stretches.map(({ day, from, to }) => ({
      startTime: instantAt(day, from, zone),
      endTime: instantAt(day, to, zone),
    }));
    setDraft({ ...draft, added: [...added, ...more] });
  };
  const plan: Plan = {
    added,
    cancelled,
    since,
    onRemove: (index) => setDraft({ ...draft, added: added.toSpliced(index, 1) }),
    onToggle(session, sequence) {
      const rest = cancelled.filter(({ publicId }) => publicId !== session.publicId);
      const chosen = rest.length < cancelled.length ? rest : [...cancelled, session];
      const smallest = sequence === undefined ? since : Math.min(since ?? sequence, sequence);
      setDraft({ ...draft, cancelled: chosen, since: chosen.length > 0 ? smallest : undefined });
    },
  };

  const changes = { timezone: zone, add: added, cancel: cancelled.map(({ publicId }) => publicId) };
  const question = isPlanned ? JSON.stringify([id, changes]) : undefined;
  const response = useResponse(question, (signal) => askWhatIf(id, changes, signal));
  const weeks = usualWeeks?.(isPlanned ? response.value : undefined);

  return (
    <section class="panel what-if" aria-labelledby="what-if">
      <div class="list-head">
        <h2 id="what-if">Would more sessions fit?</h2>
        {authorizations.length > 1 && (
          <Field
            class="inline"
            label="Booked on"
            value={id}
            choices={authorizations.map((each) => ({
              value: each.id,
              name: withOutsideTerm(each.name, each.term, zone),
            }))}
            onType={choose}
          />
        )}
      </div>
      <p class="hint">
        Drag sessions out in the week, or type them; choose a booked one to see what cancelling it
        would free. Nothing is booked or changed until you confirm.
      </p>
      {weeks && <UsualWeek weeks={weeks} />}
      <AddSessions name={name} zone={zone} term={term} onAdd={add} />
      <div class="what-if-body">
        <div>
          <BookedWeeks {...{ id, zone, term, plan }} onDrag={(stretch) => add([stretch])} />
        </div>
        <div class="outcome">
          {isPlanned && (
            <Outcome response={response} weeks={weeks} zone={zone} term={term} plan={plan} />
          )}
          {isPlanned && mayPlan() && (
            <Button class="primary" onClick={() => openDialog("book")}>
              {bookText(plan)}…
            </Button>
          )}
        </div>
      </div>
      {isPlanned && openedDialog("book") && (
        <BookingDialog
          authorizationId={id}
          serviceLine={authorizations.find((each) => each.id === id)?.serviceLine ?? ""}
          patientId={patientId}
          plan={plan}
          zone={zone}
          onDone={() => {
            closeDialog();
            setDraft({ id, ...NOTHING });
          }}
        />
      )}
    </section>
  );
}
