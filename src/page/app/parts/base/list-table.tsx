import type { ComponentChildren } from "preact";
import { addressOfFilter, parameter } from "../../lib/base/place.ts";
import type { Spread } from "../../lib/base/spreadsheet.ts";

/** A column of a list: its heading, its cells, and what a spreadsheet has of it. */
export interface Column<Row> extends Spread<Row> {
  name: string;
  /**
   * Numbers stand on the right. `number`, `date` and `actions` are as wide as they are, the others share the rest: texts
   * are cut where it is too little, but for `words`, which break. A `lead` has no name on a phone.
   */
  class?: "number" | "date" | "actions" | "words" | "wide" | "wide words" | "lead" | undefined;
  /** Whether the heading sorts: a field of the API's `sort`, by default in the order that one looks for first. */
  sort?: Sorting;
  cell: (row: Row) => ComponentChildren;
  /** What stands below all rows. */
  foot?: ComponentChildren;
}

interface Sorting {
  field: string;
  first: "ascending" | "descending";
  /** Whether the list is sorted by it without a choice. */
  isDefault?: boolean;
}

export interface Group<Row> {
  key: string;
  heading: ComponentChildren;
  rows: readonly Row[];
}

/** A list as a table; where it has no room, each row is a card, whose first cell is its heading. */
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
    <section class="list" aria-label={label}>
      <table class="plain" aria-label={label} onPointerOver={sayWhole}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <Heading key={column.name} column={column} share={shareOf(columns, index)} />
            ))}
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
                {columns.map(({ name, class: own = "text", cell }, place) =>
                  place === 0 ? (
                    <th key={name} scope="row" class={own}>
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={name} class={own} data-name={name || undefined}>
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
    </section>
  );
}

/** How many parts of what numbers and dates leave a column has; nothing if it is as wide as it is. */
function partsOf({ class: own }: Column<never>, index: number): number {
  if (own === "number" || own === "date" || own === "actions") return 0;
  return own?.startsWith("wide") || index === 0 ? 3 : 2;
}

/** The width of a column. */
type Share = { width?: string };

function shareOf(columns: readonly Column<never>[], index: number): Share {
  const all = columns.map(partsOf).reduce((sum, parts) => sum + parts, 0);
  const own = columns.map(partsOf)[index] ?? 0;
  return own === 0 ? {} : { width: `${(own / all) * 100}%` };
}

/** What is cut is whole in the title. */
function sayWhole({ target }: Event): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>("td, th") : null;
  if (cell !== null && cell.scrollWidth > cell.clientWidth) cell.title = cell.innerText;
}

function Heading<Row>(properties: { column: Column<Row>; share: Share }) {
  const { name, class: own, sort } = properties.column;
  if (name === "") return <td />;
  const direction = sort && directionOf(sort);
  return (
    <th
      scope="col"
      class={own === "number" ? own : undefined}
      style={properties.share}
      aria-sort={sort && (direction ?? "none")}
    >
      {sort ? <SortLink name={name} sort={sort} /> : name}
    </th>
  );
}

function directionOf({ field, first, isDefault }: Sorting): Sorting["first"] | undefined {
  const sorted = parameter("sort");
  if (sorted === undefined) return isDefault ? first : undefined;
  return sorted === field ? "ascending" : sorted === `-${field}` ? "descending" : undefined;
}

/** A second click reverses the order. */
function SortLink({ name, sort }: { name: string; sort: Sorting }) {
  const { field, first, isDefault } = sort;
  const direction = directionOf(sort);
  const next =
    direction === undefined ? first : direction === "ascending" ? "descending" : "ascending";
  const value =
    isDefault && next === first ? undefined : next === "ascending" ? field : `-${field}`;
  return (
    <a class="sort" href={addressOfFilter({ sort: value })}>
      {name}
      <span aria-hidden="true">{direction && (direction === "ascending" ? " ↑" : " ↓")}</span>
    </a>
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
