import { addDays, type DateRange, today } from "../../lib/base/dates.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { useGet } from "../../lib/base/response.ts";
import { withQuery } from "../../lib/base/api.ts";
import {
  type Authorization,
  authorizationsOf,
  termOfPool,
  type Patient,
  poolName,
} from "../../lib/authorizations/authorizations.ts";
import { dateText, rangeText, unitsText, words } from "../../lib/base/format.ts";
import { addressOf, openDialog } from "../../lib/base/place.ts";
import { endingTogether } from "../../lib/authorizations/renewals.ts";
import { mayWrite } from "../../lib/base/rights.ts";
import { leftText, unitsOfEntry } from "../../lib/authorizations/units.ts";
import type { OverviewEntry, PageOf } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Bar } from "../../parts/authorizations/bar.tsx";
import { OutsideTerm } from "../../parts/authorizations/outside-term.tsx";
import { ListTable } from "../../parts/base/list-table.tsx";
import { AuthorizationDialogs } from "./authorization-dialogs.tsx";

/** The authorizations of a patient: pools with their members, then standalone ones. */

/** How long one that has ended is still to be renewed, in days. */
const LATELY = 28;

interface Row {
  id: string;
  name: string;
  kind: "pool" | "member" | "alone";
  number: string;
  units: string;
  frequency: string;
  /** Undefined for a pool without members. */
  term: DateRange | undefined;
  status: string;
}

export function AuthorizationList({ patient }: { patient: Patient }) {
  const rows = rowsOf(patient);
  const { publicId: patientId } = patient;
  const lately = addDays(today(practiceZone()), -LATELY);
  // The units of the current periods are not in the record.
  const current = useGet<PageOf<OverviewEntry>>(
    rows.length === 0
      ? undefined
      : withQuery("authorization-utilization", { patientId, pageSize: 100 }),
  ).value;
  const entryOf = (id: string) => current?.data.find(({ publicId }) => publicId === id);
  return (
    <section class="panel">
      <div class="list-head">
        <h2>Authorizations</h2>
        {mayWrite("authorization") && (
          <div class="buttons">
            <Button onClick={() => openDialog("new-authorization")}>New authorization</Button>
            <Button class="quiet" onClick={() => openDialog("new-pool")}>
              New pool
            </Button>
            {endingTogether(authorizationsOf(patient), lately).map(({ endDate, ids }) => (
              <Button key={endDate} onClick={() => openDialog("renew-all", { ids: ids.join() })}>
                Renew {ids.length} authorizations, {dateText(endDate)}
              </Button>
            ))}
          </div>
        )}
      </div>
      <AuthorizationDialogs patientId={patientId} />
      {rows.length === 0 ? (
        <p>None.</p>
      ) : (
        <ListTable
          label="Authorizations"
          keyOf={({ id }) => id}
          rows={rows}
          columns={[
            {
              name: "Authorization",
              cell: ({ id, name, number, kind }) => (
                <>
                  <a class={kind} href={addressOf(["utilization", id])} title={number}>
                    {name}
                  </a>
                  <small class="authorization-number">{number}</small>
                </>
              ),
            },
            {
              name: "Units",
              class: "date",
              cell: ({ units, frequency }) => (
                <>
                  {units} {frequency && words(frequency).toLowerCase()}
                </>
              ),
            },
            { name: "Now", class: "wide", cell: ({ id }) => <NowUsed entry={entryOf(id)} /> },
            {
              name: "Ends",
              class: "words",
              cell: ({ term, status }) => (
                <>
                  <span title={term && rangeText(term.startDate, term.endDate)}>
                    {term && dateText(term.endDate)}
                  </span>
                  <OutsideTerm term={term} />
                  {status !== "" && status !== "AUTHORIZED" && (
                    <span class="badge warning">{words(status)}</span>
                  )}
                </>
              ),
            },
            {
              name: "",
              class: "actions",
              cell: (row) => mayWrite("authorization") && <Ways row={row} />,
            },
          ]}
        />
      )}
    </section>
  );
}

function NowUsed({ entry }: { entry: OverviewEntry | undefined }) {
  if (entry === undefined) return null;
  return (
    <>
      <Bar units={unitsOfEntry(entry)} elapsed={entry.elapsedShare} />
      <small>{leftText(unitsOfEntry(entry))}</small>
    </>
  );
}

function Ways({ row: { id, name, number, kind } }: { row: Row }) {
  const edit = kind === "pool" ? "edit-pool" : "edit-authorization";
  const ways = [
    ["Edit", edit] as const,
    ...(kind === "member" ? [] : [["Renew", "renew"] as const]),
  ];
  return (
    <>
      {ways.map(([text, dialog]) => (
        <Button
          key={text}
          class="link"
          aria-label={`${text} ${name} ${number}`}
          onClick={() => openDialog(dialog, { id })}
        >
          {text}
        </Button>
      ))}
    </>
  );
}

function rowsOf(patient: Patient): Row[] {
  const all = authorizationsOf(patient);
  const pools = patient.authorizationPools.flatMap((pool) => {
    const members = all.filter(({ poolId }) => poolId === pool.publicId);
    return [
      {
        id: pool.publicId,
        name: poolName(pool),
        kind: "pool" as const,
        number: "",
        units: pool.isUnlimited ? "no limit" : unitsText(pool.totalUnits),
        frequency: pool.unitFrequency,
        term: termOfPool(members),
        status: "",
      },
      ...members.map((member) => rowOf(member)),
    ];
  });
  return [...pools, ...all.filter(({ poolId }) => poolId === null).map(rowOf)];
}

function rowOf(authorization: Authorization): Row {
  const { units, frequency } = authorization;
  return {
    id: authorization.publicId,
    name: authorization.serviceLine.name,
    kind: authorization.poolId === null ? "alone" : "member",
    number: authorization.number,
    units: units === null ? "" : unitsText(units),
    frequency: units === null ? "" : frequency,
    term: authorization,
    status: authorization.status,
  };
}
