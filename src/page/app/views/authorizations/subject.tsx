import { useRemembered } from "../../lib/base/response.ts";
import {
  authorizationsIn,
  termOf,
  withOutsideTerm,
} from "../../lib/authorizations/authorizations.ts";
import { type CalendarDate, coversDay, today } from "../../lib/base/dates.ts";
import { rangeText, shareText, words, zoneText } from "../../lib/base/format.ts";
import { isCut, periodOf } from "../../lib/authorizations/periods.ts";
import { patientName } from "../../lib/person/people.ts";
import {
  addressOf,
  addressWith,
  openDialog,
  parameter,
  parameters,
  place,
} from "../../lib/base/place.ts";
import { mayPutOnAuthorization, mayWrite } from "../../lib/base/rights.ts";
import { readSummary } from "../../lib/authorizations/summary.ts";
import { balanceText, unitsOf } from "../../lib/authorizations/units.ts";
import type { Frequency, SummarySeries, UtilizationSummary } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Bar } from "../../parts/authorizations/bar.tsx";
import { Choices, isTable, ShowAs } from "../../parts/base/choices.tsx";
import { DaysFilter, Filters, ZoneFilter } from "../../parts/base/filters.tsx";
import { Legend, UNIT_KEYS } from "../../parts/base/legend.tsx";
import { More } from "../../parts/base/more.tsx";
import { ResponseView, Empty } from "../../parts/base/notices.tsx";
import { OutsideTerm } from "../../parts/authorizations/outside-term.tsx";
import { PeriodChart } from "../../parts/authorizations/period-chart.tsx";
import { ListTable } from "../../parts/base/list-table.tsx";
import { unitColumns } from "../../parts/authorizations/unit-columns.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import { AuthorizationDialogs } from "./authorization-dialogs.tsx";
import { LongPeriod, useDays } from "./long-period.tsx";
import { OutsideLines } from "./outside.tsx";
import { WhatCounts } from "./what-counts.tsx";
import { WhatIfPanel } from "./what-if.tsx";

/** One authorization or pool: its periods in a window, and the what-if. */

const PARAMETERS = ["startDate", "endDate", "timezone"] as const;

export function Subject({ id }: { id: string }) {
  const window = parameters(PARAMETERS);
  const response = useRemembered(JSON.stringify([id, window]), (reading) =>
    readSummary(id, window, reading),
  );
  const summary = response.value;
  return (
    <main>
      <Heading id={id} summary={summary} />
      <Window summary={summary} />
      {summary !== undefined && <OutsideLines summary={summary} />}
      <ResponseView response={response}>{(shown) => <Periods summary={shown} />}</ResponseView>
    </main>
  );
}

function Heading({ id, summary }: { id: string; summary: UtilizationSummary | undefined }) {
  if (summary === undefined) return <ViewHeader title="Utilization" lead={<code>{id}</code>} />;
  const { series, poolId, subject, patientId, payorName, timezone } = summary;
  const [own] = series;
  const { serviceLineName, authorizationNumber, authorizationStatus } = own ?? {};
  const term = termOf(summary);
  return (
    <ViewHeader
      title={<bdi>{patientName(summary)}</bdi>}
      lead={
        <>
          {[
            serviceLineName ?? "Shared pool",
            payorName,
            authorizationNumber,
            authorizationStatus && words(authorizationStatus),
            term && rangeText(term.startDate, term.endDate),
          ]
            .filter(Boolean)
            .join(" · ")}
          <OutsideTerm term={term} zone={timezone} />
        </>
      }
    >
      <nav class="actions" aria-label="About this patient">
        <a class="button" href={addressOf(["people", patientId])}>
          Record
        </a>
        <a class="button" href={addressOf(["schedule"], { whose: "patient", person: patientId })}>
          Schedule
        </a>
        {mayPutOnAuthorization() && own?.authorizationId != null && (
          <Button onClick={() => openDialog("take-over", { id })}>Take over sessions of…</Button>
        )}
        {mayWrite("authorization") && (
          <>
            <Button
              onClick={() =>
                openDialog(subject === "POOL" ? "edit-pool" : "edit-authorization", { id })
              }
            >
              Edit
            </Button>
            {poolId === null && <Button onClick={() => openDialog("renew", { id })}>Renew</Button>}
          </>
        )}
      </nav>
      <AuthorizationDialogs patientId={patientId} />
    </ViewHeader>
  );
}

