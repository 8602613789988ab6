import type { ComponentChildren } from "preact";
import { unitsText } from "../../lib/base/format.ts";
import type { List } from "../../lib/base/list.ts";
import { spreadsheetOf } from "../../lib/base/spreadsheet.ts";
import type { PageOf } from "../../lib/base/wire.ts";
import { ListPages } from "./list-pages.tsx";
import { type Column, ListTable } from "./list-table.tsx";
import { PrintAll } from "./pager.tsx";
import { SaveAsCsv } from "./save-as-csv.tsx";
import { ViewHeader } from "./view-header.tsx";

type RowOf<Page extends PageOf<unknown>> = Page["data"][number];

/** A view that is a list: a band with its filters, and its pages as a table, to be printed and saved. */
export function ListView<Page extends PageOf<unknown>>(properties: {
  title: string;
  list: List<Page>;
  /** What is said behind the number of rows, such as their days. */
  lead?: (page: Page) => ComponentChildren;
  isAboutPatients?: boolean;
  filters: ComponentChildren;
  /** What can be done besides. */
  actions?: ComponentChildren;
  /** May depend on the whole answer. */
  columns: readonly Column<RowOf<Page>>[] | ((page: Page) => readonly Column<RowOf<Page>>[]);
  keyOf: (row: RowOf<Page>) => string;
  /** The name of its spreadsheet; without, it is not offered. */
  saveAs?: string;
  empty: ComponentChildren;
  above?: ComponentChildren;
  below?: (page: Page) => ComponentChildren;
}) {
  const { title, list, lead, columns, keyOf, saveAs, above, below } = properties;
  const columnsOf = typeof columns === "function" ? columns : () => columns;
  const shown = list.response.value;
  const save = async () => {
    const whole = await list.readWhole();
    return { name: saveAs ?? title, rows: spreadsheetOf(columnsOf(whole), whole.data) };
  };
  return (
    <main>
      <ViewHeader
        title={title}
        lead={
          shown && (
            <>
              {unitsText(shown.pagination.totalCount)} {lead?.(shown)}
            </>
          )
        }
        isAboutPatients={properties.isAboutPatients}
        filters={properties.filters}
      >
        <div class="actions">
          <PrintAll list={list} />
          {saveAs !== undefined && <SaveAsCsv read={save} />}
          {properties.actions}
        </div>
      </ViewHeader>
      {above}
      <ListPages list={list} empty={properties.empty}>
        {(page) => (
          <>
            <ListTable label={title} columns={columnsOf(page)} keyOf={keyOf} rows={page.data} />
            {below?.(page)}
          </>
        )}
      </ListPages>
    </main>
  );
}
