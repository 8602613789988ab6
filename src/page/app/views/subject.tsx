import { useAnswer } from "../lib/answer.ts";
import { type CalendarDate, type TimeZone, today } from "../lib/dates.ts";
import { rangeText, shareText, unitsText, words } from "../lib/format.ts";
import { type Authorization, termOf, withOutsideTerm } from "../lib/authorizations.ts";
import { nameOf } from "../lib/people.ts";
import { type Frequency, frequencyOf, isCut } from "../lib/periods.ts";
import { addressOf, addressWith, goTo, place } from "../lib/place.ts";
import {
  findHolder,
  type Holder,
  readSubject,
  type Series,
  type SubjectUtilization,
} from "../lib/subject.ts";
import { balance, balanceText } from "../lib/units.ts";
import type { Utilization } from "../lib/wire.ts";
import { Bar } from "../parts/bar.tsx";
import { Choices, isTable, ShowAs } from "../parts/choices.tsx";
import { Answered, Empty } from "../parts/notices.tsx";
import { Field, ZoneField } from "../parts/field.tsx";
import { Legend } from "../parts/legend.tsx";
import { OutsideTerm } from "../parts/outside-term.tsx";
import { PeriodChart, unitsOf } from "../parts/period-chart.tsx";
import { useNamed } from "../parts/named.ts";
import { OutsideLines } from "./outside.tsx";
import { WhatIfPanel } from "./what-if.tsx";

/** One authorization or pool: its periods in a window, and the what-if. */

const PARAMETERS = ["startDate", "endDate", "timezone"] as const;

export function Subject({ id }: { id: string }) {
  const { query } = place.value;
  const window = Object.fromEntries(PARAMETERS.map((name) => [name, query.get(name) ?? undefined]));
  const answer = useAnswer(JSON.stringify([id, window]), (signal) =>
    readSubject(id, window, signal),
  );
  const found = answer.value;
  // The view also works without the patient's data.
  const holder = useAnswer(found && id, (signal) =>
    findHolder(found as SubjectUtilization, signal),
  ).value;
  return (
    <main>
      <Heading id={id} holder={holder} zone={found?.utilization.timezone} />
      <Window query={query} found={found} />
      {found !== undefined && holder !== undefined && (
        <OutsideLines
          authorizations={outsideOf(holder, id)}
          patientId={holder.patient.publicId}
          zone={found.utilization.timezone}
        />
      )}
      <Answered answer={answer}>
        {(subject) => (
          <Periods subject={subject} holder={holder} zone={subject.utilization.timezone} />
        )}
      </Answered>
    </main>
  );
}

/** The selected authorization, or all of a pool. */
function outsideOf({ authorizations }: Holder, id: string): Authorization[] {
  const own = authorizations.filter(({ publicId }) => publicId === id);
  return own.length > 0 ? own : authorizations;
}

function Heading(properties: {
  id: string;
  holder: Holder | undefined;
  zone: TimeZone | undefined;
}) {
  const { id, holder, zone } = properties;
  if (holder === undefined)
    return (
      <header class="view-header">
        <h1 tabIndex={-1}>Utilization</h1>
        <p class="lead">
          <code>{id}</code>
        </p>
      </header>
    );
  const { patient, name, number, status, term } = holder;
  return (
    <header class="view-header">
      <h1 tabIndex={-1}>
        <bdi>{nameOf(patient)}</bdi>
      </h1>
      <p class="lead">
        {[name, number, status && words(status), term && rangeText(term.startDate, term.endDate)]
          .filter(Boolean)
          .join(" · ")}
        <OutsideTerm term={term} zone={zone} />
      </p>
      <nav class="actions" aria-label="About this patient">
        <a class="button" href={addressOf(["people", patient.publicId])}>
          Record
        </a>
        <a
          class="button"
          href={addressOf(["schedule"], { whose: "patient", person: patient.publicId })}
        >
          Schedule
        </a>
      </nav>
    </header>
  );
}

function Window({
  query,
  found,
}: {
  query: URLSearchParams;
  found: SubjectUtilization | undefined;
}) {
  const shown = found?.utilization;
  return (
    <form class="toolbar" aria-label="Window" onSubmit={(event) => event.preventDefault()}>
      {(["startDate", "endDate"] as const).map((name) => (
        <Field
          type="date"
          key={name}
          label={name === "startDate" ? "From" : "To"}
          value={query.get(name) ?? shown?.[name] ?? ""}
          onChange={(date) => goTo(addressWith({ [name]: date }))}
        />
      ))}
      <ZoneField
        label="Time zone"
        value={query.get("timezone") ?? ""}
        placeholder={shown?.timezone ?? "The patient’s own"}
        onChange={(timezone) => goTo(addressWith({ timezone }))}
      />
      {PARAMETERS.some((name) => query.has(name)) && (
        <a
          class="button"
          href={addressWith({ startDate: undefined, endDate: undefined, timezone: undefined })}
        >
          Usual window
        </a>
      )}
      <ShowAs picture="Chart" />
    </form>
  );
}

