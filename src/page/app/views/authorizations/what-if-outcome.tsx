import type { ResponseState } from "../../lib/base/response.ts";
import { isPlanOver } from "../../lib/authorizations/outlook.ts";
import { rangeText, unitsText, whenText } from "../../lib/base/format.ts";
import {
  outsideOf,
  type Plan,
  reasonsOf,
  withoutAdded,
  withToggled,
} from "../../lib/session/plan.ts";
import type { WhatIf } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Bar } from "../../parts/authorizations/bar.tsx";
import { ResponseView } from "../../parts/base/notices.tsx";
import type { UsualWeeks } from "./long-period.tsx";

/** The changes of a what-if, and their result. */

type WhatIfPeriods = WhatIf["periods"];

export function Outcome(properties: {
  response: ResponseState<WhatIf>;
  weeks: UsualWeeks | undefined;
  plan: Plan;
  onChange: (plan: Plan) => void;
}) {
  const { response, weeks, plan, onChange } = properties;
  const outside = response.isLoading ? [] : (response.value?.outside ?? []);
  return (
    <>
      <div class="verdict" aria-live="polite">
        <ResponseView response={response}>
          {(outcome) => <Verdict outcome={outcome} weeks={weeks} />}
        </ResponseView>
      </div>
      <Changes plan={plan} outside={outside} onChange={onChange} />
    </>
  );
}

function Changes(properties: {
  plan: Plan;
  /** Indexes of added sessions outside the authorization's dates. */
  outside: number[];
  onChange: (plan: Plan) => void;
}) {
  const { plan, outside, onChange } = properties;
  const { added, cancelled, zone } = plan;
  return (
    <ul class="changes" aria-label="Changes">
      {added.map((session, index) => (
        <li key={index}>
          <span>
            Add {whenText(session, zone)}
            {outside.includes(index) && <em class="share-over"> {outsideOf(plan, session)}</em>}
          </span>
          <Button onClick={() => onChange(withoutAdded(plan, index))}>Remove</Button>
        </li>
      ))}
      {cancelled.map((session) => (
        <li key={session.publicId}>
          <span>Cancel {whenText(session, zone)}</span>
          <Button onClick={() => onChange(withToggled(plan, session))}>Keep it</Button>
        </li>
      ))}
    </ul>
  );
}

function Verdict({ outcome, weeks }: { outcome: WhatIf; weeks: UsualWeeks | undefined }) {
  const { fits, periods, poolPeriods } = outcome;
  const isTooMuch = weeks !== undefined && isPlanOver(weeks.outlook);
  const verdict = !fits
    ? "✕ It does not fit"
    : isTooMuch
      ? "✕ It fits beside what is booked, and not if the usual week goes on"
      : "✓ It fits";
  return (
    <>
      <p class={fits && !isTooMuch ? "fits" : "fits-not"}>{verdict}</p>
      {!fits && (
        <ul class="reasons">
          {reasonsOf(outcome).map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {poolPeriods === null ? (
        <Effects periods={periods} noLimit="without a limit" />
      ) : (
        <>
          <h3>This authorization</h3>
          <Effects periods={periods} noLimit="without a limit of its own" />
          <h3>The whole pool</h3>
          <Effects periods={poolPeriods} noLimit="without a limit" />
        </>
      )}
    </>
  );
}

function Effects({ periods, noLimit }: { periods: WhatIfPeriods; noLimit: string }) {
  return (
    <ul class="effects">
      {periods.map((period) => (
        <Effect key={period.startDate} period={period} noLimit={noLimit} />
      ))}
    </ul>
  );
}

function Effect({ period, noLimit }: { period: WhatIfPeriods[number]; noLimit: string }) {
  const { startDate, endDate, unitsAuthorized, unitsCommitted, unitsAfter, unitsOver } = period;
  const units = {
    delivered: Math.min(unitsCommitted, unitsAfter),
    booked: Math.max(unitsAfter - unitsCommitted, 0),
    authorized: unitsAuthorized,
  };
  const limit = unitsAuthorized === null ? noLimit : `of ${unitsText(unitsAuthorized)}`;
  const label = `${unitsText(unitsCommitted)} now, ${unitsText(unitsAfter)} then, ${limit}`;
  return (
    <li>
      <span>{rangeText(startDate, endDate)}</span>
      <Bar units={units} label={label} />
      <span>
        {unitsText(unitsCommitted)} → <strong>{unitsText(unitsAfter)}</strong> {limit}
        {unitsOver > 0 && <em class="share-over"> {unitsText(unitsOver)} over</em>}
      </span>
    </li>
  );
}
