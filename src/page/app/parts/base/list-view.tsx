import type { ComponentChildren } from "preact";
import { getWhole } from "../../lib/base/api.ts";
import { useList } from "../../lib/base/list.ts";
import { parameter } from "../../lib/base/place.ts";
import type { Query } from "../../lib/base/query.ts";
import type { PageOf } from "../../lib/base/wire.ts";
import { ListPages } from "./list-pages.tsx";
import { type Column, ListTable, savedRows } from "./list-table.tsx";
import { SaveAsCsv } from "./save-as-csv.tsx";
import { ViewHeader } from "./view-header.tsx";

type RowOf<Page extends PageOf<unknown>> = Page["data"][number];

/** A view that is a list: its heading, its filters, and its pages as a table, to be printed and saved. */
export function ListView<Page extends PageOf<unknown>>(properties: {
  title: string;
  lead: ComponentChildren;
  isAboutPatients?: boolean;
  actions?: ComponentChildren;
  /** May depend on the page that is shown. */
  filters: (shown: Page | undefined) => ComponentChildren;
  path: string;
  /** All parameters of the request but the page. */
  query: Query;
  /** May depend on the whole answer. */
  columns: readonly Column<RowOf<Page>>[] | ((page: Page) => readonly Column<RowOf<Page>>[]);
  keyOf: (row: RowOf<Page>) => string;
  /** The name of its spreadsheet; without, it is not offered. */
  saveAs?: string;
  empty: ComponentChildren;
  above?: (page: Page) => ComponentChildren;
  head?: (page: Page) => ComponentChildren;
  /** What is shown instead of the table. */
  children?: (page: Page) => ComponentChildren;
}) {
  const { title, lead, isAboutPatients = false, actions, filters, empty } = properties;
  const { path, query, columns, keyOf, saveAs, children } = properties;
  const columnsOf = typeof columns === "function" ? columns : () => columns;
  const list = useList<Page>(path, { ...query, page: parameter("page") });
  const save = async () => {
    const whole = await getWhole<Page>(path, query);
    return { name: saveAs ?? title, rows: savedRows(columnsOf(whole), whole.data) };
  };
  return (
    <main>
      <ViewHeader title={title} lead={lead} isAboutPatients={isAboutPatients}>
        <nav class="actions" aria-label={title}>
          {actions}
          {saveAs !== undefined && <SaveAsCsv read={save} />}
        </nav>
      </ViewHeader>
      {filters(list.response.value)}
      <ListPages
        list={list}
        empty={empty}
        {...(properties.above && { above: properties.above })}
        {...(properties.head && { head: properties.head })}
      >
        {children ??
          ((page: Page) => (
            <ListTable label={title} columns={columnsOf(page)} keyOf={keyOf} rows={page.data} />
          ))}
      </ListPages>
    </main>
  );
}
