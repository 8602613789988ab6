import { withQuery } from "./api.ts";
import { NO_RECORDS, type Query } from "./query.ts";
import { useGet } from "./response.ts";
import type { ChecksReport } from "./wire.ts";

/** How many findings each check has; undefined until that is known, and without a query. */
export function useTotals(query: Query | undefined): ChecksReport["totals"] | undefined {
  const path = query && withQuery("checks", { ...query, ...NO_RECORDS });
  return useGet<ChecksReport>(path).value?.totals;
}
