import { type ChangedLine, changesSince } from "../../lib/base/api.ts";
import { dateOf, today } from "../../lib/base/dates.ts";
import { countText, dateText, timeText, words } from "../../lib/base/format.ts";
import { labelOf } from "../../lib/base/labels.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { useNames } from "../../lib/person/people.ts";
import { addressOfRecord, parameter } from "../../lib/base/place.ts";
import { useRemembered } from "../../lib/base/response.ts";
import { lastVisit } from "../../lib/practice/visits.ts";
import { FilterField, Filters } from "../../parts/base/filters.tsx";
import { Empty, ResponseView } from "../../parts/base/notices.tsx";
import { ViewHeader } from "../../parts/base/view-header.tsx";
import type { RecordType } from "../../../../schema/record-types.ts";

/** All types but the practice's own: where they are named, the trail says whose records were shown. */
const TYPES: Record<Exclude<RecordType, "organization">, string> = {
  location: "location",
  payor: "payor",
  serviceLine: "serviceLine",
  nonBillableCode: "nonBillableCode",
  specialization: "specialization",
  intakeStage: "intakeStage",
  intakeLabel: "intakeLabel",
  user: "user",
  authorizationPool: "authorizationPool",
  authorization: "authorization",
  session: "session",
  encounter: "encounter",
  intakeLead: "intakeLead",
  treatmentPlan: "treatmentPlan",
  goal: "goal",
};

/** What was made, changed and deleted since a day, and by whom; at first since one was last here. */
export function Changes() {
  const since = parameter("since") ?? lastVisit();
  const response = useRemembered(`changes ${since}`, (reading) =>
    changesSince(since, Object.values(TYPES), reading),
  );
  return (
    <main>
      <ViewHeader title="Changes" lead="What was made, changed and deleted, by anybody." />
      <Filters>
        <FilterField name="since" label="Since" type="date" fallback={lastVisit()} />
      </Filters>
      <ResponseView response={response}>
        {(lines) =>
          lines.length === 0 ? (
            <Empty>Nothing has changed since {dateText(since)}.</Empty>
          ) : (
            <Lists lines={lines} />
          )
        }
      </ResponseView>
    </main>
  );
}

/** How many records of a type are shown. */
const SHOWN = 100;

/** The records of each type, the last changed first, with the names of their patients. */
function Lists({ lines }: { lines: ChangedLine[] }) {
  const last = lines.toSorted((a, b) => (b.changedAt ?? "").localeCompare(a.changedAt ?? ""));
  const lists = [...Map.groupBy(lines, ({ type }) => type).keys()].map((type) => {
    const records = last.filter((record) => record.type === type);
    return { type, count: records.length, shown: records.slice(0, SHOWN) };
  });
  const name = useNames(
    lists.flatMap(({ shown }) => shown.flatMap((each) => patientOf(each) ?? [])),
  );
  return lists.map(({ type, count, shown }) => (
    <section key={type} class="panel">
      <h2>
        {labelOf(type)} <small>{count}</small>
      </h2>
      <div class="scroller changed" tabIndex={0} role="region" aria-label={labelOf(type)}>
        <ul class="record-list">
          {shown.map((record) => (
            <li key={record.publicId}>
              <Name record={record} name={name} /> <Badge change={record.change} />{" "}
              <small>{writeText(record)}</small>
            </li>
          ))}
        </ul>
      </div>
      {count > SHOWN && <p class="hint">And {count - SHOWN} more.</p>}
    </section>
  ));
}

/** The patient whom a record is about, if it says so. */
function patientOf({ clientId, patientId }: ChangedLine): string | undefined {
  const id = clientId ?? patientId ?? undefined;
  return id === undefined ? undefined : String(id);
}

function Badge({ change }: { change: ChangedLine["change"] }) {
  if (change === "CHANGED") return null;
  return change === "DELETED" ? (
    <span class="badge warning">Deleted</span>
  ) : (
    <span class="badge">New</span>
  );
}

/** `Dana Cole, 9:41 AM`, with the date of an earlier day. */
function writeText({ changedAt, changedBy }: ChangedLine): string {
  const zone = practiceZone();
  if (changedAt === null) return changedBy ?? "";
  const day = dateOf(changedAt, zone);
  const when = [day === today(zone) ? "" : dateText(day), timeText(changedAt, zone)];
  return [changedBy, ...when].filter(Boolean).join(", ");
}

/** A record with its patient, as a way to it where there is one. */
function Name({ record, name }: { record: ChangedLine; name: (id: string) => string }) {
  const { type, publicId, deleted } = record;
  if (deleted === true) return <code>{publicId}</code>;
  const patient = patientOf(record);
  // A lead and a pool have no names of their own.
  const own = type === "intakeLead" || type === "authorizationPool" ? undefined : textOf(record);
  const text = [own, patient && name(patient)].filter(Boolean).join(", ");
  const way = addressOfRecord(record);
  return way === undefined ? <>{text}</> : <a href={way}>{text}</a>;
}

function textOf({ publicId, type, ...fields }: ChangedLine): string {
  const { firstName, lastName, role, title, startTime, authorizationNumber, units, name } = fields;
  const day = (): string => dateText(dateOf(startTime as never, practiceZone()));
  if (type === "user") return `${firstName} ${lastName}, ${words(String(role)).toLowerCase()}`;
  if (type === "session") return `${title}, ${day()}`;
  if (type === "encounter") return `${countText(Number(units), "unit")}, ${day()}`;
  return String(authorizationNumber ?? name ?? title ?? publicId);
}