function Window({ summary }: { summary: UtilizationSummary | undefined }) {
  const periods = summary?.series[0]?.periods ?? [];
  const [first, last] = [periods[0], periods.at(-1)];
  return (
    <Filters label="Window">
      <DaysFilter shown={first && last ? { ...first, endDate: last.endDate } : {}} />
      <More of={["timezone"]}>
        <ZoneFilter placeholder={summary?.timezone ?? "The patient’s own"} />
      </More>
      {PARAMETERS.some((name) => place.value.query.has(name)) && (
        <a
          class="button"
          href={addressWith({ startDate: undefined, endDate: undefined, timezone: undefined })}
        >
          Usual window
        </a>
      )}
      <ShowAs picture="Chart" />
    </Filters>
  );
}

function Periods({ summary }: { summary: UtilizationSummary }) {
  const { series, poolId, publicId, timezone: zone, unitFrequency: frequency } = summary;
  const wanted = parameter("of");
  const shown = series.find(({ authorizationId }) => authorizationId === wanted) ?? series[0];
  const [bookable, ...others] = authorizationsIn(summary);
  const day = today(zone);
  const [first, last] = [shown?.periods[0], shown?.periods.at(-1)];
  const days = useDays(summary, shown);
  const isLong = frequency === "TOTAL" || frequency === "YEARLY";
  const isLimitedByPool = shown?.authorizationId !== null && shown?.unitsAuthorized === null;
  return (
    <>
      <section class="panel" aria-label="Periods">
        <div class="list-head">
          {series.length > 1 && <SeriesChoice summary={summary} shown={shown} />}
          {first && last && (
            <p class="lead">
              {rangeText(first.startDate, last.endDate)} · {zoneText(zone)}
            </p>
          )}
        </div>
        {shown === undefined || shown.periods.length === 0 ? (
          <Empty>It is not in effect on any day of this window.</Empty>
        ) : (
          <>
            <Now series={shown} frequency={frequency} day={day} />
            {isLimitedByPool && (
              <p class="hint">
                It has no limit of its own; the limit of {poolId === null ? "the" : "its"}{" "}
                {poolId === null ? "pool" : <a href={addressOf(["utilization", poolId])}>pool</a>}{" "}
                applies.
              </p>
            )}
            {isTable() ? (
              <Numbers series={shown} frequency={frequency} day={day} />
            ) : isLong && days !== undefined ? (
              <LongPeriod summary={summary} series={shown} days={days} />
            ) : (
              <>
                <PeriodChart series={shown} frequency={frequency} today={day} />
                <Legend keys={[...UNIT_KEYS, ["key-cut", "Cut short"]]} />
              </>
            )}
          </>
        )}
      </section>
      <WhatCounts key={`ledger ${publicId}`} id={publicId} query={parameters(PARAMETERS)} />
      {shown !== undefined && bookable !== undefined && (
        <WhatIfPanel
          key={shown.authorizationId}
          authorizations={[bookable, ...others]}
          summary={summary}
          series={shown}
          days={days}
        />
      )}
    </>
  );
}

function SeriesChoice(properties: {
  summary: UtilizationSummary;
  shown: SummarySeries | undefined;
}) {
  const { summary, shown } = properties;
  const members = authorizationsIn(summary).map(({ id, name, term }) => ({
    name: withOutsideTerm(name, term, summary.timezone),
    address: addressWith({ of: id }),
    isChosen: id === shown?.authorizationId,
  }));
  const whole = {
    name: "Whole pool",
    address: addressWith({ of: undefined }),
    isChosen: shown?.authorizationId === null,
  };
  return <Choices label="Of the pool" choices={[whole, ...members]} />;
}

interface Shown {
  series: SummarySeries;
  frequency: Frequency;
  day: CalendarDate;
}

/** The current period, in one line. */
function Now({ series, frequency, day }: Shown) {
  const current = periodOf(series.periods, day);
  if (current === undefined) return null;
  return (
    <div class="now">
      <h2>
        Now: {rangeText(current.startDate, current.endDate)}
        {isCut(current, frequency) && <span class="badge">Cut short</span>}
      </h2>
      <Bar units={unitsOf(current)} />
      <p>{balanceText(unitsOf(current))}</p>
    </div>
  );
}

function Numbers({ series, frequency, day }: Shown) {
  return (
    <ListTable
      label="Periods as a table"
      keyOf={({ startDate }) => startDate}
      rows={series.periods}
      isNow={(period) => coversDay(period, day)}
      columns={[
        {
          name: "Period",
          cell: (period) => (
            <>
              {rangeText(period.startDate, period.endDate)}
              {isCut(period, frequency) && <span class="badge">Cut short</span>}
              {coversDay(period, day) && <span class="badge now-badge">Now</span>}
            </>
          ),
        },
        ...unitColumns(unitsOf, ({ unitsScheduled }) => unitsScheduled),
        {
          name: "Share",
          class: "number",
          cell: ({ unitsCommitted, unitsAuthorized }) =>
            shareText(unitsAuthorized ? unitsCommitted / unitsAuthorized : null),
        },
      ]}
    />
  );
}
