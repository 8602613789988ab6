import { unitsText } from "../../lib/base/format.ts";
import { balance, type Units } from "../../lib/authorizations/units.ts";
import type { Column } from "../base/list-table.tsx";

/** The units of a period in a spreadsheet. */
export function savedUnits<Row>(of: (row: Row) => Units): NonNullable<Column<Row>["saved"]> {
  return {
    Authorized: (row) => of(row).authorized,
    Delivered: (row) => of(row).delivered,
    Booked: (row) => of(row).booked,
  };
}

/** The units of a period as columns, with those of all its booked sessions if they are given. */
export function unitColumns<Row>(
  of: (row: Row) => Units,
  scheduled?: (row: Row) => number,
): Column<Row>[] {
  const column = (name: string, text: (units: Units, row: Row) => string): Column<Row> => ({
    name,
    class: "number",
    cell: (row) => text(of(row), row),
  });
  const authorized = column("Authorized", ({ authorized }) =>
    authorized === null ? "no limit" : unitsText(authorized),
  );
  return [
    { ...authorized, saved: savedUnits(of) },
    column("Delivered", ({ delivered }) => unitsText(delivered)),
    ...(scheduled ? [column("Scheduled", (_, row) => unitsText(scheduled(row)))] : []),
    column("Booked", ({ booked }) => unitsText(booked)),
    column(
      "Left",
      limited(({ left }) => left),
    ),
    column(
      "Over",
      limited(({ over }) => over),
    ),
  ];
}

/** What there is only where units are limited. */
function limited(of: (units: { left: number; over: number }) => number) {
  return (units: Units): string => {
    const { left, over } = balance(units);
    return left === null ? "–" : unitsText(of({ left, over }));
  };
}
