import { useState } from "preact/hooks";
import { getWhole, type Query } from "../lib/api.ts";
import { termOf } from "../lib/authorizations.ts";
import { csvOf } from "../lib/csv.ts";
import { daysOfMonth, monthBefore, today } from "../lib/dates.ts";
import { saveText } from "../lib/download.ts";
import { rangeText, SESSION_STATUSES, unitsText } from "../lib/format.ts";
import { useList } from "../lib/list.ts";
import { practiceZone } from "../lib/me.ts";
import { nameOf, usePeople } from "../lib/people.ts";
import { addressOf, addressWith, goTo, place } from "../lib/place.ts";
import type { DeliveryEntry, DeliveryReport, Session } from "../lib/wire.ts";
import { Field } from "../parts/field.tsx";
import { useNamed } from "../parts/named.ts";
import { Answered, Empty } from "../parts/notices.tsx";
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
  const days = daysOfMonth(month);
  const asked: Query = { ...days, payorId };
  const page = place.value.query.get("page") ?? undefined;
  const { answer, print } = useList<DeliveryReport>("delivery", { ...asked, page });
  return (
    <>
      <form class="toolbar" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
        <Field
          type="month"
          placeholder="2026-10"
          label="Month"
          value={month}
          onChange={(text) => goTo(addressWith({ month: text, page: undefined }))}
        />
        <PayorField
          id={payorId}
          onPick={(id) => goTo(addressWith({ payorId: id, page: undefined }))}
        />
        <SaveButton query={asked} month={month} />
      </form>
      {days === undefined ? (
        <p class="notice failure" role="alert">
          “{month}” is no month.
        </p>
      ) : (
        <Answered answer={answer}>
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
                <Table report={report} />
                <Pager pagination={report.pagination} label="Pages, after the list" />
              </>
            )
          }
        </Answered>
      )}
    </>
  );
}

function Table({ report: { data, totals } }: { report: DeliveryReport }) {
  const serviceLine = useNamed("service-lines");
  // The end of an authorization is only in the record of its patient.
  const { personOf } = usePeople(data.map(({ patientId }) => patientId));
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
                <OutsideTerm term={termOf(personOf(entry.patientId), entry.authorizationId)} />
                <small>{serviceLine(entry.serviceLinePublicId)}</small>
              </td>
              <td>{entry.payorName}</td>
              <td>{sessionsText(entry)}</td>
              <td class="number">{entry.encounters}</td>
              <td class="number">{unitsText(entry.unitsDelivered)}</td>
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
            <td class="number">{unitsText(totals.unitsDelivered)}</td>
            <td class="number">
              <Outside units={totals.unitsOutside} />
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
  const counts = [...STATUSES.map(([, name]) => name), "Encounters", "Units", "Units outside"];
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
      entry.unitsOutside,
    ]),
  ];
}
