import { useResponse } from "../lib/response.ts";
import { exportSince } from "../lib/api.ts";
import { dateText, words } from "../lib/format.ts";
import { labelOf } from "../lib/labels.ts";
import type { Line } from "../lib/lines.ts";
import { addressOf, addressWith, goTo, place } from "../lib/place.ts";
import { visits } from "../lib/visits.ts";
import { Field } from "../parts/field.tsx";
import { ResponseView, Empty } from "../parts/notices.tsx";
import { SessionLink } from "../parts/session-link.tsx";

/** What was made, changed and deleted since a day on which one was here. */

/** Reference data are named in their own lists. */
const TYPES = [
  "user",
  "authorizationPool",
  "authorization",
  "session",
  "encounter",
  "intakeLead",
  "treatmentPlan",
  "goal",
];

export function Changes() {
  const days = visits();
  // The last visit is the one before today's.
  const last = days[1] ?? days[0];
  const since = place.value.query.get("since") ?? last?.day;
  const after = days.find(({ day }) => day === since)?.sequence;
  const response = useResponse(after === undefined ? undefined : `changes ${after}`, (signal) =>
    exportSince(after ?? 0, TYPES, signal),
  );
  return (
    <main>
      <header class="view-header">
        <h1 tabIndex={-1}>Changes</h1>
        <p class="lead">What was made, changed and deleted, by anybody.</p>
      </header>
      <form class="toolbar" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
        <Field
          label="Since your visit of"
          value={since ?? ""}
          choices={days.map(({ day }) => ({ value: day, name: dateText(day) }))}
          onType={(day) => goTo(addressWith({ since: day }))}
        />
      </form>
      {after === undefined ? (
        <Empty>
          <p>The changes of a day are known from the first visit on.</p>
        </Empty>
      ) : (
        <ResponseView response={response}>
          {(lines) =>
            lines.length === 0 ? (
              <Empty>
                <p>Nothing has changed.</p>
              </Empty>
            ) : (
              <Records lines={lines} />
            )
          }
        </ResponseView>
      )}
    </main>
  );
}

function Records({ lines }: { lines: Line[] }) {
  const byType = [...Map.groupBy(lines, ({ type }) => type)];
  return (
    <>
      {byType.map(([type, records]) => (
        <section key={type} class="panel">
          <h2>
            {labelOf(type)} <small>{records.length}</small>
          </h2>
          <ul class="record-list">
            {records.map((record) => (
              <li key={record.publicId}>
                <Name record={record} />{" "}
                {record.deleted === true && <span class="badge warning">Deleted</span>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** A record, as a way to it where there is one. */
function Name({ record }: { record: Line }) {
  const { type, publicId, deleted } = record;
  if (deleted === true) return <code>{publicId}</code>;
  const text = textOf(record);
  if (type === "session") return <SessionLink id={publicId}>{text}</SessionLink>;
  const path =
    type === "user"
      ? ["people", publicId]
      : type === "authorization" || type === "authorizationPool"
        ? ["utilization", publicId]
        : undefined;
  return path === undefined ? <>{text}</> : <a href={addressOf(path)}>{text}</a>;
}

function textOf({ publicId, type, ...fields }: Line): string {
  const { firstName, lastName, role, title, startTime, authorizationNumber, units, name } = fields;
  if (type === "user") return `${firstName} ${lastName}, ${words(String(role)).toLowerCase()}`;
  if (type === "session") return `${title}, ${dateText(String(startTime))}`;
  if (type === "encounter") return `${units} units, ${dateText(String(startTime))}`;
  return String(authorizationNumber ?? name ?? title ?? publicId);
}