function Periods(properties: {
  subject: SubjectUtilization;
  /** Undefined until the record is loaded. */
  holder: Holder | undefined;
  zone: TimeZone;
}) {
  const { subject, holder, zone } = properties;
  const { utilization, series } = subject;
  const { query } = place.value;
  const wanted = query.get("of") ?? utilization.publicId;
  const shown = series.find(({ publicId }) => publicId === wanted) ?? series[0];
  const authorizations = utilization.members.map((member) => ({
    id: member.authorizationPublicId,
    serviceLine: member.serviceLinePublicId,
    term: holder?.authorizations.find(({ publicId }) => publicId === member.authorizationPublicId),
  }));
  const day = today(zone);
  const frequency = holder?.frequency ?? frequencyOf(shown?.periods ?? []);
  return (
    <>
      <section class="panel" aria-label="Periods">
        <div class="list-head">
          {series.length > 1 && (
            <SeriesChoice series={series} shown={shown} holder={holder} zone={zone} />
          )}
          <p class="lead">
            {rangeText(utilization.startDate, utilization.endDate)} · days in {zone}
          </p>
        </div>
        {shown === undefined || shown.periods.length === 0 ? (
          <Empty>
            <p>It is not in effect on any day of this window.</p>
          </Empty>
        ) : (
          <>
            <Now series={shown} frequency={frequency} day={day} />
            {isLimitedByPool(shown, utilization) && (
              <p class="hint">It has no limit of its own; the limit of the pool applies.</p>
            )}
            {isTable() ? (
              <Table series={shown} frequency={frequency} day={day} />
            ) : (
              <>
                <PeriodChart series={shown} frequency={frequency} today={day} />
                <Legend isChart />
              </>
            )}
          </>
        )}
      </section>
      {authorizations.length > 0 && (
        <WhatIfPanel
          key={shown?.publicId}
          authorizations={authorizations}
          patient={holder?.patient}
          chosen={authorizations.find(({ id }) => id === shown?.publicId)?.id}
          zone={zone}
        />
      )}
    </>
  );
}

/** Whether an authorization in a pool has no units of its own. */
function isLimitedByPool({ publicId, periods }: Series, { pool }: Utilization): boolean {
  return pool !== null && pool.poolPublicId !== publicId && periods[0]?.unitsAuthorized === null;
}

function SeriesChoice(properties: {
  series: Series[];
  shown: Series | undefined;
  holder: Holder | undefined;
  zone: TimeZone;
}) {
  const { series, shown, holder, zone } = properties;
  const serviceLine = useNamed("service-lines");
  const nameOfMember = (id: string, serviceLineId: string): string =>
    withOutsideTerm(serviceLine(serviceLineId), termOf(holder?.patient, id), zone);
  return (
    <Choices
      label="Of the pool"
      choices={series.map(({ publicId, serviceLinePublicId }) => ({
        name:
          serviceLinePublicId === null ? "Whole pool" : nameOfMember(publicId, serviceLinePublicId),
        address: addressWith({ of: publicId }),
        isChosen: publicId === shown?.publicId,
      }))}
    />
  );
}

interface Shown {
  series: Series;
  frequency: Frequency;
  day: CalendarDate;
}

/** The current period, in one line. */
function Now({ series, frequency, day }: Shown) {
  const current = series.periods.find(
    ({ startDate, endDate }) => startDate <= day && day <= endDate,
  );
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

function Table({ series, frequency, day }: Shown) {
  const heads = ["Authorized", "Delivered", "Scheduled", "Booked", "Left", "Over", "Share"];
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label="Periods as a table">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Period</th>
            {heads.map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.periods.map((period) => {
            const units = unitsOf(period);
            const { left, over } = balance(units);
            const { authorized } = units;
            const isNow = period.startDate <= day && day <= period.endDate;
            return (
              <tr key={period.startDate} aria-current={isNow ? "date" : undefined}>
                <th scope="row">
                  {rangeText(period.startDate, period.endDate)}
                  {isCut(period, frequency) && <span class="badge">Cut short</span>}
                  {isNow && <span class="badge now-badge">Now</span>}
                </th>
                <td class="number">{authorized === null ? "no limit" : unitsText(authorized)}</td>
                <td class="number">{unitsText(units.delivered)}</td>
                <td class="number">{unitsText(period.unitsScheduled)}</td>
                <td class="number">{unitsText(units.booked)}</td>
                <td class="number">{authorized === null ? "–" : unitsText(left)}</td>
                <td class="number">{authorized === null ? "–" : unitsText(over)}</td>
                <td class="number">
                  {shareText(
                    authorized === null || authorized === 0
                      ? null
                      : (units.delivered + units.booked) / authorized,
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
