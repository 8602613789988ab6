import type { ComponentChildren, JSX } from "preact";
import type { Rows } from "../../lib/base/csv.ts";

type Value = string | number | null;

/** A column of a list: its heading, its cells, and what a spreadsheet has of it. */
export interface Column<Row> {
  name: string;
  /** Numbers stand on the right, dates stay in one line, words may break. */
  class?: "number" | "date" | "words" | "actions" | "wide" | undefined;
  /** The heading, if it is more than the name. */
  head?: JSX.Element;
  cell: (row: Row) => ComponentChildren;
  /** The columns of a spreadsheet, by their headings. */
  saved?: Record<string, (row: Row) => Value>;
  /** What stands below all rows. */
  foot?: ComponentChildren;
}

export interface Group<Row> {
  key: string;
  heading: ComponentChildren;
  rows: readonly Row[];
}

/** A list as a table; on a phone each row is a card, whose first cell is its heading. */
export function ListTable<Row>(properties: {
  label: string;
  columns: readonly Column<Row>[];
  /** The key of a row, which may be its place in its group. */
  keyOf: (row: Row, index: number) => string | number;
  rows?: readonly Row[];
  /** The rows in groups, instead. */
  groups?: readonly Group<Row>[];
  /** The row of today. */
  isNow?: (row: Row) => boolean;
}) {
  const { label, columns, keyOf, rows = [], isNow } = properties;
  const { groups = [{ key: "", heading: null, rows }] } = properties;
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label={label}>
      <table class="plain list">
        <thead>
          <tr>
            {columns.map((column) => column.head ?? <Heading key={column.name} {...column} />)}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.key}>
            {group.heading !== null && (
              <tr class="group">
                <th colSpan={columns.length} scope="rowgroup">
                  {group.heading}
                </th>
              </tr>
            )}
            {group.rows.map((row, index) => (
              <tr key={keyOf(row, index)} aria-current={isNow?.(row) ? "date" : undefined}>
                {columns.map(({ name, class: own, cell }, index) =>
                  index === 0 ? (
                    <th key={name} scope="row">
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={name} class={own} data-name={name}>
                      {cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        ))}
        <Foot columns={columns} />
      </table>
    </div>
  );
}

/** Sums below all rows; the first column's foot says of what, up to the next one. */
function Foot<Row>({ columns: [lead, ...columns] }: { columns: readonly Column<Row>[] }) {
  if (lead?.foot === undefined) return null;
  const first = columns.findIndex(({ foot }) => foot !== undefined);
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={first + 1}>
          {lead.foot}
        </th>
        {columns.slice(first).map(({ name, class: own, foot }) => (
          <td key={name} class={own} data-name={name}>
            {foot}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

function Heading({ name, class: own }: { name: string; class?: string | undefined }) {
  return own === "actions" ? (
    <td />
  ) : (
    <th scope="col" class={own}>
      {name}
    </th>
  );
}

/** Rows as a spreadsheet, with their headings. */
export function savedRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Rows {
  const saved = columns.flatMap((column) => Object.entries(column.saved ?? {}));
  return [
    saved.map(([heading]) => heading),
    ...rows.map((row) => saved.map(([, value]) => value(row))),
  ];
}
