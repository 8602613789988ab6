import type { Query } from "../lib/api.ts";
import { daysBetween, ownZone, today, zoneNamed } from "../lib/dates.ts";
import { dateText, rangeText, shareText, shortDateText, unitsText, words } from "../lib/format.ts";
import { useList } from "../lib/list.ts";
import { addressOf, addressWith, goTo, place } from "../lib/place.ts";
import type { OverviewEntry, PageOf } from "../lib/wire.ts";
import { balance, balanceText, unitsOf } from "../lib/units.ts";
import { Bar, ShareText } from "../parts/bar.tsx";
import { Choices, isTable, ShowAs } from "../parts/choices.tsx";
import { Field, ZoneField } from "../parts/field.tsx";
import { Legend } from "../parts/legend.tsx";
import { More } from "../parts/more.tsx";
import { ResponseView, Empty } from "../parts/notices.tsx";
import { Pager } from "../parts/pager.tsx";
import { PayorField } from "../parts/payor-field.tsx";
import { PersonField } from "../parts/person-field.tsx";
import { Toolbar } from "../parts/toolbar.tsx";

/** All current authorizations and pools, with the period that includes a day; by default the fullest first. */

const PARAMETERS = [
  "page",
  "date",
  "timezone",
  "patientId",
  "payorId",
  "minShare",
  "maxShare",
  "sort",
] as const;

/** Up to this many days, an end is shown as a number of days. */
const SOON = 30;

export function Overview() {
  const { query } = place.value;
  const parameters: Query = {};
  for (const name of PARAMETERS) parameters[name] = query.get(name) ?? undefined;
  const { response, print } = useList<PageOf<OverviewEntry>>(
    "authorization-utilization",
    parameters,
  );
  return (
    <main>
      <header class="view-header">
        <h1 tabIndex={-1}>Utilization</h1>
        <p class="lead">
          Units delivered and booked in the current period of every current authorization.
        </p>
      </header>
      <Filters query={query} />
      <ResponseView response={response}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty>
              <p>No authorization is current on this day, or none matches the filter.</p>
              <a href={addressOf(["utilization"])}>Show all</a>
            </Empty>
          ) : (
            <>
              <div class="list-head">
                <Legend />
                <Pager pagination={pagination} label="Pages" onPrint={print} />
              </div>
              {isTable() ? <Table entries={data} /> : <Bars entries={data} />}
              <Pager pagination={pagination} label="Pages, after the list" />
            </>
          )
        }
      </ResponseView>
    </main>
  );
}

/** Filters by share, as `minShare` and `maxShare`. */
const RANGES = [
  { name: "All", min: undefined, max: undefined },
  { name: "Over", min: "1.0001", max: undefined },
  { name: "Nearly used", min: "0.8", max: "1" },
  { name: "Under half", min: undefined, max: "0.5" },
];

function Filters({ query }: { query: URLSearchParams }) {
  const change = (changes: Query): void => goTo(addressWith({ ...changes, page: undefined }));
  const ranges = RANGES.map(({ name, min, max }) => ({
    name,
    address: addressWith({ minShare: min, maxShare: max, page: undefined }),
    isChosen:
      (query.get("minShare") ?? undefined) === min && (query.get("maxShare") ?? undefined) === max,
  }));
  return (
    <Toolbar>
      <Choices label="Share of the authorized units" choices={ranges} />
      <PersonField
        label="Patient"
        role="PATIENT"
        id={query.get("patientId") ?? undefined}
        onPick={(patientId) => change({ patientId })}
      />
      <PayorField
        id={query.get("payorId") ?? undefined}
        onPick={(payorId) => change({ payorId })}
      />
      <Field
        type="date"
        label="Day"
        value={query.get("date") ?? ""}
        onChange={(date) => change({ date })}
      />
      <More>
        <ZoneField
          label="Time zone"
          value={query.get("timezone") ?? ""}
          placeholder="Each patient’s own"
          onChange={(timezone) => change({ timezone })}
        />
      </More>
      <ShowAs picture="Bars" />
    </Toolbar>
  );
}

