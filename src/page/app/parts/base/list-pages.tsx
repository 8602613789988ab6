import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { List } from "../../lib/base/list.ts";
import { addressOfPage, goTo } from "../../lib/base/place.ts";
import type { PageOf } from "../../lib/base/wire.ts";
import { Empty, Loading, ResponseView } from "./notices.tsx";
import { Pager } from "./pager.tsx";

/** The current page of a list, the links to others below it, or what is said of an empty one. */
export function ListPages<Page extends PageOf<unknown>>(properties: {
  list: List<Page>;
  empty: ComponentChildren;
  children: (page: Page) => ComponentChildren;
}) {
  const { list, empty, children } = properties;
  return (
    <ResponseView response={list.response}>
      {(page) =>
        page.data.length === 0 && page.pagination.totalCount > 0 ? (
          <ToLastPage {...page.pagination} />
        ) : page.data.length === 0 ? (
          <Empty>{empty}</Empty>
        ) : (
          <>
            {children(page)}
            <Pager pagination={page.pagination} />
          </>
        )
      }
    </ResponseView>
  );
}

/** A page beyond the last is no empty list: what stood there has been mended, or its address is an old one. */
function ToLastPage({ totalPages }: PageOf<unknown>["pagination"]) {
  useEffect(() => goTo(addressOfPage(totalPages), "replace"), []);
  return <Loading />;
}
