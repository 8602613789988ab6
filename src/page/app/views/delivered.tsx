import { useState } from "preact/hooks";
import { getWhole, type Query } from "../lib/api.ts";
import { csvOf } from "../lib/csv.ts";
import { monthBefore, today } from "../lib/dates.ts";
import { saveText } from "../lib/download.ts";
import { rangeText, SESSION_STATUSES, unitsText } from "../lib/format.ts";
import { useList } from "../lib/list.ts";
import { practiceZone } from "../lib/me.ts";
import { nameOf } from "../lib/people.ts";
import { addressOf, addressWith, goTo, place } from "../lib/place.ts";
import type { DeliveryEntry, DeliveryReport, Session } from "../lib/wire.ts";
import { Field } from "../parts/field.tsx";
import { useNamed } from "../parts/named.ts";
import { ResponseView, Empty } from "../parts/notices.tsx";
import { OutsideTerm } from "../parts/outside-term.tsx";
import { Pager } from "../parts/pager.tsx";
import { PayorField } from "../parts/payor-field.tsx";

/** What was delivered in a month: each authorization with its sessions and units. */

export function Delivered() {
  const { query } = place.value;
  const month = query.get("month") ?? monthBefore(today(practiceZone()));
  return (
    <main>
      <header class="view-header">
        <h1 tabIndex={-1}>Delivered</h1>
        <p class="lead">Sessions and units of each authorization in a month.</p>
      </header>
      <Report month={month} payorId={query.get("payorId") ?? undefined} />
    </main>
  );
}

function Report({ month, payorId }: { month: string; payorId: string | undefined }) {
  const filter: Query = { month, payorId };
  const page = place.value.query.get("page") ?? undefined;
  const { response, print } = useList<DeliveryReport>("delivery", { ...filter, page });
  return (
    <>
      <form class="toolbar" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
        <Field
          type="month"
          label="Month"
          value={month}
          onChange={(text) => goTo(addressWith({ month: text, page: undefined }))}
        />
        <PayorField
          id={payorId}
          onPick={(id) => goTo(addressWith({ payorId: id, page: undefined }))}
        />
        <SaveButton query={filter} month={month} />
      </form>
      <ResponseView response={response}>
        {(report) =>
          report.data.length === 0 ? (
            <Empty>
              <p>Nothing was booked or delivered in this month.</p>
            </Empty>
          ) : (
            <>
              <div class="list-head">
                <p class="lead">{rangeText(report.startDate, report.endDate)}</p>
                <Pager pagination={report.pagination} label="Pages" onPrint={print} />
              </div>
              <Payors report={report} />
              <Table report={report} />
              <Pager pagination={report.pagination} label="Pages, after the list" />
            </>
          )
        }
      </ResponseView>
    </>
  );
}

/** What each payor is to pay for: hours and visits, which are never added up. */
function Payors({ report: { byPayor } }: { report: DeliveryReport }) {
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label="By payor">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Payor</th>
            {["Encounters", "Hours", "Visits"].map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {byPayor.map(({ payorId, payorName, encounters, hoursDelivered, visits }) => (
            <tr key={payorId}>
              <th scope="row">{payorName ?? "No payor"}</th>
              <td class="number">{unitsText(encounters)}</td>
              <td class="number">{unitsText(hoursDelivered)}</td>
              <td class="number">{unitsText(visits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Table({ report: { data, totals, byPayor } }: { report: DeliveryReport }) {
  const serviceLine = useNamed("service-lines");
  const hours = byPayor.reduce((sum, payor) => sum + payor.hoursDelivered, 0);
  const visits = byPayor.reduce((sum, payor) => sum + payor.visits, 0);
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label="Delivered units">
      <table class="plain delivered">
        <thead>
          <tr>
            {["Patient", "Authorization", "Payor", "Sessions"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {["Encounters", "Units", "Outside"].map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.map((entry) => (
            <tr key={entry.authorizationId}>
              <th scope="row">
                <a class="subject" href={addressOf(["people", entry.patientId])}>
                  <bdi>{patientName(entry)}</bdi>
                </a>
                <small>{entry.internalRecordId}</small>
              </th>
              <td>
                <a href={addressOf(["utilization", entry.authorizationId])}>
                  {entry.authorizationNumber}
                </a>
                <OutsideTerm
                  term={{
                    startDate: entry.authorizationStartDate,
                    endDate: entry.authorizationEndDate,
                  }}
                />
                <small>{serviceLine(entry.serviceLinePublicId)}</small>
              </td>
              <td>{entry.payorName}</td>
              <td>{sessionsText(entry)}</td>
              <td class="number">{entry.encounters}</td>
              <td class="number">
                {unitsText(entry.unitsDelivered)}
                <small>
                  {entry.hoursDelivered === null
                    ? "visits"
                    : `${unitsText(entry.hoursDelivered)} hours`}
                </small>
              </td>
              <td class="number">
                <Outside units={entry.unitsOutside} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={4}>
              All pages
            </th>
            <td class="number">{unitsText(totals.encounters)}</td>
            <td class="number" colSpan={2}>
              {unitsText(Math.round(hours * 100) / 100)} hours, {unitsText(visits)} visits
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

/** Units outside the authorization's dates. */
function Outside({ units }: { units: number }) {
  return <span class={units > 0 ? "share-over" : undefined}>{unitsText(units)}</span>;
}

function patientName({ patientFirstName, patientLastName }: DeliveryEntry): string {
  return nameOf({ firstName: patientFirstName, lastName: patientLastName });
}

const STATUSES = Object.entries(SESSION_STATUSES) as [Session["status"], string][];

/** `12 confirmed, 1 no-show` */
function sessionsText({ sessions }: DeliveryEntry): string {
  return STATUSES.filter(([status]) => sessions[status] > 0)
    .map(([status, name]) => `${sessions[status]} ${name.toLowerCase()}`)
    .join(", ");
}

/** Saves all pages as a CSV. */
function SaveButton({ query, month }: { query: Query; month: string }) {
  const serviceLine = useNamed("service-lines");
  const [state, setState] = useState<"idle" | "saving" | "failed">("idle");
  const save = async (): Promise<void> => {
    setState("saving");
    try {
      const { signal } = new AbortController();
      const { data } = await getWhole<DeliveryReport>("delivery", query, signal);
      saveText(`delivered-${month}.csv`, "text/csv", csvOf(rowsOf(data, serviceLine)));
      setState("idle");
    } catch {
      setState("failed");
    }
  };
  return (
    <>
      {state === "failed" && (
        <p class="mistake" role="alert">
          The list could not be read. Try again.
        </p>
      )}
      <button type="button" disabled={state === "saving"} onClick={save}>
        Save as CSV
      </button>
    </>
  );
}

function rowsOf(entries: DeliveryEntry[], serviceLine: (id: string) => string) {
  const heads = ["Patient", "Record number", "Authorization", "Service", "Payor"];
  const counts = [
    ...STATUSES.map(([, name]) => name),
    "Encounters",
    "Units",
    "Hours",
    "Units outside",
  ];
  return [
    [...heads, ...counts],
    ...entries.map((entry) => [
      patientName(entry),
      entry.internalRecordId ?? "",
      entry.authorizationNumber,
      serviceLine(entry.serviceLinePublicId),
      entry.payorName ?? "",
      ...STATUSES.map(([status]) => entry.sessions[status]),
      entry.encounters,
      entry.unitsDelivered,
      entry.hoursDelivered ?? "",
      entry.unitsOutside,
    ]),
  ];
}
