/** Which rows of a list a page shows: how many to skip, and how many to read at the most. */
export interface PageSlice {
  offset: number;
  pageSize: number;
}

/** Rows before a page that are cheap enough to walk over one by one: 1,000 take SQLite less than the rest of the page. */
export const WALKED_ROWS = 1_000;

/**
 * The group of rows in which a page begins, and how many rows of that group come before it; undefined where the
 * page begins after the last. Whole groups are skipped by their sizes, so that a page costs as much anywhere in
 * a long list.
 *
 * @example
 * skipGroups([{ month: "2026-01", rows: 900 }, { month: "2026-02", rows: 800 }], 1_000);
 * // { group: { month: "2026-02", rows: 800 }, offset: 100 }
 */
export function skipGroups<Group extends { rows: number }>(
  groups: readonly Group[],
  offset: number,
): { group: Group; offset: number } | undefined {
  let rest = offset;
  for (const group of groups) {
    if (rest < group.rows) return { group, offset: rest };
    rest -= group.rows;
  }
  return undefined;
}
