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
import { numbers, Table } from "../../parts/base/table.tsx";
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
  return (
    <section class="panel">
      <div class="list-head">
        <h2>Authorizations</h2>
        {mayWrite("authorization") && (
          <div class="buttons">
            <Button onClick={() => openDialog("new-authorization")}>New authorization</Button>
            <Button onClick={() => openDialog("new-pool")}>New pool</Button>
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
        <Table
          label="Authorizations"
          headings={[
            ...["Authorization", "Number", ...numbers("Units"), "Per", "Now", "Dates", "Status"],
            <td key="actions" />,
          ]}
        >
          <tbody>
            {rows.map((row) => {
              const entry = current?.data.find(({ publicId }) => publicId === row.id);
              return (
                <tr key={row.id}>
                  <th scope="row" class={row.kind === "member" ? "member" : undefined}>
                    <a href={addressOf(["utilization", row.id])}>{row.name}</a>
                  </th>
                  <td>{row.number}</td>
                  <td class="number">{row.units}</td>
                  <td>{words(row.frequency)}</td>
                  <td class="units-now">
                    {entry && (
                      <>
                        <Bar units={unitsOfEntry(entry)} elapsed={entry.elapsedShare} />
                        <small>{leftText(unitsOfEntry(entry))}</small>
                      </>
                    )}
                  </td>
                  <td>
                    {row.term && rangeText(row.term.startDate, row.term.endDate)}
                    <small>
                      <OutsideTerm term={row.term} />
                    </small>
                  </td>
                  <td>{words(row.status)}</td>
                  <td>
                    {mayWrite("authorization") && (
                      <Button
                        class="link"
                        aria-label={`Edit ${row.name} ${row.number}`}
                        onClick={() =>
                          openDialog(row.kind === "pool" ? "edit-pool" : "edit-authorization", {
                            id: row.id,
                          })
                        }
                      >
                        Edit
                      </Button>
                    )}{" "}
                    {mayWrite("authorization") && row.kind !== "member" && (
                      <Button
                        class="link"
                        aria-label={`Renew ${row.name} ${row.number}`}
                        onClick={() => openDialog("renew", { id: row.id })}
                      >
                        Renew
                      </Button>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </Table>
      )}
    </section>
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
