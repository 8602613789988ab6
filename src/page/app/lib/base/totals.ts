import { withQuery } from "./api.ts";
import type { Query } from "./query.ts";
import { useGet } from "./response.ts";
import type { ChecksReport } from "./wire.ts";

/** A page without findings: whoever asks for totals alone looks at no patient, and the trail names none. */
const NO_FINDINGS = { page: 1_000_000, pageSize: 1 };

/** How many findings each check has; undefined until that is known, and without a query. */
export function useTotals(query: Query | undefined): ChecksReport["totals"] | undefined {
  const path = query && withQuery("checks", { ...query, ...NO_FINDINGS });
  return useGet<ChecksReport>(path).value?.totals;
}
