import { type Bookable, withOutsideTerm } from "../../lib/authorizations/authorizations.ts";
import { useDraft } from "../../lib/base/draft.ts";
import type { Days } from "../../lib/authorizations/outlook.ts";
import { closeDialog, openDialog, openedDialog } from "../../lib/base/place.ts";
import {
  bookText,
  isPlanned,
  NOTHING,
  onAuthorization,
  type Plan,
  whatIfOf,
} from "../../lib/session/plan.ts";
import { useResponse } from "../../lib/base/response.ts";
import { mayPlan } from "../../lib/base/rights.ts";
import { askWhatIf } from "../../lib/authorizations/summary.ts";
import type { SummarySeries, UtilizationSummary } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Field } from "../../parts/base/field.tsx";
import { AddSessions } from "./add-sessions.tsx";
import { BookedWeeks } from "./booked-weeks.tsx";
import { BookingDialog } from "./booking.tsx";
import { UsualWeek, usualWeeksOf } from "./long-period.tsx";
import { Outcome } from "./what-if-outcome.tsx";

/**
 * The what-if: sessions are added by dragging in a week or with a form, and booked ones are selected to be
 * cancelled. The API calculates the periods. Nothing is written until the sessions are booked.
 */
export function WhatIfPanel(properties: {
  /** Those that can be booked on, at least one. */
  authorizations: readonly [Bookable, ...Bookable[]];
  summary: UtilizationSummary;
  /** The one that is shown: of an authorization, or of the whole pool. */
  series: SummarySeries;
  /** Undefined until they are known. */
  days: Days | undefined;
}) {
  const { authorizations, summary, series, days } = properties;
  const { patientId, timezone: zone } = summary;
  const chosen = series.authorizationId ?? undefined;
  const name = `What-if ${authorizations[0].id} ${chosen}`;
  const bookable = (id: string | undefined): Bookable =>
    authorizations.find((each) => each.id === id) ?? authorizations[0];
  const [draft, setPlan] = useDraft<Plan>(name, {
    ...{ authorization: bookable(chosen), patientId, zone, ...NOTHING },
  });
  // As it is now; a change of its term, say, is one of the plan.
  const plan = { ...draft, authorization: bookable(draft.authorization.id) };
  const { id } = plan.authorization;
  const changes = whatIfOf(plan);
  const question = isPlanned(plan) ? JSON.stringify([id, changes]) : undefined;
  const response = useResponse(question, (reading) => askWhatIf(id, changes, reading));
  const outcome = isPlanned(plan) ? response.value : undefined;
  const weeks = days && usualWeeksOf({ summary, series, days }, outcome);

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
            onType={(next) => setPlan(onAuthorization(plan, bookable(next)))}
          />
        )}
      </div>
      <p class="hint">
        Drag sessions out in the week, or type them; choose a booked one to see what cancelling it
        would free. Nothing is booked or changed until you confirm.
      </p>
      {weeks && <UsualWeek weeks={weeks} />}
      <AddSessions name={name} plan={plan} onChange={setPlan} />
      <div class="what-if-body">
        <div>
          <BookedWeeks plan={plan} onChange={setPlan} />
        </div>
        <div class="outcome">
          {isPlanned(plan) && (
            <Outcome response={response} weeks={weeks} plan={plan} onChange={setPlan} />
          )}
          {isPlanned(plan) && mayPlan() && (
            <Button class="primary" onClick={() => openDialog("book")}>
              {bookText(plan)}…
            </Button>
          )}
        </div>
      </div>
      {isPlanned(plan) && openedDialog("book") && (
        <BookingDialog
          plan={plan}
          onDone={() => {
            closeDialog();
            setPlan({ ...plan, ...NOTHING });
          }}
        />
      )}
    </section>
  );
}
