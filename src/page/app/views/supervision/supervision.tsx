import { neededText, shareText, unitsText } from "../../lib/base/format.ts";
import { rowName } from "../../lib/person/people.ts";
import { useList } from "../../lib/base/list.ts";
import { addressOf, parameter, parameters } from "../../lib/base/place.ts";
import { monthOf } from "../../lib/base/windows.ts";
import type { SupervisionEntry, SupervisionReport } from "../../lib/base/wire.ts";
import { Bar } from "../../parts/authorizations/bar.tsx";
import { FilterField, Filters, MonthFilter } from "../../parts/base/filters.tsx";
import type { Column } from "../../parts/base/list-table.tsx";
import { ListView } from "../../parts/base/list-view.tsx";

/** How much supervision each technician has in a month, and what is still to be booked. */

const LEAST_SHARE = "0.05";
const SHARES = [LEAST_SHARE, "0.1", "0.15", "0.2"];

export function Supervision() {
  const share = parameter("requiredShare") ?? LEAST_SHARE;
  const list = useList<SupervisionReport>("supervision", {
    ...parameters(["requiredShare"]),
    month: monthOf(parameter("month")),
  });
  return (
    <ListView
      title="Supervision"
      list={list}
      lead={totalsText}
      filters={
        <Filters>
          <MonthFilter shown={parameter("month") ?? list.response.value?.month} />
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
      }
      columns={columnsOf}
      keyOf={({ technicianId }) => technicianId}
      saveAs="supervision"
      empty="No technician in this month."
      below={() => (
        <p class="hint">
          At least 5% unless your board or payor says otherwise, in two contacts, one of them with a
          client. This counts what the schedule knows. It does not know whether a contact was
          individual or in a group, whether a supervisor is certified, phone calls, work before a
          certification, or the hours of other employers.
        </p>
      )}
    />
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

function nameIn(entry: SupervisionEntry): string {
  return rowName(entry, "technician");
}

/** A column of what was delivered of what is booked. */
function both(
  name: string,
  of: (entry: SupervisionEntry) => [delivered: number, booked: number],
): Column<SupervisionEntry> {
  return {
    name,
    class: "number",
    cell: (entry) => {
      const [delivered, booked] = of(entry);
      return (
        <>
          {unitsText(delivered)} <small>of {unitsText(booked)} booked</small>
        </>
      );
    },
    saved: { [name]: (entry) => of(entry)[0], [`${name}, booked`]: (entry) => of(entry)[1] },
  };
}

const columnsOf = ({
  startDate: date,
  endDate,
  requiredShare,
}: SupervisionReport): Column<SupervisionEntry>[] => [
  {
    name: "Technician",
    cell: (entry) => {
      const { technicianId: person, state } = entry;
      return (
        <>
          <a class="subject" href={addressOf(["schedule"], { whose: "technician", person, date })}>
            <bdi>{nameIn(entry)}</bdi>
          </a>
          {state === "SHORT" && <small class="share-over">{neededText(entry, endDate)}</small>}
        </>
      );
    },
    saved: { Technician: nameIn },
  },
  {
    name: "State",
    cell: ({ state }) => (
      <span class={state === "SHORT" ? "badge warning" : "badge"}>{STATES[state]}</span>
    ),
    saved: { State: ({ state }) => STATES[state] },
  },
  both("Hours", ({ hoursDelivered, hoursBooked }) => [hoursDelivered, hoursBooked]),
  both("Supervised", (entry) => [entry.supervisedDelivered, entry.supervisedBooked]),
  both("Contacts", (entry) => [entry.contactsDelivered, entry.contactsBooked]),
  {
    name: "Share",
    class: "wide",
    cell: (entry) => <ShareBar entry={entry} required={requiredShare} />,
    saved: { "Share delivered": ({ shareDelivered }) => shareDelivered },
  },
];

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
