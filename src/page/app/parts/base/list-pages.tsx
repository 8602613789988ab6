import type { ComponentChildren } from "preact";
import type { List } from "../../lib/base/list.ts";
import type { PageOf } from "../../lib/base/wire.ts";
import { Empty, ResponseView } from "./notices.tsx";
import { Pager } from "./pager.tsx";

/** The current page of a list, between the links to others, or what is said of an empty one. */
export function ListPages<Page extends PageOf<unknown>>(properties: {
  list: List<Page>;
  empty: ComponentChildren;
  /** What stands above the first links. */
  above?: (page: Page) => ComponentChildren;
  /** What stands beside them. */
  head?: (page: Page) => ComponentChildren;
  children: (page: Page) => ComponentChildren;
}) {
  const { list, empty, above, head, children } = properties;
  return (
    <ResponseView response={list.response}>
      {(page) =>
        page.data.length === 0 ? (
          <Empty>{empty}</Empty>
        ) : (
          <>
            {above?.(page)}
            <div class="list-head">
              {head?.(page)}
              <Pager pagination={page.pagination} label="Pages" onPrint={list.print} />
            </div>
            {children(page)}
            <Pager pagination={page.pagination} label="Pages, after the list" />
          </>
        )
      }
    </ResponseView>
  );
}
