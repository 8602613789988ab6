import type { List } from "../../lib/base/list.ts";
import { addressOfPage } from "../../lib/base/place.ts";
import type { PageOf } from "../../lib/base/wire.ts";
import { Button } from "./button.tsx";

/** Which part of a list is shown, with links to the previous and next page; nothing where one page has all. */
export function Pager({ pagination }: { pagination: PageOf<unknown>["pagination"] }) {
  const { page, pageSize, totalCount, totalPages } = pagination;
  if (totalPages < 2) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, totalCount);
  return (
    <nav class="pager" aria-label="Pages">
      <span>
        {first}–{last} of {totalCount}
      </span>
      {page > 1 && <PageLink page={page - 1} name="Previous" />}
      {page < totalPages && <PageLink page={page + 1} name="Next" />}
    </nav>
  );
}

/** Prints the whole list. */
export function PrintAll<Page extends PageOf<unknown>>({ list }: { list: List<Page> }) {
  const { totalCount = 0, totalPages = 0 } = list.response.value?.pagination ?? {};
  if (totalCount === 0) return null;
  return (
    <Button
      class="quiet"
      title={totalPages > 1 ? `All ${totalCount}` : undefined}
      onClick={list.print}
    >
      Print
    </Button>
  );
}

function PageLink({ page, name }: { page: number; name: string }) {
  return (
    <a class="button" href={addressOfPage(page)}>
      {name}
    </a>
  );
}
