import { useState } from "preact/hooks";
import { useGet } from "../../lib/base/response.ts";
import { withQuery } from "../../lib/base/api.ts";
import type { Query } from "../../lib/base/query.ts";
import { dateText, rangeText, SESSION_STATUSES, unitsText } from "../../lib/base/format.ts";
import type { LedgerEntry, UtilizationLedger } from "../../lib/base/wire.ts";
import { ResponseView } from "../../parts/base/notices.tsx";
import { SessionLink } from "../../parts/session/session-link.tsx";
import { numbers, Table } from "../../parts/base/table.tsx";

/** Each session and encounter of an authorization or pool, whether it counts, and why not. */
export function WhatCounts({ id, query }: { id: string; query: Query }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="panel what-counts"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>What counts</summary>
      <p class="hint">
        <strong>Delivered</strong> are the units of encounters. <strong>Scheduled</strong> are those
        of all booked sessions, documented or not; <strong>booked</strong> only of those that nobody
        has documented yet, so that delivered and booked together are what is used.
      </p>
      {isOpen && <Ledger id={id} query={query} />}
    </details>
  );
}

function Ledger({ id, query }: { id: string; query: Query }) {
  const path = `authorization-utilization/${encodeURIComponent(id)}/ledger`;
  const response = useGet<UtilizationLedger>(withQuery(path, query));
  return (
    <ResponseView response={response}>
      {({ ledger }) => {
        const byPeriod = Map.groupBy(ledger, ({ period }) =>
          period === null ? "Not counted" : rangeText(period.startDate, period.endDate),
        );
        return (
          <Table
            label="What counts"
            headings={["Day", "What", ...numbers("Units"), "How, or why not"]}
          >
            {[...byPeriod].map(([period, entries]) => (
              <tbody key={period}>
                <tr>
                  <th scope="rowgroup" colSpan={4}>
                    {period}
                  </th>
                </tr>
                {entries.map((entry) => (
                  <Entry key={entry.type + entry.publicId} entry={entry} />
                ))}
              </tbody>
            ))}
          </Table>
        );
      }}
    </ResponseView>
  );
}

function Entry({ entry }: { entry: LedgerEntry }) {
  const { type, publicId, day, localStart, status, units, rule, reason } = entry;
  return (
    <tr>
      <td class="date">
        {dateText(day)}, {localStart.slice(11, 16)}
      </td>
      <td>
        {type === "encounter" ? (
          "Delivered"
        ) : (
          <SessionLink id={publicId}>
            Session{status === null ? "" : `, ${SESSION_STATUSES[status].toLowerCase()}`}
          </SessionLink>
        )}
      </td>
      <td class="number">{reason === null ? unitsText(units) : <s>{unitsText(units)}</s>}</td>
      <td>{reason ?? rule}</td>
    </tr>
  );
}
