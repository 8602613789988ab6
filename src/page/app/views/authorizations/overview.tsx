import type { ComponentChildren } from "preact";
import { daysBetween, ownZone, today, zoneNamed } from "../../lib/base/dates.ts";
import { dateText, rangeText, shareText, shortDateText, words } from "../../lib/base/format.ts";
import { patientName } from "../../lib/person/people.ts";
import { addressOf, addressOfFilter, parameter, parameters } from "../../lib/base/place.ts";
import { useList } from "../../lib/base/list.ts";
import type { OverviewEntry, PageOf } from "../../lib/base/wire.ts";
import { balanceText, unitsOfEntry } from "../../lib/authorizations/units.ts";
import { Bar, ShareText } from "../../parts/authorizations/bar.tsx";
import { Choices, isTable, ShowAs } from "../../parts/base/choices.tsx";
import {
  FilterField,
  PatientFilter,
  PayorFilter,
  Toolbar,
  ZoneFilter,
} from "../../parts/base/filters.tsx";
import { Legend, UNIT_KEYS } from "../../parts/base/legend.tsx";
import { More } from "../../parts/base/more.tsx";
import type { Column } from "../../parts/base/list-table.tsx";
import { ListView } from "../../parts/base/list-view.tsx";
import { savedUnits, unitColumns } from "../../parts/authorizations/unit-columns.tsx";

/** All current authorizations and pools, with the period that includes a day; by default the fullest first. */

const PARAMETERS = [
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
  const list = useList<PageOf<OverviewEntry>>("authorization-utilization", parameters(PARAMETERS));
  return (
    <ListView
      isAboutPatients
      title="Utilization"
      list={list}
      filters={<Filters />}
      columns={isTable() ? NUMBERS : BARS}
      keyOf={({ publicId }) => publicId}
      saveAs="utilization"
      empty={
        <>
          No authorization is current on this day, or none matches the filter.
          <a href={addressOf(["utilization"])}>Show all</a>
        </>
      }
      above={!isTable() && <Legend keys={[...UNIT_KEYS, ["key-pace", "Pace of the period"]]} />}
    />
  );
}

/** Filters by share, as `minShare` and `maxShare`. */
const RANGES = [
  { name: "All", min: undefined, max: undefined },
  { name: "Over", min: "1.0001", max: undefined },
  { name: "Nearly used", min: "0.8", max: "1" },
  { name: "Under half", min: undefined, max: "0.5" },
];

function Filters() {
  const ranges = RANGES.map(({ name, min, max }) => ({
    name,
    address: addressOfFilter({ minShare: min, maxShare: max }),
    isChosen: parameter("minShare") === min && parameter("maxShare") === max,
  }));
  return (
    <Toolbar>
      <Choices label="Share of the authorized units" choices={ranges} />
      <PatientFilter />
      <More of={["payorId", "date", "timezone"]}>
        <PayorFilter />
        <FilterField name="date" type="date" label="Day" />
        <ZoneFilter placeholder="Each patient’s own" />
      </More>
      <ShowAs picture="Bars" />
    </Toolbar>
  );
}

const SUBJECT: Column<OverviewEntry> = {
  name: "Patient",
  cell: (entry) => <Subject entry={entry} />,
  saved: { Patient: patientName, Authorization: ({ authorizationNumber }) => authorizationNumber },
};

const ENDS: Column<OverviewEntry> = {
  name: "Ends",
  class: "date",
  sort: { field: "endDate", first: "ascending" },
  cell: (entry) => <Ends entry={entry} />,
  saved: { Ends: ({ endDate }) => endDate },
};

const shareColumn = (cell: (entry: OverviewEntry) => ComponentChildren): Column<OverviewEntry> => ({
  name: "Share",
  class: "number",
  sort: { field: "share", first: "descending", isDefault: true },
  cell,
  saved: { Share: ({ share }) => share },
});

const BARS: Column<OverviewEntry>[] = [
  SUBJECT,
  {
    name: "Period",
    cell: ({ unitFrequency, period }) => (
      <>
        {words(unitFrequency)}
        <small>{rangeText(period.startDate, period.endDate)}</small>
      </>
    ),
    saved: { From: ({ period }) => period.startDate, To: ({ period }) => period.endDate },
  },
  {
    name: "Units",
    class: "wide",
    cell: (entry) => (
      <>
        <Bar units={unitsOfEntry(entry)} elapsed={entry.elapsedShare} />
        <small aria-hidden="true">{balanceText(unitsOfEntry(entry))}</small>
      </>
    ),
    saved: savedUnits(unitsOfEntry),
  },
  shareColumn(({ share }) => <ShareText share={share} />),
  ENDS,
];

const NUMBERS: Column<OverviewEntry>[] = [
  SUBJECT,
  {
    name: "Period",
    class: "date",
    cell: ({ period }) => rangeText(period.startDate, period.endDate),
    saved: { From: ({ period }) => period.startDate, To: ({ period }) => period.endDate },
  },
  ...unitColumns(unitsOfEntry),
  shareColumn(({ share }) => shareText(share)),
  { name: "Elapsed", class: "number", cell: ({ elapsedShare }) => shareText(elapsedShare) },
  ENDS,
];

function Subject({ entry }: { entry: OverviewEntry }) {
  const address = addressOf(["utilization", entry.publicId], parameters(["timezone"]));
  const { subject, services, authorizationNumber, authorizationStatus, overFrom } = entry;
  const names = new Set(services.map(({ serviceLineName }) => serviceLineName));
  return (
    <>
      <a class="subject" href={address}>
        <bdi>{patientName(entry)}</bdi>
      </a>
      <small>
        {[...(subject === "POOL" ? ["Shared pool"] : []), ...names].join(" · ")}{" "}
        {/* A payor calls its states what it likes, so none is a warning. */}
        {authorizationStatus !== null && authorizationStatus !== "AUTHORIZED" && (
          <span class="badge">{words(authorizationStatus)}</span>
        )}{" "}
        {overFrom !== null && <span class="badge over">over from {shortDateText(overFrom)}</span>}
      </small>
      {authorizationNumber !== null && <small class="spare">{authorizationNumber}</small>}
    </>
  );
}

function Ends({ entry: { endDate, timezone } }: { entry: OverviewEntry }) {
  // The API may know a time zone that this browser does not know.
  const now = today(zoneNamed(timezone) ?? ownZone());
  const days = daysBetween(parameter("date") ?? now, endDate);
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
