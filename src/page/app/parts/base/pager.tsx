import { addressWith } from "../../lib/base/place.ts";
import type { PageOf } from "../../lib/base/wire.ts";
import { Button } from "./button.tsx";

/** The shown part of a list, with links to the previous and next page. */
export function Pager(properties: {
  pagination: PageOf<unknown>["pagination"];
  /** Distinguishes several pagers of a view. */
  label: string;
  /** Prints the whole list. */
  onPrint?: () => void;
}) {
  const { pagination, label, onPrint } = properties;
  const { page, pageSize, totalCount, totalPages } = pagination;
  if (totalCount === 0) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, totalCount);
  return (
    <nav class="pager" aria-label={label}>
      <span>
        {first > totalCount ? "No" : `${first}–${last}`} of {totalCount}
      </span>
      <PageLink page={page - 1} isThere={page > 1} name="Previous" />
      <PageLink page={page + 1} isThere={page < totalPages} name="Next" />
      {onPrint && (
        <Button onClick={onPrint}>{totalPages > 1 ? `Print all ${totalCount}` : "Print"}</Button>
      )}
    </nav>
  );
}

function PageLink({ page, isThere, name }: { page: number; isThere: boolean; name: string }) {
  if (!isThere)
    return (
      <span class="button disabled" aria-hidden="true">
        {name}
      </span>
    );
  return (
    <a class="button" href={addressWith({ page: page === 1 ? undefined : page })}>
      {name}
    </a>
  );
}
