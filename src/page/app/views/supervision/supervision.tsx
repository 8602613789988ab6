import { neededText, shareText, unitsText } from "../../lib/base/format.ts";
import { useList } from "../../lib/base/list.ts";
import { nameOf } from "../../lib/person/people.ts";
import { addressOf, parameter, parameters } from "../../lib/base/place.ts";
import type { SupervisionEntry, SupervisionReport } from "../../lib/base/wire.ts";
import { Bar } from "../../parts/authorizations/bar.tsx";
import { FilterField } from "../../parts/base/filters.tsx";
import { ListPages } from "../../parts/base/list-pages.tsx";
import { numbers, Table } from "../../parts/base/table.tsx";
import { Filters } from "../../parts/base/toolbar.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";

/** How much supervision each technician has in a month, and what is still to be booked. */

const LEAST_SHARE = "0.05";
const SHARES = [LEAST_SHARE, "0.1", "0.15", "0.2"];

export function Supervision() {
  const list = useList<SupervisionReport>(
    "supervision",
    parameters(["month", "requiredShare", "page"]),
  );
  const share = parameter("requiredShare") ?? LEAST_SHARE;
  return (
    <main>
      <ViewHeader
        title="Supervision"
        lead={`At least ${shareText(Number(share))} of each technician’s hours, in two contacts, one of them with a client`}
      />
      <Filters>
        <FilterField
          name="month"
          label="Month"
          type="month"
          fallback={list.response.value?.month}
        />
        <FilterField
          name="requiredShare"
          label="Required share"
          fallback={LEAST_SHARE}
          choices={[...new Set([...SHARES, share])].map((each) => ({
            value: each,
            name: shareText(Number(each)),
          }))}
        />
      </Filters>
      <p class="hint">
        At least 5% unless your board or payor says otherwise. This counts what the schedule knows.
        It does not know whether a contact was individual or in a group, whether a supervisor is
        certified, phone calls, work before a certification, or the hours of other employers.
      </p>
      <ListPages
        list={list}
        empty="No technician in this month."
        head={(report) => <p class="lead">{totalsText(report)}</p>}
      >
        {(report) => <Technicians report={report} />}
      </ListPages>
    </main>
  );
}

const STATES: Record<SupervisionEntry["state"], string> = {
  SHORT: "Short",
  BOOKED: "Booked",
  MET: "Met",
  NO_HOURS: "No hours",
};

/** `1 short, 12 booked` */
function totalsText({ totals }: SupervisionReport): string {
  return (Object.keys(STATES) as SupervisionEntry["state"][])
    .filter((state) => totals[state] > 0)
    .map((state) => `${totals[state]} ${STATES[state].toLowerCase()}`)
    .join(", ");
}

function Technicians({ report }: { report: SupervisionReport }) {
  const { data, startDate } = report;
  return (
    <Table
      label="Technicians"
      class="plain supervision"
      headings={["Technician", "State", ...numbers("Hours", "Supervised", "Contacts"), "Share"]}
    >
      <tbody>
        {data.map((entry) => {
          const { technicianId, state, hoursBooked, hoursDelivered } = entry;
          const name = {
            firstName: entry.technicianFirstName,
            lastName: entry.technicianLastName,
          };
          const query = { whose: "technician", person: technicianId, date: startDate };
          return (
            <tr key={technicianId}>
              <th scope="row">
                <a class="subject" href={addressOf(["schedule"], query)}>
                  <bdi>{nameOf(name)}</bdi>
                </a>
                {state === "SHORT" && <small>{neededText(entry, report.endDate)}</small>}
              </th>
              <td>
                <span class={state === "SHORT" ? "badge warning" : "badge"}>{STATES[state]}</span>
              </td>
              <Both delivered={hoursDelivered} booked={hoursBooked} />
              <Both delivered={entry.supervisedDelivered} booked={entry.supervisedBooked} />
              <Both delivered={entry.contactsDelivered} booked={entry.contactsBooked} />
              <td>
                <ShareBar entry={entry} required={report.requiredShare} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

function Both({ delivered, booked }: { delivered: number; booked: number }) {
  return (
    <td class="number">
      {unitsText(delivered)} <small>of {unitsText(booked)} booked</small>
    </td>
  );
}

/** The hours of supervision; the mark is what is required of the booked hours. */
function ShareBar({ entry, required }: { entry: SupervisionEntry; required: number }) {
  const { hoursBooked, supervisedDelivered, supervisedBooked, shareDelivered, shareBooked } = entry;
  if (shareBooked === null) return <>–</>;
  const due = required * hoursBooked;
  const whole = Math.max(due * 2, supervisedBooked, supervisedDelivered);
  const booked = Math.max(0, supervisedBooked - supervisedDelivered);
  const text = `${shareText(shareDelivered)} of delivered, ${shareText(shareBooked)} of booked`;
  return (
    <>
      <Bar
        units={{ delivered: supervisedDelivered, booked, authorized: whole }}
        elapsed={whole === 0 ? 0 : due / whole}
        label={`${text}; ${shareText(required)} required`}
      />
      <small>{text}</small>
    </>
  );
}
