import { type ChangedLine, changesSince } from "../lib/api.ts";
import { dateOf, today } from "../lib/dates.ts";
import { dateText, timeText, words } from "../lib/format.ts";
import { labelOf } from "../lib/labels.ts";
import { practiceZone } from "../lib/me.ts";
import { useNames } from "../lib/people.ts";
import { addressOf, parameter } from "../lib/place.ts";
import { TYPES } from "../lib/csv-columns.ts";
import { useResponse } from "../lib/response.ts";
import { lastVisit } from "../lib/visits.ts";
import { FilterField } from "../parts/filters.tsx";
import { Empty, ResponseView } from "../parts/notices.tsx";
import { SessionLink } from "../parts/session-link.tsx";
import { Filters } from "../parts/toolbar.tsx";
import { ViewHeader } from "../parts/view-header.tsx";

/** What was made, changed and deleted since a day, and by whom; at first since one was last here. */
export function Changes() {
  const since = parameter("since") ?? lastVisit();
  const response = useResponse(`changes ${since}`, (signal) =>
    changesSince(since, [...TYPES, "goal"], signal),
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
            [...Map.groupBy(lines, ({ type }) => type)].map(([type, records]) => (
              <Records key={type} type={type} records={records} />
            ))
          )
        }
      </ResponseView>
    </main>
  );
}

/** How many records of a type are shown. */
const SHOWN = 100;

/** The records of a type, the last changed first. */
function Records({ type, records }: { type: string; records: ChangedLine[] }) {
  const shown = records
    .toSorted((a, b) => (b.changedAt ?? "").localeCompare(a.changedAt ?? ""))
    .slice(0, SHOWN);
  // A lead has no name of its own.
  const clients = type === "intakeLead" ? shown.flatMap(({ clientId }) => clientId ?? []) : [];
  const name = useNames(clients.map(String));
  return (
    <section class="panel">
      <h2>
        {labelOf(type)} <small>{records.length}</small>
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
      {records.length > SHOWN && <p class="hint">And {records.length - SHOWN} more.</p>}
    </section>
  );
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

/** A record, as a way to it where there is one. */
function Name({ record, name }: { record: ChangedLine; name: (id: string) => string }) {
  const { type, publicId, deleted, clientId } = record;
  if (deleted === true) return <code>{publicId}</code>;
  if (type === "session") return <SessionLink id={publicId}>{textOf(record)}</SessionLink>;
  const lead = type === "intakeLead" ? String(clientId) : undefined;
  const path =
    type === "user" || lead !== undefined
      ? ["people", lead ?? publicId]
      : type === "authorization" || type === "authorizationPool"
        ? ["utilization", publicId]
        : undefined;
  const text = lead === undefined ? textOf(record) : name(lead);
  return path === undefined ? <>{text}</> : <a href={addressOf(path)}>{text}</a>;
}

function textOf({ publicId, type, ...fields }: ChangedLine): string {
  const { firstName, lastName, role, title, startTime, authorizationNumber, units, name } = fields;
  const day = (): string => dateText(dateOf(startTime as never, practiceZone()));
  if (type === "user") return `${firstName} ${lastName}, ${words(String(role)).toLowerCase()}`;
  if (type === "session") return `${title}, ${day()}`;
  if (type === "encounter") return `${units} units, ${day()}`;
  return String(authorizationNumber ?? name ?? title ?? publicId);
}
