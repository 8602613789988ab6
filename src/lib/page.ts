/** The rows of one page: how many rows to skip, and the greatest number to read. */
export interface PageSlice {
  offset: number;
  pageSize: number;
}

/** Offsets up to this are left to SQL's OFFSET: SQLite skips 1,000 rows in less time than the rest of the page takes. */
export const WALKED_ROWS = 1_000;

/**
 * The group of rows in which a page begins, and the offset of the page within it. Undefined if the offset is past the
 * last row. Skipping whole groups by their sizes makes deep pages of a long list as cheap as early ones.
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
