import { sumOfUnits } from "../../../../utilization/units.ts";
import { getWhole } from "../../lib/base/api.ts";
import { monthBefore, today } from "../../lib/base/dates.ts";
import { countText, rangeText, STATUS_NAMES, unitsText } from "../../lib/base/format.ts";
import { useList } from "../../lib/base/list.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { patientName } from "../../lib/person/people.ts";
import { addressOf, parameter } from "../../lib/base/place.ts";
import { useTotals } from "../../lib/base/totals.ts";
import { daysOfMonth, monthText } from "../../lib/base/windows.ts";
import type { DeliveryEntry, DeliveryReport } from "../../lib/base/wire.ts";
import { FilterField, PayorFilter } from "../../parts/base/filters.tsx";
import { ListPages } from "../../parts/base/list-pages.tsx";
import { useNamed } from "../../parts/base/named.ts";
import { OutsideTerm } from "../../parts/authorizations/outside-term.tsx";
import { PersonLink } from "../../parts/base/person-link.tsx";
import { SaveAsCsv } from "../../parts/base/save-as-csv.tsx";
import { numbers, Table } from "../../parts/base/table.tsx";
import { Filters } from "../../parts/base/toolbar.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";

/** What was delivered in a month: each authorization with its sessions and units. */

export function Delivered() {
  const lastMonth = monthBefore(today(practiceZone()));
  const filter = { month: parameter("month") ?? lastMonth, payorId: parameter("payorId") };
  const serviceLine = useNamed("service-lines");
  const list = useList<DeliveryReport>("delivery", { ...filter, page: parameter("page") });
  return (
    <main>
      <ViewHeader
        isAboutPatients
        title="Delivered"
        lead="Sessions and units of each authorization in a month."
      >
        <div class="actions">
          <a
            class="button"
            href={addressOf(["billing"], {
              ...daysOfMonth(filter.month),
              payorId: filter.payorId,
            })}
          >
            Lines
          </a>
          <SaveAsCsv
            read={async () => {
              const { data } = await getWhole<DeliveryReport>("delivery", filter);
              return { name: `delivered-${filter.month}`, rows: rowsOf(data, serviceLine) };
            }}
          />
        </div>
      </ViewHeader>
      <Filters>
        <FilterField name="month" type="month" label="Month" fallback={lastMonth} />
        <PayorFilter />
      </Filters>
      <Findings {...filter} />
      <ListPages
        list={list}
        empty="Nothing was booked or delivered in this month."
        above={(report) => <Payors report={report} />}
        head={({ startDate, endDate }) => <p class="lead">{rangeText(startDate, endDate)}</p>}
      >
        {(report) => <Authorizations report={report} />}
      </ListPages>
    </main>
  );
}

/** What is to be mended before a month is handed over. */
const MENDED = [
  ["NOT_DOCUMENTED", "not documented"],
  ["OUTSIDE_AUTHORIZATION", "outside"],
  ["OVER_AUTHORIZED", "over"],
] as const;

/** How much of that there is in the month, with ways there: the second request of the view, since checks find it. */
function Findings({ month, payorId }: { month: string; payorId: string | undefined }) {
  const query = { ...daysOfMonth(month), payorId };
  const totals = useTotals({ ...query, check: MENDED.map(([check]) => check).join() });
  if (totals === undefined) return null;
  return (
    <p class="month-end">
      <strong>{monthText(month, today(practiceZone()))}:</strong>{" "}
      {MENDED.map(([check, name], index) => {
        const text = `${unitsText(totals[check] ?? 0)} ${name}`;
        const way = addressOf(["attention"], { ...query, check });
        return (
          <span key={check}>
            {index > 0 && ", "}
            {totals[check] ? <a href={way}>{text}</a> : text}
          </span>
        );
      })}
    </p>
  );
}

/** What each payor is to pay for: hours and visits, which are never added up. */
function Payors({ report: { byPayor } }: { report: DeliveryReport }) {
  const total = (field: "encounters" | "hoursDelivered" | "visits"): number =>
    sumOfUnits(...byPayor.map((payor) => payor[field]));
  return (
    <Table label="By payor" headings={["Payor", ...numbers("Encounters", "Hours", "Visits")]}>
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
      <tfoot>
        <tr>
          <th scope="row">All payors</th>
          <td class="number">{unitsText(total("encounters"))}</td>
          <td class="number">{unitsText(total("hoursDelivered"))}</td>
          <td class="number">{unitsText(total("visits"))}</td>
        </tr>
      </tfoot>
    </Table>
  );
}

function Authorizations({ report: { data, totals } }: { report: DeliveryReport }) {
  const serviceLine = useNamed("service-lines");
  return (
    <Table
      label="Delivered units"
      headings={[
        ...["Patient", "Authorization", "Payor", "Sessions"],
        ...numbers("Encounters", "Units", "Outside"),
      ]}
    >
      <tbody>
        {data.map((entry) => (
          <tr key={entry.authorizationId}>
            <th scope="row">
              <PersonLink class="subject" id={entry.patientId} name={patientName(entry)} />
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
            <td class="words">{entry.payorName}</td>
            <td class="words">{sessionsText(entry)}</td>
            <td class="number">{entry.encounters}</td>
            <td class="number">
              {unitsText(entry.unitsDelivered)}
              <small>
                {entry.hoursDelivered === null ? "visits" : countText(entry.hoursDelivered, "hour")}
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
          <td class="number">{unitsText(totals.unitsDelivered)}</td>
          <td class="number">
            <Outside units={totals.unitsOutside} />
          </td>
        </tr>
      </tfoot>
    </Table>
  );
}

/** Units outside the authorization's dates. */
function Outside({ units }: { units: number }) {
  return <span class={units > 0 ? "share-over" : undefined}>{unitsText(units)}</span>;
}

/** `12 confirmed, 1 no-show` */
function sessionsText({ sessions }: DeliveryEntry): string {
  return STATUS_NAMES.filter(([status]) => sessions[status] > 0)
    .map(([status, name]) => `${sessions[status]} ${name.toLowerCase()}`)
    .join(", ");
}

function rowsOf(entries: DeliveryEntry[], serviceLine: (id: string) => string) {
  const heads = ["Patient", "Record number", "Authorization", "Service", "Payor"];
  const counts = [
    ...STATUS_NAMES.map(([, name]) => name),
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
      ...STATUS_NAMES.map(([status]) => entry.sessions[status]),
      entry.encounters,
      entry.unitsDelivered,
      entry.hoursDelivered ?? "",
      entry.unitsOutside,
    ]),
  ];
}