function Bars({ entries }: { entries: OverviewEntry[] }) {
  return (
    <table class="overview folding">
      <thead>
        <tr>
          <th scope="col">Patient</th>
          <th scope="col">Period</th>
          <th scope="col">Units</th>
          <SortableHeader name="Share" field="share" class="number" />
          <SortableHeader name="Ends" field="endDate" />
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.publicId}>
            <th scope="row">
              <Subject entry={entry} />
            </th>
            <td class="period">
              {words(entry.unitFrequency)}
              <small>{rangeText(entry.period.startDate, entry.period.endDate)}</small>
            </td>
            <td class="units">
              <Bar units={unitsOf(entry)} elapsed={entry.elapsedShare} />
              <small aria-hidden="true">{balanceText(unitsOf(entry))}</small>
            </td>
            <td class="number">
              <ShareText share={entry.share} />
            </td>
            <td class="ends">
              <Ends entry={entry} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Table({ entries }: { entries: OverviewEntry[] }) {
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label="Utilization as a table">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Patient</th>
            <th scope="col">Period</th>
            {["Authorized", "Delivered", "Booked", "Left", "Over"].map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
            <SortableHeader name="Share" field="share" class="number" />
            <th scope="col" class="number">
              Elapsed
            </th>
            <SortableHeader name="Ends" field="endDate" />
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => {
            const units = unitsOf(entry);
            const { left, over } = balance(units);
            const { authorized, delivered, booked } = units;
            return (
              <tr key={entry.publicId}>
                <th scope="row">
                  <Subject entry={entry} />
                </th>
                <td class="date">{rangeText(entry.period.startDate, entry.period.endDate)}</td>
                <td class="number">{authorized === null ? "no limit" : unitsText(authorized)}</td>
                <td class="number">{unitsText(delivered)}</td>
                <td class="number">{unitsText(booked)}</td>
                <td class="number">{authorized === null ? "–" : unitsText(left)}</td>
                <td class="number">{authorized === null ? "–" : unitsText(over)}</td>
                <td class="number">{shareText(entry.share)}</td>
                <td class="number">{shareText(entry.elapsedShare)}</td>
                <td class="date">
                  <Ends entry={entry} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Subject({ entry }: { entry: OverviewEntry }) {
  const { query } = place.value;
  const address = addressOf(["utilization", entry.publicId], {
    timezone: query.get("timezone") ?? undefined,
  });
  const { subject, services, authorizationNumber, authorizationStatus, overFrom } = entry;
  const names = new Set(services.map(({ serviceLineName }) => serviceLineName));
  return (
    <>
      <a class="subject" href={address}>
        <bdi>
          {entry.patientFirstName} {entry.patientLastName}
        </bdi>
      </a>
      {authorizationNumber !== null && (
        <span class="authorization-number"> {authorizationNumber}</span>
      )}
      <small>
        {[...(subject === "POOL" ? ["Shared pool"] : []), ...names].join(" · ")}
        {/* A payor calls its states what it likes, so none is a warning. */}
        {authorizationStatus !== null && authorizationStatus !== "AUTHORIZED" && (
          <span class="badge">{words(authorizationStatus)}</span>
        )}
        {overFrom !== null && <span class="badge over">over from {shortDateText(overFrom)}</span>}
      </small>
    </>
  );
}

function Ends({ entry: { endDate, timezone } }: { entry: OverviewEntry }) {
  // The API may know a time zone that this browser does not know.
  const now = today(zoneNamed(timezone) ?? ownZone());
  const days = daysBetween(place.value.query.get("date") ?? now, endDate);
  return (
    <>
      {dateText(endDate)}
      {endDate < now ? (
        <span class="badge warning">ended</span>
      ) : (
        days <= SOON && (
          <small class="soon">
            {days === 0 ? "last day" : days === 1 ? "in 1 day" : `in ${days} days`}
          </small>
        )
      )}
    </>
  );
}

/** A sortable column header; a second click reverses the order. */
function SortableHeader(properties: { name: string; field: "share" | "endDate"; class?: string }) {
  const { name, field } = properties;
  const sort = place.value.query.get("sort") ?? "-share";
  const direction = sort === field ? "ascending" : sort === `-${field}` ? "descending" : undefined;
  // The useful first order is: fullest first, ending soonest first.
  const first = field === "share" ? `-${field}` : field;
  const next = direction === undefined ? first : sort === field ? `-${field}` : field;
  return (
    <th scope="col" class={properties.class} aria-sort={direction ?? "none"}>
      <a
        class="sort"
        href={addressWith({ sort: next === "-share" ? undefined : next, page: undefined })}
      >
        {name}
        <span aria-hidden="true">
          {direction === "ascending" ? " ↑" : direction === "descending" ? " ↓" : ""}
        </span>
      </a>
    </th>
  );
}
