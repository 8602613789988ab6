import { sumOfUnits } from "../../../../utilization/units.ts";
import { monthBefore, today } from "../../lib/base/dates.ts";
import { countText, STATUS_NAMES, unitsText } from "../../lib/base/format.ts";
import { useList } from "../../lib/base/list.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { patientName } from "../../lib/person/people.ts";
import { addressOf, parameter } from "../../lib/base/place.ts";
import { useTotals } from "../../lib/base/totals.ts";
import { daysOfMonth, monthOf, monthText } from "../../lib/base/windows.ts";
import type { DeliveryEntry, DeliveryReport } from "../../lib/base/wire.ts";
import { Filters, MonthFilter, PayorFilter } from "../../parts/base/filters.tsx";
import { type Column, ListTable } from "../../parts/base/list-table.tsx";
import { ListView } from "../../parts/base/list-view.tsx";
import { useNamed } from "../../parts/base/named.ts";
import { OutsideTerm } from "../../parts/authorizations/outside-term.tsx";
import { PersonLink } from "../../parts/base/person-link.tsx";

/** What was delivered in a month: each authorization with its sessions and units. */

export function Delivered() {
  const lastMonth = monthBefore(today(practiceZone()));
  const filter = { month: monthOf(parameter("month")) ?? lastMonth, payorId: parameter("payorId") };
  const serviceLine = useNamed("service-lines");
  const { month, payorId } = filter;
  return (
    <ListView
      isAboutPatients
      title="Delivered"
      list={useList<DeliveryReport>("delivery", filter)}
      actions={
        <a class="button" href={addressOf(["billing"], { ...daysOfMonth(month), payorId })}>
          Lines
        </a>
      }
      filters={
        <Filters>
          <MonthFilter shown={month} />
          <PayorFilter />
        </Filters>
      }
      columns={({ totals }) => columnsOf(totals, serviceLine)}
      keyOf={({ authorizationId }) => authorizationId}
      saveAs={`delivered-${month}`}
      empty="Nothing was booked or delivered in this month."
      above={<Findings {...filter} />}
      below={(report) => <Payors report={report} />}
    />
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

type PayorTotals = DeliveryReport["byPayor"][number];

/** What each payor is to pay for: hours and visits, which are never added up. */
function Payors({ report: { byPayor } }: { report: DeliveryReport }) {
  const sumOf = (name: string, field: "encounters" | "hoursDelivered" | "visits") => ({
    name,
    class: "number" as const,
    cell: (payor: PayorTotals) => unitsText(payor[field]),
    foot: unitsText(sumOfUnits(...byPayor.map((payor) => payor[field]))),
  });
  return (
    <ListTable
      label="By payor"
      keyOf={({ payorId }) => payorId ?? ""}
      rows={byPayor}
      columns={[
        { name: "Payor", cell: ({ payorName }) => payorName ?? "No payor", foot: "All payors" },
        sumOf("Encounters", "encounters"),
        sumOf("Hours", "hoursDelivered"),
        sumOf("Visits", "visits"),
      ]}
    />
  );
}

function columnsOf(
  totals: DeliveryReport["totals"],
  serviceLine: (id: string) => string,
): Column<DeliveryEntry>[] {
  return [
    {
      name: "Patient",
      cell: (entry) => (
        <>
          <PersonLink class="subject" id={entry.patientId} name={patientName(entry)} />
          <small>{entry.internalRecordId}</small>
        </>
      ),
      saved: {
        Patient: patientName,
        "Record number": ({ internalRecordId }) => internalRecordId,
      },
      foot: "All pages",
    },
    {
      name: "Authorization",
      cell: (entry) => (
        <>
          <a href={addressOf(["utilization", entry.authorizationId])}>
            {entry.authorizationNumber}
          </a>
          <OutsideTerm
            term={{ startDate: entry.authorizationStartDate, endDate: entry.authorizationEndDate }}
          />
          <small>{serviceLine(entry.serviceLinePublicId)}</small>
        </>
      ),
      saved: {
        Authorization: ({ authorizationNumber }) => authorizationNumber,
        Service: ({ serviceLinePublicId }) => serviceLine(serviceLinePublicId),
      },
    },
    {
      name: "Payor",
      cell: ({ payorName }) => payorName,
      saved: { Payor: ({ payorName }) => payorName },
    },
    {
      name: "Sessions",
      cell: sessionsText,
      saved: Object.fromEntries(
        STATUS_NAMES.map(([status, name]) => [name, ({ sessions }) => sessions[status]]),
      ),
    },
    {
      name: "Encounters",
      class: "number",
      cell: ({ encounters }) => encounters,
      saved: { Encounters: ({ encounters }) => encounters },
      foot: unitsText(totals.encounters),
    },
    {
      name: "Units",
      class: "number",
      cell: ({ unitsDelivered, hoursDelivered }) => (
        <>
          {unitsText(unitsDelivered)}
          <small>{hoursDelivered === null ? "visits" : countText(hoursDelivered, "hour")}</small>
        </>
      ),
      saved: {
        Units: ({ unitsDelivered }) => unitsDelivered,
        Hours: ({ hoursDelivered }) => hoursDelivered,
      },
      foot: unitsText(totals.unitsDelivered),
    },
    {
      name: "Outside",
      class: "number",
      cell: ({ unitsOutside }) => <Outside units={unitsOutside} />,
      saved: { "Units outside": ({ unitsOutside }) => unitsOutside },
      foot: <Outside units={totals.unitsOutside} />,
    },
  ];
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
