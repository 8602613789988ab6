import { get, post, type Reading, withQuery } from "../base/api.ts";
import type { Query } from "../base/query.ts";
import { Failure } from "../base/failure.ts";
import { practiceZone } from "../base/me.ts";
import type { UtilizationSummary, WhatIf, WhatIfBody } from "../base/wire.ts";

/** An authorization or pool, as its view shows it. */

/** For a patient without a time zone, the API requires one in the query. */
const ZONE_IS_NEEDED = 422;

/**
 * Reads an authorization or pool: days are those of the query's zone, else of its patient's, else of the practice's.
 *
 * @throws Failure if it cannot be read.
 */
export async function readSummary(
  id: string,
  query: Query,
  reading?: Reading,
): Promise<UtilizationSummary> {
  const path = `authorization-utilization/${encodeURIComponent(id)}/summary`;
  return get<UtilizationSummary>(withQuery(path, query), reading).catch((failure: unknown) => {
    if (!(failure instanceof Failure) || failure.status !== ZONE_IS_NEEDED) throw failure;
    const timezone = practiceZone();
    return get<UtilizationSummary>(withQuery(path, { ...query, timezone }), reading);
  });
}

/** Requests the what-if of an authorization; nothing is written. */
export function askWhatIf(id: string, changes: WhatIfBody, reading?: Reading): Promise<WhatIf> {
  return post<WhatIf>(
    `authorization-utilization/${encodeURIComponent(id)}/what-if`,
    JSON.stringify(changes),
    reading,
  );
}
