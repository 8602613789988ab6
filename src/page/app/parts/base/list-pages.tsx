import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { List } from "../../lib/base/list.ts";
import { addressWith, goTo } from "../../lib/base/place.ts";
import type { PageOf } from "../../lib/base/wire.ts";
import { Empty, Loading, ResponseView } from "./notices.tsx";
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
        page.data.length === 0 && page.pagination.totalCount > 0 ? (
          <ToLastPage {...page.pagination} />
        ) : page.data.length === 0 ? (
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

/** A page beyond the last is no empty list: what stood there has been mended, or its address is an old one. */
function ToLastPage({ totalPages }: PageOf<unknown>["pagination"]) {
  useEffect(
    () => goTo(addressWith({ page: totalPages > 1 ? totalPages : undefined }), "replace"),
    [],
  );
  return <Loading />;
}
