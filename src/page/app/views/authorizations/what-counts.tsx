import { useState } from "preact/hooks";
import { useGet } from "../../lib/base/response.ts";
import { withQuery } from "../../lib/base/api.ts";
import type { Query } from "../../lib/base/query.ts";
import { dateText, rangeText, SESSION_STATUSES, unitsText } from "../../lib/base/format.ts";
import type { LedgerEntry, UtilizationLedger } from "../../lib/base/wire.ts";
import { ResponseView } from "../../parts/base/notices.tsx";
import { SessionLink } from "../../parts/session/session-link.tsx";
import { type Column, ListTable } from "../../parts/base/list-table.tsx";

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
          <ListTable
            label="What counts"
            columns={COLUMNS}
            keyOf={({ type, publicId }) => type + publicId}
            groups={[...byPeriod].map(([period, rows]) => ({ key: period, heading: period, rows }))}
          />
        );
      }}
    </ResponseView>
  );
}

const COLUMNS: Column<LedgerEntry>[] = [
  {
    name: "Day",
    class: "date",
    cell: ({ day, localStart }) => `${dateText(day)}, ${localStart.slice(11, 16)}`,
  },
  {
    name: "What",
    cell: ({ type, publicId, status }) =>
      type === "encounter" ? (
        "Delivered"
      ) : (
        <SessionLink id={publicId}>
          Session{status === null ? "" : `, ${SESSION_STATUSES[status].toLowerCase()}`}
        </SessionLink>
      ),
  },
  {
    name: "Units",
    class: "number",
    cell: ({ units, reason }) => (reason === null ? unitsText(units) : <s>{unitsText(units)}</s>),
  },
  { name: "How, or why not", cell: ({ reason, rule }) => reason ?? rule },
];
