import type { ComponentChildren, JSX } from "preact";

/** A column's heading: its name, a name over numbers, or a cell of its own. */
export type Heading = string | { number: string } | JSX.Element;

/** Headings of columns with numbers, which stand on the right. */
export function numbers(...names: string[]): Heading[] {
  return names.map((number) => ({ number }));
}

/** A table with one row of headings. */
export function Table(properties: {
  /** What it is a table of; without, it is never wider than the page. */
  label?: string;
  headings: readonly Heading[];
  class?: string;
  /** Its body. */
  children: ComponentChildren;
}) {
  const { label, headings, class: own = "plain", children } = properties;
  const table = (
    <table class={own}>
      <thead>
        <tr>{headings.map(headingCell)}</tr>
      </thead>
      {children}
    </table>
  );
  if (label === undefined) return table;
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label={label}>
      {table}
    </div>
  );
}

function headingCell(heading: Heading): JSX.Element {
  if (typeof heading === "string")
    return (
      <th key={heading} scope="col">
        {heading}
      </th>
    );
  if ("number" in heading)
    return (
      <th key={heading.number} scope="col" class="number">
        {heading.number}
      </th>
    );
  return heading;
}
