import { unitsText } from "../../lib/base/format.ts";
import { balance, type Units } from "../../lib/authorizations/units.ts";

/** The units of a period as cells of a table, with those of all its booked sessions if they are given. */
export function UnitCells({ units, scheduled }: { units: Units; scheduled?: number }) {
  const { authorized, delivered, booked } = units;
  const { left, over } = balance(units);
  return (
    <>
      <td class="number">{authorized === null ? "no limit" : unitsText(authorized)}</td>
      <td class="number">{unitsText(delivered)}</td>
      {scheduled !== undefined && <td class="number">{unitsText(scheduled)}</td>}
      <td class="number">{unitsText(booked)}</td>
      <td class="number">{left === null ? "–" : unitsText(left)}</td>
      <td class="number">{authorized === null ? "–" : unitsText(over)}</td>
    </>
  );
}
